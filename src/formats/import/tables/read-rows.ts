import { columnId, readId } from '../lines/plausible-ids.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import {
  type BucketCodes,
  isFilled,
  type Label,
  namesBucket,
  readWhole,
  tidy,
  isKnown,
} from '../words/labels.ts'
import { replacementsIn } from '../lines/corrections.ts'
import { mayBeSlot } from '../lines/likely-slots.ts'
import { isOfMods, isOwnLabel, mayPlan, planOfCells, readPlannedLine } from '../lines/plans.ts'
import {
  asked,
  type Finding,
  type Reading,
  reasons,
  refused,
  type RoundStart,
  type SlotReading,
} from '../readings.ts'
import { isRoundName, roundOfCell, roundOfHeading } from '../lines/round-names.ts'
import { LARGEST_ROUND } from '../words/rounds.ts'
import {
  type ColumnFacts,
  type Columns,
  holdsSets,
  holdsIds,
  isAnswer,
  isId,
  noColumns,
  topicOf,
} from './column-names.ts'
import { labelBeforeTitle, labelOfCell } from './row-cells.ts'
import { askIds, idBehindLabel } from './cell-ids.ts'
import { askColumns } from './id-columns.ts'
import { readTableRow, type RowContext } from './table.ts'
import { isCode, isSlot } from './block-columns.ts'
import { say } from '../import-message.ts'

const isPlanned = (reading: Reading): boolean =>
  reading.kind === 'refused' && reading.plan?.label != null

const labelBehind = /^(.{2,40}?)[\s:_–-]+(\p{L}{1,6}[ ]?[0-9]{0,2})$/u

/** The column of a label with its round, the first one or the only one that has a label. */
function labelAndRound(cells: readonly string[], codes: BucketCodes): number {
  const isBoth = (cell: string): boolean => {
    const [, name = '', label = ''] = labelBehind.exec(tidy(cell)) ?? []
    return label !== '' && isSlot(label, codes) && isRoundName(name)
  }
  const first = cells.findIndex(isFilled)
  if (first < 0 || isBoth(cells[first]!)) return first
  const [only = -1, another] = cells.flatMap((cell, at) =>
    isSlot(cell, codes) || (/[0-9]\s*$/.test(cell) && isBoth(cell)) ? [at] : [],
  )
  return another === undefined ? only : -1
}

/** `QF NM1`: the round in front of the label of a row. null where there is none, or a column for rounds. */
export function roundBefore(cells: readonly string[], columns: Columns, codes: BucketCodes) {
  if (cells.length < 2 || columns.includes('round') || columns.includes('division')) return null
  const isNamed = columns.includes('slot') || columns.includes('mod')
  const column = isNamed
    ? columns.findIndex((role) => role === 'slot' || role === 'mod')
    : labelAndRound(cells, codes)
  const [, name = '', label = ''] = labelBehind.exec(tidy(cells[column] ?? '')) ?? []
  if (label === '' || !isSlot(label, codes) || !isRoundName(name)) return null
  const round = roundOfCell(name)
  return round === null ? null : { column, label, round }
}

/** The same where the round has a cell of its own that no header names. */
export function roundBeside(
  cells: readonly string[],
  columns: Columns,
  { round: at }: ColumnFacts,
) {
  const isNamed = columns.includes('round') || columns.includes('division')
  if (at < 0 || isNamed || columns[at] !== undefined || cells.filter(isFilled).length < 2)
    return null
  const round = roundOfCell(cells[at] ?? '')
  return round === null ? null : { column: at, label: '', round }
}

/** What is doubtful has a sign or a word behind it: `129891?`, `129891 (tentative)`. */
const remarkedId =
  /^\s*([1-9][0-9]{4,7})\s*(?:[?!*]{1,3}|[([]\s*\p{L}(?:(?![0-9]{4})[^()[\]]){0,30}[)\]])\s*$/u

/** An id as sheets and people write it, `#129891`, `1.29891E+05` or `129891?`, where all its digits are there. */
export function plainId(cell: string): string {
  const [, number = null] = /^\s*#\s?([0-9]+)\s*$/.exec(cell) ?? remarkedId.exec(cell) ?? []
  if (number !== null) return number
  const [, first = '', decimals = '', power] =
    /^\s*([1-9])[.,]([0-9]+)[eE]\+?([0-9]{1,2})\s*$/.exec(cell) ?? []
  return power !== undefined && decimals.length === Number(power) ? first + decimals : cell
}

