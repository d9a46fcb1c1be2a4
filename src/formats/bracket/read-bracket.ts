import type { PoolDraft } from '../../pool/pool.ts'
import { fitName, DraftBuilder } from '../draft-builder.ts'
import { FormatError } from '../format-error.ts'
import {
  isArrayAt,
  isObjectAt,
  itemsOf,
  jsonError,
  memberOf,
  scanJson,
  type Span,
  stringAt,
} from '../json/scan-json.ts'

/** What could not be taken from a file, beside all that could. */
export type BracketRefusal = {
  /** The round's name, or `Round 3` when it has none. */
  readonly round: string
  /** Which of the round's beatmaps, counted from 1; null when the whole round or its name is meant. */
  readonly position: number | null
  /** What is wrong and what to do. */
  readonly reason: string
}

export type Bracket = {
  /**
   * One draft a round, in the file's order; it completes, unless it has no slot. Its buckets are in
   * the order in which the round first names them.
   */
  readonly rounds: readonly PoolDraft[]
  readonly refused: readonly BracketRefusal[]
}

const NOT_ONE = 'this must be a bracket.json of the tournament client'
const MAX_ROUNDS = 200
const MAX_ENTRIES = 1000

/**
 * The rounds of a bracket.json as pools. `Mods` is the bucket's code in any case; without it the
 * slot stands in no bucket. Slots are numbered in order within their bucket.
 *
 * @throws FormatError with line and column, when the file cannot be read as a whole.
 */
export function readBracket(text: string): Bracket {
  const list = findRounds(text).rounds
  if (list === undefined) throw new FormatError(`${NOT_ONE}; it has no "Rounds"`)
  const rounds: PoolDraft[] = []
  const refused: BracketRefusal[] = []
  for (const span of roundsOf(text, list)) {
    const name = roundName(text, span)
    const round = fitName(name, `Round ${rounds.length + 1}`)
    const refuse = (position: number | null, reason: string): void => {
      refused.push({ round, position, reason })
    }
    if (name !== '' && round !== name) {
      refuse(null, 'its name was too long for a pool and was shortened; rename it if needed')
    }
    if (!isObjectAt(text, span)) refuse(null, 'a round must be an object')
    rounds.push(readRound(text, span, refuse).draft(round))
  }
  return { rounds, refused }
}

function readRound(
  text: string,
  round: Span,
  refuse: (position: number | null, reason: string) => void,
): DraftBuilder {
  const slots = new DraftBuilder()
  const beatmaps = isObjectAt(text, round) ? memberOf(text, round, 'Beatmaps') : undefined
  if (beatmaps === undefined || isNullAt(text, beatmaps)) return slots
  if (!isArrayAt(text, beatmaps)) {
    refuse(null, '"Beatmaps" must be a list')
    return slots
  }
  let position = 0
  for (const entry of itemsOf(text, beatmaps)) {
    position += 1
    if (position > MAX_ENTRIES) {
      throw jsonError(text, entry.start, `a round can have at most ${MAX_ENTRIES} beatmaps`)
    }
    const reason = addEntry(text, entry, slots)
    if (reason !== null) refuse(position, reason)
  }
  return slots
}

function addEntry(text: string, entry: Span, slots: DraftBuilder): string | null {
  if (!isObjectAt(text, entry)) return 'a beatmap must be an object with "ID" and "Mods"'
  const id = memberOf(text, entry, 'ID')
  if (id === undefined) return '"ID" is missing; add the beatmap\'s id'
  const mods = memberOf(text, entry, 'Mods')
  const code = mods === undefined || isNullAt(text, mods) ? '' : stringAt(text, mods)
  if (code === null) return '"Mods" must be a string such as "NM"'
  return slots.add(code, idAt(text, id))
}

/**
 * Finds the rounds of a bracket.json: the whole object, and the value of `Rounds`, undefined when there
 * is none. `null` counts as no rounds.
 *
 * @throws FormatError with line and column when the text is no JSON object or `Rounds` no list.
 */
export function findRounds(text: string): { root: Span; rounds: Span | undefined } {
  const root = scanJson(text)
  if (!isObjectAt(text, root)) {
    throw jsonError(text, root.start, `${NOT_ONE}, which is a JSON object`)
  }
  const rounds = memberOf(text, root, 'Rounds')
  if (rounds !== undefined && !isArrayAt(text, rounds) && !isNullAt(text, rounds)) {
    throw jsonError(text, rounds.start, '"Rounds" must be a list')
  }
  return { root, rounds }
}

/**
 * The rounds of the list, one by one.
 *
 * @throws FormatError past 200 of them.
 */
export function* roundsOf(text: string, rounds: Span | undefined): Generator<Span> {
  if (rounds === undefined || !isArrayAt(text, rounds)) return
  let count = 0
  for (const round of itemsOf(text, rounds)) {
    count += 1
    if (count > MAX_ROUNDS) {
      throw jsonError(text, round.start, `a file can have at most ${MAX_ROUNDS} rounds`)
    }
    yield round
  }
}

/** The round's name, trimmed; empty when it has none. */
export function roundName(text: string, round: Span): string {
  if (!isObjectAt(text, round)) return ''
  const name = memberOf(text, round, 'Name')
  return name === undefined ? '' : (stringAt(text, name) ?? '').trim()
}

/** The names of the rounds in the file's order, without those that have none. */
export function roundNames(text: string): string[] {
  const { rounds } = findRounds(text)
  return [...roundsOf(text, rounds)]
    .map((round) => roundName(text, round))
    .filter((name) => name !== '')
}

/** What the tournament client calls the bracket's ruleset; null when the file does not say. */
export function rulesetName(text: string): string | null {
  const { root } = findRounds(text)
  const ruleset = memberOf(text, root, 'Ruleset')
  if (ruleset === undefined || !isObjectAt(text, ruleset)) return null
  const name = memberOf(text, ruleset, 'ShortName')
  return name === undefined ? null : stringAt(text, name)
}

/** A beatmap's id; NaN when there is none. The tournament client takes a number in quotes, too. */
export function idAt(text: string, value: Span): number {
  const quoted = stringAt(text, value)
  if (quoted !== null) return /^[0-9]+$/.test(quoted) ? Number(quoted) : Number.NaN
  return Number(text.slice(value.start, value.end))
}

function isNullAt(text: string, value: Span): boolean {
  return text[value.start] === 'n'
}
