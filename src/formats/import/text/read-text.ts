import {
  askAlike,
  isCounter,
  plainId,
  question,
  roundBefore,
  roundBeside,
  withDivision,
  readRow,
  roundOf,
} from '../tables/read-rows.ts'
import { type BucketCodes, isFilled, tidy } from '../words/labels.ts'
import { settleTitles } from '../lines/items.ts'
import { askSongs, joinTitles, placeSongs } from '../lines/titled-items.ts'
import { askTaken, settleJoined } from '../lines/likely-slots.ts'
import { type LineRow, partsOfRow } from '../lines/line-parts.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import { type Finding, type Reading, reasons, skipped } from '../readings.ts'
import type { FoundShape } from '../shapes.ts'
import { type Columns, holdsIds, isComplete, noColumns } from '../tables/column-names.ts'
import { askOtherColumns, factsOfColumns, noFacts, titledId } from '../tables/column-facts.ts'
import { otherCells, withPlainCells } from '../tables/plain-cells.ts'
import { askColumnAbove, askIds } from '../tables/id-columns.ts'
import { columnsOf, isTitleAbove, mergedOverRounds } from '../tables/table-blocks.ts'
import { doubtUnlabelled } from '../tables/row-cells.ts'
import { askCorrections, mayCorrect } from '../lines/corrections.ts'
import { areBeatmaps, doubtBareIds, findBareIds } from '../lines/plausible-ids.ts'
import { askAside, doubtLabels, numberTiebreakers } from '../tables/plausible-labels.ts'
import { blockOfLines, joinBlocks, type ReadBlock, readBlocks } from '../tables/read-blocks.ts'
import { readHeader } from '../tables/block-columns.ts'
import { doubtColumns } from '../tables/table-kinds.ts'
import { type CellRow, findTransposed } from '../tables/transposed.ts'
import { readRows, type Separator } from '../../tables.ts'
import { nameDivisions } from '../lines/divisions.ts'
import { findTitles, roundsOfPost } from '../lines/round-names.ts'
import { doubtTitled, partByTitles } from '../lines/round-titles.ts'
import { isNumbered } from '../lines/lines.ts'
import { askPlanned } from '../lines/doubted-plans.ts'
import { settleCells } from '../lines/cell-lines.ts'
import { settleLists } from '../lines/lists.ts'
import { pairBlocks, refuseBelowBuckets } from '../lines/label-blocks.ts'
import { nameSections } from '../lines/section-values.ts'
import { nameWords } from '../lines/word-buckets.ts'
import { type ImportMessage, say } from '../import-message.ts'

const separators: readonly Separator[] = ['\t', ',', ';', '|']

/** So much of a text shows how it is made, UTF-16 code units. */
const SAMPLE = 20_000

type TextRead = { shape: FoundShape; findings: Finding[]; notes?: readonly ImportMessage[] }

/**
 * What each line of a text says. How its cells are separated, if at all, is what makes the most slots of its
 * beginning. A header has priority, the earliest most: what is in a cell below it must not pass for lines, nor
 * for a header, of its own.
 */
