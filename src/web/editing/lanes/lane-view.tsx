import * as words from '#texts/common'
import * as texts from '#texts/editing'
import { isCustom, slotLabel } from '../../../pool/slots.ts'
import { freeIndex } from '../../../pool/edits.ts'
import { playedBpm, playedLength } from '../../../pool/played-values.ts'
import { formatBpm, formatLength } from '../../format.ts'
import { Button } from '../../parts/buttons.tsx'
import { useDerived } from '../../parts/derived.ts'
import { Icon } from '../../parts/icons.tsx'
import { PersonText } from '../../parts/labels.tsx'
import { PooledNote } from '../../pool/pooled.tsx'
import { BucketChip, bucketMeaning, isLongCode, SlotStars } from '../../pool/slot-parts.tsx'
import { beatmapName, type SlotView } from '../../pool/slots.ts'
import { CommitField, readIndex, useEntry } from '../fields.tsx'
import { addId, bucketId, focusLater, slotId } from '../focus.ts'
import { addName, type BoardProps } from './board.ts'
import { BucketPanel } from './buckets.tsx'
import type { Lane, LaneSlot } from './lanes.ts'

export const KEYS_HINT = 'edit-keys-hint'

type LaneProps = BoardProps & { readonly lane: Lane }

/** A bucket with its slots by number, and a field that adds one. */
export function LaneView({ lane, board }: LaneProps) {
  const { mod, bucket, slots } = lane
  const { drag, draggedKey, settingsOf } = board.actions
  // Where the dragged slot would be dropped: in front of which of the others.
  const mark = useDerived(() => {
    const place = drag.value?.place
    return place?.mod === mod ? place.at : null
  }, [drag, mod])
  const others = slots.filter(({ key }) => key !== draggedKey.value)
  return (
    <section
      class={mark === null ? 'lane' : 'lane aimed'}
      data-lane={mod ?? ''}
      aria-label={mod === null ? texts.noBucket : texts.bucket({ bucket: mod })}
    >
      <LaneHead lane={lane} board={board} />
      <div class="lane-body">
        {bucket !== null && isCustom(bucket) && settingsOf.value === mod && (
          <BucketPanel bucket={bucket} board={board} />
        )}
        {slots.length > 0 && (
          <ol class="lane-slots" role="list">
            {slots.map((slot) => {
              const hasMark = mark !== null && others[mark] === slot
              return <SlotRow key={slot.key} slot={slot} board={board} hasMark={hasMark} />
            })}
          </ol>
        )}
        {mark !== null && mark >= others.length && <span class="drop-mark" aria-hidden="true" />}
        {!board.rounds?.isFixed && <AddSlot lane={lane} board={board} />}
      </div>
    </section>
  )
}

function LaneHead({ lane: { bucket, slots }, board }: LaneProps) {
  const number = slots.length > 0 && texts.slots({ n: slots.length })
  const id = bucketId(bucket?.code ?? '')
  const problem = useDerived(() => board.problems.value.at.get(id)?.text, [board, id])
  if (bucket === null) {
    return (
      <div class="lane-head">
        <h3>{texts.noBucket}</h3>
        <span class="lane-meaning">{number}</span>
      </div>
    )
  }
  const { menu } = board.actions
  const { code } = bucket
  const chip = <BucketChip bucket={bucket} />
  return (
    <div class="lane-head">
      <h3>
        {board.rounds?.isFixed ? (
          chip
        ) : (
          <button
            type="button"
            id={id}
            class="lane-button"
            data-bucket={code}
            aria-haspopup="menu"
            aria-label={texts.bucket({ bucket: code })}
            title={code}
            aria-describedby={problem && `${id}-problem`}
            onClick={({ currentTarget: anchor }) => (menu.value = { anchor, of: code })}
          >
            {chip}
            <Icon name="down" />
          </button>
        )}
      </h3>
      <span class="lane-meaning">
        {bucketMeaning(bucket)}
        {number && <span class="lane-count">{number}</span>}
      </span>
      {problem && (
        <span id={`${id}-problem`} class="lane-problem">
          {problem}
        </span>
      )}
    </div>
  )
}

