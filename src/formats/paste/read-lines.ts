import { readRows, type Separator } from '../tables.ts'
import type { KnownCodes } from './label.ts'
import { readPlainLine } from './plain-line.ts'
import { type Finding, type Reading, reasons, refused, skipped } from './reading.ts'
import { type Columns, noColumns, readHeader, readTableRow } from './table-row.ts'

const separators: readonly Separator[] = ['\t', ',', ';', '|']

/** Cells further to the right belong to no pool. */
const MOST_CELLS = 200

/** So much of a text shows how it is made, UTF-16 code units. */
const SAMPLE = 20_000

/**
 * What each line of a text says. Nobody says whether the text is a table and how its cells are
 * separated, so the way to read it is the one that makes the most slots of its beginning. A header
 * goes before: what stands in a cell below it must not pass for lines of its own.
 */
export function readLines(text: string, codes: KnownCodes): Finding[] {
  const sample = beginningOf(text)
  const ways = [...separators.filter((each) => sample.includes(each)), null].map((separator) => ({
    separator,
    worth: worthOf(sample, separator, codes),
  }))
  const best = ways.reduce((best, each) => (each.worth > best.worth ? each : best))
  return readAs(text, best.separator, codes).findings
}

function worthOf(sample: string, separator: Separator | null, codes: KnownCodes): number {
  const { findings, isHeaded } = readAs(sample, separator, codes)
  const slots = findings.filter(({ reading }) => reading.kind === 'slot').length
  return isHeaded && slots > 0 ? slots + SAMPLE : slots
}

function beginningOf(text: string): string {
  if (text.length <= SAMPLE) return text
  const end = text.lastIndexOf('\n', SAMPLE)
  return text.slice(0, end > 0 ? end : SAMPLE)
}

/** Reads the lines; `isHeaded` when a header said what stands where. */
function readAs(
  text: string,
  separator: Separator | null,
  codes: KnownCodes,
): { findings: Finding[]; isHeaded: boolean } {
  let columns = noColumns
  let isHeaded = false
  const findings = readRows(text, separator).map(({ line, text, cells: all }) => {
    const cells = all.length > MOST_CELLS ? all.slice(0, MOST_CELLS) : all
    if (!cells.some(isFilled)) return { line, text, reading: skipped }
    const header = readHeader(cells, codes)
    columns = header ?? columns
    isHeaded ||= header !== null && isComplete(header)
    const isSkipped = header !== null || text.trimStart().startsWith('#')
    return { line, text, reading: isSkipped ? skipped : readRow(text, cells, columns, codes) }
  })
  return { findings, isHeaded }
}

function isComplete({ slot, mod, beatmap, vague }: Columns): boolean {
  return (slot !== null || mod !== null) && beatmap.length + vague.length > 0
}

function isFilled(cell: string): boolean {
  return /[\p{L}\p{N}]/u.test(cell)
}

function readRow(
  text: string,
  cells: readonly string[],
  columns: Columns,
  codes: KnownCodes,
): Reading {
  const filled = cells.filter(isFilled)
  if (filled.length < 2) return readPlainLine(filled[0] ?? '', codes)
  const reading = readTableRow(cells, columns, codes)
  const isWithoutBeatmap = reading.kind === 'refused' && reading.reason === reasons.noBeatmap
  if (columns !== noColumns || !isWithoutBeatmap) return reading
  // A line of a chat with a comma in it is no row.
  const plain = readPlainLine(text, codes)
  if (plain.kind === 'slot') return plain
  const slots = filled.filter((cell) => readPlainLine(cell, codes).kind === 'slot')
  return slots.length > 1 ? refused(reasons.severalBeatmaps) : reading
}
