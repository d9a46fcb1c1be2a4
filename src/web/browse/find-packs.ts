import { rulesets, statsMods } from '../../contract/mods.ts'
import { bitsOf, type Columns, searchWords } from './columns.ts'
import { binOf, type Scale, scales } from './scales.ts'
import {
  type Change,
  type Criteria,
  isOpen,
  type Span,
  type SpanName,
  spanNames,
} from './search-state.ts'

/** Bars from the low to the high end of a scale. */
export type Histogram = Uint16Array

/** What was found. */
export type Found = {
  /** Rows in the order asked for. */
  readonly rows: Uint16Array
  /** Packs that could be among them, were more known of them. They are when `showsUnrated` is set. */
  readonly unrated: number
  /** Of the packs that all other filters leave, so that one sees what a slider can still choose. */
  readonly histograms: Readonly<Record<SpanName, Histogram>>
}

const FAILS = 1
const UNKNOWN = 2

/** Goes through all packs once, in this order. */
export function findPacks(columns: Columns, order: Uint16Array, criteria: Criteria): Found {
  const words = searchWords(criteria.query)
  const ends = endsOf(columns)
  const judgeBits = createBitJudge(columns, criteria)
  const facets = spanNames.map((name) => ({
    ...ends[name],
    span: criteria[name],
    isOpen: isOpen(criteria[name]),
    counter: createCounter(scales[name]),
  }))
  const verdicts = new Uint8Array(facets.length)
  const rows = new Uint16Array(order.length)
  const mayBeUnknown = criteria.showsUnrated
  let found = 0
  let unrated = 0

  for (const row of order) {
    if (judgeText(columns.texts[row]!, words) === FAILS) continue
    const bits = judgeBits(row)
    if (bits === FAILS) continue
    let fails = 0
    let unknowns = Number(bits === UNKNOWN)
    for (let at = 0; at < facets.length; at += 1) {
      const { low, high, span } = facets[at]!
      const verdict = judgeSpan(low[row]!, high[row]!, span)
      verdicts[at] = verdict
      if (verdict === FAILS) fails += 1
      else if (verdict === UNKNOWN) unknowns += 1
    }
    for (let at = 0; at < facets.length; at += 1) {
      const { low, high, counter } = facets[at]!
      const othersFail = fails - Number(verdicts[at] === FAILS)
      const othersUnknown = unknowns - Number(verdicts[at] === UNKNOWN)
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
  ) as Record<SpanName, Histogram>
  return { rows: rows.subarray(0, found), unrated, histograms }
}

type Ends = { readonly low: ArrayLike<number>; readonly high: ArrayLike<number> }

/** The stars of a pack are its average; of its lengths and BPM all must lie in the span. */
const endsOf = (columns: Columns): Readonly<Record<SpanName, Ends>> => ({
  stars: { low: columns.stars, high: columns.stars },
  length: { low: columns.shortest, high: columns.longest },
  bpm: { low: columns.slowest, high: columns.fastest },
  beatmaps: { low: columns.beatmaps, high: columns.beatmaps },
})

const PASSES = 0

type Verdict = typeof PASSES | typeof FAILS | typeof UNKNOWN

/** Judges a pack by its mods and rulesets; both are known or neither is. */
function createBitJudge(
  { mods, rulesets: modes, hasStats }: Columns,
  criteria: Criteria,
): (row: number) => Verdict {
  const wantedMods = bitsOf(criteria.mods, statsMods)
  const wantedModes = bitsOf(criteria.rulesets, rulesets)
  if (wantedMods === 0 && wantedModes === 0) return () => PASSES
  return (row) => {
    if (hasStats[row] === 0) return UNKNOWN
    const hasMods = (mods[row]! & wantedMods) === wantedMods
    const hasMode = wantedModes === 0 || (modes[row]! & wantedModes) !== 0
    return hasMods && hasMode ? PASSES : FAILS
  }
}

type Counter = (low: number, high: number) => void

/** Counts into bars: a pack counts in each one that its own range reaches. */
function createCounter(scale: Scale): { count: Counter; read: () => Histogram } {
  const steps = new Int32Array(scale.bins + 1)
  return {
    count: (low, high) => {
      if (Number.isNaN(low)) return
      steps[binOf(scale, low)]! += 1
      steps[binOf(scale, high) + 1]! -= 1
    },
    read: () => {
      const bars = new Uint16Array(scale.bins)
      let level = 0
      for (let bin = 0; bin < scale.bins; bin += 1) bars[bin] = level += steps[bin]!
      return bars
    },
  }
}

const judgeText = (text: string, words: readonly string[]): Verdict =>
  words.every((word) => text.includes(word)) ? PASSES : FAILS

function judgeSpan(low: number, high: number, [from, to]: Span): Verdict {
  if (from === null && to === null) return PASSES
  if (Number.isNaN(low)) return UNKNOWN
  return (from !== null && low < from) || (to !== null && high > to) ? FAILS : PASSES
}

/** What is looked for, how to change it, and what was found. */
export type Looking = {
  readonly criteria: Criteria
  readonly change: Change
  readonly found: Found
}
