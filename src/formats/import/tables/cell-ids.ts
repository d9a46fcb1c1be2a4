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
import { codeOfBits, HD } from '../words/bucket-names.ts'
import { type BucketCodes, isFilled, tidy } from '../words/labels.ts'
import { plainDigits } from '../../../pool/text.ts'
import { withoutPaths } from '../words/links.ts'
import { isUndecided } from '../words/planned.ts'
import { type Role, roleOf } from './column-names.ts'
import type { CellRow } from './transposed.ts'

// Cells that hold an id and something else, an id in digits of another script, or mods as a number.

/** What a text has whose cells `withPlainCells` may write otherwise. */
export const otherCells = /(?![0-9])\p{Nd}|mod/iu

/** Rows with numbers in digits of ASCII, and with codes in place of the game's bits. */
export function withPlainCells(rows: readonly CellRow[]): readonly CellRow[] {
  return withCodesOfBits(
    rows.some(({ text }) => otherDigit.test(text)) ? withPlainNumbers(rows) : rows,
  )
}

/** A digit that ASCII has not. */
const otherDigit = /(?![0-9])\p{Nd}/u
/** A number alone, or behind the code of a bucket. */
const numberOnly = /^\s*#?\s?(?:[A-Za-z]{1,12}[ ._-]?)?\p{Nd}+(?:\.\p{Nd}+)?\s*$/u

const ofSlots: ReadonlySet<Role> = new Set<Role>(['slot', 'mod', 'index', 'beatmap', 'vague'])

/** Titles, names and rounds that are numbers stay as they are written. */
function withPlainNumbers(rows: readonly CellRow[]): readonly CellRow[] {
  /** Columns of titles, names and rounds. */
  const others = new Set<number>()
  return rows.map((row) => {
    const cells = row.cells.map((cell, column) => {
      const role = roleOf(cell)
      if (role !== undefined) others[ofSlots.has(role) ? 'delete' : 'add'](column)
      const isNumber = !others.has(column) && otherDigit.test(cell) && numberOnly.test(cell)
      return isNumber ? plainDigits(cell) : cell
    })
    return { ...row, cells }
  })
}

/** The names of a column in which programs write mods as the game's bits. */
const bitsColumn = /^\s*(?:enabled[ _-]?)?mods?(?:[ _-]?(?:bits?|int|value))?\s*$/i

/** Codes are below a header whose column has bits alone, of which one counts no slot. */
function withCodesOfBits(rows: readonly CellRow[]): readonly CellRow[] {
  const own = rows.map(({ cells }) => [...cells])
  for (const [at, { cells }] of rows.entries()) {
    for (const [column, name] of cells.entries()) {
      if (!bitsColumn.test(name)) continue
      let end = at + 1
      let areBits = true
      let isSure = false
      for (; end < rows.length; end += 1) {
        const cell = rows[end]!.cells[column]
        if (cell === undefined || cell === name || !rows[end]!.cells.some(isFilled)) break
        areBits &&= tidy(cell) === '' || codeOfCell(cell) !== null
        isSure ||= Number(tidy(cell)) >= HD
      }
      if (!areBits || !isSure) continue
      own[at]![column] = 'Mods'
      for (const row of own.slice(at + 1, end)) row[column] = codeOfCell(row[column]!) ?? ''
    }
  }
  return rows.map((row, at) => ({ ...row, cells: own[at]! }))
}

function codeOfCell(cell: string): string | null {
  const bits = tidy(cell)
  return /^[0-9]{1,10}$/.test(bits) ? codeOfBits(Number(bits)) : null
}

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
