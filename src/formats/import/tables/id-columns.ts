import { type BucketCodes, isFilled, isKnown, type Label, tidy } from '../words/labels.ts'
import { holdsDetails } from '../words/planned.ts'
import { columnId, LARGEST_ID, LEAST_LONG, readId } from '../lines/plausible-ids.ts'
import { namesByLine } from './column-facts.ts'
import {
  type Columns,
  holdsSets,
  mayHoldIds,
  namesNumbers,
  replacedIn,
  roleOf,
  topicOf,
} from './column-names.ts'
import {
  askColumn,
  asked,
  type AskedReading,
  type Finding,
  type Reading,
  reasons,
  refused,
  skipped,
  type SlotReading,
  slotReading,
} from '../readings.ts'
import { LEAST_SHORT } from './row-cells.ts'
import type { SlotRow } from './beside-columns.ts'
import type { CellRow } from './transposed.ts'
import { say } from '../import-message.ts'

/**
 * Asks whether the numbers of a column are beatmaps where rows plan their slots without, each number is as long as an id, and
 * the name of the column is another one: `Trek ID`, `Pick #`.
 */
export function askIds(
  findings: readonly Finding[],
  rows: readonly CellRow[],
  codes: BucketCodes,
): Finding[] {
  const cellsAt = new Map(rows.map(({ line, cells }) => [line, cells]))
  const plans = findings.flatMap((finding) => {
    const { reading, line } = finding
    const isPlan = reading.kind === 'refused' && reading.reason === reasons.noBeatmap
    const plan = isPlan && reading.plan?.isCell === true ? reading.plan : undefined
    const cells = cellsAt.get(line) ?? []
    return plan?.label == null ? [] : [{ finding, reading, plan, cells }]
  })
  if (plans.length === 0) return [...findings]
  const names = namesByLine(rows, codes)
  const likely = (cell: string): number | null => {
    const id = readId(cell)
    return id !== null && id >= LEAST_LONG && id <= LARGEST_ID ? id : null
  }
  const width = plans.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const columns = Array.from({ length: width }, (_, column) => column).filter((column) => {
    const filled = plans.filter(({ cells }) => isFilled(cells[column] ?? ''))
    const ids = new Set(filled.flatMap(({ cells }) => likely(cells[column]!) ?? []))
    return ids.size > 0 && ids.size === filled.length
  })
  const asking = new Map(
    plans.flatMap(({ finding, reading, plan, cells }): [Finding, Finding['reading']][] => {
      const titles = names.get(finding.line) ?? []
      const own = columns.filter(
        (column) => likely(cells[column] ?? '') !== null && isOfIds(titles[column] ?? ''),
      )
      const [column, another] = own
      if (column === undefined || another !== undefined || reading.kind !== 'refused') return []
      const { label, isSplit } = plan
      const id = likely(cells[column]!)!
      const slot = {
        ...slotReading(label, id, 'columns'),
        isCell: true,
        ...(isSplit === true && { isSplit }),
      }
      return [[finding, askColumn(slot, reading, tidy(titles[column] ?? ''), column)]]
    }),
  )
  return findings.map((each) => ({ ...each, reading: asking.get(each) ?? each.reading }))
}

/** Whether a column of this name may hold ids for all that it says: titles may be numbers, too. */
function isOfIds(title: string): boolean {
  const topic = topicOf(title)
  const isOpen = topic === undefined || topic === 'detail' || namesNumbers(title)
  return isOpen && mayHoldIds(tidy(title)) && (namesNumbers(title) || !holdsDetails([title], 0))
}

const fewWords = /^[^\p{L}\p{N}]{0,3}\p{L}+(?:[ _-]\p{L}+){0,2}[^\p{L}\p{N}]{0,3}$/u

