import { findTargets } from '../../../pool/beatmap-links.ts'
import { type Columns, ofRounds, roleOf, topicOf } from './column-names.ts'
import {
  codeOfWords,
  type BucketCodes,
  isFilled,
  isKnown,
  modsOfCode,
  readLabel,
  readWhole,
  readWords,
  memoized,
  texts,
  tidy,
} from '../words/labels.ts'
import { isUndecided } from '../words/planned.ts'
import { LARGEST_ID, columnId } from '../lines/plausible-ids.ts'
import { isRoundName } from '../lines/round-names.ts'
import type { CellRow } from './transposed.ts'

/** A table of its own within the cells: its header row with what is above and below it, or rows without a header. */
export type Block = {
  readonly rows: readonly CellRow[]
  /** The place of the header row among them; -1 for none. */
  readonly header: number
  /** The columns that it is in, counted from 0; null for all of the rows. */
  readonly columns: readonly [first: number, last: number] | null
  /** Whether its numbers have no label and no name that says what they are. */
  readonly isBare?: boolean
}

export type Part = Pick<Block, 'rows' | 'header'>

/** The columns when the row is a header: it names two of them, or one and nothing else. */
export function readHeader(cells: readonly string[], codes: BucketCodes): Columns | null {
  // Most rows are no headers, and show it in their first digits.
  if (cells.some((cell) => /^[0-9][0-9.,:%]*$/.test(cell))) return null
  const known = headers.get(cells)
  if (known?.codes === codes) return known.columns
  const columns = columnsNamed(cells, codes)
  if (columns !== null) headers.set(cells, { codes, columns })
  return columns
}

/** Blocks are found by their headers before their rows are read. */
const headers = new WeakMap<readonly string[], { codes: BucketCodes; columns: Columns | null }>()

function columnsNamed(cells: readonly string[], codes: BucketCodes): Columns | null {
  const columns = cells.map((cell) => {
    const role = roleOf(cell)
    return role === undefined || codes.find(tidy(cell)) !== null ? undefined : role
  })
  const named = columns.filter((role) => role !== undefined)
  if (named.length === 0 || cells.some(isData)) return null
  // `Round 2`, `Tier A` above lines are no columns.
  const isOne = named.length === 1 && !/^(?:other|round|division)$/.test(named[0]!)
  const isAlone = isOne && cells.filter((cell) => tidy(cell) !== '').length === 1
  return named.length >= 2 || isAlone ? columns : null
}

function isData(cell: string): boolean {
  return readWhole(tidy(cell)) !== null || findTargets(cell).length > 0
}

/** Whether a row names two columns or more. */
export function isHeader(cells: readonly string[], codes: BucketCodes): boolean {
  const columns = readHeader(cells, codes)
  return columns !== null && columns.filter((role) => role !== undefined).length > 1
}

/** Cells of `???` are filled, too. */
export const isGiven = (cell: string): boolean => isFilled(cell) || /[?？]/.test(cell)

/** Labels are shorter. */
const LONGEST_LABEL = 24
/** So many rows show what the columns hold. */
export const MOST_SHOWN = 300
const likeSlot =
  /^[^\p{L}\p{N}]{0,4}\p{L}{1,12}(?:[ -]\p{L}{1,7})?[\s._-]?\p{Nd}{0,3}[^\p{L}\p{N}]{0,4}$/u
/** What begins as numbers and links do. */
const likeId = /^[^\p{L}]{0,4}\p{Nd}|\//u

/** Whether a cell is the code of a bucket or of mods, with a number or without. */
export const isCode = memoized(namesCode, LONGEST_LABEL)

function namesCode(cell: string, codes: BucketCodes): boolean {
  if (cell.length > LONGEST_LABEL || !isFilled(cell)) return false
  const words = texts(readWords(tidy(cell)))
  const label = readLabel(words, codes)
  return (
    isKnown(label, codes) ||
    (label?.code != null && modsOfCode(label.code) !== null) ||
    codeOfWords(words) !== null
  )
}

/** Whether a cell is the label of one slot: `NM1`. */
export const isSlot = memoized(namesSlot, LONGEST_LABEL)

function namesSlot(cell: string, codes: BucketCodes): boolean {
  if (cell.length > LONGEST_LABEL || !likeSlot.test(cell)) return false
  const words = texts(readWords(tidy(cell)))
  if (readWhole(words.at(-1)) !== null && codeOfWords(words.slice(0, -1)) !== null) return true
  const label = readLabel(words, codes)
  const isSure = label?.code != null && (isKnown(label, codes) || modsOfCode(label.code) !== null)
  return isSure && (label.index !== null || label.code.toUpperCase() === 'TB')
}

