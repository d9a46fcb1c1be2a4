import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import { formatStars } from '../format.ts'
import type { SlotView } from './slot-view.ts'

/** A rating to show for a slot. */
export type ShownStars = {
  readonly stars: number
  /** The slot forces mods whose rating is not known: this is the one without. */
  readonly isPlain: boolean
}

/** null while nothing is known, and where the beatmap is gone. */
export const shownStars = ({ beatmap }: Pick<SlotView, 'beatmap'>): ShownStars | null => {
  if (beatmap.state !== 'known') return null
  return beatmap.stars === null
    ? { stars: beatmap.details.stars, isPlain: true }
    : { stars: beatmap.stars, isPlain: false }
}

/** `Nine Rivers – Harbour [Insane]`. */
export const beatmapName = ({ artist, title, difficulty }: BeatmapDetails): string =>
  `${artist} – ${title} [${difficulty}]`

/** A slot in one breath: `NM1: Nine Rivers – Harbour [Insane], 5.94 stars`. */
export const describeSlot = (view: SlotView): string => {
  const { label, slot, beatmap } = view
  if (beatmap.state === 'pending') return `${label}: beatmap ${slot.beatmapId}, loading`
  if (beatmap.state === 'gone') return `${label}: beatmap ${slot.beatmapId}, not found`
  const rating = shownStars(view)
  const stars = rating === null ? '' : `, ${formatStars(rating.stars)} stars`
  return `${label}: ${beatmapName(beatmap.details)}${stars}${rating?.isPlain ? ' without mods' : ''}`
}

/** CS, AR, OD and HP as players write them: `4`, `9.3`. */
export const formatDifficulty = (value: number): string => String(Math.round(value * 10) / 10)
