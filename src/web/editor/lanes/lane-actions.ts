import { computed, signal } from '@preact/signals'
import type { CustomBucket } from '../../../contract/pools.ts'
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
import { announce } from '../../parts/toasts.tsx'
import { type Edit, type EditSlot, withDraft } from '../edit.ts'
import type { EditorStore } from '../history.ts'
import { bucketId, focusLater, slotId } from '../spots.ts'
import {
  doubles,
  type DropPlace,
  laneName,
  lanesOf,
  numberFromOne,
  placeSlot,
  slotOf,
  stepSlot,
} from './lanes.ts'

/** The one menu that is open, and what it hangs from. */
type OpenMenu = { readonly anchor: HTMLElement } & (
  | { readonly kind: 'slot'; readonly key: number }
  | { readonly kind: 'lane'; readonly mod: string }
)

/**
 * What one does with slots and buckets: each is one step, and is announced to those who cannot see
 * it. And what is open among the lanes meanwhile.
 */
export class LaneActions {
  readonly #store: EditorStore
  readonly menu = signal<OpenMenu | null>(null)
  /** The bucket whose settings are open. */
  readonly settingsOf = signal<string | null>(null)
  /** The bucket that one is asked about before it goes. */
  readonly removing = signal<string | null>(null)
  /** What is being dragged, and where it would come to stand. */
  readonly drag = signal<{ readonly key: number; readonly place: DropPlace | null } | null>(null)
  readonly lanes = computed(() => lanesOf(this.#store))
  readonly doubles = computed(() => doubles(this.#store))

  constructor(store: EditorStore) {
    this.#store = store
  }

  place(key: number, mod: string | null, at: number): void {
    this.#move(key, (edit) => placeSlot(edit, key, mod, at))
    focusLater(slotId(key))
  }

  step(key: number, by: -1 | 1): void {
    this.#move(key, (edit) => stepSlot(edit, key, by))
  }

  renumber(key: number, index: number): void {
    this.#move(key, (edit) =>
      slotOf(edit, key)?.index === index
        ? edit
        : withDraft(edit, renumberSlot(edit, positionOf(edit, key), index)),
    )
  }

  exchange(key: number, beatmapId: number): void {
    const slot = slotOf(this.#store, key)
    if (slot === undefined || slot.beatmapId === beatmapId) return
    this.#store.change(`change the beatmap of ${slotLabel(slot)}`, (edit) => ({
      ...edit,
      slots: edit.slots.map((each) => (each.key === key ? { ...each, beatmapId } : each)),
    }))
  }

  /** The focus goes on to a row beside. */
  remove(key: number): void {
    const order = this.lanes.value.flatMap(({ slots }) => slots)
    const at = order.findIndex((slot) => slot.key === key)
    const slot = order[at]
    if (slot === undefined) return
    const next = order[at + 1] ?? order[at - 1]
    const label = slotLabel(slot)
    this.#store.change(`remove ${label}`, (edit) =>
      withDraft(edit, removeSlot(edit, positionOf(edit, key))),
    )
    announce(`${label} removed. Undo to restore it.`)
    focusLater(next === undefined ? 'edit-slots' : slotId(next.key))
  }

  add(mod: string | null, beatmapId: number): void {
    this.#store.change(`add to ${laneName(mod)}`, (edit) =>
      withDraft(edit, addSlot(edit, mod, beatmapId)),
    )
    const last = this.#store.slots.at(-1)
    if (last !== undefined) announce(`${slotLabel(last)} added`)
  }

  numberFromOne(mod: string): void {
    this.#store.change(`number ${mod} from 1`, (edit) => numberFromOne(edit, mod))
    announce(`${mod} numbered from 1`)
  }

  /** Opens its settings, too. */
  addBucket(code: string): void {
    this.#store.change(`add bucket ${code}`, (edit) => withDraft(edit, addBucket(edit, code)))
    announce(`Bucket ${code} added`)
    this.settingsOf.value = code
    focusLater(bucketId(code))
  }

  changeBucket(code: string, changed: CustomBucket, label: string): void {
    this.#store.change(label, (edit) => withDraft(edit, changeBucket(edit, code, changed)))
    this.settingsOf.value = changed.code
  }

  moveBucket(code: string, by: -1 | 1): void {
    const { buckets } = this.#store
    const at = buckets.findIndex((bucket) => bucket.code === code) + by
    if (at < 0 || at >= buckets.length) return
    this.#store.change(`move bucket ${code}`, (edit) => withDraft(edit, moveBucket(edit, code, at)))
    const next = this.#store.buckets[at + 1]?.code
    announce(next === undefined ? `${code} moved to the end` : `${code} moved before ${next}`)
  }

  closeSettings(code: string): void {
    this.settingsOf.value = null
    focusLater(bucketId(code))
  }

  /** Asks first where the bucket has slots. */
  askToRemoveBucket(code: string): void {
    if (this.slotsIn(code) === 0) this.removeBucket(code)
    else this.removing.value = code
  }

  removeBucket(code: string): void {
    this.removing.value = null
    this.settingsOf.value = null
    this.#store.change(`remove bucket ${code}`, (edit) => withDraft(edit, removeBucket(edit, code)))
    announce(`Bucket ${code} removed. Undo to restore it.`)
    focusLater('edit-slots')
  }

  slotsIn(code: string | null): number {
    return this.#store.slots.filter(({ mod }) => mod === code).length
  }

  /** Changes where a slot stands, if it is still there, and says what came of it. */
  #move(key: number, change: (edit: Edit) => Edit): void {
    const { edit } = this.#store
    const slot = slotOf(edit, key)
    if (slot === undefined) return
    const before = slotLabel(slot)
    this.#store.change(`move ${before}`, change)
    const moved: EditSlot | undefined = slotOf(this.#store.edit, key)
    const after = moved === undefined ? '' : slotLabel(moved)
    if (this.#store.edit === edit) announce(`${before} was not moved`)
    else announce(before === after ? `${after} moved` : `${before} moved to ${after}`)
  }
}

function positionOf({ slots }: Edit, key: number): number {
  return slots.findIndex((slot) => slot.key === key)
}
