import { computed, effect, signal } from '@preact/signals'
import type { Slot } from '../../contract/pools.ts'
import type { UsageLookReply } from '../../contract/usage.ts'
import { LaneActions, type LaneStore } from '../editor/lanes/lane-actions.ts'
import type { LaneSlot } from '../editor/lanes/lanes.ts'
import { type Beatmaps, whenSeen } from '../pool/beatmaps.ts'
import { type OwnPack, PooledNotes } from '../pool/pooled.tsx'
import { beatmapName, type SlotView, slotViews } from '../pool/slots.ts'

type Filled = LaneSlot & Slot

/** The lanes of a page where something is edited, and what is known of the beatmaps in them. */
export class BoardModel<S extends LaneStore> {
  readonly store: S
  readonly actions: LaneActions
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
  readonly views = computed(
    () => new Map(this.slotViews.value.map((view) => [view.slot as Filled as LaneSlot, view])),
  )

  /**
   * @param askUsage where beatmaps were pooled, by their ids.
   * @param own the pack that is edited, as it is saved.
   */
  constructor(store: S, askUsage: (ids: string) => Promise<UsageLookReply>, own?: () => OwnPack) {
    this.store = store
    this.actions = new LaneActions(store)
    this.pooled = new PooledNotes({ ask: askUsage, later: whenSeen, ...(own && { own }) })
    effect(() => this.pooled.want(this.filled.value.map(({ beatmapId }) => beatmapId)))
  }

  /** The name of a beatmap, or its number while that is not known. */
  readonly nameOf = (id: number): string => {
    for (const view of this.beatmaps.value?.views.values() ?? []) {
      if (view.state === 'known' && view.details.id === id) return beatmapName(view.details)
    }
    return `Beatmap ${id}`
  }
}

const isFilled = (slot: LaneSlot): slot is Filled => slot.beatmapId !== undefined

/** The key of a slot that was shown. */
export const keyOfView = ({ slot }: SlotView): number => (slot as Filled).key