/** How many cells of a column, below its header, are what. */
type ColumnProfile = {
  filled: number
  slots: number
  codes: number
  ids: number
  small: number
  open: number
}

/** Lower numbers are counts, ratings and places in lists. */
export const LEAST_ID = 1000

export function profileOf(
  { rows, header }: Part,
  width: number,
  codes: BucketCodes,
): ColumnProfile[] {
  const profile = Array.from({ length: width }, (): ColumnProfile => {
    return { filled: 0, slots: 0, codes: 0, ids: 0, small: 0, open: 0 }
  })
  for (const { cells } of rows.slice(header + 1, header + 1 + MOST_SHOWN)) {
    for (const [at, cell] of cells.entries()) {
      const column = profile[at]!
      if (cell === '' || !isGiven(cell)) continue
      column.filled += 1
      const id = likeId.test(cell) ? columnId(cell) : null
      if (id !== null) {
        if (id < LEAST_ID) column.small += 1
        else if (id <= LARGEST_ID) column.ids += 1
      } else if (isSlot(cell, codes)) column.slots += 1
      else if (isCode(cell, codes)) column.codes += 1
      else if (isUndecided(tidy(cell))) column.open += 1
    }
  }
  return profile
}

const isMost = (count: number, filled: number): boolean => count > 0 && count * 5 >= filled * 3

/** The first columns of the blocks that are side by side; fewer than two where there is one. */
export function startsOfBlocks(part: Part, profile: readonly ColumnProfile[], codes: BucketCodes) {
  const repeated = startsByNames(part.rows[part.header]?.cells ?? [])
  const apart = startsByGaps(part, profile, codes)
  if (repeated.length < 2) return apart.length > 1 ? apart : startsByLabels(profile)
  // `ID, Slot, , Mod, ID, Slot`: what is said again may begin behind the gap.
  const isWithin = (at: number, n: number): boolean =>
    at <= repeated[n]! && at >= (repeated[n - 1] ?? 0)
  return apart.length === repeated.length && apart.every(isWithin) ? apart : repeated
}

/** A header that says the same again begins another block: `Slot, ID, Slot, ID`. */
export function startsByNames(header: readonly string[]): number[] {
  const names = [...header.entries()]
    .map(([column, cell]) => ({ column, name: tidy(cell).toLowerCase() }))
    .filter(({ name }) => name !== '')
  const [first, second] = names
  if (first === undefined || second === undefined) return []
  const starts = names.flatMap(({ name, column }, at) =>
    name === first.name && names[at + 1]?.name === second.name ? [column] : [],
  )
  return first.name === second.name ? [] : [0, ...starts.slice(1)]
}

/** The column of slots in front, where it is that of all blocks: `Slot | Map, ID | Map, ID`; -1 where each has its own. */
export function sharedLabels(
  profile: readonly ColumnProfile[],
  [, second = 0]: readonly number[],
): number {
  const isOfSlots = ({ slots, filled }: ColumnProfile): boolean =>
    slots > 1 && isMost(slots, filled)
  const isOfIds = ({ ids, filled }: ColumnProfile): boolean => isMost(ids, filled)
  const others = profile.slice(second)
  return others.some(isOfSlots) || !others.some(isOfIds)
    ? -1
    : profile.slice(0, second).findIndex(isOfSlots)
}

