import { MAX_BEATMAP_ID } from '../../../contract/bounds.ts'
import { shown } from '../../draft-builder.ts'
import type { Literal } from '../../json/parse-literal.ts'
import {
  codeOf,
  containers,
  idOf,
  isNothing,
  isOther,
  labelOf,
  LEAST_ID,
  type LiteralObject,
  mayNameSlot,
  names,
  plainName,
  type Span,
  textIn,
} from './json-fields.ts'
import { lostWithin } from './json-inside.ts'
import { doubtByFields, settleAsides } from './json-doubts.ts'
import { isAsideKey } from './json-kinds.ts'
import { askWhether, type Place } from './json-slots.ts'
import { areBeatmaps, LARGEST_ID } from '../lines/plausible-ids.ts'
import { roundOfFile } from '../lines/round-names.ts'
import { ownCode } from '../words/bucket-names.ts'
import { type BucketCodes, readWhole } from '../words/labels.ts'
import {
  asked,
  type Finding,
  type Reading,
  type RoundStart,
  skipped,
  slotReading,
} from '../readings.ts'
import { type ImportMessage, say } from '../import-message.ts'

/** What applies to the values inside a part. */
export type Context = Place & {
  readonly round: RoundStart | null
  /** Whether a bare number is a beatmap's id; a text is the question that decides it. */
  readonly numbers: boolean | ImportMessage
  /** The key of the labels in the objects of a list, where it has no usual name. */
  readonly labels?: string | null
  readonly rounds?: string | null
  /** The key of their lists of beatmaps. */
  readonly content?: string | null
  /** The key of their buckets. */
  readonly groups?: string | null
  /** Whether it is beside objects that are buckets. */
  readonly isBeside?: boolean
  /** The key above that says it is not the pool. */
  readonly aside?: string
  /** What is asked of each slot that has no label of its own. */
  readonly doubt?: ImportMessage
}

/** What the reader of data finds, in the order of the text. */
export class FoundInData {
  findings: Finding[] = []
  /** Those below a key that says they are not the pool. */
  readonly asides = new Map<Finding, string>()
  /** The objects that slots were read of. */
  readonly objects = new Map<Finding, Literal>()
  /** What is left out of pools as the API has them. */
  readonly notes: ImportMessage[] = []
  /** What was found that is no pool. */
  readonly leftOut = new Set<'players' | 'scores' | 'matches'>()
  readonly #places = new Map<string, Finding>()
  readonly #starts: number[] = []
  readonly #left = new Set<string>()
  readonly #text: string
  readonly #codes: BucketCodes
  readonly #lineStarts: number[]
  #round: RoundStart | null = null

