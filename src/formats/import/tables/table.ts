import {
  LEAST_LONG,
  LEAST_SHORT,
  type BeatmapOrReason,
  type CellLabel,
  beatmapIn,
  findBeatmap,
  findLabel,
  isSummary,
  labelIn,
  labelUnderHeader,
  numbered,
  wordsOf,
} from './row-cells.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import { shown } from '../../draft-builder.ts'
import {
  type ColumnFacts,
  type Columns,
  holdsSets,
  isId,
  namesBeatmaps,
  noColumns,
  topicOf,
} from './column-names.ts'
import { readMarkedId } from './cell-ids.ts'
import { askColumns, likelyColumns } from './id-columns.ts'
import { isTitleAsked } from '../lines/items.ts'
import {
  codeOfWords,
  isKnown,
  isPlain,
  readLabel,
  readWhole,
  tidy,
  type BucketCodes,
  type Label,
} from '../words/labels.ts'
import { mayBeSlot } from '../lines/likely-slots.ts'
import { holdsDetails, isOfSet, isUndecided, plannedOfSet } from '../words/planned.ts'
import { LARGEST_ID, readId } from '../lines/plausible-ids.ts'
import { isOfMods, isOwnLabel, mayPlan, planOfCells, readRemarked } from '../lines/plans.ts'
import { type Plan, type Reading, reasons, refused, skipped } from '../readings.ts'
import { say } from '../import-message.ts'

/** The table that a row is of. */
export type RowContext = {
  readonly columns: Columns
  /** What a header calls the columns. */
  readonly titles: readonly string[]
  readonly facts: ColumnFacts
}

/**
 * What a row of two filled cells or more says.
 * @param asLine what it says as a line, null if that says less: it goes before a plan where nothing names a slot.
 */
export function readTableRow(
  cells: readonly string[],
  { columns, titles, facts }: RowContext,
  codes: BucketCodes,
  asLine: () => Reading | null,
): Reading {
  if (isSummary(cells)) return skipped
  if (columns === noColumns && !isNumberOfBucket(cells, facts)) {
    const plain = readFewCells(cells, codes)
    if (plain !== null) return plain
  }
  const rest = cells.map((cell, column) =>
    (columns[column] ?? 'vague') === 'vague' && column !== facts.index ? cell : '',
  )
  const isSlotNamed = columns.includes('slot') || columns.includes('mod')
  const found = isSlotNamed
    ? labelUnderHeader(cells, columns, codes)
    : numbered(findLabel(rest, facts.slot, codes), cells[facts.index])
  if (typeof found === 'string') {
    return refused(say('noSlot', { what: shown(found) }))
  }
  const others = rest.map((cell, column) => (column === found.column ? '' : cell))
  const beatmapId = beatmapOf({ cells, others, columns, titles }, found.column)
  if (typeof beatmapId === 'string') {
    const isSeveral = beatmapId !== reasons.noBeatmap && beatmapId !== reasons.wholeSet
    const likely = isSeveral ? likelyColumns(cells, columns, found.column) : []
    if (found.label !== null && likely.length > 1) return askColumns(found.label, likely, titles)
    const isNameless = columns === noColumns && found.label === null
    // A link may be that of a set, which goes before.
    const mayBeLine = isNameless && !cells.join().includes('://')
    const line = mayBeLine && beatmapId === reasons.noBeatmap ? asLine() : null
    if (line !== null) return line
    const row = { cells, others, columns, titles }
    const marked = beatmapId === reasons.noBeatmap ? markedOf(found, row, facts, codes) : null
    if (marked !== null) return marked
    const plan =
      beatmapId === reasons.noBeatmap
        ? planOfRow(found, row, codes)
        : beatmapId === reasons.wholeSet
          ? planOfSetRow(found, row, codes)
          : null
    const isSetId = beatmapId === reasons.noBeatmap && plan !== null && isOfSet(plan.filling)
    return {
      ...refused(isSetId ? reasons.setId : beatmapId),
      isItem: found.label?.code == null,
      ...(found.label && { label: found.label, isSplit: found.isSplit === true }),
      ...(plan && { plan: isSetId ? { ...plan, refusal: reasons.setId } : plan }),
    }
  }
  if (columns === noColumns && cells.some((cell) => holdsOther(cell, beatmapId))) {
    return refused(reasons.severalBeatmaps)
  }
  if (found.label === null && columns === noColumns && cells.join().includes('://')) {
    // `[NM1] Artist - Title | 6.5* | https://…`
    const line = asLine()
    if (line?.kind === 'slot' && line.label?.code != null && line.beatmapId === beatmapId)
      return { ...line, isCell: true }
  }
  const isNamed = found.label === null ? namesBeatmaps(columns, titles) : columns !== noColumns
  const rule = isNamed ? 'columns' : 'row'
  const split = found.isSplit === true ? { isSplit: true } : {}
  return { kind: 'slot', label: found.label, beatmapId, rule, isCell: true, ...split }
}