/** Empty columns part what has columns of a table of its own on both sides. */
function startsByGaps(
  { rows, header }: Part,
  profile: readonly ColumnProfile[],
  codes: BucketCodes,
) {
  const names = rows[header]?.cells ?? []
  const count = Math.min(rows.length - header - 1, MOST_SHOWN)
  const groups: [first: number, end: number][] = []
  for (const [column, { filled }] of profile.entries()) {
    if (!isFilled(names[column] ?? '') && filled * 30 <= count) continue
    const last = groups.at(-1)
    if (last?.[1] === column) last[1] = column + 1
    else groups.push([column, column + 1])
  }
  if (groups.length < 2) return []
  const tables = groups.map(([first, end]) => {
    const own = names.slice(first, end)
    const roles = readHeader(own, codes) ?? []
    const columns = profile.slice(first, end)
    const has = (...wanted: readonly string[]): boolean =>
      roles.some((role) => role !== undefined && wanted.includes(role))
    const isLabelled =
      has('slot', 'mod') || columns.some((each) => isMost(each.slots + each.codes, each.filled))
    const isOfBeatmaps =
      has('beatmap', 'vague') || columns.some(({ ids, filled }) => isMost(ids, filled))
    const others = own.filter((name) => (topicOf(name) ?? 'detail') !== 'detail').length
    const hasNone = !has('slot', 'mod', 'beatmap', 'vague') && own.filter(isFilled).length > 1
    const isOther = others > 1 || (others === 1 && hasNone)
    const isBelow =
      !own.some(isFilled) &&
      rows
        .slice(header + 1, header + 1 + MOST_SHOWN)
        .some(({ cells }) => isHeader(cells.slice(first, end), codes))
    return (isLabelled && isOfBeatmaps) || isOther || isBelow
  })
  return groups.flatMap(([first], at) => {
    const isFirst = !tables.slice(0, at).includes(true)
    return tables[at] === true ? [isFirst ? 0 : first] : []
  })
}

/** Several columns of slots, each with one of beatmaps beside it, are as many blocks. */
function startsByLabels(profile: readonly ColumnProfile[]): number[] {
  const columnsOf = (count: (column: ColumnProfile) => number): number[] =>
    [...profile.keys()].filter((at) => {
      const column = profile[at]!
      return count(column) > 1 && isMost(count(column), column.filled)
    })
  const slots = columnsOf((column) => column.slots)
  const ids = columnsOf((column) => column.ids)
  if (slots.length < 2 || ids.length < slots.length) return []
  const isAfter = slots.every((slot, at) =>
    ids.some((id) => id > slot && id < (slots[at + 1] ?? profile.length)),
  )
  if (isAfter) return [0, ...slots.slice(1)]
  const before = slots.map((slot, at) => ids.find((id) => id < slot && id > (slots[at - 1] ?? -1)))
  return before.includes(undefined) ? [] : [0, ...before.slice(1).flatMap((id) => id ?? [])]
}

/**
 * Blocks of one column each, below the names of rounds or of buckets: `Slot, Semifinals, Finals`, or `NM, HD, HR`. A
 * column of slots in front belongs to all of them. null for other tables.
 */
export function crossedColumns(
  { rows, header, columns }: Block,
  profile: readonly ColumnProfile[],
  codes: BucketCodes,
): Block[] | null {
  if (header >= 0 && header !== 0) return null
  const names = rows[0]?.cells ?? []
  const filled = [...profile.keys()].filter((at) => profile[at]!.filled > 0)
  const isOfSlots = (at: number): boolean => {
    const { slots, codes: own, filled } = profile[at]!
    return isMost(slots + own, filled)
  }
  // The names are counted where they are no header.
  const isCounted = (at: number): boolean => header < 0 && isGiven(names[at] ?? '')
  const isOfIds = (at: number): boolean => {
    const { ids, open, filled } = profile[at]!
    return ids > 0 && isMost(ids + open, filled - Number(isCounted(at)))
  }
  const named = (isName: (cell: string) => boolean): number[] =>
    filled.filter((at) => isName(names[at] ?? '') && isOfIds(at))
  const isPart = /\s(?:[a-z]|[0-9]{1,2})\s*$/i
  const rounds = named((cell) => isRoundName(cell) || (ofRounds.test(cell) && isPart.test(cell)))
  const buckets = named(
    (cell) => isCode(cell, codes) && (!isSlot(cell, codes) || !/[0-9]/.test(cell)),
  )
  const isOfRounds = rounds.length >= buckets.length
  const own = isOfRounds ? rounds : buckets
  const others = filled.filter((at) => !own.includes(at))
  const label = others.find(isOfSlots) ?? -1
  const isPlace = (at: number): boolean => isMost(profile[at]!.small, profile[at]!.filled)
  if (own.length < 2 || others.some((at) => at !== label && !isPlace(at))) return null
  if (!isOfRounds && label >= 0) return null
  return own.map((column): Block => ({
    header: -1,
    columns: columns ?? [column, column],
    ...(isOfRounds && label < 0 && { isBare: true }),
    rows: rows.flatMap(({ line, text, cells, whole = text }, at): CellRow[] => {
      const cell = cells[column] ?? ''
      const own = at === 0 || label < 0 ? [cell] : [cells[label] ?? '', cell]
      return own.some(isGiven) ? [{ line, text: own.join('\t'), cells: own, whole }] : []
    }),
  }))
}
