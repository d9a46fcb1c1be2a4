import type { Cell, CellValue } from 'hucre'
import { findTargets } from '../../../pool/beatmap-links.ts'
import { fault, FormatError } from '../../format-error.ts'
import { normalizeText } from '../text/markup.ts'
import type { BucketCodes } from '../words/labels.ts'
import { doubtBareIds, isNamedSlot } from '../lines/plausible-ids.ts'
import type { Tab } from './open-document.ts'
import { doubtPlans } from '../lines/doubted-plans.ts'
import { doubtLabels } from '../tables/plausible-labels.ts'
import { joinBlocks, type ReadBlock } from '../tables/read-blocks.ts'
import { checkArchive } from './archive.ts'
import { askLinks, type Links } from './cell-links.ts'
import { isHeader } from '../tables/block-columns.ts'
import { countPlans, countSlots, readTable } from '../text/read-text.ts'
import type { Finding } from '../readings.ts'
import { roundOfFile } from '../lines/round-names.ts'
import type { FoundShape } from '../shapes.ts'
import type { CellRow } from '../tables/transposed.ts'
import { type ImportMessage, say } from '../import-message.ts'

/** What of a tab is read; pools are smaller by far. */
const [MOST_ROWS, MOST_CELLS] = [2000, 200]
/** A workbook has fewer tabs; the others are left out with a note. Those of an .ods may repeat their cells. */
const MOST_TABS = { xlsx: 100, ods: 40 } as const

type Workbook = {
  readonly shape: FoundShape
  readonly findings: Finding[]
  readonly notes: ImportMessage[]
}

/**
 * Reads the visible tabs of an .xlsx or .ods, or the one that is named, each as a table. Where several have slots,
 * each is a round of the tab's name, unless its table names rounds itself; tabs without slots are left out.
 * `line` is the number of the row. What formulas show is read, not calculated.
 *
 * @param sheet a tab's name in any case.
 * @throws FormatError with the remedy for a damaged file, one with a password, one that is too large, an unknown tab.
 */
export async function readWorkbook(
  bytes: Uint8Array,
  codes: BucketCodes,
  sheet?: string,
): Promise<Workbook> {
  checkArchive(bytes)
  const all = await readTabs(bytes)
  const { tabs, notes } = chooseTabs(all, sheet, MOST_TABS[isOpenDocument(bytes) ? 'ods' : 'xlsx'])
  const read = tabs.map((tab) => ({ name: tab.name, ...readTab(tab, codes) }))
  const withPools = read.filter(({ slots }) => slots > 0)
  const joined = read.map((tab) => {
    const { findings, notes } = joinBlocks(
      tab.blocks,
      withPools.some((each) => each !== tab),
    )
    const isElsewhere = read.some(
      (each) => each !== tab && each.blocks.some(({ findings }) => findings.some(isNamedSlot)),
    )
    const labelled = doubtLabels(doubtBareIds(findings, codes, isElsewhere), codes)
    const isHeaded = tab.blocks.some(({ headedFrom }) => headedFrom !== null)
    return {
      ...tab,
      findings: isHeaded ? labelled : doubtPlans(labelled, codes),
      notes: [...tab.notes, ...notes],
    }
  })
  // A tab may hold a round of which nothing is decided; one such row may be about anything.
  const filled = joined.filter(
    ({ findings }) => countSlots(findings) > 0 || countPlans(findings) > 1,
  )
  const isMany = filled.length > 1
  const shown = filled.length === 0 && tabs.length === 1 ? joined : filled
  const why = isMany ? say('isSpreadsheetOf', { n: filled.length }) : say('isSpreadsheet')
  return {
    shape: { id: 'workbook', isCertain: true, why },
    findings: shown.flatMap(({ name, findings }) => (isMany ? inRound(findings, name) : findings)),
    notes: [...notes, ...joined.flatMap(({ notes }) => notes)],
  }
}

async function readTabs(bytes: Uint8Array): Promise<Tab[]> {
  try {
    if (isOpenDocument(bytes)) {
      const { readOpenDocument } = await import('./open-document.ts')
      const most = { tabs: MOST_TABS.ods + 1, rows: MOST_ROWS + 1, cells: MOST_CELLS }
      return await readOpenDocument(bytes, most)
    }
    const { readXlsx } = await import('hucre/xlsx')
    const { sheets } = await readXlsx(bytes, { range: `A1:GR${MOST_ROWS + 1}`, readStyles: true })
    return sheets.map((sheet) => ({
      ...sheet,
      isHidden: sheet.hidden === true || sheet.veryHidden === true,
    }))
  } catch (error) {
    if (error instanceof FormatError) throw error
    if (error instanceof Error && error.name === 'EncryptedFileError') {
      throw new FormatError(fault('password'))
    }
    throw new FormatError(fault('damagedSheet'))
  }
}

