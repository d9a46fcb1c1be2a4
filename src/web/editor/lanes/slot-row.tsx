import { useComputed } from '@preact/signals'
import type { JSX } from 'preact'
import { playedBpm, playedLength } from '../../../pool/played-values.ts'
import { formatBpm, formatLength } from '../../format.ts'
import { Button } from '../../parts/buttons.tsx'
import { Icon } from '../../parts/icons.tsx'
import { PersonText } from '../../parts/labels.tsx'
import { SlotStars } from '../../pool/slot-parts.tsx'
import { beatmapName, type SlotView } from '../../pool/slots.ts'
import { CommitField } from '../commit-field.tsx'
import type { EditSlot } from '../edit.ts'
import { slotId } from '../focus.ts'
import type { ModelProps } from '../model.ts'
import { readBeatmap, readIndex } from '../read-fields.ts'

/** The id of the text that describes the keys. */
export const KEYS_HINT = 'edit-keys-hint'

type Props = ModelProps & {
  readonly slot: EditSlot
  readonly view: SlotView
  /** The slot that is dragged would be dropped in front of it. */
  readonly hasMark: boolean
}

/** A slot: its number and beatmap can be typed over, and its handle moves it. */
export function SlotRow({ slot, view, model, hasMark }: Props): JSX.Element {
  const { label } = view
  const { actions } = model
  const { key } = slot
  const id = slotId(key)
  const noteId = `${id}-note`
  // Typing a name or a description renders no rows.
  const problem = useComputed(() => model.problems.value.at.get(id)?.text).value
  const double = useComputed(() => actions.doubles.value.get(key)).value
  const note = problem ?? (double === undefined ? undefined : `Also in ${double}`)
  const isDragged = actions.draggedKey.value === key
  return (
    <li class={`edit-slot${isDragged ? ' dragged' : ''}`} data-key={key}>
      {hasMark && <span class="drop-mark" aria-hidden="true" />}
      <button
        type="button"
        id={id}
        class="edit-handle"
        data-column="handle"
        aria-haspopup="menu"
        aria-label={`Move ${label}`}
        aria-describedby={note === undefined ? KEYS_HINT : `${noteId} ${KEYS_HINT}`}
        onClick={({ currentTarget: anchor }) => {
          actions.menu.value = { anchor, of: key }
        }}
      >
        <Icon name="drag" />
      </button>
      <span class="edit-number">
        {slot.mod !== null && <span aria-hidden="true">{slot.mod}</span>}
        <CommitField
          id={`${id}-number`}
          class="edit-index"
          data-column="number"
          aria-label={`Number of ${label}`}
          inputMode="numeric"
          maxLength={4}
          // As the label has it: the first tiebreaker is TB, without a number.
          text={slot.index === 0 || label === slot.mod ? '' : String(slot.index)}
          read={readIndex}
          onCommit={(index) => actions.renumber(key, index)}
        />
      </span>
      <BeatmapText view={view} />
      <span class="edit-facts">
        <SlotStars slot={view} />
        <PlayedFacts view={view} />
      </span>
      <CommitField
        id={`${id}-beatmap`}
        class="edit-beatmap"
        data-column="beatmap"
        aria-label={`Beatmap of ${label}`}
        inputMode="url"
        text={String(slot.beatmapId)}
        read={readBeatmap}
        onCommit={(beatmapId) => actions.exchange(key, beatmapId)}
      />
      <Button
        tone="quiet"
        icon="close"
        aria-label={`Remove ${label}`}
        title={`Remove ${label}`}
        onClick={() => actions.remove(key)}
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

function BeatmapText({ view: { beatmap } }: ViewProps): JSX.Element {
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

function PlayedFacts({ view: { beatmap, forced } }: ViewProps): JSX.Element {
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
