import type { ForcedMod } from '../contract/mods.ts'

/** How much faster a beatmap is played with the mods: DT 1.5, HT 0.75, else 1 (spec 2.6 rule 2). */
export const speedOf = (forced: readonly ForcedMod[]): number => {
  if (forced.includes('DT')) return 1.5
  return forced.includes('HT') ? 0.75 : 1
}
