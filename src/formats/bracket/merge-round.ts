import type { Pool } from '../../pool/pool.ts'
import { insertPart } from '../json/insert-part.ts'
import { hasLineBreak, indentAt, type JsonLayout, layoutOf } from '../json/json-layout.ts'
import { isArrayAt, isObjectAt, itemsOf, memberOf } from '../json/json-parts.ts'
import { jsonError, type Span } from '../json/scan-json.ts'
import { type JsonValue, NEVER_FLAT, writeJson, writeKey } from '../json/write-json.ts'
import { findRounds, roundName, roundsOf } from './find-rounds.ts'
import { roundBeatmaps, type RoundOptions, roundValue } from './round-value.ts'

/**
 * The text of a bracket.json with the pool in it: the beatmaps of the round of the same name
 * (trimmed, else exact) are replaced, or the round is added behind the others. All else stays as it
 * is to the last character; what is written follows the file's line breaks and indentation.
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
  return replaceValue(text, beatmaps, layout, value, flatDepthOf(text, named, beatmaps))
}

function lookThrough(text: string, rounds: Span, name: string) {
  let named: Span | undefined
  let last: Span | undefined
  for (const round of roundsOf(text, rounds)) {
    last = round
    if (roundName(text, round) !== name || !isObjectAt(text, round)) continue
    if (named !== undefined) {
      throw jsonError(text, round.start, `this is a second round named ${name}; rename one of them`)
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
