import { MAX_BEATMAP_ID } from '../../contract/bounds.ts'
import { type Ruleset, rulesets } from '../../contract/mods.ts'
import { foldCode } from '../../pool/slots.ts'
import {
  asked,
  type Doubt,
  type DoubtedBeatmaps,
  type Finding,
  planReading,
  type Reading,
  type RefusedReading,
  type SlotReading,
} from './readings.ts'
import { named, say } from './import-message.ts'

/** What the game platform knows of a beatmap; `gone`: it has none with that id. */
export type LookedUp =
  | 'gone'
  | { readonly ruleset: Ruleset; /** Without mods. */ readonly stars: number }

/** By the beatmap's id; those that could not be looked up are left out. */
export type Evidence = ReadonlyMap<number, LookedUp>

const doubts = ['unknown', 'ruleset', 'stars'] as const satisfies readonly Doubt[]

/** Whether the question with this id is about what was looked up. */
export const isDoubt = (question: string): boolean =>
  doubts.some((doubt) => doubt === question.split(' ', 1)[0])

/** As options of an import: these beatmaps are used, whatever speaks against them. */
export function usingAll(ids: readonly number[]) {
  const decided = doubts.map((doubt): DoubtedBeatmaps => ({ doubt, ids }))
  const answers = new Map(doubts.map((doubt, at) => [`${doubt} ${at + 1}`, USED] as const))
  return { decided, answers }
}

/** So many beatmaps have to be known before one of them can be unlike the others. */
const LEAST_KNOWN = 5
/** Pools have beatmaps of 0.4 to 1.8 times their median, whatever their level is; warm-ups and jokes go further. */
const FAR_BELOW = 0.3
const FAR_ABOVE = 3

/** What speaks against each beatmap, seen beside the others that have a slot. */
export function doubtsOf(found: readonly Finding[], evidence: Evidence): Map<number, Doubt> {
  const slots = found.flatMap(({ reading }) => (reading.kind === 'slot' ? [reading] : []))
  const labelled = new Set(
    slots.flatMap(({ label, beatmapId }) => (label?.code == null ? [] : [beatmapId])),
  )
  const known = [...labelled].flatMap((id) => {
    const facts = evidence.get(id)
    return facts === undefined || facts === 'gone' ? [] : [{ id, ...facts }]
  })
  const byRuleset = rulesets.map((ruleset) => known.filter((each) => each.ruleset === ruleset))
  const [main = []] = byRuleset.toSorted((a, b) => b.length - a.length)
  const stars = main.map((each) => each.stars).toSorted((a, b) => a - b)
  const isFar = (value: number): boolean => {
    const [low, high] = mediansOfOthers(stars, value)
    return value < low * FAR_BELOW || value > high * FAR_ABOVE
  }
  const doubted = new Map<number, Doubt>()
  for (const { beatmapId } of slots) {
    const facts = evidence.get(beatmapId)
    if (facts === 'gone') doubted.set(beatmapId, 'unknown')
    if (facts === undefined || facts === 'gone' || !labelled.has(beatmapId)) continue
    // Several of another ruleset are meant.
    const isOdd = main.length === known.length - 1 && facts.ruleset !== main[0]?.ruleset
    if (known.length >= LEAST_KNOWN && isOdd) doubted.set(beatmapId, 'ruleset')
    else if (stars.length >= LEAST_KNOWN && isFar(facts.stars)) doubted.set(beatmapId, 'stars')
  }
  return doubted
}

/** The two middle ones of sorted numbers but for one of them, whose own weight would count in a small pool. */
function mediansOfOthers(sorted: readonly number[], own: number): [low: number, high: number] {
  const place = sorted.findIndex((each) => each >= own)
  const count = sorted[place] === own ? sorted.length - 1 : sorted.length
  const at = (index: number): number =>
    sorted[count < sorted.length && index >= place ? index + 1 : index] ?? own
  return [at((count - 1) >> 1), at(count >> 1)]
}

/**
 * What is doubted becomes a question, one for all beatmaps with the same doubt but for those of `decided`, of which each
 * stays a question as it was asked.
 */
export function withDoubts(
  found: readonly Finding[],
  doubted: ReadonlyMap<number, Doubt>,
  decided: readonly DoubtedBeatmaps[] = [],
): readonly Finding[] {
  if (doubted.size === 0) return found
  const groups = new Map<number, DoubtGroup>()
  for (const about of [
    ...decided,
    ...doubts.map((doubt) => ({ doubt, ids: [...doubted.keys()] })),
  ]) {
    const { doubt } = about
    const ids = about.ids.filter((id) => doubted.get(id) === doubt && !groups.has(id))
    const at = decided.indexOf(about)
    const group =
      at < 0 ? { id: doubt, ids, about: { doubt, ids } } : { id: `${doubt} ${at + 1}`, ids, about }
    for (const id of ids) groups.set(id, group)
  }
  return found.map((finding) => {
    const { reading } = finding
    const group = reading.kind === 'slot' ? groups.get(reading.beatmapId) : undefined
    if (reading.kind !== 'slot' || group === undefined) return finding
    return { ...finding, reading: question(reading, group) }
  })
}

/** What one question is about, and its beatmaps that are still there. */
type DoubtGroup = {
  readonly id: string
  readonly ids: readonly number[]
  readonly about: DoubtedBeatmaps
}

const MOST_NAMED = 3

