import { rulesets, statsMods } from '../../contract/mods.ts'
import type { IndexEntry } from '../../contract/search-index.ts'
import { searchText } from './search-text.ts'

/**
 * The search index as columns, so that a keystroke goes through thousands of packs at once. A row is
 * an entry's position in the index; NaN stands for what is not known.
 */
export type Columns = {
  readonly entries: readonly IndexEntry[]
  /** Name, owner and description, as they are searched. */
  readonly texts: readonly string[]
  readonly stars: Float64Array
  readonly shortest: Float64Array
  readonly longest: Float64Array
  readonly slowest: Float64Array
  readonly fastest: Float64Array
  readonly beatmaps: Uint8Array
  /** One bit for each of `statsMods`. */
  readonly mods: Uint16Array
  /** One bit for each of `rulesets`. */
  readonly rulesets: Uint8Array
  /** 1 where the mods and rulesets are known. */
  readonly hasStats: Uint8Array
}

/** The bits of the names that stand in a list: `NM,DT` → 0b1001. */
export const bitsOf = (names: readonly string[], all: readonly string[]): number =>
  names.reduce((bits, name) => bits | (all.includes(name) ? 1 << all.indexOf(name) : 0), 0)

const split = (list: string | undefined): readonly string[] =>
  list === undefined || list === '' ? [] : list.split(',')

/** Reads the index once. */
export const readColumns = (entries: readonly IndexEntry[]): Columns => {
  const numbers = (valueOf: (entry: IndexEntry) => number | undefined): Float64Array =>
    Float64Array.from(entries, (entry) => valueOf(entry) ?? Number.NaN)
  return {
    entries,
    texts: entries.map(({ n, o, d }) => searchText(`${n}\n${o}\n${d}`)),
    stars: numbers(({ a }) => a),
    shortest: numbers(({ l }) => l?.[0]),
    longest: numbers(({ l }) => l?.[1]),
    slowest: numbers(({ b }) => b?.[0]),
    fastest: numbers(({ b }) => b?.[1]),
    beatmaps: Uint8Array.from(entries, ({ c }) => c),
    mods: Uint16Array.from(entries, ({ m }) => bitsOf(split(m), statsMods)),
    rulesets: Uint8Array.from(entries, ({ g }) => bitsOf(split(g), rulesets)),
    hasStats: Uint8Array.from(entries, ({ m }) => (m === undefined ? 0 : 1)),
  }
}
