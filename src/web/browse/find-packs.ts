import { rulesets, statsMods } from '../../contract/mods.ts'
import { bitsOf, type Columns, searchText, searchWords } from './columns.ts'
import { binOf, type Scale, scales } from './scales.ts'
import { type Change, type Criteria, type Span, type SpanName, spanNames } from './search-state.ts'

export type Found = {
  /** Rows in the order asked for. */
  readonly rows: Uint16Array
  /** Packs that could be among them, were more known of them. They are when `showsUnrated` is set. */
  readonly unrated: number
  /** Packs by bar, of those that all other filters leave: what a slider can still choose. */
  readonly histograms: Readonly<Record<SpanName, Uint16Array>>
}

/** What is looked for, how to change it, and what was found. */
export type Looking = {
  readonly criteria: Criteria
  readonly change: Change
  readonly found: Found
}

const [PASSES, FAILS, UNKNOWN] = [0, 1, 2] as const

type Verdict = typeof PASSES | typeof FAILS | typeof UNKNOWN

export function findPacks(columns: Columns, order: Uint16Array, criteria: Criteria): Found {
  const words = searchWords(criteria.query)
  const judgeBits = createBitJudge(columns, criteria)
  const facets = spanNames.map((name) => {
    const [low, high] = columns.ends[name]
    return { low, high, span: criteria[name], counter: createCounter(scales[name]) }
  })
  const verdicts = new Uint8Array(facets.length)
  const rows = new Uint16Array(order.length)
  const mayBeUnknown = criteria.showsUnrated
  let found = 0
  let unrated = 0

  for (const row of order) {
    const text = columns.texts[row]!
    if (!words.every((word) => text.includes(word))) continue
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
  if (criteria.sort === 'relevance' && words.length > 0) {
    nameFirst(rows.subarray(0, found), words, columns)
    if (criteria.isReversed) rows.subarray(0, found).reverse()
  }
  const histograms = Object.fromEntries(
    facets.map(({ counter }, at) => [spanNames[at], counter.read()]),
  ) as Found['histograms']
  return { rows: rows.subarray(0, found), unrated, histograms }
}

/** Puts rows with all words in the name before the others; otherwise they stay as they are. */
function nameFirst(rows: Uint16Array, words: readonly string[], { entries }: Columns): void {
  const isNamed = (row: number): boolean => {
    const name = searchText(entries[row]?.n ?? '')
    return words.every((word) => name.includes(word))
  }
  const named = new Set(rows.filter(isNamed))
  rows.set([...named, ...rows.filter((row) => !named.has(row))])
}

/** Judges a pack by its mods and rulesets; both are known or neither is. */
function createBitJudge(columns: Columns, criteria: Criteria): (row: number) => Verdict {
  const mods = bitsOf(criteria.mods, statsMods)
  const modes = bitsOf(criteria.rulesets, rulesets)
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

function judgeSpan(low: number, high: number, [from, to]: Span): Verdict {
  if (from === null && to === null) return PASSES
  if (Number.isNaN(low)) return UNKNOWN
  return (from !== null && low < from) || (to !== null && high > to) ? FAILS : PASSES
}