/** Whether a cell has a slot with a beatmap of its own: `NM1,NM2: 129891,129892` is no row. */
const holdsOther = (cell: string, beatmapId: number): boolean => {
  const [, id] = ownBeatmap.exec(cell) ?? []
  return id !== undefined && Number(id) !== beatmapId
}
const ownBeatmap = /(?<![\p{L}\p{N}])\p{L}{1,12}\s?[0-9]{1,2}.{0,8}[:=]\s*([0-9]{5,8})\s*$/u

type Row = {
  readonly cells: readonly string[]
  /** Those that hold neither the label nor what the header says is something else. */
  readonly others: readonly string[]
  readonly columns: Columns
  readonly titles: readonly string[]
}

/** What a row says whose id has something beside it in its cell. */
function markedOf(found: CellLabel, row: Row, facts: ColumnFacts, codes: BucketCodes) {
  const { label, isSplit } = found
  const { cells, columns } = row
  const isOfIds = (at: number): boolean =>
    columns === noColumns ? facts.numbered.has(at) : isIdColumn(row, at)
  const [cell, another] = cells.filter((each, at) => isOfIds(at) && /[0-9]{5}/.test(each))
  if (label === null || cell === undefined || another !== undefined) return null
  const rule = columns === noColumns ? 'row' : 'columns'
  const slot = { kind: 'slot', label, rule, isCell: true, ...(isSplit && { isSplit }) } as const
  const plan = planOfRow(found, row, codes)
  return readMarkedId(cell, slot, { ...refused(reasons.noBeatmap), ...(plan && { plan }) }, codes)
}

function isIdColumn({ columns, titles }: Row, at: number): boolean {
  const isSlotNamed = columns.includes('slot') || columns.includes('mod')
  return columns[at] === 'beatmap' || (columns[at] === 'vague' && isSlotNamed && isId(titles[at]))
}