/** Numbers of a column that cannot be beatmaps. */
export function isCounter(
  cell: string,
  column: number,
  columns: Columns,
  { counters, ordinals }: ColumnFacts,
  titles: readonly string[],
): boolean {
  if (ordinals.has(column) && columns[column] === 'vague' && isId(titles[column])) return true
  // What is named so holds ids, however many of them are mistyped.
  return counters.has(column) && !holdsIds(column, columns, titles) && readId(cell) !== null
}

/** Once it is asked which of two columns has the beatmaps, no row with both is certain. */
export function askAlike(
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

/** The round that begins with a row: by its cell in a column for rounds, else by a heading in its first cell. */
export function roundOf(
  finding: Finding,
  cells: readonly string[],
  columns: Columns,
  isHeader: boolean,
  codes: BucketCodes,
): RoundStart | null {
  const { text, reading } = finding
  const isComment = text.trimStart().startsWith('#')
  const own = isHeader ? [] : [columns.indexOf('round'), columns.indexOf('division')]
  const cell = own.map((column) => cells[column] ?? '').find((each) => each.trim() !== '') ?? ''
  const isNone = cell === '' || isAnswer(cell) || (isComment && reading.kind === 'skipped')
  const named = isNone ? null : roundOfCell(cell)
  const filled = [...cells.keys()].filter((column) => isFilled(cells[column]!))
  if (named !== null || !mayBeHeading(finding, columns, filled.length > 1)) return named
  const [first = 0, ...others] = filled
  // `Round | Qualifiers`, above the table.
  if (others.length === 1 && roundKey.test(cells[first]!)) {
    const value = cells[others[0]!]!
    return isRoundName(value) ? roundOfHeading(value, codes) : null
  }
  if (isHeader && columns[first] !== undefined) return null
  if (!isHeader && others.length > 0) {
    const isOther = columns[first] === 'other' || columns[first] === 'beatmap'
    if (isOther || others.some((column) => namesBucket(cells[column]!, codes))) return null
  }
  return roundOfHeading((isComment && others.length > 0 ? text : cells[first]) ?? '', codes)
}

const roundKey =
  /^\s*(?:current )?(?:round|stage|phase|(?:map ?)?pool|ronda|rodada|runde|раунд|ラウンド|라운드|轮次|輪次)\s*:?\s*$/iu

/** The pool of a division in a round, whose own cell may be merged over the rows above. */
export function withDivision(
  round: RoundStart,
  cells: readonly string[],
  columns: Columns,
  lastRound: string,
): RoundStart {
  const division = columns.includes('round') ? tidy(cells[columns.indexOf('division')] ?? '') : ''
  return division === '' ? round : (roundOfCell(`${lastRound} ${division}`.trim()) ?? round)
}

/** `Week 1` and `Round of 16` read as beatmaps 1 and 16; a link or a longer number is more than a name. */
function mayBeHeading({ text, reading }: Finding, columns: Columns, isRow: boolean): boolean {
  const isSlot = reading.kind === 'slot'
  const isNamed = columns !== noColumns && isRow
  if (isSlot && (isNamed || reading.beatmapId > LARGEST_ROUND)) return false
  return !text.includes('://') && findTargets(text).length === 0
}

/** `???` has neither letter nor digit. */
export const question = /[?？]/

export function readRow(
  text: string,
  cells: readonly string[],
  table: RowContext,
  codes: BucketCodes,
): Reading {
  // `!mp map 75 0 | NM1 title` is no row: the rest of a command is a remark.
  if (/^\s*!mp\s+map\b/i.test(text)) return readPlannedLine(text, codes)
  // `NM1 https://… (changed to 129892, sorry)` is a line with a comma in it.
  if (table.columns === noColumns && cells.some(isReplaced)) return readPlannedLine(text, codes)
  const filled = cells.filter(isFilled)
  const [only = cells.find((cell) => question.test(cell)) ?? ''] = filled
  if (filled.length < 2) return readOneCell(only, cells, table, codes)
  const asLine = (): Reading | null => {
    const line = readPlannedLine(text, codes)
    const isProse = line.kind === 'refused' && (line.isProse === true || line.plan !== undefined)
    return line.kind === 'slot' || isProse ? line : null
  }
  const reading = withTold(readTableRow(cells, table, codes, asLine), cells, table, codes)
  const isWithoutBeatmap = reading.kind === 'refused' && reading.reason === reasons.noBeatmap
  if (table.columns !== noColumns || !isWithoutBeatmap) return reading
  // A line of a chat with a comma in it is no row.
  const plain = readPlannedLine(text, codes)
  const isProse = plain.kind === 'refused' && plain.isProse === true
  if (plain.kind === 'slot' || (isProse && !isPlanned(reading))) return plain
  const isPlan = plain.kind === 'refused' && plain.plan !== undefined
  if (isPlan && !isPlanned(reading)) return plain
  return holdSeveral(filled, codes) ? refused(reasons.severalBeatmaps) : reading
}

/** Whether the beatmap of a link is said to be another one now, behind it in its cell. */
function isReplaced(cell: string): boolean {
  const [target] = findTargets(cell)
  if (target?.beatmapId == null) return false
  return replacementsIn(cell.slice(target.end), target.beatmapId).size > 0
}

/** A row as it was read, with what other cells say of its slot and its beatmap. */
function withTold(
  reading: Reading,
  cells: readonly string[],
  { columns, titles }: RowContext,
  codes: BucketCodes,
): Reading {
  if (reading.kind !== 'slot') return reading
  const { label } = reading
  const open = cells.filter((_, at) => {
    const [role = 'vague', title = ''] = [columns[at], titles[at]]
    return role === 'vague' || (topicOf(title) === 'detail' && !holdsSets(title))
  })
  const slot = columns.indexOf('slot')
  const named = (slot < 0 ? open : [cells[slot] ?? '']).flatMap((cell) => labelsAlone(cell, codes))
  if (new Set(named).size > 1) return askWhich(named, reading, codes)
  return label?.index == null ? withTitleLabel(reading, open, codes) : withMods(reading, label)

  function withMods(own: SlotReading, { code, index }: Label): SlotReading {
    const at = columns.indexOf('mod')
    const mods = tidy(cells[at] ?? '')
    const said = slot < 0 || mods === '' ? null : labelOfCell(mods, codes)?.code
    if (said == null || foldCode(said) === foldCode(code ?? '') || !isCode(said, codes)) return own
    const taken = { field: tidy(titles[at] ?? ''), mods, label: `${code}${index}` }
    return { ...own, note: say('labelTaken', taken) }
  }
}

const ownLabel = /\p{L}{2,6}[ _-]?[0-9]{1,2}(?![\p{L}\p{N}])/gu
const LONGEST_LABELS = 30

/** The labels of a cell that holds nothing else but marks and short words between them: `NM1/HD1`, `NM1 or HD1`. */
function labelsAlone(cell: string, codes: BucketCodes): string[] {
  const text = cell.length > LONGEST_LABELS ? '' : tidy(cell)
  const parts = text.match(ownLabel) ?? []
  const between = text.replaceAll(ownLabel, ' ').match(/[\p{L}\p{N}]+/gu) ?? []
  const areLabels = parts.every((part) => {
    const label = labelOfCell(part, codes)
    return isKnown(label, codes) && label.index !== null
  })
  return areLabels && between.every((word) => /^\p{L}{1,4}$/u.test(word)) ? parts : []
}

/** Asks which of two slots a row is; of more, it is none for sure. */
function askWhich(named: readonly string[], reading: SlotReading, codes: BucketCodes): Reading {
  const slots = [...new Set(named)]
  if (slots.length > 2) return refused(reasons.unclearSlot)
  const id = reading.beatmapId
  const choices = slots.map((slot) => {
    return [say('slotIs', { slot, id }), { ...reading, label: labelOfCell(slot, codes) }] as const
  })
  return asked(say('twoSlots', { id }), choices)
}

const item = /^\s*[0-9]{1,2}[.)]\s+/
const before =
  /^[^\p{L}\p{N}]{0,4}(\p{L}[\p{L} ]{1,14}?)[ ._-]?#?([0-9]{1,2})(?![\p{L}\p{N}.,])\s*([:|)\]}–—-]?)/u
