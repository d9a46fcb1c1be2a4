import type { CustomBucket } from '../../../contract/bucket.ts'
import {
  addBucket,
  addSlot,
  changeBucket,
  moveBucket,
  removeBucket,
  removeSlot,
  renumberSlot,
} from '../../../pool/edits.ts'
import { slotLabel } from '../../../pool/slots.ts'
import { announce } from '../../announce.ts'
import { type Edit, type EditSlot, withDraft } from '../edit.ts'
import type { EditorStore } from '../editor-store.ts'
import { laneName } from './lane-words.ts'
import { slotOf } from './lanes.ts'
import { numberFromOne, placeSlot, stepSlot } from './place-slot.ts'

const positionOf = ({ slots }: Edit, key: number): number =>
  slots.findIndex((slot) => slot.key === key)

/** What one does with slots and buckets: each is one step, and is told to those who cannot see it. */
export const poolActions = (store: EditorStore) => {
  const labelNow = (key: number): string => {
    const slot = slotOf(store.edit, key)
    return slot === undefined ? '' : slotLabel(slot)
  }

  /** Changes a slot, if it is still there, and says what came of it. */
  const withSlot = (key: number, work: (slot: EditSlot) => void): void => {
    const slot = slotOf(store.edit, key)
    if (slot !== undefined) work(slot)
  }
  const move = (key: number, change: (edit: Edit) => Edit): void =>
    withSlot(key, (slot) => {
      const [before, edit] = [slotLabel(slot), store.edit]
      store.change(`move ${before}`, change)
      const after = labelNow(key)
      if (store.edit === edit) announce(`${before} was not moved`)
      else announce(before === after ? `${after} moved` : `${before} moved to ${after}`)
    })

  return {
    place: (key: number, mod: string | null, at: number): void =>
      move(key, (edit) => placeSlot(edit, key, mod, at)),

    step: (key: number, by: -1 | 1): void => move(key, (edit) => stepSlot(edit, key, by)),

    renumber: (key: number, index: number): void =>
      move(key, (edit) =>
        slotOf(edit, key)?.index === index
          ? edit
          : withDraft(edit, renumberSlot(edit, positionOf(edit, key), index)),
      ),

    exchange: (key: number, beatmapId: number): void =>
      withSlot(key, (slot) => {
        if (slot.beatmapId === beatmapId) return
        store.change(`change the beatmap of ${slotLabel(slot)}`, (edit) => ({
          ...edit,
          slots: edit.slots.map((each) => (each.key === key ? { ...each, beatmapId } : each)),
        }))
      }),

    remove: (key: number): void =>
      withSlot(key, (slot) => {
        const label = slotLabel(slot)
        store.change(`remove ${label}`, (edit) =>
          withDraft(edit, removeSlot(edit, positionOf(edit, key))),
        )
        announce(`${label} removed. Undo to restore it.`)
      }),

    add: (mod: string | null, beatmapId: number): void => {
      store.change(`add to ${laneName(mod)}`, (edit) =>
        withDraft(edit, addSlot(edit, mod, beatmapId)),
      )
      const last = store.edit.slots.at(-1)
      if (last !== undefined) announce(`${slotLabel(last)} added`)
    },

    numberFromOne: (mod: string | null): void => {
      store.change(`number ${laneName(mod)} from 1`, (edit) => numberFromOne(edit, mod))
      announce(`${laneName(mod)} numbered from 1`)
    },

    addBucket: (code: string): void => {
      store.change(`add bucket ${code}`, (edit) => withDraft(edit, addBucket(edit, code)))
      announce(`Bucket ${code} added`)
    },

    changeBucket: (code: string, changed: CustomBucket, label: string): void =>
      store.change(label, (edit) => withDraft(edit, changeBucket(edit, code, changed))),

    moveBucket: (code: string, by: -1 | 1): void => {
      const at = store.edit.buckets.findIndex((bucket) => bucket.code === code) + by
      if (at < 0 || at >= store.edit.buckets.length) return
      store.change(`move bucket ${code}`, (edit) => withDraft(edit, moveBucket(edit, code, at)))
      const next = store.edit.buckets[at + 1]?.code
      announce(next === undefined ? `${code} moved to the end` : `${code} moved before ${next}`)
    },

    removeBucket: (code: string): void => {
      store.change(`remove bucket ${code}`, (edit) => withDraft(edit, removeBucket(edit, code)))
      announce(`Bucket ${code} removed. Undo to restore it.`)
    },
  }
}

export type PoolActions = ReturnType<typeof poolActions>
