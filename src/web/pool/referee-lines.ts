import { rulesets } from '../../contract/mods.ts'
import type { SlotView } from './slot-view.ts'

/** What a referee sends for a slot: its beatmap, then its mods. */
export const refereeLines = ({ slot, beatmap, forced, isFree }: SlotView): string => {
  const ruleset = beatmap.state === 'known' ? rulesets.indexOf(beatmap.details.ruleset) : 0
  const mods = ['NF', ...forced, ...(isFree ? ['Freemod'] : [])]
  return `!mp map ${slot.beatmapId} ${ruleset}\n!mp mods ${mods.join(' ')}`
}