/** An .ods begins with its type, not compressed. */
function isOpenDocument(bytes: Uint8Array): boolean {
  return bytes.subarray(30, 38).every((byte, at) => byte === 'mimetype'.charCodeAt(at))
}

function chooseTabs(all: readonly Tab[], sheet: string | undefined, most: number) {
  if (sheet !== undefined) {
    const tabs = all.filter(({ name }) => foldName(name) === foldName(sheet))
    if (tabs.length > 0) return { tabs: tabs.slice(0, 1), notes: [] }
    const names = all.slice(0, most).map(({ name }) => name)
    throw new FormatError(fault('noTab', { tab: sheet, tabs: { items: names, how: 'unit' } }))
  }
  const visible = all.filter(({ isHidden }) => !isHidden)
  const hidden = all.filter((tab) => tab.isHidden && tab.rows.length > 0).map(({ name }) => name)
  const notes = [
    ...(hidden.length === 0
      ? []
      : [
          say('hiddenTabs', {
            n: hidden.length,
            tabs: { items: hidden.slice(0, MOST_NAMED), how: 'unit' },
          }),
        ]),
    ...(visible.length > most ? [say('firstTabs', { most })] : []),
  ]
  return { tabs: visible.slice(0, most), notes }
}

function foldName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}

/** The better one of two readings: links as a part of their cells, and links in cells of their own. */
function readTab(tab: Tab, codes: BucketCodes) {
  const all = mergedCells(tab)
  const [hidden, struck] = [hiddenRows(tab, all, codes), struckRows(tab, all)]
  const cells = all.map((row, at) => (hidden.includes(at) || struck.includes(at) ? [] : row))
  const links = linksOf(tab, cells)
  const read = (rows: readonly (readonly string[])[]): ReadBlock[] =>
    readTable(rowsOf(rows), codes, tab.name).map((block) => ({
      ...block,
      findings: askLinks(block.findings, cells, links, codes),
    }))
  const joined = read(cells.map((row, at) => joinLinks(row, links.get(at))))
  const width = cells.reduce((most, row) => Math.max(most, row.length), 0)
  const apart =
    links.size === 0 ? joined : read(cells.map((row, at) => addLinks(row, links.get(at), width)))
  const isApart = slotsOf(apart) > slotsOf(joined)
  return {
    blocks: isApart ? apart : joined,
    slots: slotsOf(isApart ? apart : joined),
    notes: [
      ...(tab.rows.length > MOST_ROWS
        ? [say('firstRows', { most: MOST_ROWS, tab: tab.name })]
        : []),
      ...noteOfRows(hidden, 'hiddenRows', tab.name),
      ...noteOfRows(struck, 'struckRows', tab.name),
    ],
  }
}

function noteOfRows(rows: readonly number[], kind: 'hiddenRows' | 'struckRows', tab: string) {
  if (rows.length === 0) return []
  const items = { items: rows.slice(0, MOST_NAMED).map((row) => row + 1), how: 'unit' } as const
  const isMore = rows.length > MOST_NAMED
  const named = isMore ? { message: say('firstOf', { items }) } : items
  return [say(kind, { n: rows.length, rows: named, tab })]
}

const MOST_NAMED = 10

/** The rows with content that are not shown, which may be filtered out or left from before; headers count as shown. */
function hiddenRows({ rowDefs = new Map() }: Tab, cells: readonly string[][], codes: BucketCodes) {
  return [...cells.keys()].filter(
    (at) =>
      rowDefs.get(at)?.hidden === true &&
      cells[at]!.some((cell) => cell !== '') &&
      !isHeader(cells[at]!, codes),
  )
}

/** The rows of which most is struck through: they have been replaced, or removed. */
function struckRows({ cells = new Map() }: Tab, texts: readonly string[][]): number[] {
  return [...texts.keys()].filter((at) => {
    const filled = [...texts[at]!.keys()].filter((column) => texts[at]![column] !== '')
    const struck = filled.filter(
      (column) => cells.get(`${at},${column}`)?.style?.font?.strikethrough === true,
    )
    return filled.length > 0 && struck.length * 2 >= filled.length
  })
}

