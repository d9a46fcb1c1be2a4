import { MAX_ROUNDS } from '../contract/bounds.ts'
import { foldCode } from '../pool/buckets.ts'
import { findTargets } from '../pool/beatmap-links.ts'
import type { PoolDraft } from '../pool/pool.ts'
import { BucketCodes, namesBucket } from './paste/labels.ts'
import {
  type Finding,
  openPackKey,
  type Pasted,
  type PastedLine,
  placeFindings,
  placePool,
} from './paste/placement.ts'
import { readPlainLine, type Reading, reasons, refused, skipped } from './paste/plain-line.ts'
import { LARGEST_ROUND, roundOfCell, roundOfHeading, type RoundStart } from './paste/round-names.ts'
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
  return place(readLines(text, codes, false), into, codes)
}

/** A round of a pasted sheet: as `readPaste` reads its lines into an empty draft, which has its name. */
export type PastedRound = Pasted & {
  /** null for what precedes the first round, or for a text without rounds. */
  readonly name: string | null
}

/** Every line of the text is among those of one round, or among the others. */
export type PastedRounds = {
  /** In order of first appearance, 16 at most. */
  readonly rounds: readonly PastedRound[]
  /** What belongs to no round: lines before the first one if they have no slot, and rounds beyond 16. */
  readonly others: readonly PastedLine[]
}

/**
 * Reads a pasted sheet of the pools of a tournament. A round begins with a cell in a column headed `Round`,
 * `Stage` or `Week`, which an empty cell below continues; or with a heading: a usual name of rounds in a line of
 * its own, or any name that Markdown (`##`) or BBCode marks as one, if slots follow. What belongs to a round that
 * was there before, ignoring case, is added to it. Names are shortened to 64 characters. A text without rounds is
 * one round without a name. Bounds, time and errors are those of `readPaste`.
 */
export function readRoundsPaste(text: string): PastedRounds {
  if (text.length > LONGEST_PASTE) return { rounds: [], others: [tooLong(text)] }
  const [before, ...groups] = groupByRound(text)
  const placed = groups.map((group) => ({ ...group, pasted: placeRound(group) }))
  const isRound = ({ isSure, pasted }: (typeof placed)[number]): boolean =>
    isSure || pasted.lines.some(({ outcome }) => outcome !== 'skipped')
  const named = placed.filter(isRound)
  const first = placeRound(before)
  const all =
    named.length === 0 || first.draft.slots.length > 0 ? [{ ...before, pasted: first }] : []
  const rounds = [...all, ...named]
  const kept = rounds.slice(0, MAX_ROUNDS)
  return {
    rounds: kept.map(({ name, pasted }) => ({ name, ...pasted })),
    others: [
      ...(all.length === 0 ? first.lines : []),
      ...placed.filter((group) => !isRound(group)).flatMap(({ pasted }) => pasted.lines),
      ...rounds.slice(MAX_ROUNDS).flatMap(({ findings }) => findings.map(beyondRounds)),
    ].toSorted((a, b) => a.line - b.line),
  }
}

type RoundGroup = {
  readonly name: string | null
  readonly findings: Finding[]
  /** Whether what names it can be nothing else than a round. */
  isSure: boolean
}

/** The lines of each round, those before the first one in front. */
function groupByRound(text: string): [RoundGroup, ...RoundGroup[]] {
  const before: RoundGroup = { name: null, findings: [], isSure: false }
  const groups = new Map<string, RoundGroup>()
  let current = before
  for (const finding of readLines(text, new BucketCodes(nothing), true)) {
    const { round, ...line } = finding
    let next = current
    if (round !== undefined) {
      const fold = foldCode(round.name)
      next = groups.get(fold) ?? { name: round.name, findings: [], isSure: false }
      next.isSure ||= round.by !== 'marked'
      groups.set(fold, next)
    }
    // The cells of a column say again in each row which round it is.
    next.findings.push(next === current && round?.by === 'cell' ? line : finding)
    current = next
  }
  return [before, ...groups.values()]
}

const nothing: PoolDraft = { name: '', slots: [] }

function placeRound({ name, findings }: RoundGroup): Pasted {
  const into = { ...nothing, name: name ?? '' }
  return place(findings, into, new BucketCodes(into))
}

function beyondRounds({ line, text, reading, round }: Finding): PastedLine {
  if (reading.kind === 'skipped' && round === undefined) return { line, text, outcome: 'skipped' }
  const reason = `A tournament can have at most ${MAX_ROUNDS} rounds. Remove one, then paste this line again.`
  return { line, text, outcome: 'refused', reason }
}

function place(findings: readonly Finding[], into: PoolDraft, codes: BucketCodes): Pasted {
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
function readLines(text: string, codes: BucketCodes, hasRounds: boolean): Finding[] {
  const sample = beginningOf(text)
  let best: Separator | null = null
  let most = -1
  for (const separator of [...separators.filter((each) => sample.includes(each)), null]) {
    const { findings, headedFrom } = readAs(sample, separator, codes, false)
    const slots = findings.filter(({ reading }) => reading.kind === 'slot').length
    const worth = headedFrom !== null && slots > 0 ? slots + SAMPLE + SAMPLE / headedFrom : slots
    if (worth > most) [best, most] = [separator, worth]
  }
  return readAs(text, best, codes, hasRounds).findings
}

function beginningOf(text: string): string {
  if (text.length <= SAMPLE) return text
  const end = text.lastIndexOf('\n', SAMPLE)
  return text.slice(0, end > 0 ? end : SAMPLE)
}

/**
 * Reads the lines; `headedFrom` is the line of the first header that names the columns of slot and beatmap.
 *
 * @param hasRounds whether to find the rounds that begin with them.
 */
function readAs(text: string, separator: Separator | null, codes: BucketCodes, hasRounds: boolean) {
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
    // In the first column, a round may be called `#1`.
    const isNamed = columns[0] === 'round' && read.kind === 'slot'
    const reading = text.trimStart().startsWith('#') && !isNamed ? skipped : read
    const finding = { line, text, reading }
    const round = hasRounds ? roundOf(finding, cells, columns, header !== null, codes) : null
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
  const named = isComment && reading.kind === 'skipped' ? null : roundOfCell(cells[own] ?? '')
  if (named !== null || !mayBeHeading(finding, columns)) return named
  const filled = [...cells.keys()].filter((column) => isFilled(cells[column]!))
  const [first = 0, ...others] = filled
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
