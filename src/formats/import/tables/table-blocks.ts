import { columnId, readId } from '../lines/plausible-ids.ts'
import {
  type Block,
  type Part,
  isHeader,
  isGiven,
  isCode,
  isSlot,
  profileOf,
  LEAST_ID,
  startsOfBlocks,
  startsByNames,
  sharedLabels,
  crossedColumns,
} from './block-columns.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import {
  type ColumnFacts,
  type Columns,
  replacedIn,
  type Role,
  roleOf,
  topicOf,
} from './column-names.ts'
import { type BucketCodes, isFilled, tidy } from '../words/labels.ts'
import type { Finding } from '../readings.ts'
import type { CellRow } from './transposed.ts'

/** So often may blocks be cut again. */
const DEEPEST = 3
/** So many rows above a header may be its titles. */
const MOST_TITLES = 3

/**
 * Finds every block of a table, whatever it holds: first the header rows, one below the other, then in each part the
 * blocks side by side, and in these again what is below one another. In order of reading.
 */
export function findBlocks(rows: readonly CellRow[], codes: BucketCodes): Block[] {
  return cut(rows, null, codes, 0)
}

function cut(
  rows: readonly CellRow[],
  columns: Block['columns'],
  codes: BucketCodes,
  depth: number,
): Block[] {
  const parts = splitRows(rows, codes)
    .flatMap((part) => splitBuckets(part, codes))
    .flatMap((part) => splitPools(part, codes))
  return parts.flatMap((part): Block[] => {
    const whole = { ...part, columns }
    const width = part.rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
    if (depth === DEEPEST || width < 2) return [whole]
    const profile = profileOf(part, width, codes)
    const crossed = crossedColumns(whole, profile, codes)
    if (crossed !== null) return crossed
    const starts = startsOfBlocks(part, profile, codes)
    if (starts.length < 2) return [whole]
    const offset = columns?.[0] ?? 0
    // Whatever is next to a pool under other names has other labels.
    const repeated = startsByNames(part.rows[part.header]?.cells ?? [])
    const isAlike = repeated.length > 1 && repeated.every((start, at) => start === starts[at])
    const shared = isAlike ? sharedLabels(profile, starts) : -1
    return starts.flatMap((from, at) => {
      const end = starts[at + 1] ?? width
      const own = part.rows
        .filter(({ cells }) => at === 0 || cells.slice(from, end).some(isGiven))
        .map(({ line, text, cells, whole = text }): CellRow => {
          const label = at === 0 || shared < 0 ? [] : [cells[shared] ?? '']
          const part = [...label, ...cells.slice(from, end)]
          return { line, text: part.join('\t').trimEnd(), cells: part, whole }
        })
      return cut(own, [offset + from, offset + end - 1], codes, depth + 1)
    })
  })
}

/** The parts below one another: each begins with a header row and the titles above it. */
function splitRows(rows: readonly CellRow[], codes: BucketCodes): Part[] {
  const named = [...rows.keys()].filter((at) => isHeader(rows[at]!.cells, codes))
  const filled = (at: number): number => rows[at]!.cells.filter(isFilled).length
  // Above a header are titles, which may be called as columns are: `Maps`, `Map pool`.
  const headers = named.filter((at, place) => {
    return named[place + 1] !== at + 1 || filled(at) >= filled(at + 1)
  })
  const starts = headers.map((header, at) => {
    const least = at === 0 ? 0 : headers[at - 1]! + 1
    return titlesAbove(rows, header, least, codes)
  })
  const first = starts[0] ?? rows.length
  const before = first > 0 ? [{ rows: rows.slice(0, first), header: -1 }] : []
  return [
    ...before,
    ...headers.map((header, at) => {
      const start = starts[at]!
      return { rows: rows.slice(start, starts[at + 1] ?? rows.length), header: header - start }
    }),
  ]
}

