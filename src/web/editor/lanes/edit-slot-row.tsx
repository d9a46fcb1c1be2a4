import type { JSX } from 'preact'
import { formatBpm, formatLength } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { playedBpm, playedLength } from '../../../pool/played-values.ts'
import { SlotStars } from '../../pool/slot-stars.tsx'
import type { SlotView } from '../../pool/slot-view.ts'
import { beatmapName } from '../../pool/slot-words.ts'
import { CommitField } from '../commit-field.tsx'
import type { EditSlot } from '../edit.ts'
import { spotId } from '../problems.ts'
import { readBeatmap } from '../read-beatmap.ts'
import { readIndex } from '../read-fields.ts'
import { PersonText } from '../../parts/person-text.tsx'

/** What one can do with a slot in its row. */
export type SlotActions = {
  readonly hold: (event: PointerEvent, slot: EditSlot) => void
  readonly openMenu: (handle: HTMLElement, slot: EditSlot) => void
  readonly renumber: (slot: EditSlot, index: number) => void
  readonly exchange: (slot: EditSlot, beatmapId: number) => void
  readonly remove: (slot: EditSlot) => void
  /** Enter in a field: on to the next one below. */
  readonly goOn: (from: string) => void
}

type Props = {
  readonly slot: EditSlot
  readonly view: SlotView
  readonly actions: SlotActions
  readonly keysHintId: string
  /** Where else its beatmap stands. */
  readonly double: string | undefined
  readonly problem: string | undefined
  readonly isDragged: boolean
  /** The slot that is dragged would come to stand in front of it. */
  readonly hasMark: boolean
}

/** A slot: what it is can be typed over, and its handle moves it. */
export const EditSlotRow = ({
  slot,
  view,
  actions,
  keysHintId,
  double,
  problem,
  isDragged,
  hasMark,
}: Props): JSX.Element => {
  const { label } = view
  const id = spotId({ kind: 'slot', key: slot.key })
  const noteId = `${id}-note`
  const note = problem ?? (double === undefined ? undefined : `Also in ${double}`)
  return (
    <li class={`edit-slot${isDragged ? ' dragged' : ''}`} data-key={slot.key}>
      {hasMark && <span class="drop-mark" aria-hidden="true" />}
      <button
        type="button"
        id={id}
        class="edit-handle"
        data-column="handle"
        aria-haspopup="menu"
        aria-label={`Move ${label}`}
        aria-describedby={note === undefined ? keysHintId : `${noteId} ${keysHintId}`}
        onPointerDown={(event) => actions.hold(event, slot)}
        onClick={({ currentTarget }) => actions.openMenu(currentTarget, slot)}
      >
        <Icon name="drag" />
      </button>
      <span class="edit-number">
        {slot.mod !== null && <span aria-hidden="true">{slot.mod}</span>}
        <CommitField
          id={`${id}-number`}
          column="number"
          class="edit-index"
          label={`Number of ${label}`}
          inputMode="numeric"
          maxLength={4}
          // As the label has it: the first tiebreaker is TB, without a number.
          text={slot.index === 0 || label === slot.mod ? '' : String(slot.index)}
          read={readIndex}
          onCommit={(index) => actions.renumber(slot, index)}
          onEnter={() => actions.goOn(`${id}-number`)}
        />
      </span>
      <BeatmapText view={view} />
      <span class="edit-facts">
        <SlotStars slot={view} />
        <PlayedFacts view={view} />
      </span>
      <CommitField
        id={`${id}-beatmap`}
        column="beatmap"
        class="edit-beatmap"
        label={`Beatmap of ${label}`}
        inputMode="url"
        text={String(slot.beatmapId)}
        read={readBeatmap}
        onCommit={(beatmapId) => actions.exchange(slot, beatmapId)}
        onEnter={() => actions.goOn(`${id}-beatmap`)}
      />
      <Button
        tone="quiet"
        icon="close"
        aria-label={`Remove ${label}`}
        title={`Remove ${label}`}
        onClick={() => actions.remove(slot)}
      />
      {note !== undefined && (
        <span id={noteId} class={`edit-note${problem === undefined ? '' : ' danger'}`}>
          {note}
        </span>
      )}
    </li>
  )
}

type ViewProps = { readonly view: SlotView }

const BeatmapText = ({ view: { beatmap } }: ViewProps): JSX.Element => {
  if (beatmap.state === 'pending') {
    return (
      <span class="edit-title">
        <span class="blank" />
        <span class="sr-only">loading</span>
      </span>
    )
  }
  if (beatmap.state === 'gone') {
    return <span class="edit-title gone">Beatmap not found. Check the id.</span>
  }
  const { title, artist, difficulty, mapper } = beatmap.details
  return (
    <span class="edit-title" title={`${beatmapName(beatmap.details)} by ${mapper}`}>
      <b>
        <PersonText text={title} />
      </b>{' '}
      <span>
        [<PersonText text={difficulty} />]
      </span>{' '}
      <span>
        <PersonText text={artist} />
      </span>
    </span>
  )
}

const PlayedFacts = ({ view: { beatmap, forced } }: ViewProps): JSX.Element => {
  const details = beatmap.state === 'known' ? beatmap.details : null
  const bpm = details && playedBpm(details, forced)
  return (
    <>
      <span class="edit-length">{details && formatLength(playedLength(details, forced))}</span>
      <span class="edit-bpm">
        {bpm !== null && formatBpm(bpm)}
        {bpm !== null && <span class="sr-only"> BPM</span>}
      </span>
    </>
  )
}
