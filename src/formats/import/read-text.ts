import { findTargets } from '../../pool/beatmap-links.ts'
import { type BucketCodes, columnId, isFilled, namesBucket } from './labels.ts'
import { partsOfLine } from './items.ts'
import { isOfMods, mayPlan, planOfCells, readPlannedLine } from './plans.ts'
import {
  type Finding,
  type Reading,
  reasons,
  refused,
  type RoundStart,
  skipped,
} from './readings.ts'
import { LARGEST_ROUND, roundOfCell, roundOfHeading } from './round-names.ts'
import type { Shape } from './shapes.ts'
import { askColumns, type Columns, noColumns, readHeader, readTableRow } from './table.ts'
import { type CellRow, findBareIds, findTransposed } from './transposed.ts'
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
  const bare = /^[\s\ufeff([]*[0-9]+[\s,;|]/.test(text.slice(0, 40)) ? findBareIds(text) : null
  if (bare !== null) {
    const why = 'It has nothing but numbers, and ids among them.'
    return { shape: { id: 'list', isCertain: true, why }, findings: bare }
  }
  const sample = beginningOf(text)
  let best: Separator | null = null
  let most = -1
  for (const separator of [...separators.filter((each) => sample.includes(each)), null]) {
    // Columns that are named make a table, whatever its lines are by themselves.
    if (separator === null && most > SAMPLE) break
    const { findings, headedFrom } = readAs(sample, separator, codes)
    const slots = findings.reduce((sum, { reading }) => sum + worthOf(reading), 0)
    const worth = headedFrom !== null && slots > 0 ? slots + SAMPLE + SAMPLE / headedFrom : slots
    if (worth > most) [best, most] = [separator, worth]
  }
  const { findings, headedFrom } = readAs(text, best, codes)
  return { shape: shapeOf(best, headedFrom), findings }
}

const isPlanned = (reading: Reading): boolean =>
  reading.kind === 'refused' && reading.plan?.label != null

/** A plan in a row shows that there are cells; in a line, it may have been cut out of them. */
function worthOf(reading: Reading): number {
  if (reading.kind === 'slot' || reading.kind === 'asked') return 1
  const plan = reading.kind === 'refused' ? reading.plan : undefined
  if (plan?.label == null || !plan.isSure) return 0
  return plan.isCell === true ? 1 : 0.5
}

/** How many findings are slots, or may be. */
export const countSlots = (findings: readonly Finding[]): number =>
  findings.filter(({ reading: { kind } }) => kind === 'slot' || kind === 'asked').length

/** How many findings are surely slots without a beatmap. */
export const countPlans = (findings: readonly Finding[]): number =>
  findings.filter(
    ({ reading }) =>
      reading.kind === 'refused' && reading.plan?.label != null && reading.plan.isSure,
  ).length

/** What each row of a table says, whose cells are known. */
export function readTable(rows: readonly CellRow[], codes: BucketCodes): Finding[] {
  return readAs(rows.map(({ text }) => text).join('\n'), '\t', codes, rows).findings
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

const labelsInARow =
  /[\p{L}]{1,12}\s?[0-9\uff10-\uff19]{1,2}[\]】]?\s*[\t,;|]\s*[[【]?[\p{L}]{1,12}\s?[0-9\uff10-\uff19]{0,2}[\]】]?\s*(?:[\t,;|\r\n]|$)/u

const MOST_CELLS = 200
const listParts = /(?=\[\*\])|(?<=\[\/list\])|(?=\[list)/i

/** The items of a post's list or the slots of a short list, which may be on one line. */
function splitRow(row: CellRow): CellRow[] {
  const { line, text } = row
  if (text.includes('[*]')) {
    const parts = text.split(listParts).filter((part) => part.trim() !== '')
    return parts.map((part) => ({ line, text: part, cells: [part] }))
  }
  const parts = partsOfLine(text)
  return parts.length === 1 ? [row] : parts.map((part) => ({ line, text, cells: [part] }))
}

/** Reads the lines; `headedFrom` is the line of the first header that names the columns of slot and beatmap. */
function readAs(
  text: string,
  separator: Separator | null,
  codes: BucketCodes,
  all: readonly CellRow[] = readRows(text, separator),
) {
  let columns = noColumns
  let headedFrom: number | null = null
  let titles: readonly string[] = []
  const rows = all.flatMap((row) =>
    // Cells further to the right belong to no pool.
    separator === null ? splitRow(row) : [{ ...row, cells: row.cells.slice(0, MOST_CELLS) }],
  )
  const transposed =
    separator !== null && labelsInARow.test(text) ? findTransposed(rows, codes) : null
  const findings = rows.flatMap(({ line, text, cells }): Finding[] => {
    const turned = transposed?.get(line)
    if (turned !== undefined) return turned.length > 0 ? turned : [{ line, text, reading: skipped }]
    const header = readHeader(cells, codes)
    columns = header ?? columns
    if (header !== null) titles = cells
    if (header !== null && isComplete(header)) headedFrom ??= line
    const own = cells.map((cell, column) => (columns[column] === 'round' ? '' : cell))
    const isSkipped = header !== null || !own.some((cell) => isFilled(cell) || question.test(cell))
    const read = isSkipped ? skipped : readRow(text, own, columns, codes, titles)
    // In the first column, a round may be called `#1`, and so may a beatmap.
    const isName = columns[0] === 'round' || columns[0] === 'other'
    const isNamed = isName && read.kind === 'slot'
    const reading =
      text.trimStart().startsWith('#') && !isNamed && read.kind !== 'heading' ? skipped : read
    const finding = { line, text, reading }
    const round = roundOf(finding, cells, columns, header !== null, codes)
    if (round === null) return [finding]
    return [{ ...finding, reading: round.by === 'cell' ? reading : skipped, round }]
  })
  return { findings: askAlike(findings, rows, titles), headedFrom }
}

/** Once it is asked which of two columns has the beatmaps, no row with both is certain. */
function askAlike(
  findings: readonly Finding[],
  rows: readonly { readonly line: number; readonly cells: readonly string[] }[],
  titles: readonly string[],
): Finding[] {
  const asked = findings.find(
    ({ reading }) => reading.kind === 'asked' && reading.topic?.startsWith('columns ') === true,
  )
  if (asked?.reading.kind !== 'asked') return [...findings]
  const columns = asked.reading.topic?.slice('columns '.length).split(', ').map(Number) ?? []
  const cellsAt = new Map(rows.map(({ line, cells }) => [line, cells]))
  return findings.map((finding) => {
    const { reading, line } = finding
    const likely = columns.flatMap((column) => {
      const beatmapId = columnId(cellsAt.get(line)?.[column] ?? '')
      return beatmapId === null ? [] : [{ column, beatmapId }]
    })
    if (reading.kind !== 'slot' || likely.length !== columns.length) return finding
    return { ...finding, reading: askColumns(reading.label, likely, titles) }
  })
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
  const filled = [...cells.keys()].filter((column) => isFilled(cells[column]!))
  if (named !== null || !mayBeHeading(finding, columns, filled.length > 1)) return named
  const [first = 0, ...others] = filled
  if (isHeader && columns[first] !== undefined) return null
  if (!isHeader && others.length > 0) {
    const isOther = columns[first] === 'other' || columns[first] === 'beatmap'
    if (isOther || others.some((column) => namesBucket(cells[column]!, codes))) return null
  }
  return roundOfHeading((isComment && others.length > 0 ? text : cells[first]) ?? '', codes)
}

/** `Week 1` and `Round of 16` read as beatmaps 1 and 16; a link or a longer number is more than a name. */
function mayBeHeading({ text, reading }: Finding, columns: Columns, isRow: boolean): boolean {
  const isSlot = reading.kind === 'slot'
  const isNamed = columns !== noColumns && isRow
  if (isSlot && (isNamed || reading.beatmapId > LARGEST_ROUND)) return false
  return !text.includes('://') && findTargets(text).length === 0
}

/** `???` has neither letter nor digit. */
const question = /[?？]/

function readRow(
  text: string,
  cells: readonly string[],
  columns: Columns,
  codes: BucketCodes,
  titles: readonly string[],
): Reading {
  // `!mp map 75 0 | NM1 title` is no row: the rest of a command is a remark.
  if (/^\s*!mp\s+map\b/i.test(text)) return readPlannedLine(text, codes)
  const filled = cells.filter(isFilled)
  const [only = cells.find((cell) => question.test(cell)) ?? ''] = filled
  if (filled.length < 2) return readOneCell(only, cells, columns, codes)
  const reading = readTableRow(cells, columns, codes, titles)
  const isWithoutBeatmap = reading.kind === 'refused' && reading.reason === reasons.noBeatmap
  if (columns !== noColumns || !isWithoutBeatmap) return reading
  // A line of a chat with a comma in it is no row.
  const plain = readPlannedLine(text, codes)
  const isProse = plain.kind === 'refused' && plain.isProse === true
  if (plain.kind === 'slot' || (isProse && !isPlanned(reading))) return plain
  const isPlan = plain.kind === 'refused' && plain.plan !== undefined
  if (isPlan && !isPlanned(reading)) return plain
  const slots = filled.filter((cell) => readPlannedLine(cell, codes).kind === 'slot')
  return slots.length > 1 ? refused(reasons.severalBeatmaps) : reading
}

/** A row with one filled cell: a line of its own, or a label whose other cells are empty. */
function readOneCell(
  cell: string,
  cells: readonly string[],
  columns: Columns,
  codes: BucketCodes,
): Reading {
  const reading = readPlannedLine(cell, codes)
  const plan = reading.kind === 'refused' ? reading.plan : undefined
  // Below the cell of a bucket, which is merged over it.
  if (plan?.label === null && plan.isSure && columns !== noColumns) {
    return { ...refused(reasons.noBeatmap), isItem: true, plan: { ...plan, isCell: true } }
  }
  if (reading.kind !== 'heading' || cells.length < 2 || !mayPlan(reading.label, codes)) {
    return reading
  }
  const role = columns[cells.indexOf(cell)]
  const isSlot = role === 'slot' || role === 'mod'
  const filling = planOfCells(
    cells,
    cells.filter((each) => each !== cell),
    [],
  )
  if (Object.keys(filling).length > 0) {
    const { label } = reading
    return { ...refused(reasons.noBeatmap), plan: { label, filling, isCell: true, isSure: true } }
  }
  const isRow = isSlot || (isOfMods(reading.label, codes) && reading.label.index !== null)
  return isRow ? { ...reading, isRow } : reading
}