export function readText(text: string, codes: BucketCodes): TextRead {
  const bare = /^[\s\ufeff([]*[0-9]+[\s,;|]/.test(text.slice(0, 40)) ? findBareIds(text) : null
  if (bare !== null) {
    const why = say('isNumbers')
    return { shape: { id: 'list', isCertain: true, why }, findings: doubtBareIds(bare, codes) }
  }
  return readSeparated(text, codes)
}

function readSeparated(text: string, codes: BucketCodes): TextRead {
  const sample = beginningOf(text)
  let best: Separation = null
  let most = -1
  const all: readonly Separation[] = [
    ...separators.filter((each) => sample.includes(each)),
    null,
    ...(isAligned(sample) ? (['spaces'] as const) : []),
  ]
  for (const separator of all) {
    // Columns that are named make a table, whatever its lines are by themselves.
    if (separator === null && most > SAMPLE) break
    const blocks = readAs(sample, separator, codes)
    const isOfCells = separator !== null && separator !== 'spaces'
    const worth = worthOfAll(blocks) * (isOfCells && isRegular(sample, separator) ? REGULAR : 1)
    if (worth > most) [best, most] = [separator, worth]
  }
  const blocks = readAs(text, best, codes)
  const headedFrom = headOf(blocks)
  const { findings: read, notes } = joinBlocks(blocks)
  const isList = !read.every(namesItsPlace)
  const passes = [
    ...(numberAlone.test(text) ? [settleCells] : []),
    ...(best === null ? [askTaken, askSongs, placeSongs] : []),
    // A header says what the numbers below it are.
    ...(headedFrom === null ? [askPlanned, settleTitles] : []),
    ...(best === null ? [nameDivisions, findTitles, numberTiebreakers] : []),
    ...(best !== null && headedFrom === null ? [settleJoined] : []),
    ...(isList
      ? [joinTitles, nameSections, askAside, ...(best === null ? [nameWords] : []), pairBlocks]
      : []),
    ...(best === null ? [partByTitles, doubtTitled] : []),
    ...(isList ? [refuseBelowBuckets, askColumnAbove, settleLists] : [askAside]),
    doubtTexts,
    doubtBareIds,
    doubtLabels,
    ...(mayCorrect.test(text) ? [askCorrections] : []),
  ]
  const findings = passes.reduce<Finding[]>((all, pass) => pass(all, codes), read)
  return { shape: shapeOf(best, headedFrom), findings, notes }
}

/** A line of nothing but a small number, or a year. */
const numberAlone = /^[^\p{L}\p{N}\r\n]{0,9}[0-9]{1,4}[^\p{L}\p{N}\r\n]{0,9}$/mu

/** Whether a line or row depends on none above or below it. */
const namesItsPlace = ({ reading }: Finding): boolean =>
  reading.kind === 'skipped' ||
  (reading.kind === 'slot' &&
    reading.label?.code != null &&
    (reading.label.index !== null || foldCode(reading.label.code) === 'TB'))

const posted = /^\s*\[\*\]/

/** Where a post links its beatmaps, a number in place of a link may be what is planned there. */
function doubtTexts(findings: readonly Finding[]): Finding[] {
  const isLinked = ({ text }: Finding): boolean => findTargets(text).length > 0
  const isItem = ({ text, reading }: Finding): boolean =>
    reading.kind === 'slot' && posted.test(text)
  if (!findings.some((each) => isItem(each) && isLinked(each))) return [...findings]
  return findings.map((each) => {
    const isText = each.reading.kind === 'slot' && isItem(each) && !isLinked(each)
    return isText ? { ...each, reading: areBeatmaps(each.reading) } : each
  })
}

/** What all rows of a table weigh more that have the same number of cells, three or more. */
const REGULAR = 1.25

function isRegular(text: string, separator: Separator): boolean {
  const counts = readRows(text, separator).flatMap(({ cells }) =>
    cells.some(isFilled) ? [cells.length] : [],
  )
  return counts.length > LEAST_ROWS && counts[0]! > 2 && new Set(counts).size === 1
}

/** How the cells of a text are separated; `spaces`: by two or more, as columns are aligned in plain text. */
type Separation = Separator | 'spaces' | null

const alignedRow = /^ {0,8}\S+(?: \S+)* {2,}\S/

function isAligned(text: string): boolean {
  const lines = text.split(/\r\n|\r|\n/).filter(isFilled)
  const aligned = lines.filter((line) => alignedRow.test(line)).length
  return !text.includes('\t') && aligned > LEAST_ROWS && aligned * 5 >= lines.length * 4
}

function alignedRows(text: string): CellRow[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, at) => ({ line: at + 1, text: line, cells: line.trim().split(/ {2,}/) }))
}

