import { type Ruleset, rulesets } from '../../contract/mods.ts'
import { foldCode } from '../../pool/buckets.ts'
import type { Pool } from '../../pool/pool.ts'
import { slotsInPoolOrder } from '../../pool/slots.ts'
import { FormatError } from '../format-error.ts'
import {
  hasLineBreak,
  indentAt,
  insertPart,
  type JsonLayout,
  JsonText,
  type JsonValue,
  layoutOf,
  NEVER_FLAT,
  usualLayout,
  writeJson,
  writeKey,
} from '../json/edit-json.ts'
import {
  isArrayAt,
  isObjectAt,
  itemsOf,
  jsonError,
  memberOf,
  type Span,
  stringAt,
} from '../json/scan-json.ts'
import { findRounds, idAt, roundName, roundsOf } from './read-bracket.ts'

/** What is known of beatmaps' rulesets, by beatmap id. */
export type RulesetById = ReadonlyMap<number, { readonly ruleset: Ruleset }>

export type RoundOptions = {
  /** What the round is called; the pool's name when left out. */
  readonly name?: string | undefined
}

/** What the tournament client calls the rulesets. */
export const rulesetNames: Readonly<Record<Ruleset, string>> = {
  base: 'osu',
  taiko: 'taiko',
  fruits: 'fruits',
  mania: 'mania',
}

/**
 * A whole bracket.json with the pool as its one round, for a tournament that has none yet.
 *
 * @param details what is known of the beatmaps, by id; decides the ruleset.
 */
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
  return writeJson(bracket, usualLayout, '', NEVER_FLAT) + usualLayout.newline
}

/**
 * The ruleset of most slots. Between equals another one goes before the base ruleset, whose beatmaps
 * can be played in all; the base ruleset when nothing is known.
 */
export function rulesetOfMost({ slots }: Pool, details: RulesetById): Ruleset {
  const counts = new Map<Ruleset, number>()
  for (const { beatmapId } of slots) {
    const ruleset = details.get(beatmapId)?.ruleset
    if (ruleset !== undefined) counts.set(ruleset, (counts.get(ruleset) ?? 0) + 1)
  }
  const [base, ...others] = rulesets
  let most: Ruleset = base
  let count = 0
  for (const ruleset of [...others, base]) {
    const own = counts.get(ruleset) ?? 0
    if (own > count) [most, count] = [ruleset, own]
  }
  return most
}

/** A round's beatmaps in pool order: rows of equal `Mods` stand together on the client's screen. */
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

/** The client's own default is 9; it takes odd numbers from 3 on. */
function usualBestOf(slots: number): number {
  const most = Math.min(9, Math.max(3, slots))
  return most % 2 === 1 ? most : most - 1
}

/**
 * The text of a bracket.json with the pool in it: the beatmaps of the round of the same name
 * (trimmed, else exact) are replaced, or the round is added after the others. A beatmap that is there
 * with the same mods keeps its text, and a round that holds the same beatmaps in the same rows stays as
 * it is. So does all else to the last character; what is written follows the file's line breaks and
 * indentation.
 *
 * @param text with its byte order mark, when it has one.
 * @throws FormatError with line and column: no such file, or two rounds of that name.
 */
export function mergeRound(text: string, pool: Pool, options: RoundOptions = {}): string {
  const { root, rounds } = findRounds(text)
  const layout = layoutOf(text, root)
  const round = roundValue(pool, options)
  if (rounds === undefined) return insertMember(text, root, layout, 'Rounds', [round])
  if (!isArrayAt(text, rounds)) {
    return replaceValue(text, rounds, layout, [round], layout.isSpread ? NEVER_FLAT : 0)
  }
  const { named, last } = lookThrough(text, rounds, round.Name)
  if (named === undefined) {
    return insertPart(text, rounds, layout, (indent, isSpread) =>
      writeJson(round, layout, indent, isSpread ? flatDepthLike(text, last) : 0),
    )
  }
  const beatmaps = memberOf(text, named, 'Beatmaps')
  const value = roundBeatmaps(pool)
  if (beatmaps === undefined) return insertMember(text, named, layout, 'Beatmaps', value)
  const old = entriesOf(text, beatmaps)
  if (isArrayAt(text, beatmaps) && isSameRound(old, value)) return text
  const kept = withTextOf(old, value)
  return replaceValue(text, beatmaps, layout, kept, flatDepthOf(text, named, beatmaps))
}

