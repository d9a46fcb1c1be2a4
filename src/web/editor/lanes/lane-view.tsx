import type { ComponentChildren, JSX } from 'preact'
import { freeIndex } from '../../../pool/edits.ts'
import { slotLabel } from '../../../pool/slots.ts'
import type { SlotView } from '../../pool/slot-view.ts'
import type { EditSlot } from '../edit.ts'
import { AddSlot } from './add-slot.tsx'
import type { DropPlace } from './drop-place.ts'
import { EditSlotRow, type SlotActions } from './edit-slot-row.tsx'
import { LaneHead } from './lane-head.tsx'
import { laneName } from './lane-words.ts'
import type { Lane } from './lanes.ts'
import type { Drag } from './use-drag.ts'

/** What is to be told beside what slots and buckets are; of slots by their keys. */
export type SlotNotes = {
  readonly problems: ReadonlyMap<number, string>
  readonly doubles: ReadonlyMap<number, string>
  /** By the bucket's code. */
  readonly bucketProblems: ReadonlyMap<string, string>
}

type Props = {
  readonly lane: Lane
  readonly views: ReadonlyMap<EditSlot, SlotView>
  readonly notes: SlotNotes
  readonly drag: Drag | null
  readonly actions: SlotActions
  readonly keysHintId: string
  readonly openMenu: (button: HTMLElement, lane: Lane) => void
  readonly onAdd: (lane: Lane, beatmapId: number) => void
  /** The settings of the bucket, while they are open. */
  readonly children: ComponentChildren
}

/** The mark where a dragged slot would come to stand: in front of which row, counted without it. */
const markAt = (place: DropPlace | null | undefined, lane: Lane): number | null =>
  place && place.mod === lane.mod ? place.at : null

/** A bucket with its slots by number, and a field that adds one. */
export const LaneView = ({
  lane,
  views,
  notes,
  drag,
  actions,
  keysHintId,
  openMenu,
  onAdd,
  children,
}: Props): JSX.Element => {
  const { mod, slots } = lane
  const mark = markAt(drag?.place, lane)
  const others = slots.filter(({ key }) => key !== drag?.key)
  const next = slotLabel({ mod, index: freeIndex(slots, mod) })
  return (
    <section
      class={mark === null ? 'lane' : 'lane aimed'}
      data-lane={mod ?? ''}
      aria-label={`Bucket ${laneName(mod)}`}
    >
      <LaneHead
        lane={lane}
        problem={notes.bucketProblems.get(mod ?? '')}
        openMenu={(button) => openMenu(button, lane)}
      />
      <div class="lane-body">
        {children}
        {slots.length > 0 && (
          <ol class="lane-slots" role="list">
            {slots.map((slot) => {
              const view = views.get(slot)
              return (
                view && (
                  <EditSlotRow
                    key={slot.key}
                    slot={slot}
                    view={view}
                    actions={actions}
                    keysHintId={keysHintId}
                    double={notes.doubles.get(slot.key)}
                    problem={notes.problems.get(slot.key)}
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
          lane={lane}
          label={mod === null ? 'slot' : next}
          onAdd={(beatmapId) => onAdd(lane, beatmapId)}
        />
      </div>
    </section>
  )
}
