import { foldCode } from '../../../pool/slots.ts'
import { fitName } from '../../draft-builder.ts'
import { usualCode } from '../words/bucket-names.ts'
import { withoutBullet, withoutTags } from './items.ts'
import { type BucketCodes, isKnown, modsOfCode, readWords, tidy } from '../words/labels.ts'
import { type Finding, reasons, refused, skipped } from '../readings.ts'

/** More is a sentence. */
const [LONGEST_TITLE, MOST_WORDS] = [64, 6]

/** The line of words that begins the last paragraph since a slot or a bucket; empty where there is none. */
type Block = readonly number[]
type Bucket = { readonly at: number; readonly block: Block; readonly isAgain: boolean }

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
  if (again.length === 0) return [...findings]
  const titles = titlesOf(findings, buckets)
  if (titles !== null) {
    return findings.map((finding, at) => {
      const name = titles.get(at)
      if (name === undefined) return finding
      return { ...finding, reading: skipped, round: { name, by: 'marked' } }
    })
  }
  const [first] = again
  const unclear = new Set(
    buckets.filter(({ isAgain, at }) => isAgain && at >= first!.at).map(({ at }) => at),
  )
  return findings.map((finding, at) =>
    unclear.has(at)
      ? { ...finding, reading: { ...refused(reasons.unclearSlot), endsHeading: true } }
      : finding,
  )
}

/** The headings of buckets that have slots without labels. */
function bucketsAmong(findings: readonly Finding[], codes: BucketCodes): Bucket[] {
  const found: Bucket[] = []
  const rounds = new Map<string, Set<string>>()
  let seen = new Set<string>()
  let block: number[] = []
  let isApart = false
  for (const [at, finding] of findings.entries()) {
    const { reading, round, text } = finding
    const isBlank = tidy(text) === ''
    if (round !== undefined) {
      const key = foldCode(round.name)
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
        found.push({ at, block, isAgain: seen.has(code) })
        seen.add(code)
      }
      block = []
    } else if (reading.kind !== 'skipped') block = []
    if (!isBlank) isApart = false
  }
  return found
}

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
  const isAlike = new Set(forms).size === 1 && new Set(names.map(foldCode)).size === names.length
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

/** Whether a line is words alone, or a code in capitals that has nothing but a bucket below it: `UBSF`. */
function isWords(findings: readonly Finding[], at: number, codes: BucketCodes): boolean {
  const { reading, text } = findings[at]!
  if (text.length > LONGEST_TITLE || text.includes('://')) return false
  if (reading.kind === 'refused') return reading.isProse === true && reading.plan?.isSure !== true
  if (reading.kind !== 'heading' || reading.label.index !== null) return false
  const code = reading.label.code ?? ''
  const isBucket =
    isKnown(reading.label, codes) || modsOfCode(code) !== null || usualCode(code) !== null
  const next = nextOf(findings, at)
  return !isBucket && next?.reading.kind === 'heading' && next.reading.label.index === null
}
