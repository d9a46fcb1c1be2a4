import { type Ruleset, rulesets } from '../../contract/mods.ts'
import { foldCode } from '../../pool/buckets.ts'
import type { Pool } from '../../pool/pool.ts'
import { slotsInPoolOrder } from '../../pool/slots.ts'
import { FormatError } from '../format-error.ts'
import {
  hasLineBreak,
  insertPart,
  JsonText,
  layoutOf,
  NEVER_FLAT,
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
import { findRounds, idAt, roundName, roundsOf } from './read-bracket.ts'

/** By beatmap id. */
export type RulesetById = ReadonlyMap<number, { readonly ruleset: Ruleset }>

/** The name of the round; the pool's when left out. */
export type RoundOptions = { readonly name?: string | undefined }

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
  const bracket = {
    Ruleset: { ShortName: rulesetNames[rulesetOfMost(pool, details)] },
    Matches: [],
    Rounds: [roundValue(pool, options)],
    Teams: [],
    Progressions: [],
  }
  return `${writeJson(bracket)}\n`
}

/**
 * The ruleset of most slots. Between equals another one precedes the base ruleset, whose beatmaps
 * can be played in all; the base ruleset when nothing is known.
 */
export function rulesetOfMost({ slots }: Pool, details: RulesetById): Ruleset {
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
function roundValue(pool: Pool, { name }: RoundOptions) {
  return {
    Name: (name ?? pool.name).trim(),
    Description: '',
    BestOf: usualBestOf(pool.slots.length),
    BanCount: 1,
    Matches: [],
    Beatmaps: roundBeatmaps(pool),
  }
}

/** The client's own default is 9; it accepts odd numbers from 3 on. */
function usualBestOf(slots: number): number {
  const most = Math.min(9, Math.max(3, slots))
  return most % 2 === 1 ? most : most - 1
}

/**
 * The text of a bracket.json with the pool in it: the beatmaps of the round of the same name
 * (trimmed, else exact) are replaced, or the round is added after the others. A beatmap that is there
 * with the same mods keeps its text, and a round that holds the same beatmaps in the same rows stays as
 * it is. So does all else to the last character; new text has the file's line breaks and indentation.
 *
 * @param text with its byte order mark, when it has one.
 * @throws FormatError with line and column: no such file, or two rounds of that name.
 */
export function mergeRound(text: string, pool: Pool, options: RoundOptions = {}): string {
  const { root, rounds } = findRounds(text)
  const layout = layoutOf(text, root)
  const round = roundValue(pool, options)
  if (rounds === undefined) return insertPart(text, root, layout, 'Rounds', [round])
  if (!isArrayAt(text, rounds)) {
    return replaceValue(text, rounds, layout, [round], layout.isSpread ? NEVER_FLAT : 0)
  }
  const { named, last } = findRound(text, rounds, round.Name)
  const likeLast = (): number => flatDepthLike(text, last)
  if (named === undefined) return insertPart(text, rounds, layout, null, round, likeLast)
  const beatmaps = memberOf(text, named, 'Beatmaps')
  if (beatmaps === undefined) return insertPart(text, named, layout, 'Beatmaps', round.Beatmaps)
  const old = entriesOf(text, beatmaps)
  if (isArrayAt(text, beatmaps) && isSameRound(old, round.Beatmaps)) return text
  const kept = withTextOf(old, round.Beatmaps)
  return replaceValue(text, beatmaps, layout, kept, flatDepthOf(text, named, beatmaps))
}

function findRound(text: string, rounds: Span, name: string) {
  let named: Span | undefined
  let last: Span | undefined
  for (const round of roundsOf(text, rounds)) {
    last = round
    if (roundName(text, round) !== name || !isObjectAt(text, round)) continue
    const remedy = `there is already a round named ${name}; rename one of them`
    if (named !== undefined) throw jsonError(text, round.start, remedy)
    named = round
  }
  return { named, last }
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