/** The blocks of a text whose cells are separated so; its lines are one. */
function readAs(text: string, separator: Separation, codes: BucketCodes): ReadBlock[] {
  const rows = separator === 'spaces' ? alignedRows(text) : readRows(text, separator)
  if (separator === null) return [blockOfLines(readStrip(rows, null, codes))]
  return readBlocks(otherCells.test(text) ? withPlainCells(rows) : rows, codes, (own) =>
    readStrip(own, separator === 'spaces' ? '\t' : separator, codes),
  )
}

/** The line of the first header that names columns. */
const headOf = (blocks: readonly ReadBlock[]): number | null =>
  blocks.find(({ headedFrom }) => headedFrom !== null)?.headedFrom ?? null

/** A header has priority, also that of a table which is no pool: its cells are no slots. */
function worthOfAll(blocks: readonly ReadBlock[]): number {
  const slots = blocks
    .flatMap(({ findings }) => findings)
    .reduce((sum, { reading }) => sum + worthOf(reading), 0)
  const pools = blocks.filter(({ kind }) => kind === 'pool' || kind === 'suggestions')
  const headedFrom = headOf(pools)
  if (headedFrom !== null && slots > 0) return slots + SAMPLE + SAMPLE / headedFrom
  // Two ids in the only cell of ids: its lines would be slots by themselves.
  if (headedFrom !== null && pools.some(isLabelled)) return SAMPLE / 2
  const isOther = blocks.some((block) => !pools.includes(block) && block.findings.length > 1)
  return isOther ? slots + SAMPLE / 2 : slots
}

/** Whether a row below a header has a slot, and no beatmap that can be read. */
const isLabelled = ({ findings }: ReadBlock): boolean =>
  findings.some(({ reading }) => reading.kind === 'refused' && reading.label?.code != null)

/** A header and a row may be lines with a comma in them. */
const LEAST_ROWS = 2

/** A plan in a row shows that there are cells; in a line, it may have been cut out of them. */
function worthOf(reading: Reading): number {
  if (reading.kind === 'slot' || reading.kind === 'asked') return 1
  const plan = reading.kind === 'refused' ? reading.plan : undefined
  // Below the name of a column of sets, and no beatmap, as it would be in a line.
  if (plan?.refusal === reasons.setId) return 1.5
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
      (reading.kind === 'heading' && reading.isRow === true) ||
      (reading.kind === 'refused' && reading.plan?.label != null && reading.plan.isSure),
  ).length

/** The blocks of a table whose cells are known. `name`: that of its tab. */
export function readTable(rows: readonly CellRow[], codes: BucketCodes, name: string): ReadBlock[] {
  return readBlocks(withPlainCells(rows), codes, (own) => readStrip(own, '\t', codes), name)
}

