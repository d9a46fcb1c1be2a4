import { rulesets, statsMods } from '../../contract/mods.ts'
import {
  bitsOf,
  isOpen,
  type PackFilter,
  type Span,
  type SpanName,
  spanNames,
} from '../../contract/pack-filter.ts'
import type { Columns } from './columns.ts'
import { binOf, type Scale, scales } from './scales.ts'

export type Found = {
  /** Rows in the order asked for. */
  readonly rows: Uint16Array
  /** Packs that could be among them, were more known of them. They are when `showsUnrated` is set. */
  readonly unrated: number
  /** Packs by bar, of those that all other filters leave: what a slider can still choose. */
  readonly histograms: Readonly<Record<SpanName, Uint16Array>>
}

const [PASSES, FAILS, UNKNOWN] = [0, 1, 2] as const

type Match = typeof PASSES | typeof FAILS | typeof UNKNOWN

/** Filters the packs of the index as the server filters all: words are the server's alone. */
export function findPacks(columns: Columns, order: Uint16Array, filter: PackFilter): Found {
  const matchBits = createBitMatcher(columns, filter)
  const facets = spanNames.map((name) => {
    const [low, high] = columns.ends[name]
    return { low, high, span: filter[name], counter: createCounter(scales[name]) }
  })
  const matches = new Uint8Array(facets.length)
  const rows = new Uint16Array(order.length)
  const mayBeUnknown = filter.showsUnrated
  let found = 0
  let unrated = 0

  for (const row of order) {
    const bits = matchBits(row)
    if (bits === FAILS) continue
    let fails = 0
    let unknowns = Number(bits === UNKNOWN)
    for (let at = 0; at < facets.length; at += 1) {
      const { low, high, span } = facets[at]!
      const match = matchSpan(low[row]!, high[row]!, span)
      matches[at] = match
      if (match === FAILS) fails += 1
      else if (match === UNKNOWN) unknowns += 1
    }
    for (let at = 0; at < facets.length; at += 1) {
      const { low, high, counter } = facets[at]!
      const othersFail = fails - Number(matches[at] === FAILS)
      const othersUnknown = unknowns - Number(matches[at] === UNKNOWN)
      if (othersFail === 0 && (othersUnknown === 0 || mayBeUnknown)) {
        counter.count(low[row]!, high[row]!)
      }
    }
    if (fails > 0) continue
    if (unknowns > 0) unrated += 1
    if (unknowns === 0 || mayBeUnknown) rows[found++] = row
  }
  const histograms = Object.fromEntries(
    facets.map(({ counter }, at) => [spanNames[at], counter.read()]),
  ) as Found['histograms']
  return { rows: rows.subarray(0, found), unrated, histograms }
}

/** Matches a pack by its mods and rulesets; both are known or neither is. */
function createBitMatcher(columns: Columns, filter: PackFilter): (row: number) => Match {
  const mods = bitsOf(filter.mods, statsMods)
  const modes = bitsOf(filter.rulesets, rulesets)
  if (mods === 0 && modes === 0) return () => PASSES
  return (row) => {
    if (columns.hasStats[row] === 0) return UNKNOWN
    const hasMods = (columns.mods[row]! & mods) === mods
    const hasMode = modes === 0 || (columns.rulesets[row]! & modes) !== 0
    return hasMods && hasMode ? PASSES : FAILS
  }
}

/** Counts into bars: a pack counts in each one that its own range reaches. */
function createCounter(scale: Scale) {
  const steps = new Int32Array(scale.bins + 1)
  return {
    count: (low: number, high: number): void => {
      if (Number.isNaN(low)) return
      steps[binOf(scale, low)]! += 1
      steps[binOf(scale, high) + 1]! -= 1
    },
    read: (): Uint16Array => {
      let level = 0
      return Uint16Array.from(steps.subarray(0, scale.bins), (step) => (level += step))
    },
  }
}

function matchSpan(low: number, high: number, span: Span): Match {
  const [from, to] = span
  if (isOpen(span)) return PASSES
  if (Number.isNaN(low)) return UNKNOWN
  return (from !== null && low < from) || (to !== null && high > to) ? FAILS : PASSES
}
