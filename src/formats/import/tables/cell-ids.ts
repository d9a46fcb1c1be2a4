import { say } from '../import-message.ts'
import { askTitle, ofOther } from '../lines/items.ts'
import { askedLine } from '../lines/numbered-lines.ts'
import { LARGEST_ID } from '../lines/plausible-ids.ts'
import { readRemarked } from '../lines/plans.ts'
import {
  type Reading,
  reasons,
  refused,
  type RefusedReading,
  type SlotReading,
} from '../readings.ts'
import { type BucketCodes, tidy } from '../words/labels.ts'
import { withoutPaths } from '../words/links.ts'
import { isUndecided } from '../words/planned.ts'

// Cells that hold an id and something else.

/** A number as long as an id. */
const long = /(?<![\p{N}.])[1-9][0-9]{4,7}(?![\p{L}\p{N}]|\.[0-9])/gu
const behindLabel =
  /^[^\p{L}\p{N}]{0,4}\p{L}{1,12}(?:[ ._-]?[0-9]{1,2})?[\s:=#([–—-]{1,6}([1-9][0-9]{4,7})(?![\p{L}\p{N}]|[.,][0-9])/u

function idsIn(cell: string): number[] {
  const numbers = withoutPaths(tidy(cell)).match(long)?.map(Number) ?? []
  return [...new Set(numbers)].filter((id) => id <= LARGEST_ID)
}

/** The id behind a label in one cell, `NM2 129891`; null where there is none. */
export function idBehindLabel(cell: string): number | null {
  const id = Number(behindLabel.exec(tidy(cell))?.[1])
  return id <= LARGEST_ID ? id : null
}

/**
 * What a cell of ids says that holds more than one: the same as a line does behind its label. Its number is never planned
 * as a text, since it may be the beatmap. null where it has no number as long as an id.
 *
 * @param row the slot of the row, whatever its beatmap is.
 * @param without what the row is if its number is no beatmap.
 */
export function readMarkedId(
  cell: string,
  row: Omit<SlotReading, 'beatmapId'>,
  without: RefusedReading,
  codes: BucketCodes,
): Reading | null {
  const [id, other, third] = idsIn(cell)
  if (id === undefined || /^\s*[-+]\s?[0-9]+\s*$/.test(cell)) return null
  if (third !== undefined) return refused(reasons.severalBeatmaps)
  if (other !== undefined) return askIds(row, [id, other])
  const words = tidy(
    tidy(cell)
      .replaceAll(long, ' ')
      .replaceAll(/[()[\]]/g, ' '),
  )
  const isOpen = ofOther.test(cell) || isUndecided(words)
  const line = isOpen ? null : readRemarked(`NM1 ${cell}`, codes)
  const slot = { ...row, beatmapId: id }
  if (line?.kind === 'slot' && line.beatmapId === id) return slot
  // Without words it is mistyped.
  return /\p{L}{2}|[?？]/u.test(cell) ? askTitle(without, slot) : null
}

/** Asks which of two ids in a row is its beatmap. */
export function askIds(
  row: Omit<SlotReading, 'beatmapId'>,
  ids: readonly [number, number],
): Reading {
  const slot = `${row.label?.code ?? ''}${row.label?.index ?? ''}`
  return askedLine(
    say('twoIds', { slot }),
    ids.map((id) => [say('slotIs', { slot, id }), { ...row, beatmapId: id }]),
  )
}