/** Asks about bare numbers below a line that is the name of a column of other numbers, `Score`; ids of sets are no beatmaps. */
export function askColumnAbove(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  let column: string | null = null
  return findings.map((finding, at) => {
    const { text, reading } = finding
    if (isFilled(text) && !isBareNumber(finding)) {
      column = columnIn(finding, findings.slice(at + 1, at + 3), codes)
      return column === null ? finding : { ...finding, reading: skipped }
    }
    if (column === null || reading.kind !== 'slot') return finding
    const isSet = holdsSets(column)
    return {
      ...finding,
      reading: isSet ? refused(reasons.setId) : askColumn(reading, skipped, column, 0),
    }
  })
}

const isBareNumber = ({ text, reading }: Finding): boolean =>
  reading.kind === 'slot' &&
  reading.label === null &&
  /^[^\p{L}\p{N}]*[0-9]+[^\p{L}\p{N}]*$/u.test(text)

/** The name of a column of other numbers than beatmaps that a line is, with such a number below it. */
function columnIn(
  { text, reading, round }: Finding,
  below: readonly Finding[],
  codes: BucketCodes,
): string | null {
  const next = below.find((each) => isFilled(each.text))
  if (round !== undefined || next === undefined || !isBareNumber(next)) return null
  const name = tidy(text).replace(/:$/, '')
  if (!fewWords.test(name) || !(roleOf(name) === 'other' || !mayHoldIds(name))) return null
  // Buckets have words of their own: `Gimmick:`.
  const isOwn = reading.kind === 'heading' && topicOf(name) !== 'detail'
  return reading.kind === 'refused' || (isOwn && !isKnown(reading.label, codes)) ? name : null
}

const withWord =
  /^[^\p{L}\p{N}]*(\p{L}[\p{L} ]{0,30}?)[^\p{L}\p{N}]{1,4}((?:https?:\/\/|osu\.ppy\.sh)\S{1,200}|[0-9]+)[^\p{L}\p{N}]*$/u

/** Whether a cell names another beatmap than that of its row: `alt: 75`. */
export function isSpareCell(cell: string): boolean {
  const [, word = '', beatmap = ''] = withWord.exec(cell) ?? []
  return replacedIn.test(word.toLowerCase()) && (columnId(beatmap) ?? 0) >= LEAST_LONG
}

/**
 * What a column of backups or of old beatmaps holds, or a cell that says so of its own (`alt: 75`), is left out, with a note at
 * the first row that has one.
 */
export function sparesOf(
  slots: readonly SlotRow[],
  titles: readonly string[],
): [Finding, Reading][] {
  const width = slots.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const isSpare = (name: string): boolean => replacedIn.test(name.toLowerCase())
  return [...Array(width).keys()].flatMap((column): [Finding, Reading][] => {
    const title = tidy(titles[column] ?? '')
    const isOther = (roleOf(title) ?? 'other') === 'other' && topicOf(title) === undefined
    if (!isOther) return []
    const spares = slots.flatMap(({ finding, reading, cells }) => {
      const cell = tidy(cells[column] ?? '')
      const [, word = '', beatmap = ''] = withWord.exec(cell) ?? []
      const isNamed = isSpare(title)
      const id = columnId(isNamed || isSpare(word) ? beatmap || cell : '') ?? 0
      const name = isNamed ? title : word
      return id < LEAST_LONG ? [] : [{ finding, reading, id, name }]
    })
    const taken = spares.filter(
      ({ reading, id, name }) => id === reading.beatmapId && name !== title,
    )
    if (taken.length > 0)
      return taken.map(({ finding, reading, name }) => [finding, askSpare(reading, name)])
    const others = spares.filter(({ reading, id }) => id !== reading.beatmapId)
    const [first] = others
    if (first === undefined) return []
    const ids = others.slice(0, MOST_NAMED).map(({ id }) => id)
    const what = `“${first.name}” (${ids.join(', ')})`
    return [[first.finding, { ...first.reading, note: say('leftOut', { what }) }]]
  })
}

const MOST_NAMED = 5

/** Asks about a beatmap that was read behind such a word. */
function askSpare(reading: SlotReading, name: string): Reading {
  const question = say('isAside', { what: `“${name}”` })
  const choices = [
    [say('noLeaveIt'), skipped],
    [say('yesUseIt'), reading],
  ] as const
  return asked(question, choices, `spare ${name}`)
}

