import { useMemo } from 'preact/hooks'
import type { SitePack } from '../../contract/site-pack.ts'
import { type SlotView, slotViews, usesOf } from '../pool/slot-view.ts'
import { beatmapName } from '../pool/slot-words.ts'
import { type Beatmaps, useBeatmaps } from '../pool/use-beatmaps.ts'
import type { Edit, EditSlot } from './edit.ts'

/** The slots of an edit with what is known of their beatmaps. */
export type PoolViews = {
  readonly beatmaps: Beatmaps
  /** In pool order. */
  readonly slots: readonly SlotView[]
  readonly bySlot: ReadonlyMap<EditSlot, SlotView>
  /** What a beatmap is called, or its number while that is not known. */
  readonly nameOf: (beatmapId: number) => string
}

/** @param beside another state of the pack that is shown, too. */
export const usePoolViews = (
  edit: Edit,
  slug: string | undefined,
  beside: SitePack | null,
): PoolViews => {
  const uses = useMemo(
    () => [...usesOf(edit), ...(beside === null ? [] : usesOf(beside))],
    [edit.slots, edit.buckets, beside],
  )
  const beatmaps = useBeatmaps(uses, slug)
  return useMemo(() => {
    const slots = slotViews(edit, beatmaps.views)
    const names = new Map(
      [...beatmaps.views.values()].flatMap((view) =>
        view.state === 'known' ? [[view.details.id, beatmapName(view.details)]] : [],
      ),
    )
    return {
      beatmaps,
      slots,
      bySlot: new Map(slots.map((view) => [view.slot as EditSlot, view])),
      nameOf: (id) => names.get(id) ?? `Beatmap ${id}`,
    }
    // Typing a name changes nothing here.
  }, [edit.slots, edit.buckets, beatmaps])
}