function slotsOf(blocks: readonly ReadBlock[]): number {
  return countSlots(
    blocks.filter(({ kind }) => kind === 'pool').flatMap(({ findings }) => findings),
  )
}

/** Each row as texts, with what is merged over several rows in each of them that has a beatmap. */
function mergedCells({ rows, merges = [] }: Tab): string[][] {
  const cells = rows
    .slice(0, MOST_ROWS)
    .map((row) => row.slice(0, MOST_CELLS).map((value) => textOf(value)))
  let left = MOST_ROWS * MOST_CELLS
  for (const { startRow, endRow, startCol } of merges) {
    const text = cells[startRow]?.[startCol] ?? ''
    // A merged beatmap is one, not one in each row.
    if (text === '' || isBeatmap(text)) continue
    for (let at = startRow + 1; at <= Math.min(endRow, cells.length - 1) && left > 0; at += 1) {
      left -= 1
      const row = cells[at]!
      if ((row[startCol] ?? '') !== '' || !row.some((cell) => cell !== '')) continue
      while (row.length < startCol) row.push('')
      row[startCol] = text
    }
  }
  return cells
}

function isBeatmap(text: string): boolean {
  return /^\d{4,}$/.test(text) || findTargets(text).length > 0
}

const failed = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)$/

function textOf(value: CellValue | undefined): string {
  if (typeof value === 'string')
    return failed.test(value) ? '' : normalizeText(value).replaceAll(/\s+/g, ' ').trim()
  if (typeof value === 'number') {
    return Number.isInteger(value) ? BigInt(value).toString() : String(value)
  }
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  return typeof value === 'boolean' ? String(value) : ''
}

function linksOf({ cells = new Map() }: Tab, texts: readonly (readonly string[])[]): Links {
  const links = new Map<number, Map<number, string>>()
  for (const [place, cell] of cells) {
    const [row = 0, column = 0] = place.split(',').map(Number)
    const target = linkOf(cell)
    const text = texts[row]?.[column]
    if (text === undefined || target === null || findTargets(text).length > 0) continue
    const own = links.get(row) ?? new Map<number, string>()
    links.set(row, own.set(column, target))
  }
  return links
}

const linkFormula = /\bHYPERLINK\(\s*"((?:[^"]|"")*)"\s*[,;)]/i

/** What follows the # of a link to a beatmap, which .xlsx keeps apart from what precedes it. */
const partOfSet = /^(?:osu|taiko|fruits|mania)\/([0-9]+)$/

/** The beatmap's link that a cell leads to. */
function linkOf({ hyperlink, formula = '' }: Partial<Cell>): string | null {
  const [, called = ''] = linkFormula.exec(formula.slice(0, 2000)) ?? []
  const { target = '', location = '' } = hyperlink ?? {}
  const [, id] = partOfSet.exec(location) ?? []
  const link = id === undefined ? target || called : `https://osu.ppy.sh/b/${id}`
  return link.length <= 2000 && findTargets(link).length > 0 ? link : null
}

function joinLinks(row: readonly string[], links: ReadonlyMap<number, string> = new Map()) {
  return row.map((text, column) => [text, links.get(column) ?? ''].join(' ').trim())
}

function addLinks(
  row: readonly string[],
  links: ReadonlyMap<number, string> = new Map(),
  width: number,
) {
  const empty = Array.from({ length: width - row.length }, () => '')
  return [...row, ...empty, ...links.values()]
}

function rowsOf(cells: readonly (readonly string[])[]): CellRow[] {
  return cells.map((row, at) => ({ line: at + 1, text: row.join('\t').trimEnd(), cells: row }))
}

/** The lines of a tab as a round of its name, unless they name rounds; what precedes the first one belongs to it. */
function inRound(findings: readonly Finding[], name: string): Finding[] {
  const [first, ...others] = findings
  if (first === undefined) return []
  const at = findings.findIndex(({ round }) => round !== undefined && round.by !== 'marked')
  const before = at < 0 ? findings : findings.slice(0, at)
  const own = countSlots(before) > 0 ? undefined : findings[at]?.round
  return [{ ...first, round: own ?? roundOfFile(name) }, ...others]
}
