import { useComputed } from '@preact/signals'
import type { JSX } from 'preact'
import { isCustom } from '../../../pool/buckets.ts'
import { freeIndex } from '../../../pool/edits.ts'
import { slotLabel } from '../../../pool/slots.ts'
import { count } from '../../format.ts'
import { Icon } from '../../parts/icons.tsx'
import { BucketChip, bucketMeaning } from '../../pool/slot-parts.tsx'
import type { SlotView } from '../../pool/slots.ts'
import { Reason, useEntry } from '../commit-field.tsx'
import type { EditSlot } from '../edit.ts'
import { bucketId } from '../focus.ts'
import type { ModelProps } from '../model.ts'
import { readBeatmap } from '../read-fields.ts'
import { BucketPanel } from './buckets.tsx'
import { type Lane, laneName } from './lanes.ts'
import { SlotRow } from './slot-row.tsx'

type LaneProps = ModelProps & { readonly lane: Lane }
type Props = LaneProps & {
  /** The slots with what is known of their beatmaps. */
  readonly views: ReadonlyMap<EditSlot, SlotView>
}

/** A bucket with its slots by number, and a field that adds one. */
export function LaneView({ lane, model, views }: Props): JSX.Element {
  const { mod, bucket, slots } = lane
  const { drag, draggedKey, settingsOf } = model.actions
  // Where the dragged slot would be dropped: in front of which of the others.
  const mark = useComputed(() => {
    const place = drag.value?.place
    return place?.mod === mod ? place.at : null
  }).value
  const others = slots.filter(({ key }) => key !== draggedKey.value)
  return (
    <section
      class={mark === null ? 'lane' : 'lane aimed'}
      data-lane={mod ?? ''}
      aria-label={`Bucket ${laneName(mod)}`}
    >
      <LaneHead lane={lane} model={model} />
      <div class="lane-body">
        {bucket !== null && isCustom(bucket) && settingsOf.value === mod && (
          <BucketPanel bucket={bucket} model={model} />
        )}
        {slots.length > 0 && (
          <ol class="lane-slots" role="list">
            {slots.map((slot) => {
              const view = views.get(slot)
              const hasMark = mark !== null && others[mark] === slot
              return (
                view && (
                  <SlotRow key={slot.key} slot={slot} view={view} model={model} hasMark={hasMark} />
                )
              )
            })}
          </ol>
        )}
        {mark !== null && mark >= others.length && <span class="drop-mark" aria-hidden="true" />}
        <AddSlot lane={lane} model={model} />
      </div>
    </section>
  )
}

/** The bucket of a lane, which opens its menu. */
function LaneHead({ lane: { bucket, slots }, model }: LaneProps): JSX.Element {
  const number = slots.length === 0 ? '' : count(slots.length, 'slot')
  const id = bucketId(bucket?.code ?? '')
  const problem = useComputed(() => model.problems.value.at.get(id)?.text).value
  if (bucket === null) {
    return (
      <div class="lane-head">
        <h3>No bucket</h3>
        <span class="lane-meaning">{number}</span>
      </div>
    )
  }
  const { code } = bucket
  return (
    <div class="lane-head">
      <h3>
        <button
          type="button"
          id={id}
          class="lane-button"
          data-bucket={code}
          aria-haspopup="menu"
          aria-label={`Bucket ${code}`}
          title={code}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onClick={({ currentTarget: anchor }) => {
            model.actions.menu.value = { anchor, of: code }
          }}
        >
          <BucketChip bucket={bucket} />
          <Icon name="down" />
        </button>
      </h3>
      <span class="lane-meaning">
        {bucketMeaning(bucket)}
        {number !== '' && <span class="lane-count">{number}</span>}
      </span>
      {problem !== undefined && (
        <span id={`${id}-problem`} class="lane-problem">
          {problem}
        </span>
      )}
    </div>
  )
}

/** Adds a slot: an id or a link, then Enter. */
function AddSlot({ lane: { mod, slots }, model: { actions } }: LaneProps): JSX.Element {
  const { text, field, reason, clear, submit } = useEntry(readBeatmap, (beatmapId) =>
    actions.add(mod, beatmapId),
  )
  const label = mod === null ? 'slot' : slotLabel({ mod, index: freeIndex(slots, mod) })
  return (
    <form class="edit-add" onSubmit={submit}>
      <button
        type="submit"
        class="edit-add-button"
        aria-label={`Add ${label}`}
        onClick={(event) => {
          if (text.trim() === '') event.currentTarget.form?.querySelector('input')?.focus()
        }}
      >
        + {label}
      </button>
      <input
        {...field}
        id={`edit-add-${mod ?? ''}`}
        class="field edit-add-field"
        data-column="beatmap"
        data-is-settled={text === '' ? '' : undefined}
        aria-label={`Add beatmap to ${laneName(mod)}`}
        placeholder="Beatmap id or link"
        inputMode="url"
        onKeyDown={({ key }) => key === 'Escape' && clear()}
      />
      <Reason {...reason} />
    </form>
  )
}
