import { findTargets } from '../../pool/beatmap-links.ts'
import { type BucketCodes, namesBucket } from './labels.ts'
import { readPlainLine, refused } from './lines.ts'
import { type Finding, type Reading, reasons, type RoundStart, skipped } from './readings.ts'
import { LARGEST_ROUND, roundOfCell, roundOfHeading } from './round-names.ts'
import type { Shape } from './shapes.ts'
import { type Columns, noColumns, readHeader, readTableRow } from './table.ts'
import { readRows, type Separator } from '../tables.ts'

const separators: readonly Separator[] = ['\t', ',', ';', '|']

/** So much of a text shows how it is made, UTF-16 code units. */
const SAMPLE = 20_000

/**
 * What each line of a text says. How its cells are separated, if at all, is what makes the most slots of its
 * beginning. A header has priority, the earliest most: what is in a cell below it must not pass for lines, nor
 * for a header, of its own.
 */
export function readText(text: string, codes: BucketCodes): { shape: Shape; findings: Finding[] } {
  const sample = beginningOf(text)
  let best: Separator | null = null
  let most = -1
  for (const separator of [...separators.filter((each) => sample.includes(each)), null]) {
    // Columns that are named make a table, whatever its lines are by themselves.
    if (separator === null && most > SAMPLE) break
    const { findings, headedFrom } = readAs(sample, separator, codes)
    const slots = findings.filter(({ reading }) => reading.kind === 'slot').length
    const worth = headedFrom !== null && slots > 0 ? slots + SAMPLE + SAMPLE / headedFrom : slots
    if (worth > most) [best, most] = [separator, worth]
  }
  const { findings, headedFrom } = readAs(text, best, codes)
  return { shape: shapeOf(best, headedFrom), findings }
}

function shapeOf(separator: Separator | null, headedFrom: number | null): Shape {
  if (separator === null) {
    return { id: 'list', isCertain: false, why: 'Each line is read by itself.' }
  }
  const isCertain = headedFrom !== null
  const why = isCertain ? `Line ${headedFrom} names the columns.` : 'The lines have cells.'
  return { id: 'table', isCertain, why }
}

function beginningOf(text: string): string {
  if (text.length <= SAMPLE) return text
  const end = text.lastIndexOf('\n', SAMPLE)
  return text.slice(0, end > 0 ? end : SAMPLE)
}

/** Reads the lines; `headedFrom` is the line of the first header that names the columns of slot and beatmap. */
function readAs(text: string, separator: Separator | null, codes: BucketCodes) {
  let columns = noColumns
  let headedFrom: number | null = null
  const findings = readRows(text, separator).map(({ line, text, cells: all }): Finding => {
    // Cells further to the right belong to no pool.
    const cells = all.slice(0, 200)
    const header = readHeader(cells, codes)
    columns = header ?? columns
    if (header !== null && isComplete(header)) headedFrom ??= line
    const own = cells.map((cell, column) => (columns[column] === 'round' ? '' : cell))
    const isSkipped = header !== null || !own.some(isFilled)
    const read = isSkipped ? skipped : readRow(text, own, columns, codes)
    // In the first column, a round may be called `#1`, and so may a beatmap.
    const isName = columns[0] === 'round' || columns[0] === 'other'
    const isNamed = isName && read.kind === 'slot'
    const reading = text.trimStart().startsWith('#') && !isNamed ? skipped : read
    const finding = { line, text, reading }
    const round = roundOf(finding, cells, columns, header !== null, codes)
    if (round === null) return finding
    return { ...finding, reading: round.by === 'cell' ? reading : skipped, round }
  })
  return { findings, headedFrom }
}

function isComplete(columns: Columns): boolean {
  const isSlotNamed = columns.includes('slot') || columns.includes('mod')
  return isSlotNamed && (columns.includes('beatmap') || columns.includes('vague'))
}

/** The round that begins with a row: by its cell in a column for rounds, else by a heading in its first cell. */
function roundOf(
  finding: Finding,
  cells: readonly string[],
  columns: Columns,
  isHeader: boolean,
  codes: BucketCodes,
): RoundStart | null {
  const { text, reading } = finding
  const isComment = text.trimStart().startsWith('#')
  const own = isHeader ? -1 : columns.indexOf('round')
  const cell = isComment && reading.kind === 'skipped' ? '' : (cells[own] ?? '')
  const named = cell === '' ? null : roundOfCell(cell)
  if (named !== null || !mayBeHeading(finding, columns)) return named
  const filled = [...cells.keys()].filter((column) => isFilled(cells[column]!))
  const [first = 0, ...others] = filled
  if (isHeader && columns[first] !== undefined) return null
  if (!isHeader && others.length > 0) {
    const isOther = columns[first] === 'other' || columns[first] === 'beatmap'
    if (isOther || others.some((column) => namesBucket(cells[column]!, codes))) return null
  }
  return roundOfHeading((isComment && others.length > 0 ? text : cells[first]) ?? '', codes)
}

/** `Week 1` and `Round of 16` read as beatmaps 1 and 16; a link or a longer number is more than a name. */
function mayBeHeading({ text, reading }: Finding, columns: Columns): boolean {
  const isSlot = reading.kind === 'slot'
  if (isSlot && (columns !== noColumns || reading.beatmapId > LARGEST_ROUND)) return false
  return !text.includes('://') && findTargets(text).length === 0
}

function isFilled(cell: string): boolean {
  return /[\p{L}\p{N}]/u.test(cell)
}

function readRow(
  text: string,
  cells: readonly string[],
  columns: Columns,
  codes: BucketCodes,
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
