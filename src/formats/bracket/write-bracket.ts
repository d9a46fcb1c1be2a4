import { type Ruleset, rulesets } from '../../contract/mods.ts'
import { foldCode, slotsInPoolOrder } from '../../pool/slots.ts'
import type { Pool } from '../../pool/pool.ts'
import { fault, FormatError } from '../format-error.ts'
import {
  hasLineBreak,
  insertParts,
  JsonText,
  type JsonLayout,
  type JsonValue,
  layoutOf,
  NEVER_FLAT,
  type NewPart,
  replaceValue,
  writeJson,
} from '../json/edit-json.ts'
import {
  isArrayAt,
  isObjectAt,
  jsonError,
  memberOf,
  partsOf,
  type Span,
  stringAt,
} from '../json/scan-json.ts'
import type { RoundPool, RulesetById } from '../sheet.ts'
import { findRounds, idAt, roundName, roundsOf } from './read-bracket.ts'

/** What a bracket.json says of a round; its name is the pool's when left out. */
export type RoundOptions = Pick<RoundPool, 'bestOf' | 'bans' | 'startsAt'> & {
  readonly name?: string | undefined
}

type BracketRound = RoundOptions & { readonly pool: Pool }

/** The tournament client's names for the rulesets. */
export const rulesetNames: Readonly<Record<Ruleset, string>> = {
  base: 'osu',
  taiko: 'taiko',
  fruits: 'fruits',
  mania: 'mania',
}

/** A whole bracket.json with the pool as its one round; `details` decides the ruleset. */
export function writeRound(
  pool: Pool,
  options: RoundOptions = {},
  details: RulesetById = new Map(),
): string {
  return writeRounds([{ ...options, pool }], rulesetOfMost(pool, details))
}

/** A whole bracket.json with these rounds in their order. */
export function writeRounds(rounds: readonly BracketRound[], ruleset: Ruleset): string {
  const bracket = {
    Ruleset: { ShortName: rulesetNames[ruleset] },
    Matches: [],
    Rounds: rounds.map(roundValue),
    Teams: [],
    Progressions: [],
  }
  return `${writeJson(bracket)}\n`
}

/**
 * The ruleset of most slots. Between equals another one precedes the base ruleset, whose beatmaps
 * can be played in all; the base ruleset when nothing is known.
 */
export function rulesetOfMost({ slots }: Pick<Pool, 'slots'>, details: RulesetById): Ruleset {
  const known = slots.map(({ beatmapId }) => details.get(beatmapId)?.ruleset)
  const [base, ...others] = rulesets
  let most: Ruleset = base
  let count = 0
  for (const ruleset of [...others, base]) {
    const own = known.filter((each) => each === ruleset).length
    if (own > count) [most, count] = [ruleset, own]
  }
  return most
}

/** A round's beatmaps in pool order: rows of equal `Mods` are together on the client's screen. */
function roundBeatmaps(pool: Pool): { ID: number; Mods: string }[] {
  return slotsInPoolOrder(pool).map(({ mod, beatmapId }) => ({ ID: beatmapId, Mods: mod ?? '' }))
}

/** A whole round. The client fills in what is left out, its date too. */
function roundValue(round: BracketRound) {
  const { BestOf = usualBestOf(round.pool.slots.length), BanCount = 1, ...date } = settings(round)
  return {
    Name: nameOf(round),
    Description: '',
    BestOf,
    BanCount,
    ...date,
    Matches: [],
    Beatmaps: roundBeatmaps(round.pool),
  }
}

function nameOf({ name, pool }: BracketRound): string {
  return (name ?? pool.name).trim()
}

/** What the round says of its matches; what it does not say is missing. */
function settings({ bestOf, bans, startsAt }: RoundOptions) {
  return {
    ...(bestOf !== undefined && { BestOf: Math.max(LEAST_BEST_OF, bestOf) }),
    ...(bans !== undefined && { BanCount: bans }),
    ...(startsAt !== undefined && { StartDate: startsAt }),
  }
}

/** The client knows no lower one, and it is written instead. */
const LEAST_BEST_OF = 3