  constructor(text: string, codes: BucketCodes) {
    this.#text = text
    this.#codes = codes
    this.#lineStarts = [
      0,
      ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length),
    ]
  }

  leave(span: Span, kind: 'players' | 'scores' | 'matches'): void {
    this.leftOut.add(kind)
    this.#left.add(keyOf(span))
  }

  /** Adds what is asked about what nothing was read of. */
  askLost(values: readonly Literal[]): void {
    const added = new Map<Finding, Finding[]>()
    for (const { beside, span, reading } of findLost(
      values,
      this.#places,
      this.#left,
      this.#starts,
      this.#codes,
    )) {
      const finding = this.#findingOf(span, reading)
      if (beside === null) {
        this.findings.push(finding)
        continue
      }
      const aside = this.asides.get(beside)
      if (aside !== undefined) this.asides.set(finding, aside)
      const own = added.get(beside)
      if (own === undefined) added.set(beside, [finding])
      else own.push(finding)
    }
    this.findings = this.findings.flatMap((each) => [each, ...(added.get(each) ?? [])])
  }

  /** With what is left out or asked by the keys and fields around the slots. */
  settled() {
    const asides = settleAsides(this.findings, this.asides)
    const doubts = doubtByFields(asides.findings, this.objects)
    return { findings: doubts.findings, notes: [...this.notes, ...asides.notes, ...doubts.notes] }
  }

  /** Adds what the file says, unless it is doubtful. */
  add(span: Span, read: Reading, context: Context, value?: Literal): void {
    this.addCertain(span, doubtedOf(read, context.doubt), context)
    if (value !== undefined) this.objects.set(this.findings.at(-1)!, value)
  }

  /** Adds what a format of ours says. */
  addCertain(span: Span, reading: Reading, { round, aside }: Context): void {
    const isNew = round !== this.#round
    this.#round = round
    const begins = isNew ? { round: round ?? roundOfFile('') } : {}
    const finding = { ...this.#findingOf(span, reading), ...begins }
    this.findings.push(finding)
    this.#places.set(keyOf(span), finding)
    this.#starts.push(span.start)
    if (aside !== undefined) this.asides.set(finding, aside)
  }

  #findingOf({ start, end }: Span, reading: Reading): Finding {
    const text = this.#text
      .slice(start, Math.min(end, start + MAX_SHOWN))
      .replaceAll(/\s+/g, ' ')
      .toWellFormed()
    return { line: this.#lineAt(start), text, reading }
  }

  #lineAt(offset: number): number {
    return countBelow(this.#lineStarts, offset + 1)
  }
}

/** How many of sorted numbers are below a bound. */
export function countBelow(sorted: readonly number[], bound: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < bound) low = middle + 1
    else high = middle
  }
  return low
}

const MAX_SHOWN = 200
const keyOf = ({ start, end }: Span): string => `${start} ${end}`

function doubtedOf(reading: Reading, doubt?: ImportMessage): Reading {
  if (reading.kind !== 'slot') return reading
  const { beatmapId, label } = reading
  const isLarge = beatmapId > LARGEST_ID && beatmapId <= MAX_BEATMAP_ID
  if (label !== null && isLarge) return areBeatmaps(reading)
  if (doubt === undefined || (label !== null && reading.rule === 'fields')) return reading
  if (!doubt.startsWith('whichBucket')) return askWhether(reading, doubt)
  const own = label?.code == null ? say('noBucket') : say('newBucket', { code: label.code })
  return asked(
    doubt,
    [
      [own, reading],
      [say('leaveThem'), skipped],
    ],
    doubt,
  )
}

/** Something with an id that no rule read, the finding that it is beside, and what is asked about it. */
type Lost = { readonly beside: Finding | null; readonly span: Span; readonly reading: Reading }
type Part = Span & { readonly key: string | null; readonly value: Literal }

/**
 * Asks about each object or pair with an id that gave nothing, beside others of its list or object that are slots.
 *
 * @param found by where it is, as `left`; `places` are where they begin.
 * @param left what was left out.
 */
function findLost(
  values: readonly Literal[],
  found: ReadonlyMap<string, Finding>,
  left: ReadonlySet<string>,
  places: readonly number[],
  codes: BucketCodes,
): Lost[] {
  const starts = places.toSorted((a, b) => a - b)
  const isRead = ({ start, end }: Span): boolean => {
    const next = starts[countBelow(starts, start)]
    return next !== undefined && next < end
  }
  const ids = new Set([...found.values()].flatMap(({ reading }) => idsOf(reading)))
  const lost: Lost[] = []
  const open: (readonly Part[])[] = [values.map(itemPart)]
  for (let parts = open.pop(); parts !== undefined; parts = open.pop()) {
    const slots = parts.flatMap((part) => found.get(keyOf(part)) ?? [])
    const beside = slots.find(
      ({ reading }) =>
        reading.kind === 'asked' || (reading.kind === 'slot' && reading.label?.code != null),
    )
    for (const part of parts) {
      const { key, value } = part
      if (left.has(keyOf(value)) || found.has(keyOf(part))) continue
      if (isRead(part)) open.push(partsOf(value))
      else if (beside !== undefined) {
        const reading = key === null ? lostItem(value, codes) : lostMember(key, value, codes)
        const whole = reading ?? lostWithin(part.key, value, true, codes)
        if (whole !== null) lost.push({ beside, span: part, reading: whole })
      } else {
        const reading = lostWithin(part.key, value, false, codes)
        // In other notations than JSON, an object may stand apart from what is in it.
        const isNew = reading !== null && !idsOf(reading).some((id) => ids.has(id))
        if (isNew) lost.push({ beside: null, span: part, reading })
        else if (value.kind === 'list' || value.kind === 'object') open.push(partsOf(value))
      }
    }
  }
  return lost
}

