import { foldCode, foldName } from '../../../pool/slots.ts'
import { fitName } from '../../draft-builder.ts'
import { usualCode } from '../words/bucket-names.ts'
import { event } from './lines.ts'
import { withoutBullet, withoutTags } from './items.ts'
import {
  type BucketCodes,
  isFilled,
  isKnown,
  modsOfCode,
  readWords,
  tidy,
} from '../words/labels.ts'
import { areBeatmaps } from './plausible-ids.ts'
import { type Finding, reasons, refused, skipped, type SlotReading } from '../readings.ts'

/** More is a sentence. */
const [LONGEST_TITLE, MOST_WORDS] = [64, 6]

/** The line of words that begins the last paragraph since a slot or a bucket; empty where there is none. */
type Block = readonly number[]
type Bucket = {
  readonly at: number
  readonly code: string
  /** How many rounds begin above it. */
  readonly round: number
  readonly block: Block
  readonly isAgain: boolean
}

/**
 * A bucket that comes again below a line of words begins another pool, as the bucket below the title of the first one did:
 * `Pool A`, `NoMod`, …, `Pool B`, `NoMod`. Where not every pool has such a title, what comes again is refused: it may as well
 * go on with the same pool.
 */
export function partByTitles(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  if (findings.some(({ round }) => round?.by === 'cell' || round?.by === 'file'))
    return [...findings]
  const buckets = bucketsAmong(findings, codes)
  const again = buckets.filter(({ isAgain, block }) => isAgain && block.length > 0)
  const cycle = cycleAmong(buckets)
  if (again.length === 0) return cycle === null ? [...findings] : refuseFrom(cycle)
  const titles = titlesOf(findings, buckets)
  if (titles !== null) {
    return findings.map((finding, at) => {
      const name = titles.get(at)
      if (name === undefined) return finding
      return { ...finding, reading: skipped, round: { name, by: 'marked' } }
    })
  }
  return refuseFrom(Math.min(again[0]!.at, cycle ?? Infinity))

  function refuseFrom(start: number): Finding[] {
    const unclear = new Set(
      buckets.filter(({ isAgain, at }) => isAgain && at >= start).map(({ at }) => at),
    )
    return findings.map((finding, at) =>
      unclear.has(at)
        ? { ...finding, reading: { ...refused(reasons.unclearSlot), endsHeading: true } }
        : finding,
    )
  }
}

/** Where the same buckets begin again, two or more in their order: no list goes on so. */
function cycleAmong(buckets: readonly Bucket[]): number | null {
  let codes: string[] = []
  for (const [place, { code, isAgain, at }] of buckets.entries()) {
    const next = buckets[place + 1]
    if (isAgain && code === codes[0] && next?.isAgain === true && next.code === codes[1]) return at
    // A round has buckets of its own.
    if (!isAgain && isFirst(buckets, place)) codes = []
    codes.push(code)
  }
  return null
}

/** Whether a bucket is the first of its round. */
const isFirst = (buckets: readonly Bucket[], place: number): boolean =>
  place === 0 || buckets[place]!.round !== buckets[place - 1]!.round

/** The headings of buckets that have slots without labels. */
function bucketsAmong(findings: readonly Finding[], codes: BucketCodes): Bucket[] {
  const found: Bucket[] = []
  const rounds = new Map<string, Set<string>>()
  let seen = new Set<string>()
  let block: number[] = []
  let isApart = false
  let count = 0
  let first = ''
  for (const [at, finding] of findings.entries()) {
    const { reading, round, text } = finding
    const isBlank = !isFilled(text)
    if (round !== undefined) {
      count += 1
      const key = foldName(round.name)
      seen = rounds.get(key) ?? new Set()
      // A round that goes on may be another one of its name.
      block = rounds.has(key) ? [at] : []
      rounds.set(key, seen)
    } else if (isBlank) isApart = true
    else if (isWords(findings, at, codes)) {
      if (isApart || block.length === 0) block = [at]
    } else if (reading.kind === 'heading' && reading.label.index === null) {
      const code = foldCode(reading.label.code ?? '')
      if (takesSlots(nextOf(findings, at))) {
        if (found.at(-1)?.round !== count) first = code
        found.push({ at, code, round: count, block, isAgain: seen.has(code) })
        seen.add(code)
      }
      block = []
    } else if (isNumberless(reading)) {
      const code = foldCode(reading.label?.code ?? '')
      const last = found.at(-1)
      if (last?.round !== count) first = code
      const isStart = code === first && (isApart || block.length > 0)
      const isAgain = seen.has(code) && (isStart || last?.isAgain === true)
      if (last?.code !== code || isAgain) found.push({ at, code, round: count, block, isAgain })
      seen.add(code)
      block = []
    } else if (reading.kind !== 'skipped') block = []
    if (!isBlank) isApart = false
  }
  // `NM 129891` below a line of words may go on with its bucket.
  const isAlone = (each: Bucket, place: number): boolean =>
    isNumberless(findings[each.at]!.reading) &&
    (!each.isAgain || [place - 1, place + 1].every((beside) => found[beside]?.isAgain !== true))
  return found.map((each, place) => {
    const isPart = place > 0 && isAlone(each, place)
    return isPart ? { ...each, block: [], isAgain: false } : each
  })
}

