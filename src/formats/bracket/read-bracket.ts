import type { PoolDraft } from '../../pool/pool.ts'
import { DraftBuilder, fitName } from '../draft-builder.ts'
import { fault, FormatError, type FormatMessage } from '../format-error.ts'
import {
  isArrayAt,
  isObjectAt,
  jsonError,
  memberOf,
  partsOf,
  scanJson,
  type Span,
  stringAt,
} from '../json/scan-json.ts'

export type BracketRefusal = {
  /** The round's name, or `Round 3` when it has none. */
  readonly round: string
  /** Which of the round's beatmaps, counted from 1; null when the whole round or its name is meant. */
  readonly position: number | null
  /** What is wrong and what to do. */
  readonly reason: string
}

export type Bracket = {
  /** One draft a round; it completes, unless it has no slot. Its buckets are in order of first appearance. */
  readonly rounds: readonly PoolDraft[]
  readonly refused: readonly BracketRefusal[]
}

const MAX_ROUNDS = 200
const MAX_ENTRIES = 1000

/**
 * The rounds of a bracket.json as pools. `Mods` is the bucket's code in any case; without it the
 * slot is in no bucket. Slots are numbered in order within their bucket.
 *
 * @throws FormatError with line and column, when the file cannot be read as a whole.
 */
export function readBracket(text: string): Bracket {
  const list = findRounds(text).rounds
  if (list === undefined) throw new FormatError(fault('noBracket'))
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
  const beatmaps = memberOf(text, round, 'Beatmaps')
  if (beatmaps === undefined || isNullAt(text, beatmaps)) return slots
  if (!isArrayAt(text, beatmaps)) {
    refuse(null, '"Beatmaps" must be a list')
    return slots
  }
  const tooMany = fault('tooManyInRound', { most: MAX_ENTRIES })
  for (const [at, entry] of [...itemsOf(text, beatmaps, MAX_ENTRIES, tooMany)].entries()) {
    const reason = addEntry(text, entry, slots)
    if (reason !== null) refuse(at + 1, reason)
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
 * The whole object of a bracket.json and the value of `Rounds`, a list or `null`, undefined when there is none.
 *
 * @throws FormatError with line and column when the text is no JSON object or `Rounds` no list.
 */
export function findRounds(text: string) {
  const root = scanJson(text)
  if (!isObjectAt(text, root)) throw jsonError(text, root.start, fault('noBracketObject'))
  const rounds = memberOf(text, root, 'Rounds')
  if (rounds !== undefined && !isArrayAt(text, rounds) && !isNullAt(text, rounds)) {
    throw jsonError(text, rounds.start, fault('roundsNoList'))
  }
  return { root, rounds }
}

/** @throws FormatError past 200 rounds. */
export function roundsOf(text: string, rounds: Span | undefined): Iterable<Span> {
  return rounds !== undefined && isArrayAt(text, rounds)
    ? itemsOf(text, rounds, MAX_ROUNDS, fault('tooManyRoundsInFile', { most: MAX_ROUNDS }))
    : []
}

function* itemsOf(text: string, list: Span, most: number, tooMany: FormatMessage): Generator<Span> {
  let count = 0
  for (const { value } of partsOf(text, list)) {
    count += 1
    if (count > most) throw jsonError(text, value.start, tooMany)
    yield value
  }
}

/** Trimmed; empty when the round has none. */
export function roundName(text: string, round: Span): string {
  return stringAt(text, memberOf(text, round, 'Name'))?.trim() ?? ''
}

/** The names of the rounds in the file's order, without those that have none. */
export function roundNames(text: string): string[] {
  const rounds = [...roundsOf(text, findRounds(text).rounds)]
  return rounds.map((round) => roundName(text, round)).filter((name) => name !== '')
}

/** The tournament client's name for the bracket's ruleset; null when the file has none. */
export function rulesetName(text: string): string | null {
  const ruleset = memberOf(text, findRounds(text).root, 'Ruleset')
  return ruleset === undefined ? null : stringAt(text, memberOf(text, ruleset, 'ShortName'))
}

/** A beatmap's id; NaN when there is none. The tournament client accepts a number in quotes, too. */
export function idAt(text: string, value: Span): number {
  const quoted = stringAt(text, value)
  if (quoted !== null) return /^[0-9]+$/.test(quoted) ? Number(quoted) : Number.NaN
  return Number(text.slice(value.start, value.end))
}

function isNullAt(text: string, value: Span): boolean {
  return text[value.start] === 'n'
}
