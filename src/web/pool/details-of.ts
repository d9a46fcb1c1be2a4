import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { SlotView } from './slot-view.ts'

/** What is known of the beatmaps, by id. */
export const detailsOf = (slots: readonly SlotView[]): ReadonlyMap<number, BeatmapDetails> =>
  new Map(
    slots.flatMap(({ slot, beatmap }) =>
      beatmap.state === 'known' ? [[slot.beatmapId, beatmap.details] as const] : [],
    ),
  )
