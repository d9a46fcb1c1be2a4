import type { Check, CheckKind } from '../contract/checks.ts'
import type { Slot } from '../contract/pools.ts'
import { playedBpm, playedLength, roundHalfUp } from '../pool/played-values.ts'
import { slotLabel, slotMods, type SlotPlay, slotsInPoolOrder } from '../pool/slots.ts'
import { cleanLine, isolate } from '../pool/text.ts'
import type { Beatmap } from './beatmaps.ts'
import type { SavedRound, SavedTournament } from './tournaments.ts'

/** What is known of a beatmap in a slot; null for nothing. */
export type BeatmapFacts = {
  readonly beatmap: Beatmap | 'gone' | null
  /** With the mods of the slot, as stats count them (D-35, D-36). */
  readonly stars: number | null
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
  readonly placeholder: string | null
  /** null in a slot without a beatmap. */
  readonly play: SlotPlay | null
}

/**
 * What the checks find in these rounds of a tournament, in the order of rounds and slots. Duplicates are looked
 * for in all its rounds.
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
  return rounds.flatMap(checkedSlots).flatMap((slot) => {
    const { play, placeholder } = slot
    if (play !== null) {
      const found = duplicateOf(slot, uses.get(play.beatmapId) ?? [])
      const pooled = pooledBefore.get(play.beatmapId)
      return [
        ...found,
        ...beatmapChecks(slot, play, factsOf(play), ruleset),
        ...(pooled === undefined ? [] : [pooledCheck(slot, pooled)]),
      ]
    }
    const label = slotLabel(slot)
    if (placeholder === null) return check(slot, 'empty', `${label} is empty`)
    const planned = `${label} has no beatmap yet: ${isolate(placeholder)}`
    return check(slot, 'placeholder', planned)
  })
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
  const checked = slots.map(({ mod, index, beatmapId, placeholder = null }, at) => {
    const play = beatmapId === undefined ? null : plays[at]!
    return { round, mod, index, placeholder, play }
  })
  return slotsInPoolOrder({ buckets, slots: checked })
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

/** @param uses the slots with the same beatmap, this one included. */
function duplicateOf(slot: CheckedSlot, uses: readonly CheckedSlot[]): Check[] {
  const isHere = ({ round, mod, index }: CheckedSlot) =>
    round.id === slot.round.id && mod === slot.mod && index === slot.index
  const others = uses.filter((use) => !isHere(use))
  const other = others.find(({ round }) => round.id === slot.round.id) ?? others[0]
  if (other === undefined) return []
  const { round, mod, index } = other
  const where = round.id === slot.round.id ? '' : ` of ${isolate(round.name)}`
  const message = `${slotLabel(slot)} has the same beatmap as ${slotLabel(other)}${where}`
  const { id, name } = round
  return [check(slot, 'duplicate', message, { other: { round: { id, name }, mod, index } })]
}

/** The last finding of a slot, because it is no fault. */
function pooledCheck(slot: CheckedSlot, { total, last }: PooledBefore): Check {
  const times = total === 1 ? 'once, as' : `${total === 2 ? 'twice' : `${total} times`}, last as`
  const pack = isolate(cleanLine(last.packName))
  const message = `${slotLabel(slot)} was pooled ${times} ${slotLabel(last)} ${whereLast(last, pack)}`
  return check(slot, 'pooled', message, { value: total })
}

function whereLast({ round }: PooledBefore['last'], pack: string): string {
  if (round === null) return `of the pack ${pack}`
  const { name, year } = round.tournament
  const tournament = `${isolate(name)}${year === null ? '' : ` ${year}`}`
  return `of ${isolate(round.name)} in ${tournament} (pack ${pack})`
}

/** The platform's words for beatmaps that keep their leaderboard. */
const settledStatuses: readonly string[] = ['ranked', 'approved', 'loved']
const LONGEST_STATUS = 64

function beatmapChecks(
  slot: CheckedSlot,
  play: SlotPlay,
  { beatmap, stars }: BeatmapFacts,
  ruleset: SavedTournament['ruleset'],
): Check[] {
  const label = slotLabel(slot)
  if (beatmap === null) {
    const message = `nothing is known yet of the beatmap of ${label}: the platform could not be asked`
    return [check(slot, 'unknown', message)]
  }
  if (beatmap === 'gone') {
    return [check(slot, 'gone', `${label} has a beatmap that the platform no longer has`)]
  }
  const found: Check[] = []
  if (!settledStatuses.includes(beatmap.status)) {
    const status = cleanLine(beatmap.status).slice(0, LONGEST_STATUS).toWellFormed()
    const message = `${label} is ${isolate(status)}, neither ranked nor approved nor loved`
    found.push(check(slot, 'status', message))
  }
  const { targets } = slot.round
  if (targets?.stars !== undefined && stars === null) {
    const message = `the stars of ${label}${withMods(play)} are not known yet: the platform could not be asked`
    found.push(check(slot, 'unknown', message))
  }
  const values = {
    stars: stars === null ? null : roundHalfUp(stars, 2),
    length: playedLength(beatmap, play.forced),
    bpm: playedBpm(beatmap, play.forced),
  }
  for (const kind of ['stars', 'length', 'bpm'] as const) {
    const value = values[kind]
    const target = targets?.[kind]
    if (value === null || target === undefined) continue
    const over = roundHalfUp(value - (target.max ?? value), 2)
    const under = roundHalfUp((target.min ?? value) - value, 2)
    const { say, show, more, less } = measures[kind]
    const is = `${label} ${say(show(value))}${withMods(play)}`
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
    const message = `${label} is a beatmap of ${beatmap.ruleset}, and the tournament plays ${ruleset}`
    found.push(check(slot, 'ruleset', message))
  }
  return found
}

const withMods = ({ forced }: SlotPlay): string =>
  forced.length === 0 ? '' : ` with ${forced.join('')}`

type Measure = {
  readonly say: (value: string) => string
  readonly show: (value: number) => string
  readonly more: string
  readonly less: string
}

const measures: Readonly<Record<'stars' | 'length' | 'bpm', Measure>> = {
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
}

/** 312 → `5:12`. */
function minutes(seconds: number): string {
  const rest = roundHalfUp(seconds % 60, 2)
  return `${Math.floor(seconds / 60)}:${rest < 10 ? '0' : ''}${rest}`
}