function idsOf(reading: Reading): readonly number[] {
  if (reading.kind === 'asked') return reading.choices.flatMap((choice) => idsOf(choice.reading))
  return reading.kind === 'slot' ? [reading.beatmapId] : []
}

const itemPart = (value: Literal): Part => ({
  start: value.start,
  end: value.end,
  key: null,
  value,
})

function partsOf(value: Literal): Part[] {
  if (value.kind === 'list') return value.items.map(itemPart)
  if (value.kind !== 'object') return []
  return value.members.map(({ key, start, value: each }) => {
    return { start, end: each.end, key, value: each }
  })
}

const mayBeId = (id: unknown): id is number =>
  typeof id === 'number' && id >= LEAST_ID && id <= LARGEST_ID

export function lostItem(value: Literal, codes: BucketCodes): Reading | null {
  if (value.kind === 'list' && value.items.length === 2) {
    const text = value.items.find(({ kind }) => kind === 'text')
    const id = value.items.map(idOf).find(mayBeId)
    return text?.kind === 'text' && id !== undefined ? askBucket(text.value, id, codes) : null
  }
  if (value.kind !== 'object') return null
  const id = idOf(value)
  return mayBeId(id) ? askBucket(nameIn(value), id, codes) : null
}

const nameIn = (value: LiteralObject): string =>
  textIn(value, [...names.labels, ...names.mods]) ?? ''

const counts =
  /^(?:id|url|link)$|(?:ids?|at|by|count|length|points?|size|season|edition|prize|pool|max|min|total|timestamp|port|duration|delay|timer|limit|bpm|players?|combo|rank)$/

/** Asks about a key, beside keys of slots, that is none of a known bucket. */
export function lostMember(key: string, value: Literal, codes: BucketCodes): Reading | null {
  const whole = readWhole(key)
  if (mayBeId(whole)) {
    if (value.kind === 'text') return askBucket(value.value, whole, codes)
    if (value.kind === 'object' && idOf(value) === null)
      return askBucket(nameIn(value), whole, codes)
    return isNothing(value) ? askBucket('', whole, codes) : null
  }
  const name = plainName(key)
  const isOthers = isOther(name) || counts.test(name) || containers.has(name) || isAsideKey(key)
  if (isOthers || !mayNameSlot(key)) return null
  const id = idOf(value)
  if (!mayBeId(id)) return null
  const code = codeOf(key, codes) ?? ownCode(key)
  const label = labelOf(key, codes, true) ?? (code === null ? null : { code, index: null })
  return askWhether(slotReading(label, id, 'pair'), say('areIdsIn', { what: shown(key) }))
}

/** Asks where a beatmap belongs that has a name for it which is no label, or none. */
function askBucket(text: string, id: number, codes: BucketCodes): Reading {
  const known = codeOf(text, codes)
  const code = known ?? ownCode(text)
  const alone = slotReading(null, id, 'alone')
  if (code === null) return askWhether(alone, say('areIds'))
  const slot = slotReading({ code, index: null }, id, 'fields')
  if (known !== null) return askWhether(slot, say('areIds'))
  const choices = [
    [say('newBucket', { code }), slot],
    [say('noBucket'), alone],
  ] as const
  return asked(say('whichBucket', { what: shown(text) }), choices, `bucket ${code}`)
}