/** The client's own default is 9; it accepts odd numbers from 3 on. */
function usualBestOf(slots: number): number {
  const most = Math.min(9, Math.max(LEAST_BEST_OF, slots))
  return most % 2 === 1 ? most : most - 1
}

/** `mergeRounds` of one round. */
export function mergeRound(text: string, pool: Pool, options: RoundOptions = {}): string {
  return mergeRounds(text, [{ ...options, pool }])
}

/**
 * The text of a bracket.json with the rounds in it: where it has a round of the same name (trimmed, else
 * exact), the beatmaps are replaced, and best-of, bans and date if they are given; other rounds are added after
 * its own, in order. A beatmap that is there with the same mods keeps its text, and a round that holds the same
 * beatmaps in the same rows stays as it is. So does all else to the last character; new text has the file's line
 * breaks and indentation. Takes time in proportion to the file.
 *
 * @param text with its byte order mark, when it has one.
 * @throws FormatError with line and column: no such file, or two rounds of a name; without, when two of `wanted` have it.
 */
export function mergeRounds(text: string, wanted: readonly BracketRound[]): string {
  const { root, rounds } = findRounds(text)
  const layout = layoutOf(text, root)
  const byName = roundsByName(wanted)
  const all = wanted.map(roundValue)
  if (rounds === undefined) return insertParts(text, root, layout, [['Rounds', all]])
  if (!isArrayAt(text, rounds)) {
    return replaceValue(text, rounds, layout, all, layout.isSpread ? NEVER_FLAT : 0)
  }
  const { named, last } = findNamed(text, rounds, byName)
  const added = all.filter(({ Name }) => !named.has(Name))
  const likeLast = (): number => flatDepthLike(text, last)
  const parts = added.map((round): NewPart => [null, round])
  let merged = insertParts(text, rounds, layout, parts, likeLast)
  // Changes from the last to the first, so that none moves what is still to be changed.
  for (const [name, span] of [...named].toReversed()) {
    merged = mergeInto(merged, span, layout, byName.get(name)!)
  }
  return merged
}

function roundsByName(rounds: readonly BracketRound[]): Map<string, BracketRound> {
  const byName = new Map<string, BracketRound>()
  for (const round of rounds) {
    const name = nameOf(round)
    if (byName.has(name)) throw new FormatError(fault('twoRounds', { name }))
    byName.set(name, round)
  }
  return byName
}

/** The places of the rounds with these names, in the file's order, and that of its last round. */
function findNamed(text: string, rounds: Span, names: ReadonlyMap<string, unknown>) {
  const named = new Map<string, Span>()
  let last: Span | undefined
  for (const round of roundsOf(text, rounds)) {
    last = round
    const name = roundName(text, round)
    if (!names.has(name) || !isObjectAt(text, round)) continue
    if (named.has(name)) throw jsonError(text, round.start, fault('sameRound', { name }))
    named.set(name, round)
  }
  return { named, last }
}

/** Gives a round of the file the beatmaps and settings of another. */
function mergeInto(text: string, old: Span, layout: JsonLayout, round: BracketRound): string {
  const beatmaps = roundBeatmaps(round.pool)
  const members = Object.entries<JsonValue>({ ...settings(round), Beatmaps: beatmaps })
  const spans = members.map(([key, value]) => ({ key, value, span: memberOf(text, old, key) }))
  const missing = spans.flatMap(({ key, value, span }): NewPart[] =>
    span === undefined ? [[key, value]] : [],
  )
  const present = spans.flatMap(({ value, span }) => (span === undefined ? [] : [{ value, span }]))
  let merged = insertParts(text, old, layout, missing)
  for (const { value, span } of present.toSorted((a, b) => b.span.start - a.span.start)) {
    if (typeof value === 'object') {
      merged = mergeBeatmaps(merged, span, layout, beatmaps, flatDepthOf(text, old, span))
    } else if (!isSameAt(merged, span, value)) {
      merged = replaceValue(merged, span, layout, value, 0)
    }
  }
  return merged
}

