import * as texts from '#texts/editing'
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import type { CustomBucket, Slot } from '../../../contract/pools.ts'
import type { UsageLookReply } from '../../../contract/usage.ts'
import * as edits from '../../../pool/edits.ts'
import { slotFields, type SlotFilling } from '../../../pool/round-fields.ts'
import { slotLabel } from '../../../pool/slots.ts'
import { announce } from '../../parts/toasts.tsx'
import { type Beatmaps, whenSeen } from '../../pool/beatmaps.ts'
import { type OwnPack, PooledNotes } from '../../pool/pooled.tsx'
import { beatmapName, isFilled, type SlotView, slotViews } from '../../pool/slots.ts'
import type { Reading } from '../fields.tsx'
import { bucketId, focusLater, slotId } from '../focus.ts'
import type { Typed } from '../typed.ts'
import * as lanes from './lanes.ts'

type Drag = { key: number; x: number; y: number; place: lanes.DropPlace | null }

type Change = <E extends lanes.LaneEdit>(edit: E) => E

/** Keeps what is edited. */
export type LaneStore = lanes.LaneEdit & {
  /** Makes a step, unless the change returns the same edit. `label`: what it does, `move NM2`. */
  change(label: string, change: Change): void
}

/** The actions on slots and buckets, each one step and announced, and what is open meanwhile. */
export class LaneActions {
  readonly #store: LaneStore
  /** `of`: the key of a slot, or the code of a bucket. */
  readonly menu = signal<{ anchor: HTMLElement; of: number | string } | null>(null)
  readonly settingsOf = signal<string | null>(null)
  /** The bucket whose removal waits for a confirmation. */
  readonly removing = signal<string | null>(null)
  readonly drag = signal<Drag | null>(null)
  readonly draggedKey = computed(() => this.drag.value?.key)
  readonly lanes = computed(() => lanes.shownLanes(this.#store))
  readonly doubles = computed(() => lanes.doubles(this.#store))

  constructor(store: LaneStore) {
    this.#store = store
  }

  place(key: number, { mod, at }: lanes.DropPlace): void {
    this.#move(key, (edit) => lanes.placeSlot(edit, key, mod, at))
    focusLater(slotId(key))
  }

  step(key: number, by: -1 | 1): void {
    this.#move(key, (edit) => lanes.stepSlot(edit, key, by))
  }

  renumber(key: number, index: number): void {
    this.#move(key, (edit) => {
      const at = edit.slots.findIndex((slot) => slot.key === key)
      if (edit.slots[at]?.index === index) return edit
      return lanes.withLayout(edit, edits.renumberSlot(edit, at, index))
    })
  }

  exchange(key: number, filling: SlotFilling): void {
    const slot = lanes.slotOf(this.#store, key)
    if (slot === undefined || slotFields.isSame(slot, filling)) return
    const { mod, index } = slot
    this.#store.change(texts.changeBeatmap({ slot: slotLabel(slot) }), (edit) => ({
      ...edit,
      slots: edit.slots.map((each) => (each.key === key ? { key, mod, index, ...filling } : each)),
    }))
  }

