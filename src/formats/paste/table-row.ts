import { beatmapIn, type CellBeatmap, findBeatmap } from './cell-beatmap.ts'
import { findLabel, labelUnderHeader } from './cell-label.ts'
import { type Columns, noColumns } from './columns.ts'
import type { KnownCodes } from './known-codes.ts'
import { type Label, readLabel } from './label.ts'
import { readPlainLine } from './plain-line.ts'
import { type Reading, reasons, refused } from './reading.ts'
import { readWhole, tidy } from './words.ts'

/** A row with so few cells is read as the plain line that they make, if they make one. */
const PLAIN_CELLS = 3

/** What a row of two filled cells or more says. */
export function readTableRow(
  cells: readonly string[],
  columns: Columns,
  codes: KnownCodes,
): Reading {
  if (columns === noColumns) {
    const plain = readFewCells(cells, codes)
    if (plain !== null) return plain
  }
  const rest = cells.map((cell, column) => (columns.named.has(column) ? '' : cell))
  const isSlotNamed = columns.slot !== null || columns.mod !== null
  const found = isSlotNamed ? labelUnderHeader(cells, columns, codes) : findLabel(rest, codes)
  if (typeof found === 'string') return refused(noSlot(found))
  const others = rest.map((cell, column) => (column === found.column ? '' : cell))
  const beatmapId = beatmapOf(cells, others, columns, found.column)
  if (typeof beatmapId === 'string') return refused(beatmapId)
  return { kind: 'slot', label: found.label, beatmapId, isCell: true }
}

function beatmapOf(
  cells: readonly string[],
  others: readonly string[],
  columns: Columns,
  place: number | null,
): CellBeatmap {
  const named = beatmapIn(cells, columns.beatmap)
  if (typeof named === 'number' || named === reasons.conflict) return named
  const vague = beatmapIn(others, columns.vague)
  if (vague !== reasons.noBeatmap) return vague
  return columns.beatmap.length > 0 ? named : findBeatmap(others, place)
}

/** `NM1,129891` · `NM,1,129891` · `RC1,2,555` · `129891,NM1`. */
function readFewCells(cells: readonly string[], codes: KnownCodes): Reading | null {
  const filled = cells.map(tidy).filter((cell) => cell !== '')
  if (filled.length > PLAIN_CELLS) return null
  const reading = readPlainLine(filled.join(' '), codes)
  if (reading.kind !== 'slot' || isWord(reading.label, codes)) return null
  return isDoubtful(filled, codes) ? refused(reasons.unnamedColumns) : { ...reading, isCell: true }
}

/** Codes in small letters are at most so long; longer words are rather titles. */
const LONGEST_SMALL = 3

/** Whether the first cell may as well be a title: `Lime,4392960`. */
const isWord = (label: Label | null, codes: KnownCodes): boolean =>
  label?.code != null &&
  label.index === null &&
  codes.find(label.code) === null &&
  label.code.length > LONGEST_SMALL &&
  label.code !== label.code.toUpperCase()

/** `NM1,9,129891`: number 9 of a bucket NM1, or NM1 with some level? */
function isDoubtful([first = '', ...numbers]: readonly string[], codes: KnownCodes): boolean {
  const label = readLabel([first], codes)
  return (
    numbers.length === 2 &&
    numbers.every((cell) => readWhole(cell) !== null) &&
    label?.code != null &&
    label.index !== null &&
    codes.find(label.code) !== null
  )
}

const LONGEST_SHOWN = 24

const noSlot = (text: string): string => {
  const shown = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
  return `“${shown.toWellFormed()}” is not a slot. Write it like NM1 or RC 2.`
}
