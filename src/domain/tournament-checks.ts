import type { Check, CheckKind } from '../contract/checks.ts'
import { rulesetNames } from '../contract/mods.ts'
import type { Slot } from '../contract/pools.ts'
import type { RoundTargets } from '../contract/rounds.ts'
import { byKind } from '../pool/check-words.ts'
import { noRatingWith, playedBpm, playedLength, roundHalfUp } from '../pool/played-values.ts'
import { type SlotFilling } from '../pool/round-fields.ts'
import { detailsWords } from '../pool/slot-details.ts'
import { slotLabel, slotMods, type SlotPlay, slotsInPoolOrder } from '../pool/slots.ts'
import { cleanLine, isolate, listed, yearAfter } from '../pool/text.ts'
import type { Beatmap } from './beatmaps.ts'
import type { SavedRound, SavedTournament } from './tournaments.ts'

/** What is known of a beatmap in a slot; null for nothing. */
export type BeatmapFacts = {
  readonly beatmap: Beatmap | 'gone' | null
  /** With the mods of the slot, as in the game (D-94). */
  readonly stars: number | null
  /** The platform has no rating with the mods: `stars` are those without (D-93). */
  readonly noRating?: boolean
}

/** Where a beatmap was pooled before. */
export type PooledBefore = {
  /** Slots of public packs, but for those of this tournament. */
  readonly total: number
  readonly last: Pick<Slot, 'mod' | 'index'> & {
    readonly packName: string
    readonly round: {
      readonly name: string
      readonly tournament: Pick<SavedTournament, 'name' | 'year'>
    } | null
  }
}

type CheckedSlot = Pick<Slot, 'mod' | 'index'> & {
  readonly round: SavedRound
  /** What is known of the beatmap besides its id; null for nothing. */
  readonly planned: string | null
  /** null in a slot without a beatmap. */
  readonly play: SlotPlay | null
}

/**
 * What the checks find in these rounds of a tournament: by kind, what weighs most first, then in the order of rounds
 * and slots. Duplicates are looked for in all its rounds.
 *
 * @param factsOf is called with each beatmap as its slot plays it.
 * @param pooledBefore by beatmap, of those that public packs have.
 */
export function checkRounds(
  { rounds: all, ruleset }: Pick<SavedTournament, 'rounds' | 'ruleset'>,
  rounds: readonly SavedRound[],
  factsOf: (play: SlotPlay) => BeatmapFacts,
  pooledBefore: ReadonlyMap<number, PooledBefore> = new Map(),
): Check[] {
  const uses = Map.groupBy(all.flatMap(checkedSlots), ({ play }) => play?.beatmapId)
  const ofSlot = (slot: CheckedSlot): Check[] => {
    const { play } = slot
    if (play === null) return [openCheck(slot)]
    const pooled = pooledBefore.get(play.beatmapId)
    return [
      ...duplicateOf(slot, uses.get(play.beatmapId) ?? []),
      ...beatmapChecks(slot, play, factsOf(play), ruleset),
      ...(pooled === undefined ? [] : [pooledCheck(slot, pooled)]),
    ]
  }
  return byKind(
    rounds
      .map(checkedSlots)
      .flatMap((slots) => [...slots.flatMap(ofSlot), ...mapperChecks(slots, factsOf)]),
  )
}

/** Each beatmap of these rounds as its slot plays it, and whether its stars are checked there. */
export function beatmapsToCheck(
  rounds: readonly SavedRound[],
): (SlotPlay & { readonly needsStars: boolean })[] {
  return rounds.flatMap((round) =>
    checkedSlots(round).flatMap(({ play }) =>
      play === null ? [] : { ...play, needsStars: round.targets?.stars !== undefined },
    ),
  )
}

function checkedSlots(round: SavedRound): CheckedSlot[] {
  const { slots, buckets } = round
  const plays = slotMods({
    buckets,
    slots: slots.map(({ mod, index, beatmapId = 0 }) => ({ mod, index, beatmapId })),
  })
  const checked = slots.map(({ mod, index, ...filling }, at) => {
    const play = filling.beatmapId === undefined ? null : plays[at]!
    return { round, mod, index, planned: isolatedPlan(filling), play }
  })
  return slotsInPoolOrder({ buckets, slots: checked })
}