  remove(key: number): void {
    const order = this.lanes.value.flatMap(({ slots }) => slots)
    const at = order.findIndex((slot) => slot.key === key)
    const slot = order[at]
    if (slot === undefined) return
    const next = order[at + 1] ?? order[at - 1]
    const label = slotLabel(slot)
    this.#store.change(texts.removeSlot({ slot: label }), (edit) => ({
      ...edit,
      slots: edit.slots.filter((each) => each.key !== key),
    }))
    announce(texts.slotRemoved({ slot: label }))
    focusLater(next === undefined ? 'edit-slots' : slotId(next.key))
  }

  add(mod: string | null, filling: SlotFilling): void {
    const slot = { mod, index: edits.freeIndex(this.#store.slots, mod), ...filling }
    const step = mod === null ? texts.addToNone : texts.addTo({ bucket: mod })
    this.#change(step, (edit) => ({
      ...edit,
      slots: [...edit.slots, slot],
    }))
    announce(texts.slotAdded({ slot: slotLabel(slot) }))
  }

  numberFromOne(mod: string): void {
    this.#store.change(texts.numberBucket({ bucket: mod }), (edit) =>
      lanes.numberFromOne(edit, mod),
    )
    announce(texts.bucketNumbered({ bucket: mod }))
  }

  addBucket(code: string): void {
    this.#change(texts.addBucket({ bucket: code }), (edit) => edits.addBucket(edit, code))
    announce(texts.bucketAdded({ bucket: code }))
    this.openSettings(code)
  }

  changeBucket(code: string, changed: CustomBucket, label: string): void {
    this.#change(label, (edit) => edits.changeBucket(edit, code, changed))
    this.settingsOf.value = changed.code
  }

  moveBucket(code: string, by: -1 | 1): void {
    const to = lanes.placeOfStep(this.#store, code, by)
    if (to === null) return
    this.#change(texts.moveBucket({ bucket: code }), (edit) => edits.moveBucket(edit, code, to))
    const shown = this.lanes.value
    const next = shown[shown.findIndex(({ mod }) => mod === code) + 1]?.mod
    announce(
      next == null
        ? texts.bucketMovedLast({ bucket: code })
        : texts.bucketMoved({ bucket: code, next }),
    )
  }

  openSettings(code: string): void {
    this.settingsOf.value = code
    focusLater(bucketId(code))
  }

  closeSettings(code: string): void {
    this.settingsOf.value = null
    focusLater(bucketId(code))
  }

  askToRemoveBucket(code: string): void {
    if (this.slotsIn(code) === 0) this.removeBucket(code)
    else this.removing.value = code
  }

  removeBucket(code: string): void {
    this.removing.value = null
    this.settingsOf.value = null
    this.#change(texts.removeBucket({ bucket: code }), (edit) => edits.removeBucket(edit, code))
    announce(texts.bucketRemoved({ bucket: code }))
    focusLater('edit-slots')
  }

  slotsIn(code: string | null): number {
    return this.#store.slots.filter(({ mod }) => mod === code).length
  }

  #change(label: string, change: (edit: lanes.LaneEdit) => lanes.KeyedLayout): void {
    this.#store.change(label, (edit) => lanes.withLayout(edit, change(edit)))
  }

  /** Moves a slot, if it is still there, and announces the result. */
  #move(key: number, change: Change): void {
    const { slots } = this.#store
    const slot = lanes.slotOf({ slots }, key)
    if (slot === undefined) return
    const before = slotLabel(slot)
    this.#store.change(texts.moveSlot({ slot: before }), change)
    const after = slotLabel(lanes.slotOf(this.#store, key) ?? slot)
    if (this.#store.slots === slots) announce(texts.slotNotMoved({ slot: before }))
    else if (before === after) announce(texts.slotMoved({ slot: after }))
    else announce(texts.slotMovedTo({ slot: before, place: after }))
  }
}

/** What lanes show and do: of a pack in the pack editor, of a round in a tournament's workspace. */
export type Board = Pick<
  BoardModel<LaneStore>,
  'store' | 'typed' | 'actions' | 'views' | 'pooled'
> & {
  readonly of: 'pack' | 'round'
  /** What is wrong, by the id of the element where it is solved. */
  readonly problems: ReadonlySignal<{
    readonly at: ReadonlyMap<string | null, { readonly text: string }>
  }>
  readonly paste: { open(text: string): void }
  /** What a text in the field of a slot means. */
  readonly read: (text: string) => Reading<SlotFilling>
  /** @param seen what the field showed when typing began: another person may have changed it since. */
  readonly fill: (slot: lanes.LaneSlot, filling: SlotFilling, seen: string) => void
  readonly rounds?: RoundParts
}

/** What the lanes of a round have besides. */
type RoundParts = {
  /** Nothing can be changed. */
  readonly isFixed: boolean
  /** What is known of a beatmap that has no id yet, and where it can be had. */
  readonly Plan: (props: { readonly slot: lanes.LaneSlot }) => VNode | null
  /** At the end of the row of a slot. */
  readonly Aside: (props: { readonly slot: lanes.LaneSlot }) => VNode | null
  /** Below the row of a slot. */
  readonly Below: (props: { readonly slot: lanes.LaneSlot }) => VNode | null
  /** In the menu of a slot. */
  readonly items: (slot: lanes.LaneSlot) => readonly MenuItem[]
}

export type BoardProps = { readonly board: Board }

export type MenuItem = {
  readonly text: ComponentChildren
  readonly keys?: string
  readonly isDisabled?: boolean
  readonly onPick: () => void
}

type Filled = lanes.LaneSlot & Slot

/** The lanes of a page where something is edited, and what is known of the beatmaps in them. */
export class BoardModel<S extends LaneStore> {
  readonly store: S
  readonly typed: Typed
  readonly actions: LaneActions
  /** Where its beatmaps were pooled. */
  readonly pooled: PooledNotes
  /** What is known of the beatmaps that the page shows, once it has asked. */
  readonly beatmaps = signal<Beatmaps | null>(null)
  /** The slots that have beatmaps. */
  readonly filled = computed(() => {
    const { slots } = this.store
    return slots.every(isFilled) ? slots : slots.filter(isFilled)
  })
  /** The same with what is known of their beatmaps, in pool order. */
  readonly slotViews = computed(() =>
    slotViews(
      { buckets: this.store.buckets, slots: this.filled.value },
      this.beatmaps.value?.views ?? new Map(),
    ),
  )
  /** The slots that have beatmaps, with what is known of these. */
  readonly views = computed(
    () =>
      new Map(this.slotViews.value.map((view) => [view.slot as Filled as lanes.LaneSlot, view])),
  )

  /**
   * @param typed the fields whose text is not yet in the lanes.
   * @param askUsage where beatmaps were pooled, by their ids.
   * @param own the pack that is edited, as it is saved.
   */
  constructor(
    store: S,
    typed: Typed,
    askUsage: (ids: string) => Promise<UsageLookReply>,
    own?: () => OwnPack,
  ) {
    this.store = store
    this.typed = typed
    this.actions = new LaneActions(store)
    this.pooled = new PooledNotes({ ask: askUsage, later: whenSeen, ...(own && { own }) })
    effect(() => this.pooled.want(this.filled.value.map(({ beatmapId }) => beatmapId)))
  }

  /** The name of a beatmap, or its number while that is not known. */
  readonly nameOf = (id: number): string => {
    for (const view of this.beatmaps.value?.views.values() ?? []) {
      if (view.state === 'known' && view.details.id === id) return beatmapName(view.details)
    }
    return texts.beatmapNumber({ id: String(id) })
  }
}

/** What is typed to be added to a bucket, in `Typed`. */
export const addName = (mod: string | null): string => `add:${mod ?? ''}`

/** The code that is typed for another bucket. */
export const BUCKET_NAME = 'bucket'

/** The key of a slot that was shown. */
export const keyOfView = ({ slot }: SlotView): number => (slot as Filled).key
