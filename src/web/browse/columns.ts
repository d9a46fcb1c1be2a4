import { language } from '#texts/language'
import { rulesets, statsMods } from '../../contract/mods.ts'
import type { IndexEntry, SearchIndex } from '../../contract/search-index.ts'
import { bitsOf, type SpanName } from '../../contract/pack-filter.ts'
import { nextTask } from '../browser.ts'
import type { SortKey } from './search-state.ts'

/** The search index as columns, for speed. A row is the position of an entry in the index. */
export type Columns = {
  readonly entries: readonly IndexEntry[]
  /** Lowest and highest values of the beatmaps; NaN where they are not known. Of stars, the average. */
  readonly ends: Readonly<Record<SpanName, readonly [low: Float64Array, high: Float64Array]>>
  /** One bit for each of `statsMods`, and of `rulesets`. */
  readonly mods: Uint16Array
  readonly rulesets: Uint8Array
  /** 1 where the mods and rulesets are known. */
  readonly hasStats: Uint8Array
}

/** So much text is parsed at once: a few ms on a slow phone. */
const PORTION = 65_536
/** How an entry begins. Text within strings never has it: a quote in them has a backslash before it. */
const ENTRY = '{"s":'

/** The entries of the search index, parsed in portions, so that the page answers meanwhile. */
export async function readEntries(text: string): Promise<readonly IndexEntry[]> {
  const start = text.indexOf('[') + 1
  if (!text.startsWith(ENTRY, start)) return (JSON.parse(text) as SearchIndex).packs
  const entries: IndexEntry[] = []
  let from = start
  for (;;) {
    const next = text.indexOf(`},${ENTRY}`, from + PORTION)
    const end = next === -1 ? text.lastIndexOf(']') : next + 1
    for (const entry of JSON.parse(`[${text.slice(from, end)}]`) as IndexEntry[])
      entries.push(entry)
    if (next === -1) return entries
    from = end + 1
    await nextTask()
  }
}

export function readColumns(entries: readonly IndexEntry[]): Columns {
  const numbers = (valueOf: (entry: IndexEntry) => number | undefined): Float64Array =>
    Float64Array.from(entries, (entry) => valueOf(entry) ?? Number.NaN)
  const stars = numbers(({ a }) => a)
  const beatmaps = numbers(({ c }) => c)
  return {
    entries,
    ends: {
      stars: [stars, stars],
      length: [numbers(({ l }) => l?.[0]), numbers(({ l }) => l?.[1])],
      bpm: [numbers(({ b }) => b?.[0]), numbers(({ b }) => b?.[1])],
      beatmaps: [beatmaps, beatmaps],
    },
    mods: Uint16Array.from(entries, ({ m = '' }) => bitsOf(m.split(','), statsMods)),
    rulesets: Uint8Array.from(entries, ({ g = '' }) => bitsOf(g.split(','), rulesets)),
    hasStats: Uint8Array.from(entries, ({ m }) => (m === undefined ? 0 : 1)),
  }
}

/** Returns a function for the rows in an order; each is made once. Equal rows stay as they are. */
export function createOrders(columns: Columns): (key: SortKey, isReversed: boolean) => Uint16Array {
  const made = new Map<string, Uint16Array>()
  return (key, isReversed) => {
    const name = `${key} ${isReversed}`
    const rows =
      made.get(name) ??
      Uint16Array.from(columns.entries, (_, row) => row).toSorted(
        compareBy(key, columns, isReversed ? -1 : 1),
      )
    made.set(name, rows)
    return rows
  }
}

const collator = new Intl.Collator(language, { numeric: true, sensitivity: 'base' })

/** How to compare two rows; `sign` is -1 to reverse. */
function compareBy(
  key: SortKey,
  { entries, ends }: Columns,
  sign: number,
): (a: number, b: number) => number {
  // Entries come in the order of their relevance.
  if (key === 'relevance') return (a, b) => sign * (a - b)
  if (key === 'created') {
    // The index comes newest first, also where times are equal.
    return (a, b) => sign * (compareTexts(entries[b]?.t ?? '', entries[a]?.t ?? '') || a - b)
  }
  if (key === 'updated') {
    return (a, b) => sign * compareTexts(entries[b]?.u ?? '', entries[a]?.u ?? '')
  }
  if (key === 'name') {
    return (a, b) => sign * collator.compare(entries[a]?.n ?? '', entries[b]?.n ?? '')
  }
  // Largest first; reversed, smallest first. What is not known comes last either way.
  const values = ends[key][1]
  return (a, b) => {
    const [x, y] = [values[a]!, values[b]!]
    if (Number.isNaN(x)) return Number.isNaN(y) ? 0 : 1
    return Number.isNaN(y) ? -1 : sign * (y - x)
  }
}

export const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