function mergeBeatmaps(
  text: string,
  span: Span,
  layout: JsonLayout,
  beatmaps: readonly RoundBeatmap[],
  flatDepth: number,
): string {
  const old = entriesOf(text, span)
  if (isArrayAt(text, span) && isSameRound(old, beatmaps)) return text
  return replaceValue(text, span, layout, withTextOf(old, beatmaps), flatDepth)
}

/** Whether the file says the same number, or a date that is the same moment. */
function isSameAt(text: string, span: Span, value: string | number): boolean {
  if (typeof value === 'number') return Number(text.slice(span.start, span.end)) === value
  return Date.parse(stringAt(text, span) ?? '') === Date.parse(value)
}

/** An entry of a round by its beatmap and mods, which are not a beatmap's when it is none; and as it is written. */
type Entry = { readonly mods: string; readonly play: string; readonly text: string }
type RoundBeatmap = ReturnType<typeof roundBeatmaps>[number]

function entriesOf(text: string, beatmaps: Span): Entry[] {
  if (!isArrayAt(text, beatmaps)) return []
  return Array.from(partsOf(text, beatmaps), ({ value }) => {
    const { id, mods } = playAt(text, value)
    const written = text.slice(value.start, value.end)
    return { mods: foldCode(mods), play: playText(id, mods), text: written }
  })
}

function playAt(text: string, item: Span): { id: number; mods: string } {
  const none = { id: Number.NaN, mods: '' }
  try {
    const id = memberOf(text, item, 'ID')
    const mods = stringAt(text, memberOf(text, item, 'Mods'))
    return id === undefined ? none : { id: idAt(text, id), mods: mods?.trim() ?? '' }
  } catch (error) {
    // Two members of one name: it is not clear which beatmap is meant.
    if (error instanceof FormatError) return none
    throw error
  }
}

function playText(id: number, mods: string): string {
  return `${id} ${foldCode(mods)}`
}

/**
 * Whether a pool made of the entries would hold these beatmaps in the same order: within each mods, and
 * from one mods to the next by their first entries. Beatmaps without mods come first in every pool.
 */
function isSameRound(old: readonly Entry[], beatmaps: readonly RoundBeatmap[]): boolean {
  const rows = new Map<string, string[]>([['', []]])
  for (const { mods, play } of old) {
    const row = rows.get(mods) ?? []
    row.push(play)
    rows.set(mods, row)
  }
  const before = [...rows.values()].flat()
  const after = beatmaps.map(({ ID, Mods }) => playText(ID, Mods))
  return before.length === after.length && before.every((play, at) => play === after[at])
}

/** The beatmaps; those that were there with the same mods in the text that they had. */
function withTextOf(old: readonly Entry[], beatmaps: readonly RoundBeatmap[]) {
  const left = [...old]
  return beatmaps.map((beatmap) => {
    const play = playText(beatmap.ID, beatmap.Mods)
    const at = left.findIndex((entry) => entry.play === play)
    const [entry] = at < 0 ? [] : left.splice(at, 1)
    return entry === undefined ? beatmap : new JsonText(entry.text)
  })
}

/** A new round is laid out like the one before it. */
function flatDepthLike(text: string, round: Span | undefined): number {
  if (round === undefined || !isObjectAt(text, round)) return NEVER_FLAT
  if (!isSpread(text, round)) return 0
  const beatmaps = memberOf(text, round, 'Beatmaps')
  return beatmaps === undefined ? NEVER_FLAT : 1 + flatDepthOf(text, round, beatmaps)
}

/** New beatmaps are laid out like those that they replace. */
function flatDepthOf(text: string, round: Span, beatmaps: Span): number {
  const [first] = isArrayAt(text, beatmaps) ? partsOf(text, beatmaps) : []
  if (first === undefined) return isSpread(text, round) ? NEVER_FLAT : 0
  if (!isSpread(text, beatmaps)) return 0
  return isSpread(text, first.value) ? NEVER_FLAT : 1
}

function isSpread(text: string, value: Span): boolean {
  return hasLineBreak(text.slice(value.start, value.end))
}