/**
 * Asks which of several columns has the beatmaps, in one question for all rows that have them.
 *
 * @param titles what a header calls the columns.
 */
export function askColumns(
  label: Label | null,
  columns: readonly { readonly column: number; readonly beatmapId: number }[],
  titles: readonly string[],
): AskedReading {
  const choices = columns.slice(0, MOST_CHOICES).map(({ column, beatmapId }) => {
    const title = tidy(titles[column] ?? '')
    const name = title.slice(0, LONGEST_TITLE).toWellFormed()
    const text =
      name === ''
        ? say('columnNumber', { column: column + 1, id: beatmapId })
        : say('columnNamed', { title: name, id: beatmapId })
    const reading = { ...slotReading(label, beatmapId, 'columns'), isCell: true }
    return [text, reading] as const
  })
  const question = say('whichColumn')
  return asked(question, choices, `columns ${columns.map(({ column }) => column).join(', ')}`)
}

/** The columns of a row that may have its beatmap, each with another one. */
export function likelyColumns(cells: readonly string[], columns: Columns, place: number) {
  const open = cells.flatMap((cell, column) => {
    const role = columns[column]
    const isOpen =
      column !== place && (role === undefined || role === 'vague' || role === 'beatmap')
    const beatmapId = isOpen ? columnId(cell) : null
    const isLikely = beatmapId !== null && beatmapId >= LEAST_SHORT && beatmapId <= LARGEST_ID
    return isLikely ? [{ column, beatmapId }] : []
  })
  const ids = new Set(open.map(({ beatmapId }) => beatmapId))
  return ids.size === open.length && open.length <= MOST_CHOICES ? open : []
}

const MOST_CHOICES = 3
const LONGEST_TITLE = 40

/** A slot, and what its row or object names in place of its beatmap or besides, by column or field. */
type NamedRow = {
  readonly reading: SlotReading
  readonly named: ReadonlyMap<string, { readonly id: number; readonly isLink: boolean }>
}

/** Asks which of the link and the id of a slot is meant where they are the same beatmap in at least as many others. */
export function askUnlike<Row extends NamedRow>(rows: readonly Row[]): Map<Row, Reading> {
  const balance = new Map<string, number>()
  for (const { reading, named } of rows)
    for (const [key, { id }] of named) {
      const change = id === reading.beatmapId ? 1 : id < LEAST_LONG ? 0 : -1
      balance.set(key, (balance.get(key) ?? 0) + change)
    }
  return new Map(
    rows.flatMap((row): [Row, Reading][] => {
      const { reading, named } = row
      const own = [...named.values()].find(({ id }) => id === reading.beatmapId)
      const isOther = ([key, { id, isLink }]: [string, { id: number; isLink: boolean }]): boolean =>
        id !== own?.id && id >= LEAST_LONG && isLink !== own?.isLink && balance.get(key)! >= 0
      const [, other] = own === undefined ? [] : ([...named].find(isOther) ?? [])
      if (other === undefined) return []
      const [link, id] = other.isLink
        ? [other.id, reading.beatmapId]
        : [reading.beatmapId, other.id]
      const choices = [
        [say('theLink', { id: link }), { ...reading, beatmapId: link }],
        [say('theId', { id }), { ...reading, beatmapId: id }],
        [say('leaveLine'), skipped],
      ] as const
      return [[row, asked(say('idOrLink'), choices)]]
    }),
  )
}

/** The same for the rows of a table, by their columns. */
export function askCells(slots: readonly SlotRow[]): [Finding, Reading][] {
  const rows = slots.map((row) => {
    const named = row.cells.flatMap((cell, column) => {
      const id = columnId(cell)
      return id === null ? [] : [[`${column}`, { id, isLink: cell.includes('/') }] as const]
    })
    return { ...row, named: new Map(named) }
  })
  return [...askUnlike(rows)].map(([{ finding }, reading]) => [finding, reading])
}
