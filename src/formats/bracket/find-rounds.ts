import { FormatError } from '../format-error.ts'
import { isArrayAt, isObjectAt, itemsOf, memberOf, stringAt } from '../json/json-parts.ts'
import { jsonError, scanJson, type Span } from '../json/scan-json.ts'

/** Where the rounds of a tournament file stand. */
export type RoundsPlace = {
  /** The whole object. */
  readonly root: Span
  /** The value of `Rounds`; undefined when there is none. */
  readonly rounds: Span | undefined
}

const NOT_ONE = 'this must be a bracket.json of the tournament client'
const MAX_ROUNDS = 200

/**
 * Finds the rounds of a bracket.json. `null` counts as no rounds.
 *
 * @throws FormatError with line and column when the text is no JSON object or `Rounds` no list.
 */
export function findRounds(text: string): RoundsPlace {
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

export function isNullAt(text: string, value: Span): boolean {
  return text[value.start] === 'n'
}

export function noRounds(): FormatError {
  return new FormatError(`${NOT_ONE}; it has no "Rounds"`)
}