const behind = /\s\((\p{L}{1,6}[ -]?[0-9]{1,2}|TB)\)\s*$/u

/** A label with its number that names its mods in words, `NoMod 1: Artist - Title`, or is behind the title in brackets. */
function labelBesideTitle(cell: string, codes: BucketCodes) {
  const [, name = '', number = '', mark] = before.exec(tidy(cell)) ?? []
  const named = name === '' ? null : labelOfCell(`${name} ${number}`, codes)
  const last = behind.exec(cell)?.[1]
  const label = named ?? (last === undefined ? null : labelOfCell(last, codes))
  if (label?.code == null || !isKnown(label, codes)) return null
  const isSure = named === null || mark !== ''
  return {
    label: { code: label.code, index: label.index },
    text: `${label.code}${label.index ?? ''}`,
    isSure,
  }
}

/** A slot without a number whose label is in front of a title in another cell. */
function withTitleLabel(
  reading: SlotReading,
  cells: readonly string[],
  codes: BucketCodes,
): Reading {
  const { label, beatmapId: id } = reading
  const all = cells.flatMap((cell) => {
    const beside = labelBesideTitle(cell, codes)
    const plain = beside?.isSure === true ? null : labelBeforeTitle(cell.replace(item, ''), codes)
    const own = plain ?? beside
    return own === null ? [] : { ...own, other: idBehindLabel(cell.replace(item, '')) }
  })
  const own = all.filter((each) => label === null || each.label.code === label.code)
  const sure = own.filter(({ isSure, label: { index } }) => isSure && (label === null || index))
  const found = sure.length > 0 || label !== null ? sure : own
  const named = new Map(found.map((each) => [each.text, each.label]))
  const choices = [...named].slice(0, 2).map(([slot, own]) => {
    const text = say('slotIs', { slot, id })
    return [text, { ...reading, label: own, isCell: own.index !== null }] as const
  })
  const [first, second] = choices
  if (first === undefined) return reading
  if (second !== undefined) return asked(say('twoSlots', { id }), choices)
  // `NM1 129891, 129892`
  const { other } = found[0]!
  if (other !== null && other !== id) return askIds(first[1], [other, id])
  if (found[0]!.isSure) return first[1]
  const question = say('startsWithSlot', { what: found[0]!.text })
  return asked(question, [first, [say('noBucket'), reading]], 'starts with slots')
}