/** What a row without a beatmap plans; null if it is not clear for which slot. */
function planOfRow(
  { label: own, column, isSplit }: CellLabel,
  row: Row,
  codes: BucketCodes,
): Plan | null {
  const { cells, others, columns, titles } = row
  const isSlotNamed = columns.includes('slot') || columns.includes('mod')
  // `HR1 | DT2`
  const isLabel = (cell: string): boolean =>
    [cell, ...cell.split(/[|/&+]/)].some((part) => {
      const each = labelIn(part, codes)
      return isKnown(each, codes) && each.index !== null
    })
  // Rows of bans, of scores and of several pools side by side.
  if (cells.some((cell, at) => at !== column && !holdsDetails(titles, at) && isLabel(cell)))
    return null
  const number = isSlotNamed ? null : readWhole(tidy(cells[column + 1] ?? ''))
  const isNext = own?.code != null && own.index === null && number !== null && number <= 99
  const label = isNext ? { code: own.code, index: number } : own
  const named = cells.filter((_, at) => columns[at] === 'beatmap')
  // An id that is mistyped is no plan.
  if (others.some((cell) => /^\s*[-+]\s?[0-9]+\s*$|^\s*[0-9][0-9.,\s]*[0-9]{4}\s*$/.test(cell)))
    return null
  if (cells.some((cell, at) => isIdColumn(row, at) && isMistyped(cell))) return null
  const filling = planOfCells(cells, [...others, ...named], columns === noColumns ? [] : titles)
  const isEmpty = Object.keys(filling).length === 0
  // `NM1;129.891` says more than that the slot is empty.
  if (isEmpty && others.some((cell) => /^\s*[0-9]{1,3}[.'’][0-9]{3}\s*$/.test(cell))) return null
  const split = isSplit === true || isNext ? { isSplit: true } : {}
  const plan = { label, filling, isCell: true, ...split }
  if (label === null) return isEmpty ? null : { ...plan, isSure: isSongOrOpen(filling) }
  if (isOwnLabel(label, cells, column, titles))
    return { ...plan, isSure: true, ...(label.code === null && { isInNone: true }) }
  if (label.code === null) return { ...plan, isSure: isSlotNamed }
  if (mayPlan(label, codes))
    return { ...plan, isSure: isSlotNamed || isOfMods(label, codes) || isSongOrOpen(filling) }
  return !isEmpty && isKnown(label, codes) ? { ...plan, isSure: isSlotNamed } : null
}

/** Whether a cell of ids has digits and no words. */
const isMistyped = (cell: string): boolean =>
  /[0-9]/.test(cell) && !/\p{L}{2}|[?？]|:\/\//u.test(cell)

/** A row whose only link is that of a set: what the other cells say of its map, and the link. */
function planOfSetRow(found: CellLabel, row: Row, codes: BucketCodes): Plan | null {
  const { cells } = row
  const at = cells.findIndex((cell) => findTargets(cell).length > 0)
  const linked = plannedOfSet(cells[at] ?? '')
  const without = (own: readonly string[]): string[] =>
    own.map((cell) => (cell === cells[at] ? '' : cell))
  const plan = planOfRow(
    found,
    { ...row, cells: without(cells), others: without(row.others) },
    codes,
  )
  if (plan === null || linked === null || plan.label?.code == null) return null
  return {
    ...plan,
    filling: { ...linked, ...plan.filling, ...pickLink(linked) },
    refusal: reasons.wholeSet,
  }
}

const pickLink = ({ link }: Plan['filling']) => (link === undefined ? {} : { link })

function isSongOrOpen({ placeholder = '', details, link }: Plan['filling']): boolean {
  return isUndecided(placeholder) || details?.title !== undefined || link !== undefined
}

function beatmapOf({ cells, others, columns, titles }: Row, place: number): BeatmapOrReason {
  const named = beatmapIn(cells.filter((_, column) => columns[column] === 'beatmap'))
  if (typeof named === 'number' || named === reasons.conflict) return named
  const vague = beatmapIn(others.filter((_, column) => columns[column] === 'vague'))
  if (vague !== reasons.noBeatmap && vague !== reasons.tooLarge) return vague
  // The title may be the link, whose own column is empty.
  const isLinked = (cell: string, at: number): boolean =>
    isOfBeatmap(titles[at]) && findTargets(cell).some((each) => each.beatmapId !== null)
  const linked = named === reasons.noBeatmap ? beatmapIn(cells.filter(isLinked)) : named
  if (linked !== reasons.noBeatmap || columns.includes('beatmap')) return linked
  const found = findBeatmap(others, place)
  // Its column is empty: a low number elsewhere counts something.
  const isCount =
    columns.includes('vague') &&
    typeof found === 'number' &&
    found < LEAST_SHORT &&
    others.some((cell) => readId(cell) === found)
  return isCount ? reasons.noBeatmap : found
}

const isOfBeatmap = (title = ''): boolean => topicOf(title) === 'detail' && !holdsSets(title)

/** `NM,3,,`: a bucket and the number of its slot, and no other number. */
function isNumberOfBucket(cells: readonly string[], { index }: ColumnFacts): boolean {
  return index >= 0 && cells.every((cell, at) => at === index || !/[0-9]/.test(cell))
}

/** A number with something between its thousands. */
const separated = /[0-9][^\p{L}\p{N}][0-9]{3}/u

const withIdName = (cell: string): string =>
  (readWhole(cell) ?? 0) >= LEAST_LONG ? `id ${cell}` : cell

/** `NM1,129891` · `NM,1,129891` · `RC1,2,555` · `129891,NM1`. */
function readFewCells(cells: readonly string[], codes: BucketCodes): Reading | null {
  const filled = cells.map(tidy).filter((cell) => cell !== '')
  if (filled.length > 3) return null
  const plain = filled.map((cell) => (separated.test(cell) ? String(readId(cell) ?? cell) : cell))
  const read = (parts: readonly string[]): Reading | null => {
    const line = parts.join(' ')
    return mayBeSlot(line, codes) ? readRemarked(line, codes) : null
  }
  const joined = read(plain)
  const isOpen = joined?.kind === 'refused' || (joined?.kind === 'asked' && isTitleAsked(joined))
  // In a cell of its own, a number is no part of a title.
  const reading = isOpen ? read(plain.map(withIdName)) : joined
  if (reading?.kind !== 'slot' || isWord(reading.label, codes)) return null
  // A code alone in its cell, `Finals,TB,https://…`.
  if (reading.label === null && filled.some((cell) => isKnown(labelIn(cell, codes), codes)))
    return null
  // The row may have a title, which is planned.
  if (filled.some((cell) => (readId(cell) ?? 0) > LARGEST_ID)) return null
  const isSplit = filled.length === 3 && /^\p{L}+$/u.test(filled[0] ?? '')
  const isOwn = filled.some((cell) => codeOfWords(wordsOf(cell)) === reading.label?.code)
  return isDoubtful(filled, codes)
    ? refused(reasons.unnamedColumns)
    : { ...reading, isCell: true, isSplit, ...(isOwn && { isTitled: false }) }
}

/** Whether the first cell may as well be a title, as small letters are rather in longer words: `Lime,4392960`. */
function isWord(label: Label | null, codes: BucketCodes): boolean {
  if (label?.code == null || isPlain(label, codes)) return false
  return label.code.length > 3 && label.code !== label.code.toUpperCase()
}

/** `NM1,9,129891`: number 9 of a bucket NM1, or NM1 with some level? */
function isDoubtful([first = '', ...numbers]: readonly string[], codes: BucketCodes): boolean {
  if (numbers.length !== 2 || numbers.some((cell) => readWhole(cell) === null)) return false
  const label = readLabel([first], codes)
  return isKnown(label, codes) && label.index !== null
}
