import { type ForcedMod, forcedMods } from '../../contract/mods.ts'
import { PackKeyError } from './pack-key-error.ts'

/** A forced set as bits: EZ 1, HD 2, HR 4, DT 8, HT 16, FL 32. */
export function toForcedMask(set: readonly ForcedMod[]): number {
  return set.reduce((mask, mod) => mask | (1 << forcedMods.indexOf(mod)), 0)
}

/** The forced set in stored order; a bit that stands for no mod is `malformed`. */
export function fromForcedMask(mask: number): ForcedMod[] {
  if (mask >> forcedMods.length !== 0) throw new PackKeyError('malformed', 'a mod is not known')
  return forcedMods.filter((_, bit) => (mask & (1 << bit)) !== 0)
}
