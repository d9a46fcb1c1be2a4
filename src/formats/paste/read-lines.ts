import { readRows, type Row, type Separator } from '../read-rows.ts'
import { type Columns, noColumns, readHeader } from './columns.ts'
import type { KnownCodes } from './known-codes.ts'
import { readPlainLine } from './plain-line.ts'
import { type Reading, skipped } from './reading.ts'
import { readTableRow } from './table-row.ts'
import { tidy } from './words.ts'

/** A line, or a row of several lines, and what it says. */
export type Finding = { readonly line: number; readonly text: string; readonly reading: Reading }

const separators: readonly Separator[] = ['\t', ',', ';']

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
  const filled = cells.filter((cell) => tidy(cell) !== '')
  return filled.length > 1
    ? readTableRow(cells, columns, codes)
    : readPlainLine(filled[0] ?? '', codes)
}

const slotsIn = (findings: readonly Finding[]): number =>
  findings.reduce((sum, { reading }) => sum + (reading.kind === 'slot' ? 1 : 0), 0)