type RowProps = BoardProps & { readonly slot: LaneSlot }

/** A slot. `hasMark`: the slot that is dragged would be dropped in front of it. */
function SlotRow({ slot, board, hasMark }: RowProps & { readonly hasMark: boolean }) {
  const { actions, rounds } = board
  const { key } = slot
  const id = slotId(key)
  const noteId = `${id}-note`
  const view = board.views.value.get(slot)
  // Typing a name or a description renders no rows.
  const problem = useDerived(() => board.problems.value.at.get(id)?.text, [board, id])
  const double = useDerived(() => actions.doubles.value.get(key), [actions, key])
  const note = problem ?? (double && texts.alsoIn({ slots: double }))
  if (view === undefined && slot.beatmapId !== undefined) return null
  const label = slotLabel(slot)
  const isFixed = rounds?.isFixed === true
  const isLong = isLongCode(slot.mod ?? '')
  const kind = `edit-slot${rounds ? ' in-round' : ''}${view ? '' : ' open'}${isLong ? ' long-code' : ''}`
  return (
    <li class={actions.draggedKey.value === key ? `${kind} dragged` : kind} data-key={key}>
      {hasMark && <span class="drop-mark" aria-hidden="true" />}
      {isFixed ? (
        <span class="edit-number fixed">{label}</span>
      ) : (
        <SlotNumber slot={slot} board={board} noteId={note && noteId} />
      )}
      {view && (
        <>
          <BeatmapText view={view} />
          <PooledNote beatmapId={view.beatmapId} notes={board.pooled} />
          <span class="edit-facts">
            <SlotStars slot={view} />
            <PlayedFacts view={view} />
          </span>
        </>
      )}
      {isFixed ? (
        <FixedBeatmap slot={slot} />
      ) : (
        <CommitField
          id={`${id}-beatmap`}
          class="edit-beatmap"
          data-column="beatmap"
          aria-label={texts.beatmapOf({ slot: label })}
          {...(rounds ? { isShared: true, placeholder: texts.openSlotHint } : { inputMode: 'url' })}
          text={String(slot.beatmapId ?? slot.placeholder ?? '')}
          read={board.read}
          onCommit={(filling, seen) => board.fill(slot, filling, seen)}
        />
      )}
      {rounds && <rounds.Plan slot={slot} />}
      {rounds && <rounds.Aside slot={slot} />}
      {!isFixed && (
        <Button
          tone="quiet"
          icon="close"
          aria-label={texts.removeThisSlot({ slot: label })}
          title={texts.removeThisSlot({ slot: label })}
          onClick={() => actions.remove(key)}
        />
      )}
      {note && (
        <span id={noteId} class={problem === undefined ? 'edit-note' : 'edit-note danger'}>
          {note}
        </span>
      )}
      {rounds && <rounds.Below slot={slot} />}
    </li>
  )
}

/** The handle that moves a slot, and its number. */
function SlotNumber({ slot, board, noteId }: RowProps & { readonly noteId: string | undefined }) {
  const { actions } = board
  const { key } = slot
  const id = slotId(key)
  const label = slotLabel(slot)
  return (
    <>
      <button
        type="button"
        id={id}
        class="edit-handle"
        data-column="handle"
        aria-haspopup="menu"
        aria-label={texts.moveThisSlot({ slot: label })}
        aria-describedby={noteId === undefined ? KEYS_HINT : `${noteId} ${KEYS_HINT}`}
        onClick={({ currentTarget: anchor }) => (actions.menu.value = { anchor, of: key })}
      >
        <Icon name="drag" />
      </button>
      <span class="edit-number">
        {slot.mod !== null && <span aria-hidden="true">{slot.mod}</span>}
        <CommitField
          id={`${id}-number`}
          class="edit-index"
          data-column="number"
          aria-label={texts.numberOf({ slot: label })}
          inputMode="numeric"
          maxLength={4}
          // As the label has it: the first tiebreaker is TB, without a number.
          text={slot.index === 0 || label === slot.mod ? '' : String(slot.index)}
          read={readIndex}
          onCommit={(index) => actions.renumber(key, index)}
        />
      </span>
    </>
  )
}

