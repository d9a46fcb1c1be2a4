import type { PoolDraft } from '../../pool/pool.ts'
import { fitName } from '../fit-name.ts'
import { SlotGatherer } from '../gather-slots.ts'
import { isArrayAt, isObjectAt, itemsOf, memberOf, stringAt } from '../json/json-parts.ts'
import { jsonError, type Span } from '../json/scan-json.ts'
import { findRounds, idAt, isNullAt, noRounds, roundName, roundsOf } from './find-rounds.ts'

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

const MAX_ENTRIES = 1000

/**
 * The rounds of a bracket.json as pools. `Mods` is the bucket's code in any case; without it the
 * slot stands in no bucket. Slots are numbered in order within their bucket.
 *
 * @throws FormatError with line and column, when the file cannot be read as a whole.
 */
export function readBracket(text: string): Bracket {
  const place = findRounds(text)
  if (place.rounds === undefined) throw noRounds()
  const rounds: PoolDraft[] = []
  const refused: BracketRefusal[] = []
  for (const span of roundsOf(text, place.rounds)) {
    const number = rounds.length + 1
    const name = roundName(text, span)
    const round = fitName(name, `Round ${number}`)
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
): SlotGatherer {
  const slots = new SlotGatherer()
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

function addEntry(text: string, entry: Span, slots: SlotGatherer): string | null {
  if (!isObjectAt(text, entry)) return 'a beatmap must be an object with "ID" and "Mods"'
  const id = memberOf(text, entry, 'ID')
  if (id === undefined) return '"ID" is missing; add the beatmap\'s id'
  const mods = memberOf(text, entry, 'Mods')
  const code = mods === undefined || isNullAt(text, mods) ? '' : stringAt(text, mods)
  if (code === null) return '"Mods" must be a string such as "NM"'
  return slots.add(code, idAt(text, id))
}
