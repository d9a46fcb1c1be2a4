import { builtinCodes, forcedMods, type StatsMod } from '../contract/mods.ts'
import type { BucketPlay } from './slot-mods.ts'

/**
 * The mods that stats list (spec 2.6, D-34): those of the built-in slots in pool order, a custom
 * free-mod slot counting as FM, then those that custom slots force, each once.
 */
export const listedMods = (slots: readonly BucketPlay[]): StatsMod[] => {
  const builtin = new Set<StatsMod>(slots.flatMap(({ countsAs }) => countsAs ?? []))
  const custom = new Set(slots.flatMap(({ countsAs, forced }) => (countsAs === null ? forced : [])))
  return [
    ...builtinCodes.filter((code) => builtin.has(code)),
    ...forcedMods.filter((mod) => custom.has(mod) && !builtin.has(mod)),
  ]
}
