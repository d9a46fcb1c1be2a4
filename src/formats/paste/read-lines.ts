import { readRows, type Row, type Separator } from '../read-rows.ts'
import { type Columns, noColumns, readHeader } from './columns.ts'
import type { KnownCodes } from './known-codes.ts'
import { readPlainLine } from './plain-line.ts'
import { type Reading, reasons, skipped } from './reading.ts'
import { readTableRow } from './table-row.ts'

/** A line, or a row of several lines, and what it says. */
export type Finding = { readonly line: number; readonly text: string; readonly reading: Reading }

const separators: readonly Separator[] = ['\t', ',', ';', '|']

/**
 * What each line of a text says. Nobody says whether the text is a table and how its cells are
 * separated, so the way to read it is the one that makes the most slots of it.
 */
export function readLines(text: string, codes: KnownCodes): Finding[] {
  const ways = [...separators.filter((each) => text.includes(each)), null]
  const [first = [], ...others] = ways.map((way) => readAs(text, way, codes))
  return others.reduce((best, each) => (slotsIn(each) > slotsIn(best) ? each : best), first)
}

function readAs(text: string, separator: Separator | null, codes: KnownCodes): Finding[] {
  let columns = noColumns
  return readRows(text, separator).map((row) => {
    const header = readHeader(row.cells, codes)
    columns = header ?? columns
    const reading = header === null ? readRow(row, columns, codes) : skipped
    return { line: row.line, text: row.text, reading }
  })
}

function readRow({ text, cells }: Row, columns: Columns, codes: KnownCodes): Reading {
  if (text.trimStart().startsWith('#')) return skipped
  const filled = cells.filter((cell) => /[\p{L}\p{N}]/u.test(cell))
  if (filled.length < 2) return readPlainLine(filled[0] ?? '', codes)
  const reading = readTableRow(cells, columns, codes)
  if (columns !== noColumns || !isWithoutBeatmap(reading)) return reading
  // A line of a chat with a comma in it is no row.
  const plain = readPlainLine(text, codes)
  return plain.kind === 'slot' ? plain : reading
}

const isWithoutBeatmap = (reading: Reading): boolean =>
  reading.kind === 'refused' && reading.reason === reasons.noBeatmap

const slotsIn = (findings: readonly Finding[]): number =>
  findings.reduce((sum, { reading }) => sum + (reading.kind === 'slot' ? 1 : 0), 0)
