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

const NOT_ONE = 'this must be the bracket.json of the tournament client'
const MAX_ROUNDS = 200

/**
 * Finds the rounds of a bracket.json. `null` counts as no rounds.
 *
 * @throws FormatError with line and column when the text is no JSON object or `Rounds` no list.
 */
export function findRounds(text: string): RoundsPlace {
  const root = scanJson(text)
  if (!isObjectAt(text, root)) {
    throw jsonError(text, root.start, `${NOT_ONE}, which is an object in braces`)
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
      throw jsonError(text, round.start, `a file may hold at most ${MAX_ROUNDS} rounds`)
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

export function isNullAt(text: string, value: Span): boolean {
  return text[value.start] === 'n'
}

export function noRounds(): FormatError {
  return new FormatError(`${NOT_ONE}; it has no "Rounds"`)
}
