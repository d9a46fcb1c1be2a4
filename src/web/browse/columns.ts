import { rulesets, statsMods } from '../../contract/mods.ts'
import type { IndexEntry } from '../../contract/search-index.ts'
import type { SortKey } from './search-state.ts'

/** The bits of the names that stand in a list: `NM,DT` → 0b1001. */
export const bitsOf = (names: readonly string[], all: readonly string[]): number =>
  names.reduce((bits, name) => bits | (all.includes(name) ? 1 << all.indexOf(name) : 0), 0)

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

/** Reads the index once. */
export function readColumns(entries: readonly IndexEntry[]): Columns {
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

/** Text as it is searched: without marks, in one case, in its plainest letters. */
export const searchText = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase()

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

const split = (list: string | undefined): readonly string[] =>
  list === undefined || list === '' ? [] : list.split(',')

/** The words of a query; a pack must have them all. */
export const searchWords = (query: string): readonly string[] =>
  searchText(query)
    .split(/\s+/)
    .filter((word) => word !== '')

/** Gives the rows in an order; each is made once. Equal ones stay newest created first. */
export function createOrders(columns: Columns): (key: SortKey, isReversed: boolean) => Uint16Array {
  const made = new Map<string, Uint16Array>()
  return (key, isReversed) => {
    const name = `${key} ${isReversed}`
    const known = made.get(name)
    if (known !== undefined) return known
    const rows = Uint16Array.from(columns.entries, (_, row) => row)
    const order = rows.toSorted(comparisons[key](columns, isReversed ? -1 : 1))
    made.set(name, order)
    return order
  }
}

type Compare = (a: number, b: number) => number

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** How to compare two rows by each key; `sign` is -1 to reverse. */
const comparisons: Readonly<Record<SortKey, (columns: Columns, sign: number) => Compare>> = {
  // The index comes newest first.
  created: (_columns, sign) => (a, b) => sign * (a - b),
  updated:
    ({ entries }, sign) =>
    (a, b) =>
      sign * compareStrings(entries[b]?.u ?? '', entries[a]?.u ?? ''),
  name:
    ({ entries }, sign) =>
    (a, b) =>
      sign * collator.compare(entries[a]?.n ?? '', entries[b]?.n ?? ''),
  stars: ({ stars }, sign) => byNumber(stars, sign),
  length: ({ longest }, sign) => byNumber(longest, sign),
  bpm: ({ fastest }, sign) => byNumber(fastest, sign),
  beatmaps: ({ beatmaps }, sign) => byNumber(beatmaps, sign),
}

const compareStrings = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** Largest first; reversed, smallest first. What is not known comes last either way. */
const byNumber =
  (values: Float64Array | Uint8Array, sign: number): Compare =>
  (a, b) => {
    const [x = Number.NaN, y = Number.NaN] = [values[a], values[b]]
    if (Number.isNaN(x)) return Number.isNaN(y) ? 0 : 1
    return Number.isNaN(y) ? -1 : sign * (y - x)
  }