/** Below a row that is no slot, the first slot again begins another pool under the same header. */
function splitPools(part: Part, codes: BucketCodes): Part[] {
  const { rows, header } = part
  const isOfRounds = rows[header]?.cells.some((cell) =>
    /^(?:round|division)$/.test(roleOf(cell) ?? ''),
  )
  const below = (is: (row: CellRow) => boolean): number =>
    rows.findIndex((row, at) => at > header && is(row))
  // `RC1`
  const isNumbered = (cell: string): boolean =>
    /^\s*[A-Z]{2,4}[0-9]{1,2}\s*$/.test(cell) || (/[0-9]/.test(cell) && isSlot(cell, codes))
  const numbered = below(({ cells }) => cells.some(isNumbered))
  const isBucket = (cell: string): boolean => isCode(cell, codes)
  const begin =
    numbered < 0 ? below(({ cells }) => !isNoRow(cells) && cells.some(isBucket)) : numbered
  if (begin < 0 || isOfRounds === true) return [part]
  const column = rows[begin]!.cells.findIndex((cell) =>
    numbered < 0 ? isBucket(cell) : isNumbered(cell),
  )
  const labelOf = (at: number): string => tidy(rows[at]!.cells[column] ?? '')
  const first = labelOf(begin)
  const isLabelled = (at: number): boolean => isCode(labelOf(at), codes) || isNumbered(labelOf(at))
  const isApart = (at: number): boolean => !isLabelled(at - 1) && isNoRow(rows[at - 1]!.cells)
  // A bucket without numbers may go on below a title.
  const second = nextLabel(begin)
  const isStart = /[0-9]/.test(first)
    ? (at: number): boolean => !isLabelled(at - 1)
    : (at: number): boolean => second !== '' && isApart(at) && nextLabel(at) === second
  const starts = [...rows.keys()].flatMap((at) => {
    if (at <= begin || labelOf(at) !== first || !isStart(at)) return []
    return [titlesAbove(rows, at, begin + 1, codes)]
  })
  if (starts.length === 0) return [part]
  const names = header < 0 ? [] : [{ ...rows[header]!, isCopy: true }]
  return [0, ...starts].map((start, at): Part => {
    const own = rows.slice(start, starts[at])
    if (at === 0) return { rows: own, header }
    const below = own.findIndex(({ cells }) => tidy(cells[column] ?? '') === first)
    return names.length === 0
      ? { rows: own, header: -1 }
      : { rows: [...own.slice(0, below), ...names, ...own.slice(below)], header: below }
  })

  /** The label of the first slot below a row that is of another bucket, without a row apart between them. */
  function nextLabel(from: number): string {
    const own = labelOf(from)
    for (let at = from + 1; at < rows.length && !isNoRow(rows[at]!.cells); at += 1) {
      if (isLabelled(at) && labelOf(at) !== own) return labelOf(at)
    }
    return ''
  }
}

/** Whether a row is blank, or has one cell as a title. */
const isNoRow = (cells: readonly string[]): boolean => cells.filter(isGiven).length < 2

/** What is above a row of buckets with beatmaps below them, and the columns of these, round by round. */
function splitBuckets({ rows, header }: Part, codes: BucketCodes): Part[] {
  const starts =
    header >= 0
      ? []
      : [...rows.keys()].filter((at) => {
          if (!areBuckets(rows[at]!.cells, codes)) return false
          const next = rows.slice(at + 1, at + 3).find(({ cells }) => cells.some(isFilled))
          return next?.cells.some((cell) => (columnId(cell) ?? 0) >= LEAST_ID) === true
        })
  const ends = starts.map((at) => titlesAbove(rows, at, 0, codes))
  const cuts = [...new Set([0, ...starts.flatMap((at, place) => [ends[place]!, at])])]
  return cuts.flatMap((from, at) => {
    const own = rows.slice(from, cuts[at + 1])
    return own.length === 0 ? [] : [{ rows: own, header: at === 0 ? header : -1 }]
  })
}

function areBuckets(cells: readonly string[], codes: BucketCodes): boolean {
  const isBucket = (cell: string): boolean => isCode(cell, codes) && !isSlot(cell, codes)
  return cells.filter(isGiven).length > 1 && cells.every((cell) => !isGiven(cell) || isBucket(cell))
}

/** Where the titles above a row begin, blank rows between them aside; the row itself where it has none. */
function titlesAbove(
  rows: readonly CellRow[],
  row: number,
  least: number,
  codes: BucketCodes,
): number {
  let start = row
  for (let above = row - 1; above >= Math.max(least, row - MOST_TITLES); above -= 1) {
    if (isTitles(rows[above]!.cells, codes)) start = above
    else if (rows[above]!.cells.some(isGiven)) break
  }
  return start
}