const FixedBeatmap = ({
  slot: { beatmapId, placeholder, details, link },
}: {
  readonly slot: LaneSlot
}) =>
  beatmapId === undefined ? (
    <span class="edit-beatmap quiet-text">
      {placeholder !== undefined && <PersonText text={placeholder} />}
      {placeholder === undefined && (details || link ? texts.noBeatmapYet : texts.emptySlot)}
    </span>
  ) : (
    <a
      class="edit-beatmap"
      href={`https://osu.ppy.sh/beatmaps/${beatmapId}`}
      target="_blank"
      rel="noreferrer"
    >
      {beatmapId}
    </a>
  )

function BeatmapText({ view: { beatmap } }: { view: SlotView }) {
  if (beatmap.state === 'pending') {
    return (
      <span class="edit-title">
        <span class="blank" />
        <span class="sr-only">{texts.beatmapLoading}</span>
      </span>
    )
  }
  if (beatmap.state === 'gone') {
    return <span class="edit-title gone">{texts.beatmapGone}</span>
  }
  const { title, artist, difficulty, mapper } = beatmap.details
  const shown = (text: string) => <PersonText text={text} />
  return (
    <span
      class="edit-title"
      title={texts.beatmapBy({ beatmap: beatmapName(beatmap.details), mapper })}
    >
      <b>{shown(title)}</b> <span>[{shown(difficulty)}]</span> <span>{shown(artist)}</span>
    </span>
  )
}

function PlayedFacts({ view: { beatmap, forced } }: { view: SlotView }) {
  const details = beatmap.state === 'known' ? beatmap.details : null
  const bpm = details && playedBpm(details, forced)
  return (
    <>
      <span class="edit-length">
        {details && [
          formatLength(playedLength(details, forced)),
          <span class="edit-unit"> {words.minutesUnit}</span>,
        ]}
      </span>
      <span class="edit-bpm">
        {bpm !== null && [formatBpm(bpm), <span class="edit-unit"> {words.bpm}</span>]}
      </span>
    </>
  )
}

function AddSlot({ lane: { mod, slots }, board }: LaneProps) {
  const fieldId = addId(mod)
  const buttonId = `edit-add-button-${mod ?? ''}`
  const { field, emptied, note, isBlank, submit } = useEntry(
    board.read,
    (filling, done) => {
      board.actions.add(mod, filling)
      done()
      // A lane that was empty goes up to those with slots.
      focusLater(fieldId)
    },
    board.typed.text(addName(mod)),
  )
  const slot = mod === null ? null : slotLabel({ mod, index: freeIndex(slots, mod) })
  return (
    <form class="edit-add" onSubmit={submit}>
      <button
        type="submit"
        id={buttonId}
        class="edit-add-button"
        aria-label={slot === null ? texts.addLooseSlot : texts.addSlot({ slot })}
        onClick={({ currentTarget }) => {
          if (!isBlank) return
          // A round may have empty slots.
          if (board.of === 'round') {
            board.actions.add(mod, {})
            focusLater(buttonId)
          } else currentTarget.form?.querySelector('input')?.focus()
        }}
      >
        {slot === null ? texts.addLooseSlotShort : texts.addSlotShort({ slot })}
      </button>
      <input
        {...field}
        {...emptied}
        id={fieldId}
        class="field edit-add-field"
        data-column="beatmap"
        data-is-settled={field.value === '' ? '' : undefined}
        aria-label={mod === null ? texts.addLooseBeatmap : texts.addBeatmapTo({ bucket: mod })}
        placeholder={texts.beatmapHint}
        inputMode={board.of === 'round' ? 'text' : 'url'}
      />
      {note}
    </form>
  )
}
