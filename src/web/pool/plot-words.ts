import * as texts from '#texts/plot'
import { formatStars } from '../format.ts'
import { beatmapName, type SlotView } from './slots.ts'

/** A slot in words: `HD1: Nine Rivers – Harbour [Insane], 5.94 stars with HD`. */
export function describeSlot({ label, slot, beatmap, forced }: SlotView): string {
  const unknown = { slot: label, id: String(slot.beatmapId) }
  if (beatmap.state === 'pending') return texts.slotLoading(unknown)
  if (beatmap.state === 'gone') return texts.slotNotFound(unknown)
  const stars = formatStars(beatmap.stars ?? beatmap.details.stars)
  const rated = { slot: label, map: beatmapName(beatmap.details), stars, mods: forced.join('') }
  if (beatmap.noRating) return texts.slotStarsWithoutRating({ ...rated, n: forced.length })
  if (beatmap.stars === null) return texts.slotStarsWithoutMods(rated)
  return forced.length === 0 ? texts.slotStars(rated) : texts.slotStarsWith(rated)
}