/** Whether a row has words alone, of which none is a slot. */
function isTitles(cells: readonly string[], codes: BucketCodes): boolean {
  const filled = cells.filter(isGiven)
  return (
    filled.length > 0 &&
    filled.every(
      (cell) => readId(cell) === null && findTargets(cell).length === 0 && !isSlot(cell, codes),
    )
  )
}

/** Whether a row has one cell, and the one below it several words of which none is a slot. */
export const isTitleAbove = (
  cells: readonly string[],
  below: readonly string[] = [],
  codes: BucketCodes,
): boolean =>
  cells.filter(isFilled).length === 1 &&
  below.filter((cell) => tidy(cell) !== '').length > 1 &&
  isTitles(below, codes)

/**
 * A column of labels or codes is that of the slots, whatever it is called, where no other one is; one of numbers counts the
 * rows: `Pick`.
 */
function withLabels(
  header: Columns,
  { slot, coded, numbered }: ColumnFacts,
  titles: readonly string[],
): Columns {
  const named = header.indexOf('slot')
  if (named < 0 && !header.includes('mod')) {
    const at = slot >= 0 && slot < header.length ? slot : coded
    const isOther = (header[at] ?? 'vague') !== 'vague' && mayHoldLabels(titles[at] ?? '')
    return isOther && !numbered.has(at) ? header.with(at, at === coded ? 'mod' : 'slot') : header
  }
  const isOther = slot >= 0 && slot < header.length && numbered.has(named) && !numbered.has(slot)
  return isOther ? header.with(named, 'other').with(slot, 'slot') : header
}

/** `Type`, `Stage`, `Map #`; what somebody banned or played is no pool. */
function mayHoldLabels(title: string): boolean {
  const topic = topicOf(title)
  const isOfSlots = topic === undefined || topic === 'detail'
  return isOfSlots && !replacedIn.test(tidy(title).toLowerCase())
}

/** The numbers of slots are such, whatever their column is called; `Mod #` beside `Mod` has them, too. */
function withIndex(header: Columns, { index }: ColumnFacts, titles: readonly string[]): Columns {
  const isOfNumbers = (role: Role | undefined, at: number): boolean =>
    role === 'mod' && /[#№]\s*$/.test(titles[at] ?? '')
  const isTwice = header.filter((role) => role === 'mod').length > 1
  const columns: Columns = !isTwice
    ? header
    : header.map((role, at) => (isOfNumbers(role, at) ? 'index' : role))
  const isOpen = columns[index] === undefined && !columns.includes('index')
  return index >= 0 && index < columns.length && isOpen ? columns.with(index, 'index') : columns
}

/** What the columns of a table hold, by their cells where these say something else than the header. */
export const columnsOf = (header: Columns, facts: ColumnFacts, titles: readonly string[]) =>
  withIndex(withLabels(header, facts, titles), facts, titles)

/** Rows whose rounds take turns: the cell of a bucket is merged over those of all rounds, below which it is empty. */
export function mergedOverRounds(
  findings: readonly Finding[],
  rows: readonly { readonly line: number; readonly cells: readonly string[] }[],
  column: number,
): Finding[] {
  const rounds = findings.flatMap(({ round }) => (round?.by === 'cell' ? round.name : []))
  const turns = rounds.filter((name, at) => name !== rounds[at - 1])
  if (column < 0 || new Set(turns).size === turns.length) return [...findings]
  const cells = new Map(rows.map(({ line, cells: own }) => [line, own[column] ?? '']))
  let above: string | null = null
  return findings.map((finding) => {
    const { reading, line } = finding
    if (reading.kind !== 'slot') return finding
    const { label } = reading
    const isMerged = label?.code == null && !isFilled(cells.get(line) ?? '')
    if (!isMerged) {
      const isCode = label?.code != null && (label.index === null || reading.isSplit === true)
      above = isCode ? label.code : null
      return finding
    }
    const own = { code: above, index: label?.index ?? null }
    return above === null
      ? finding
      : { ...finding, reading: { ...reading, label: own, rule: 'merged' } }
  })
}