/** An entry of a round; `id` is NaN for what is no beatmap. */
type Entry = { readonly id: number; readonly mods: string; readonly text: string }
type RoundBeatmap = ReturnType<typeof roundBeatmaps>[number]

function entriesOf(text: string, beatmaps: Span): Entry[] {
  if (!isArrayAt(text, beatmaps)) return []
  return Array.from(itemsOf(text, beatmaps), (item) => ({
    ...playAt(text, item),
    text: text.slice(item.start, item.end),
  }))
}

function playAt(text: string, item: Span): Pick<Entry, 'id' | 'mods'> {
  const none = { id: Number.NaN, mods: '' }
  if (!isObjectAt(text, item)) return none
  try {
    const id = memberOf(text, item, 'ID')
    const mods = memberOf(text, item, 'Mods')
    if (id === undefined) return none
    return { id: idAt(text, id), mods: (mods && stringAt(text, mods)?.trim()) ?? '' }
  } catch (error) {
    // Two members of one name: nobody can say which beatmap is meant.
    if (error instanceof FormatError) return none
    throw error
  }
}

function playText(id: number, mods: string): string {
  return `${id} ${foldCode(mods)}`
}

/**
 * Whether a pool made of the entries would hold these beatmaps in the same order: within each mods, and
 * from one mods to the next by where each stands first. Beatmaps without mods come first in every pool.
 */
function isSameRound(old: readonly Entry[], value: readonly RoundBeatmap[]): boolean {
  const rows = new Map<string, string[]>([['', []]])
  for (const { id, mods } of old) {
    const row = rows.get(foldCode(mods)) ?? []
    row.push(playText(id, mods))
    rows.set(foldCode(mods), row)
  }
  const before = [...rows.values()].flat()
  const after = value.map(({ ID, Mods }) => playText(ID, Mods))
  return before.length === after.length && before.every((play, at) => play === after[at])
}

/** The beatmaps, those that were there with the same mods by the text that they had. */
function withTextOf(old: readonly Entry[], value: readonly RoundBeatmap[]): JsonValue[] {
  const left = [...old]
  return value.map((beatmap) => {
    const play = playText(beatmap.ID, beatmap.Mods)
    const at = left.findIndex(({ id, mods }) => playText(id, mods) === play)
    const [entry] = at < 0 ? [] : left.splice(at, 1)
    return entry === undefined ? beatmap : new JsonText(entry.text)
  })
}

function lookThrough(text: string, rounds: Span, name: string) {
  let named: Span | undefined
  let last: Span | undefined
  for (const round of roundsOf(text, rounds)) {
    last = round
    if (roundName(text, round) !== name || !isObjectAt(text, round)) continue
    if (named !== undefined) {
      const remedy = `there is already a round named ${name}; rename one of them`
      throw jsonError(text, round.start, remedy)
    }
    named = round
  }
  return { named, last }
}

function insertMember(
  text: string,
  object: Span,
  layout: JsonLayout,
  key: string,
  value: JsonValue,
): string {
  return insertPart(
    text,
    object,
    layout,
    (indent, isSpread) =>
      writeKey(key, layout) + writeJson(value, layout, indent, isSpread ? NEVER_FLAT : 0),
  )
}

function replaceValue(
  text: string,
  old: Span,
  layout: JsonLayout,
  value: JsonValue,
  flatDepth: number,
): string {
  const written = writeJson(value, layout, indentAt(text, old.start), flatDepth)
  return text.slice(0, old.start) + written + text.slice(old.end)
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
  const [first] = isArrayAt(text, beatmaps) ? itemsOf(text, beatmaps) : []
  if (first === undefined) return isSpread(text, round) ? NEVER_FLAT : 0
  if (!isSpread(text, beatmaps)) return 0
  return isSpread(text, first) ? NEVER_FLAT : 1
}

function isSpread(text: string, value: Span): boolean {
  return hasLineBreak(text.slice(value.start, value.end))
}