function isolatedPlan({ placeholder, details, link }: SlotFilling): string | null {
  const known = [placeholder, details && detailsWords(details), link].filter(
    (text) => text !== undefined,
  )
  return known.length === 0 ? null : known.map(isolate).join(', ')
}

function check(
  { round: { id, name }, mod, index, play }: CheckedSlot,
  kind: CheckKind,
  message: string,
  more: Pick<Check, 'value' | 'min' | 'max' | 'other'> = {},
): Check {
  const beatmap = play === null ? {} : { beatmapId: play.beatmapId }
  return { kind, round: { id, name }, mod, index, ...beatmap, message, ...more }
}

function openCheck(slot: CheckedSlot): Check {
  const { planned } = slot
  const label = slotLabel(slot)
  return planned === null
    ? check(slot, 'empty', `${label} is empty`)
    : check(slot, 'placeholder', `${label} has no beatmap yet: ${planned}`)
}

/** Slots that a message names at most. */
const MOST_NAMED = 12

/** @param uses the slots with the same beatmap, this one included. */
function duplicateOf(slot: CheckedSlot, uses: readonly CheckedSlot[]): Check[] {
  const isHere = ({ round, mod, index }: CheckedSlot) =>
    round.id === slot.round.id && mod === slot.mod && index === slot.index
  const others = uses.filter((use) => !isHere(use))
  const inRound = others.filter(({ round }) => round.id === slot.round.id)
  const elsewhere = others.filter((other) => !inRound.includes(other))
  const other = inRound[0] ?? elsewhere[0]
  if (other === undefined) return []
  const places = [
    inRound.map(slotLabel),
    elsewhere.map((use) => `${slotLabel(use)} of ${isolate(use.round.name)}`),
  ].filter(({ length }) => length > 0)
  const where = places.map((labels) => `as ${listed(labels, MOST_NAMED)}`).join(', and ')
  const message = `${slotLabel(slot)} has the same beatmap ${where}`
  const { round, mod, index } = other
  const { id, name } = round
  return [check(slot, 'duplicate', message, { other: { round: { id, name }, mod, index } })]
}

/** The last finding of a slot, because it is no fault. */
function pooledCheck(slot: CheckedSlot, { total, last }: PooledBefore): Check {
  const times = total === 1 ? 'once, as' : `${total === 2 ? 'twice' : `${total} times`}, last as`
  const message = `${slotLabel(slot)} was pooled ${times} ${slotLabel(last)} of ${whereLast(last)}`
  return check(slot, 'pooled', message, { value: total })
}

function whereLast({ round, packName }: PooledBefore['last']): string {
  if (round === null) return `the pack ${isolate(cleanLine(packName))}`
  const { name, year } = round.tournament
  return `${isolate(round.name)} in ${isolate(name)}${yearAfter(name, year)}`
}

/** Fewer of one mapper are no pattern, however small the round is. */
const FEWEST_BY_ONE = 3

/** Mappers of more than a quarter of a round's beatmaps, each at the first of the slots. */
function mapperChecks(
  slots: readonly CheckedSlot[],
  factsOf: (play: SlotPlay) => BeatmapFacts,
): Check[] {
  const filled = slots.filter(({ play }) => play !== null)
  const byMapper = Map.groupBy(filled, ({ play }) => {
    const { beatmap } = factsOf(play!)
    return beatmap === null || beatmap === 'gone' ? null : beatmap.mapper
  })
  return [...byMapper].flatMap(([mapper, own]) => {
    const { length } = own
    if (mapper === null || length < FEWEST_BY_ONE || length * 4 <= filled.length) return []
    const labels = listed(own.map(slotLabel), MOST_NAMED)
    const message = `${labels} are by ${platformText(mapper)}: ${length} of ${filled.length} beatmaps`
    return check(own[0]!, 'many', message, { value: length })
  })
}

/** The platform's words for beatmaps that keep their leaderboard. */
const settledStatuses: readonly string[] = ['ranked', 'approved', 'loved']

/** How people call the others that are known. */
const statusWords: ReadonlyMap<string, string> = new Map([
  ['graveyard', 'in the graveyard, not ranked'],
  ['wip', 'a work in progress, not ranked'],
  ['pending', 'pending, not ranked'],
  ['qualified', 'qualified, not ranked yet'],
])

const LONGEST_TEXT = 64