/** Whether a slot has a bucket and no number: `NM: 129891`. */
const isNumberless = (reading: Finding['reading']): reading is SlotReading =>
  reading.kind === 'slot' && reading.label?.code != null && reading.label.index === null

/** Whether what is below a bucket is a slot that has its place from it, with or without a beatmap. */
function takesSlots(next: Finding | undefined): boolean {
  if (next === undefined || next.round !== undefined) return false
  const { reading } = next
  return reading.kind === 'slot'
    ? reading.label === null
    : reading.kind === 'refused' && reading.plan?.label === null
}

/** The titles of all pools, each once, by their places; null where it cannot be told what they are. */
function titlesOf(
  findings: readonly Finding[],
  buckets: readonly Bucket[],
): ReadonlyMap<number, string> | null {
  if (findings.some(({ round }) => round !== undefined)) return null
  const starts = buckets.filter(
    ({ isAgain, block }, place) => place === 0 || (isAgain && block.length > 0),
  )
  const known = new Set(starts)
  const isOther = buckets.some((bucket) => bucket.block.length > 0 && !known.has(bucket))
  const places = starts.flatMap(({ block }) => block[0] ?? [])
  const [first = 0] = places
  const isBelowSlots = findings
    .slice(0, first)
    .some(({ reading: { kind } }) => kind === 'slot' || kind === 'asked')
  if (isOther || isBelowSlots || places.length < starts.length) return null
  const names = places.map((at) => nameIn(findings[at]!.text))
  const forms = places.map((at) => isItem(findings[at]!))
  const isAlike = new Set(forms).size === 1 && new Set(names.map(foldName)).size === names.length
  const areNames = names.every(
    (name) => name !== '' && readWords(name).length <= MOST_WORDS && !/[.!?,;]$/.test(name),
  )
  return isAlike && areNames ? new Map(places.map((at, n) => [at, names[n]!])) : null
}

const isItem = ({ reading }: Finding): boolean =>
  reading.kind === 'refused' && reading.isItem === true

function nameIn(text: string): string {
  const { item } = withoutBullet(withoutTags(tidy(text)))
  return fitName(item.replace(/^[\s*_~=#-]+/, '').replace(/[\s*_~=:-]+$/, ''), '')
}

const nextOf = (findings: readonly Finding[], at: number): Finding | undefined =>
  findings
    .slice(at + 1, at + 9)
    .find((each) => each.reading.kind !== 'skipped' || each.round !== undefined)

/** Whether a line is nothing but a part of an event: `Div 1:`, `**Set 2**`. */
function isEvent(text: string): boolean {
  const name = nameIn(text)
  return name !== '' && name.replace(event, '') === ''
}

/** Whether a line is words alone, or a code in capitals that has nothing but a bucket below it: `UBSF`. */
function isWords(findings: readonly Finding[], at: number, codes: BucketCodes): boolean {
  const { reading, text } = findings[at]!
  if (text.length > LONGEST_TITLE || text.includes('://')) return false
  // `Div 1:`
  if (reading.kind === 'skipped') return isEvent(text)
  if (reading.kind === 'refused') return reading.isProse === true && reading.plan?.isSure !== true
  if (reading.kind !== 'heading') return false
  const code = reading.label.code ?? ''
  const isBucket =
    isKnown(reading.label, codes) || modsOfCode(code) !== null || usualCode(code) !== null
  const next = nextOf(findings, at)
  if (isBucket || next === undefined) return false
  return (
    isNumberless(next.reading) ||
    (next.reading.kind === 'heading' && next.reading.label.index === null)
  )
}

/** Scores of one player on one beatmap, as the game counts them: none is higher, and most are higher than that. */
export const [MOST_SCORE, USUAL_SCORE] = [1_000_000, 400_000] as const

/** Whether numbers may as well be scores. */
export function areLikeScores(numbers: readonly number[]): boolean {
  const usual = numbers.filter((number) => number >= USUAL_SCORE).length
  return usual * 2 > numbers.length && numbers.every((number) => number <= MOST_SCORE)
}

/** Asks about pools below words that may as well be names of players, each with its scores. */
export function doubtTitled(findings: readonly Finding[]): Finding[] {
  const isName = ({ round, text }: Finding): boolean =>
    round?.by === 'marked' && !/^\s*(?:#|\[)/.test(text)
  const first = findings.findIndex(({ round }) => round !== undefined)
  const rounds = findings.filter(({ round }) => round !== undefined)
  const slots = findings.flatMap(({ reading }) => (reading.kind === 'slot' ? [reading] : []))
  const isBare = (finding: Finding): boolean =>
    finding.reading.kind !== 'slot' || !finding.text.includes('/')
  const areScores =
    rounds.length > 1 &&
    rounds.every(isName) &&
    areLikeScores(slots.map(({ beatmapId }) => beatmapId)) &&
    findings.every(isBare)
  if (!areScores) return [...findings]
  return findings.map((finding, at) => {
    const { reading } = finding
    if (at < first || reading.kind !== 'slot') return finding
    return { ...finding, reading: areBeatmaps(reading) }
  })
}
