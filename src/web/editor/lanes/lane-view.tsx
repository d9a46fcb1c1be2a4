import { useComputed } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { isCustom } from '../../../pool/buckets.ts'
import { freeIndex } from '../../../pool/edits.ts'
import { slotLabel } from '../../../pool/slots.ts'
import { count } from '../../format.ts'
import { Icon } from '../../parts/icons.tsx'
import { BucketChip, bucketMeaning } from '../../pool/slot-parts.tsx'
import type { SlotView } from '../../pool/slots.ts'
import { Reason, useEntry } from '../commit-field.tsx'
import type { EditSlot } from '../edit.ts'
import type { EditorModel } from '../model.ts'
import { readBeatmap } from '../read-fields.ts'
import { bucketId } from '../spots.ts'
import { BucketPanel } from './buckets.tsx'
import { type Lane, laneName } from './lanes.ts'
import { SlotRow } from './slot-row.tsx'

/** What is known of the slots. */
export type Views = ReadonlyMap<EditSlot, SlotView>

type Props = { readonly lane: Lane; readonly model: EditorModel; readonly views: Views }

/** A bucket with its slots by number, and a field that adds one. */
export function LaneView({ lane, model, views }: Props): JSX.Element {
  const { mod, bucket, slots } = lane
  const { actions, store } = model
  const drag = actions.drag.value
  // Where the dragged slot would come to stand: in front of which of the others.
  const mark = drag?.place != null && drag.place.mod === mod ? drag.place.at : null
  const others = slots.filter(({ key }) => key !== drag?.key)
  return (
    <section
      class={mark === null ? 'lane' : 'lane aimed'}
      data-lane={mod ?? ''}
      aria-label={`Bucket ${laneName(mod)}`}
    >
      <LaneHead lane={lane} model={model} />
      <div class="lane-body">
        {bucket !== null && isCustom(bucket) && actions.settingsOf.value === mod && (
          <BucketPanel bucket={bucket} buckets={store.buckets} actions={actions} />
        )}
        {slots.length > 0 && (
          <ol class="lane-slots" role="list">
            {slots.map((slot) => {
              const view = views.get(slot)
              return (
                view && (
                  <SlotRow
                    key={slot.key}
                    slot={slot}
                    view={view}
                    model={model}
                    isDragged={drag?.key === slot.key}
                    hasMark={mark !== null && others[mark] === slot}
                  />
                )
              )
            })}
          </ol>
        )}
        {mark !== null && mark >= others.length && <span class="drop-mark" aria-hidden="true" />}
        <AddSlot
          mod={mod}
          label={mod === null ? 'slot' : slotLabel({ mod, index: freeIndex(slots, mod) })}
          onAdd={(beatmapId) => actions.add(mod, beatmapId)}
        />
      </div>
    </section>
  )
}

type HeadProps = { readonly lane: Lane; readonly model: EditorModel }

/** What a lane is: its bucket, which opens what one can do with it. */
function LaneHead({ lane: { bucket, slots }, model }: HeadProps): JSX.Element {
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
            model.actions.menu.value = { kind: 'lane', mod: code, anchor }
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

type AddProps = {
  readonly mod: string | null
  /** What the next slot would be called. */
  readonly label: string
  readonly onAdd: (beatmapId: number) => void
}

/** Adds a slot by hand: an id or a link, then Enter. */
function AddSlot({ mod, label, onAdd }: AddProps): JSX.Element {
  const { text, reason, onInput, clear, submit } = useEntry(readBeatmap, onAdd)
  const reasonId = useId()
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
        id={`edit-add-${mod ?? ''}`}
        class="field edit-add-field"
        data-column="beatmap"
        data-is-settled={text === '' ? '' : undefined}
        aria-label={`Add beatmap to ${laneName(mod)}`}
        aria-invalid={reason === null ? undefined : true}
        aria-describedby={reason === null ? undefined : reasonId}
        placeholder="Beatmap id or link"
        inputMode="url"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={onInput}
        onKeyDown={({ key }) => key === 'Escape' && clear()}
      />
      <Reason id={reasonId} text={reason} />
    </form>
  )
}