/** Whether two of the cells are slots by themselves. */
function holdSeveral(filled: readonly string[], codes: BucketCodes): boolean {
  let left = 2
  return filled.some((cell, at) => {
    // Too few are left.
    if (filled.length - at < left) return false
    if (left === 2 && filled.slice(at + 1).every((other) => !mayBeSlot(other, codes))) return false
    if (readPlannedLine(cell, codes).kind === 'slot') left -= 1
    return left === 0
  })
}

/** A row with one filled cell: a line of its own, or a label whose other cells are empty. */
function readOneCell(
  cell: string,
  cells: readonly string[],
  { columns, titles }: RowContext,
  codes: BucketCodes,
): Reading {
  const at = cells.indexOf(cell)
  const role = columns[at]
  const isSlot = role === 'slot' || role === 'mod'
  // `NM 1`, whose other cells are empty, is no beatmap 1.
  const isAlone = isSlot && Math.max(cells.length, columns.length) > 1
  const number = role === 'index' ? readWhole(tidy(cell)) : null
  if (number !== null) {
    const plan = { label: { code: null, index: number }, filling: {}, isCell: true, isSure: true }
    return { ...refused(reasons.noBeatmap), isItem: true, plan }
  }
  const own = isAlone ? labelOfCell(tidy(cell), codes) : null
  const isOwn = own !== null && isOwnLabel(own, cells, at, titles)
  if (isOwn && own.code === null) {
    const plan = { label: own, filling: {}, isCell: true, isSure: true, isInNone: true }
    return { ...refused(reasons.noBeatmap), isItem: true, plan }
  }
  const reading: Reading =
    own !== null && (isOwn || mayPlan(own, codes))
      ? { kind: 'heading', label: own }
      : readPlannedLine(cell, codes)
  const isInTable = cells.length > 1 || columns.length > 1
  const plan = reading.kind === 'refused' ? reading.plan : undefined
  // Below the cell of a bucket, which is merged over it.
  if (plan?.label === null && plan.isSure && columns !== noColumns) {
    return { ...refused(reasons.noBeatmap), isItem: true, plan: { ...plan, isCell: true } }
  }
  if (reading.kind !== 'heading' || !isInTable || !(isOwn || mayPlan(reading.label, codes))) {
    return reading
  }
  const filling = planOfCells(
    cells,
    cells.filter((each) => each !== cell),
    titles,
  )
  if (Object.keys(filling).length > 0) {
    const { label } = reading
    return { ...refused(reasons.noBeatmap), plan: { label, filling, isCell: true, isSure: true } }
  }
  const isRow = isSlot || (isOfMods(reading.label, codes) && reading.label.index !== null)
  return isRow ? { ...reading, isRow } : reading
}