function question(slot: SlotReading, { id, ids, about }: DoubtGroup): Reading {
  const [kind, reason] = words[about.doubt]
  const text = say(kind, { n: ids.length, ids: named(ids, MOST_NAMED) })
  const without = planReading(slot.label, {}, reason)
  // In this order: see USED.
  const choices = [
    [say('leaveThem'), without],
    [say('useThem'), slot],
  ] as const
  return { ...asked(text, choices, `doubt ${id}`), id, about }
}

/** The question, and the message about a line that is left out. */
const words = {
  unknown: ['isUnknown', say('unknownBeatmap')],
  ruleset: ['isOtherRuleset', say('otherRuleset')],
  stars: ['isOtherStars', say('otherStars')],
} as const satisfies Record<Doubt, unknown>

/** The messages about lines that an answer leaves out, where no slot is left for them. */
export const leftOutReasons: ReadonlySet<string> = new Set(
  Object.values(words).map(([, reason]) => reason),
)

/** The choice that uses what is doubted. */
const USED = 'b'

/** The ids that are read, without repetition and without numbers that no beatmap can have. */
export function idsIn(found: readonly Finding[]): number[] {
  const ids = found.flatMap(({ reading }) => (reading.kind === 'slot' ? [reading.beatmapId] : []))
  return [...new Set(ids)].filter((id) => id >= 1 && id <= MAX_BEATMAP_ID)
}

/** Fewer show nothing. */
const LEAST_SLOTS = 3

/**
 * The slots of each round with their numbers as hosts count them. Files of programs count from 0, which is no number of a
 * slot, and some count through the whole pool, which is asked: HD5 may be the fifth beatmap and HD1.
 */
export function countSlots(findings: readonly Finding[]): readonly Finding[] {
  const rounds: { readonly slots: Counted[]; readonly isOwn: boolean }[] = [
    { slots: [], isOwn: false },
  ]
  for (const [at, { reading, round }] of findings.entries()) {
    // Pools as the API has them are numbered in their buckets.
    if (round !== undefined) rounds.push({ slots: [], isOwn: round.facts?.fields !== undefined })
    const counted = countedOf(reading, at)
    if (counted !== null) rounds.at(-1)!.slots.push(counted)
  }
  const changed = rounds.flatMap(({ slots, isOwn }) => (isOwn ? [] : changesOf(slots)))
  return changed.length === 0
    ? findings
    : changed.reduce(
        (all, [at, finding]) => ((all[at] = { ...all[at]!, reading: finding }), all),
        [...findings],
      )
}

type Counted = {
  readonly at: number
  readonly reading: SlotReading | RefusedReading
  readonly code: string
  readonly index: number
  /** Whether its code and number are in two fields or cells. */
  readonly isApart: boolean
}

/** A slot with a number, also one that is planned: it shows how the others are counted. */
function countedOf(reading: Reading, at: number): Counted | null {
  const of = reading.kind === 'refused' ? reading.plan : reading.kind === 'slot' ? reading : null
  const { code = null, index = null } = of?.label ?? {}
  if (of == null || code === null || index === null || reading.kind === 'asked') return null
  const isApart = of.isSplit ?? ('rule' in of && of.rule === 'fields')
  return { at, reading: reading as SlotReading | RefusedReading, code, index, isApart }
}

function changesOf(slots: readonly Counted[]): (readonly [at: number, Finding['reading']])[] {
  const [first] = slots
  if (slots.filter(({ isApart }) => isApart).length < LEAST_SLOTS || first === undefined) return []
  const order = [...slots.keys()].toSorted((a, b) => slots[a]!.index - slots[b]!.index)
  const least = slots[order[0]!]!.index
  if (least > 1) return []
  const last = new Map<string, number>()
  const own = slots.map(({ code }) => {
    const place = (last.get(foldCode(code)) ?? 0) + 1
    last.set(foldCode(code), place)
    return place
  })
  const within = ({ reading, code }: Counted, at: number): SlotReading | RefusedReading => {
    const label = { code, index: own[at]! }
    return reading.kind === 'slot'
      ? { ...reading, label }
      : { ...reading, plan: { ...reading.plan!, label } }
  }
  if (slots.every(({ index }, at) => index === own[at]! - 1)) {
    const noted = slots.findIndex(({ reading }) => reading.kind === 'slot')
    return slots.map((slot, at) => {
      const note = at === noted && { note: say('fromZero') }
      return [slot.at, { ...within(slot, at), ...note }] as const
    })
  }
  const isThrough = last.size > 1 && order.every((at, place) => slots[at]!.index === least + place)
  if (!isThrough) return []
  const ranks = new Map<string, number>()
  for (const at of order) {
    const code = foldCode(slots[at]!.code)
    own[at] = (ranks.get(code) ?? 0) + 1
    ranks.set(code, own[at])
  }
  const named = slots.find(({ index }) => index === least + slots.length - 1)!
  if (slots.every(({ index }, at) => index === own[at])) return []
  const label = (index: number): string => `${named.code}${index}`
  return slots.map((slot, at) => {
    const choices = [
      [say('throughPool', { slot: label(own[slots.indexOf(named)]!) }), within(slot, at)],
      [say('inBucket', { slot: label(named.index) }), slot.reading],
    ] as const
    const question = say('whatCounts', { slot: label(named.index) })
    return [slot.at, asked(question, choices, `count ${first.at}`)] as const
  })
}
