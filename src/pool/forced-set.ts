import { MAX_FORCED_MODS } from '../contract/bounds.ts'
import { type ForcedMod, forcedMods } from '../contract/mods.ts'

const opposites = [
  ['EZ', 'HR'],
  ['DT', 'HT'],
] as const

/** What is wrong with a set of forced mods (spec 2.4, D-23), to be read after its place; null when nothing is. */
export function checkForcedSet(set: readonly ForcedMod[]): string | null {
  if (set.length < 1 || set.length > MAX_FORCED_MODS)
    return `must hold 1 to ${MAX_FORCED_MODS} mods`
  const repeated = set.find((mod, position) => set.indexOf(mod) !== position)
  if (repeated !== undefined) return `must hold ${repeated} only once`
  const pair = opposites.find((mods) => mods.every((mod) => set.includes(mod)))
  return pair === undefined ? null : `must not hold both ${pair[0]} and ${pair[1]}`
}

/** The set in the order in which it is stored: EZ HD HR DT HT FL (D-23). */
export function orderForcedSet(set: readonly ForcedMod[]): ForcedMod[] {
  return forcedMods.filter((mod) => set.includes(mod))
}