function shapeOf(separator: Separation, headedFrom: number | null): FoundShape {
  if (separator === null) {
    return { id: 'list', isCertain: false, why: say('isLines') }
  }
  const isCertain = headedFrom !== null
  const why = isCertain ? say('isHeaded', { line: headedFrom }) : say('isCells')
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
/** Reads lines, or the rows of one table; `headedFrom` is the line of the first header that names the columns of slot and beatmap. */
function readStrip(all: readonly CellRow[], separator: Separator | null, codes: BucketCodes) {
  let columns = noColumns
  let headedFrom: number | null = null
  let titles: readonly string[] = []
  let lastRound = ''
  let above = ''
  const rows = all.flatMap((row): LineRow[] => {
    const last = above
    if (isFilled(row.text)) above = row.text
    // Cells further to the right belong to no pool.
    return separator === null
      ? partsOfRow(row, last, codes)
      : [row.cells.length <= MOST_CELLS ? row : { ...row, cells: row.cells.slice(0, MOST_CELLS) }]
  })
  const mayTurn = separator !== null && rows.some(({ text }) => labelsInARow.test(text))
  const transposed = mayTurn ? findTransposed(rows, codes) : null
  const facts = separator === null ? noFacts : factsOfColumns(rows, codes)
  const posted = roundsOfPost(rows, codes)
  /** What rows below the same header say, which may be there again. */
  const known = new Map<string, RowFinding>()
  const findings = rows.flatMap((row, at): Finding[] => {
    const { line, text, cells } = row
    const own = posted.get(line)
    if (own !== undefined) return [{ line, text, reading: skipped, round: own }]
    const turned = transposed?.get(line)
    if (turned !== undefined) return turned.length > 0 ? turned : [{ line, text, reading: skipped }]
    const again = known.get(text)
    if (again !== undefined && isSame(again.cells, cells)) return [{ ...again.finding, line }]
    const named = readHeader(cells, codes)
    // Above a header are titles, which may be called as columns are: `Maps`.
    const header = named !== null && isTitleAbove(cells, rows[at + 1]?.cells, codes) ? null : named
    if (header !== null) {
      columns = columnsOf(header, facts, cells)
      titles = cells
      if (isComplete(header)) headedFrom ??= line
      known.clear()
    }
    const finding = readOne(row, header)
    if (header === null && finding.round?.by !== 'cell') {
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(text, { cells, finding })
    }
    return [finding]
  })
  const codeColumn = columns.findIndex((role) => role === 'mod' || role === 'slot')
  const alike = askAlike(mergedOverRounds(findings, rows, codeColumn), rows, titles)
  const isOfCells = separator !== null && transposed === null
  if (!isOfCells) return { findings: alike, headedFrom }
  const certain = doubtUnlabelled(alike, rows, facts, codes)
  const isPlanned = ({ reading }: Finding): boolean =>
    reading.kind === 'refused' && reading.plan?.isCell === true
  const named = certain.some(isPlanned) ? askIds(certain, rows, codes) : certain
  return {
    findings: doubtColumns(askOtherColumns(named, rows, codes), rows, titles, codes),
    headedFrom,
  }

  function readOne({ line, text, cells, round: named }: LineRow, header: Columns | null): Finding {
    const isRound = (column: number): boolean =>
      columns[column] === 'round' || columns[column] === 'division'
    const before =
      header === null
        ? (roundBefore(cells, columns, codes) ?? roundBeside(cells, columns, facts))
        : null
    const own = cells.map((cell, column) => {
      if (isRound(column) || isCounter(cell, column, columns, facts, titles)) return ''
      if (column === before?.column) return before.label
      if (header === null && holdsIds(column, columns, titles)) return plainId(cell)
      return facts.titled.has(column) ? (titledId.exec(tidy(cell))?.[1] ?? cell) : cell
    })
    const isSkipped = header !== null || !own.some((cell) => isFilled(cell) || question.test(cell))
    const isCut = own.some((cell, column) => cell !== cells[column] && !isRound(column))
    const whole = isCut ? own.filter(isFilled).join(' ') : text
    const read = isSkipped ? skipped : readRow(whole, own, { columns, titles, facts }, codes)
    // In the first column, a round may be called `#1`, and so may a beatmap.
    const isName = columns[0] === 'round' || columns[0] === 'other'
    const isNumber = cells.length > 1 && /^\s*#\s?[0-9]{1,2}$/.test(cells[0]!)
    const isNamed = (isName || isNumber) && read.kind === 'slot'
    const reading = isRemark(text) && !isNamed && read.kind !== 'heading' ? skipped : read
    const finding = { line, text, reading }
    const round = named ?? before?.round ?? roundOf(finding, cells, columns, header !== null, codes)
    if (round === null) return finding
    if (round.by !== 'cell') return { ...finding, reading: skipped, round }
    if ((cells[columns.indexOf('round')] ?? '').trim() !== '') lastRound = round.name
    return { ...finding, round: withDivision(round, cells, columns, lastRound) }
  }
}

const isRemark = (text: string): boolean => text.trimStart().startsWith('#') && !isNumbered(text)

type RowFinding = { readonly cells: readonly string[]; readonly finding: Finding }

/** So many rows are kept at a time. */
const MOST_KNOWN = 2000

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((cell, at) => cell === other[at])
}
