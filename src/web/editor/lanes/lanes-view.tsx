import type { JSX } from 'preact'
import { useId, useMemo, useRef, useState } from 'preact/hooks'
import { isCustom } from '../../../pool/buckets.ts'
import { slotLabel } from '../../../pool/slots.ts'
import type { SlotView } from '../../pool/slot-view.ts'
import type { Edit, EditSlot } from '../edit.ts'
import { focusLater, stepInColumn } from '../focus-later.ts'
import { spotId } from '../problems.ts'
import { AddBucket } from './add-bucket.tsx'
import { BucketPanel } from './bucket-panel.tsx'
import type { SlotActions } from './edit-slot-row.tsx'
import { BucketRemoval, LaneMenus, type OpenMenu } from './lane-menus.tsx'
import { LaneView, type SlotNotes } from './lane-view.tsx'
import { lanesOf, slotOf } from './lanes.ts'
import type { PoolActions } from './pool-actions.ts'
import { useDrag } from './use-drag.ts'
import '../../style/editor-lanes.css'

type Props = {
  readonly edit: Edit
  readonly views: ReadonlyMap<EditSlot, SlotView>
  readonly notes: SlotNotes
  readonly actions: PoolActions
  /** Several lines were pasted into a field of a lane. */
  readonly onLines: (mod: string | null, text: string) => void
}

const handleId = (key: number): string => spotId({ kind: 'slot', key })
const laneId = (code: string): string => spotId({ kind: 'bucket', code })

/** The buckets as lanes, in pool order. */
export const LanesView = ({ edit, views, notes, actions, onLines }: Props): JSX.Element => {
  const list = useRef<HTMLDivElement>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const keysHintId = useId()
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [settingsOf, setSettingsOf] = useState<string | null>(null)
  const [removing, setRemoving] = useState<string | null>(null)
  const lanes = useMemo(() => lanesOf(edit), [edit])
  const { drag, hold, wasDragged } = useDrag(list, ghost, (key, { mod, at }) => {
    actions.place(key, mod, at)
    focusLater(handleId(key))
  })
  const dragged = drag === null ? undefined : slotOf(edit, drag.key)

  /** The focus goes on to a row beside. */
  const remove = (slot: EditSlot): void => {
    const order = lanes.flatMap(({ slots }) => slots)
    const at = order.indexOf(slot)
    const next = order[at + 1] ?? order[at - 1]
    actions.remove(slot.key)
    focusLater(next === undefined ? 'edit-slots' : handleId(next.key))
  }
  const removeBucket = (code: string): void => {
    setRemoving(null)
    setSettingsOf(null)
    actions.removeBucket(code)
    focusLater('edit-slots')
  }
  const slotsIn = (code: string | null): number =>
    edit.slots.filter(({ mod }) => mod === code).length
  const askToRemove = (code: string): void =>
    slotsIn(code) === 0 ? removeBucket(code) : setRemoving(code)

  const rowActions: SlotActions = {
    hold: (event, slot) => hold(event, slot.key),
    openMenu: (anchor, { key }) => !wasDragged() && setMenu({ kind: 'slot', key, anchor }),
    renumber: ({ key }, index) => actions.renumber(key, index),
    exchange: ({ key }, beatmapId) => actions.exchange(key, beatmapId),
    remove,
    goOn: (from) => {
      const field = document.getElementById(from)
      if (field !== null && list.current !== null) stepInColumn(list.current, field, 1)
    },
  }

  /** Alt and an arrow key: moves the slot or the bucket that has the focus, which keeps it. */
  const moveBy = (target: HTMLElement, by: -1 | 1): boolean => {
    const { bucket } = target.dataset
    const key = keyOf(target)
    if (bucket === undefined && key === null) return false
    // What is half typed counts first.
    target.blur()
    if (bucket !== undefined) actions.moveBucket(bucket, by)
    else if (key !== null) actions.step(key, by)
    focusLater(target.id === '' && key !== null ? handleId(key) : target.id)
    return true
  }
  const press = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented } = event
    if (defaultPrevented || ctrlKey || metaKey || shiftKey) return
    const target = event.target as HTMLElement
    if (key === 'Delete' && target.dataset['column'] === 'handle') {
      const slot = slotOf(edit, keyOf(target) ?? 0)
      if (slot !== undefined) remove(slot)
    }
    const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : null
    if (by === null || list.current === null) return
    const isDone = altKey ? moveBy(target, by) : stepInColumn(list.current, target, by)
    if (isDone) event.preventDefault()
  }

  /** A field has one line: several are for the paste box, under the lane's bucket. */
  const pasteLines = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    const lane = (event.target as Element).closest<HTMLElement>('[data-lane]')
    if (lane === null || !/\S\s*\n\s*\S/.test(text)) return
    event.preventDefault()
    onLines(lane.dataset['lane'] || null, text)
  }

  return (
    <div ref={list} class="lanes" onKeyDown={press} onPaste={pasteLines}>
      <p id={keysHintId} class="sr-only">
        Alt and an arrow key move the slot; Enter opens a menu of places; Delete removes it.
      </p>
      {lanes.map((lane) => (
        <LaneView
          key={lane.mod ?? ''}
          lane={lane}
          views={views}
          notes={notes}
          drag={drag}
          actions={rowActions}
          keysHintId={keysHintId}
          openMenu={(anchor) =>
            lane.mod !== null && setMenu({ kind: 'lane', mod: lane.mod, anchor })
          }
          onAdd={({ mod }, beatmapId) => actions.add(mod, beatmapId)}
        >
          {lane.bucket !== null && lane.mod === settingsOf && isCustom(lane.bucket) && (
            <BucketPanel
              bucket={lane.bucket}
              buckets={edit.buckets}
              onChange={(changed, label) => {
                actions.changeBucket(lane.bucket?.code ?? '', changed, label)
                setSettingsOf(changed.code)
              }}
              onRemove={() => askToRemove(lane.bucket?.code ?? '')}
              onClose={() => {
                setSettingsOf(null)
                focusLater(laneId(lane.bucket?.code ?? ''))
              }}
            />
          )}
        </LaneView>
      ))}
      <AddBucket
        buckets={edit.buckets}
        onAdd={(code) => {
          actions.addBucket(code)
          setSettingsOf(code)
          focusLater(laneId(code))
        }}
      />
      {menu !== null && (
        <LaneMenus
          menu={menu}
          edit={edit}
          lanes={lanes}
          actions={actions}
          onClose={() => setMenu(null)}
          onRemoveSlot={remove}
          onRemoveBucket={askToRemove}
          onSettings={setSettingsOf}
        />
      )}
      <BucketRemoval
        code={removing}
        slots={slotsIn(removing)}
        onConfirm={removeBucket}
        onCancel={() => setRemoving(null)}
      />
      <div ref={ghost} class="drag-ghost" aria-hidden="true" hidden={dragged === undefined}>
        {dragged && (
          <>
            <b>{slotLabel(dragged)}</b> {ghostText(views.get(dragged))}
          </>
        )}
      </div>
    </div>
  )
}

const keyOf = (target: Element): number | null => {
  const key = target.closest<HTMLElement>('[data-key]')?.dataset['key']
  return key === undefined ? null : Number(key)
}

const ghostText = (view: SlotView | undefined): string => {
  if (view === undefined) return ''
  const { beatmap, slot } = view
  return beatmap.state === 'known' ? beatmap.details.title : String(slot.beatmapId)
}