/** A text of the platform within a message. */
const platformText = (text: string): string =>
  isolate(cleanLine(text).slice(0, LONGEST_TEXT).toWellFormed())

function beatmapChecks(
  slot: CheckedSlot,
  play: SlotPlay,
  { beatmap, stars: given, noRating = false }: BeatmapFacts,
  ruleset: SavedTournament['ruleset'],
): Check[] {
  const label = slotLabel(slot)
  if (beatmap === null) {
    return [check(slot, 'unknown', `${label} could not be checked: ${NOT_ASKED}`)]
  }
  if (beatmap === 'gone') {
    return [check(slot, 'gone', `${label} has a beatmap that the platform no longer has`)]
  }
  const found: Check[] = []
  if (!settledStatuses.includes(beatmap.status)) {
    const { status } = beatmap
    const words = statusWords.get(status) ?? `${platformText(status)}, not ranked`
    found.push(check(slot, 'status', `${label} is ${words}`))
  }
  const { targets } = slot.round
  // Of a new upload, 0 stands for unknown.
  const stars = given === 0 ? null : given
  if (targets?.stars !== undefined && stars === null) {
    const why = given === 0 ? NOT_RATED : NOT_ASKED
    const message = `${label} could not be checked for its stars${withMods(play)}: ${why}`
    found.push(check(slot, 'unknown', message))
  }
  const values = {
    stars: stars === null ? null : roundHalfUp(stars, 2),
    length: playedLength(beatmap, play.forced),
    bpm: playedBpm(beatmap, play.forced),
    // The platform has the keys of a mania beatmap as its CS.
    keys: beatmap.ruleset === 'mania' ? Math.max(1, Math.round(beatmap.circleSize)) : null,
  }
  for (const kind of Object.keys(measures) as (keyof RoundTargets)[]) {
    const value = values[kind]
    const target = targets?.[kind]
    if (value === null || target === undefined) continue
    const over = roundHalfUp(value - (target.max ?? value), 2)
    const under = roundHalfUp((target.min ?? value) - value, 2)
    const { say, show, more, less } = measures[kind]
    const isWithout = kind === 'stars' && noRating
    const mods = isWithout
      ? ` without ${play.forced.join('')} (${noRatingWith(play.forced)})`
      : withMods(play)
    const is = `${label} ${say(show(value))}${mods}`
    if (over > 0) {
      const max = target.max!
      const message = `${is}, ${show(over)} ${more} than ${show(max)}`
      found.push(check(slot, kind, message, { value, max }))
    } else if (under > 0) {
      const min = target.min!
      const message = `${is}, ${show(under)} ${less} than ${show(min)}`
      found.push(check(slot, kind, message, { value, min }))
    }
  }
  if (beatmap.ruleset !== ruleset) {
    const [own, played] = [rulesetNames[beatmap.ruleset], rulesetNames[ruleset]]
    const message = `${label} is for ${own}, and the tournament plays ${played}`
    found.push(check(slot, 'ruleset', message))
  }
  return found
}

const NOT_ASKED = 'the game platform could not be asked'
const NOT_RATED = 'the game platform has not rated it yet'

const withMods = ({ forced }: SlotPlay): string =>
  forced.length === 0 ? '' : ` with ${forced.join('')}`

type Measure = {
  readonly say: (value: string) => string
  readonly show: (value: number) => string
  readonly more: string
  readonly less: string
}

const measures: Readonly<Record<keyof RoundTargets, Measure>> = {
  stars: {
    say: (value) => `has ${value} stars`,
    show: (value) => value.toFixed(2),
    more: 'more',
    less: 'less',
  },
  length: { say: (value) => `lasts ${value}`, show: minutes, more: 'longer', less: 'shorter' },
  bpm: {
    say: (value) => `has ${value} BPM`,
    show: (value) => String(roundHalfUp(value, 2)),
    more: 'more',
    less: 'less',
  },
  keys: {
    say: (value) => `has ${value} ${value === '1' ? 'key' : 'keys'}`,
    show: String,
    more: 'more',
    less: 'less',
  },
}

/** 312 → `5:12`. */
function minutes(seconds: number): string {
  const rest = roundHalfUp(seconds % 60, 2)
  return `${Math.floor(seconds / 60)}:${rest < 10 ? '0' : ''}${rest}`
}
