import type { PoolDraft } from '../pool/pool.ts'
import { BucketCodes } from './paste/labels.ts'
import {
  type Finding,
  openPackKey,
  type Pasted,
  type PastedLine,
  placeFindings,
  placePool,
} from './paste/placement.ts'
import { readPlainLine, type Reading, reasons, refused, skipped } from './paste/plain-line.ts'
import { type Columns, noColumns, readHeader, readTableRow } from './paste/table-row.ts'
import { readRows, type Separator } from './tables.ts'

/** In UTF-16 code units. */
export const LONGEST_PASTE = 1_000_000

/**
 * Reads a pasted text into a draft: a table with or without a header, lines such as `NM1 129891`, ids and
 * links, or a text with a pack key in it. A line becomes a slot or is reported with what to do; neither affects
 * the others. The draft stays valid if it was. A text longer than 1,000,000 characters is refused whole. Takes
 * time in proportion to the text, whatever is in it, and throws nothing.
 */
export function readPaste(text: string, into: PoolDraft): Pasted {
  if (text.length > LONGEST_PASTE) return { lines: [tooLong(text)], draft: into, packKey: null }
  const codes = new BucketCodes(into)
  const findings = readLines(text, codes)
  const opened = openPackKey(findings)
  return Array.isArray(opened)
    ? placeFindings(opened, into, codes)
    : placePool(opened, findings, into)
}

function tooLong(text: string): PastedLine {
  return {
    line: 1,
    text: (text.slice(0, 80).split(/[\r\n]/, 1)[0] ?? '').toWellFormed(),
    outcome: 'refused',
    reason: 'This is more than 1 MB of text, so nothing was read. Paste one pool at a time.',
  }
}

const separators: readonly Separator[] = ['\t', ',', ';', '|']

/** So much of a text shows how it is made, UTF-16 code units. */
const SAMPLE = 20_000

/**
 * What each line of a text says. How its cells are separated, if at all, is what makes the most slots of its
 * beginning. A header has priority, the earliest most: what is in a cell below it must not pass for lines, nor
 * for a header, of its own.
 */
function readLines(text: string, codes: BucketCodes): Finding[] {
  const sample = beginningOf(text)
  let best: Separator | null = null
  let most = -1
  for (const separator of [...separators.filter((each) => sample.includes(each)), null]) {
    const { findings, headedFrom } = readAs(sample, separator, codes)
    const slots = findings.filter(({ reading }) => reading.kind === 'slot').length
    const worth = headedFrom !== null && slots > 0 ? slots + SAMPLE + SAMPLE / headedFrom : slots
    if (worth > most) [best, most] = [separator, worth]
  }
  return readAs(text, best, codes).findings
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
    if (!cells.some(isFilled)) return { line, text, reading: skipped }
    const header = readHeader(cells, codes)
    columns = header ?? columns
    if (header !== null && isComplete(header)) headedFrom ??= line
    const isSkipped = header !== null || text.trimStart().startsWith('#')
    return { line, text, reading: isSkipped ? skipped : readRow(text, cells, columns, codes) }
  })
  return { findings, headedFrom }
}

function isComplete(columns: Columns): boolean {
  const isSlotNamed = columns.includes('slot') || columns.includes('mod')
  return isSlotNamed && (columns.includes('beatmap') || columns.includes('vague'))
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
