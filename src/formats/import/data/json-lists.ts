import { shown } from '../../draft-builder.ts'
import type { Literal } from '../../json/parse-literal.ts'
import { type ImportMessage, say } from '../import-message.ts'
import { readPlannedLine } from '../lines/plans.ts'
import { type Reading, reasons, refused, type RoundStart } from '../readings.ts'
import { readTable } from '../text/read-text.ts'
import { knownBucket } from '../words/bucket-names.ts'
import { type BucketCodes, isKnown } from '../words/labels.ts'
import { codeOf, idOf, isNothing, labelOf, LEAST_ID, wholeOf } from './json-fields.ts'
import { planFor, planOfValue, surePlanOf } from './json-plans.ts'

// Lists with texts that say nothing of a beatmap, and those of GraphQL.

/** Whether a comma is behind each value but the last, as in a list without its brackets. */
export const areItems = (text: string, values: readonly Literal[]): boolean =>
  values.slice(0, -1).every(({ end }) => /^\s*,/.test(text.slice(end, end + 100)))

/** What is beside the items of a list in a reply of GraphQL. */
const besideItems = new Set(['edges', 'nodes', 'pageInfo', 'totalCount', '__typename'])

/** Data with each list that GraphQL has in an object (`edges` of a `node` each, `nodes`) in the place of that object. */
export const asLists = (text: string, values: readonly Literal[]): Literal[] =>
  /\b(?:edges|nodes)\b/.test(text) ? values.map(asList) : [...values]

function asList(value: Literal): Literal {
  if (value.kind === 'list') return { ...value, items: value.items.map(asList) }
  if (value.kind !== 'object') return value
  const lists = value.members.flatMap(({ key, value: list }) =>
    (key === 'edges' || key === 'nodes') && list.kind === 'list' ? list : [],
  )
  const list = lists.find(({ items }) => items.length > 0) ?? lists[0]
  const items = list?.items.map((item) => {
    const node = item.kind === 'object' ? item.members.find(({ key }) => key === 'node') : undefined
    return asList(node?.value ?? item)
  })
  const { start, end } = value
  return items !== undefined && value.members.every(({ key }) => besideItems.has(key))
    ? { kind: 'list', items, start, end }
    : {
        ...value,
        members: value.members.map((member) => ({ ...member, value: asList(member.value) })),
      }
}

/** Whether a list, or one in it where its items have no places of their own, has a text that says nothing of a beatmap. */
function holdsNames(items: readonly Literal[], isNumbered: boolean, codes: BucketCodes) {
  const inner = items.map((item) => (item.kind === 'list' ? item.items : []))
  return [items, ...(isNumbered ? [] : inner)].some((each) =>
    each.some((item) => isNameOnly(item, codes)),
  )
}

/** Whether an item is a text that says nothing of a beatmap: the numbers beside it are names, too. */
function isNameOnly(item: Literal, codes: BucketCodes): boolean {
  if (item.kind !== 'text' || isNothing(item)) return false
  if (idOf(item) !== null || surePlanOf(item) !== null) return false
  const read = readPlannedLine(item.value.slice(0, MAX_SHOWN), codes)
  const isHeading = read.kind === 'heading' && knownBucket(item.value, codes) === null
  return isHeading || (read.kind === 'refused' && read.plan === undefined)
}

const MAX_SHOWN = 200

/** Whether numbers of a list can be ids, as far as its place says: beside names they are none, or asked in a bucket. */
export function numbersIn<N extends boolean | ImportMessage>(
  items: readonly Literal[],
  { code, numbers }: { readonly code: string | null; readonly numbers: N },
  codes: BucketCodes,
): N | false | ImportMessage {
  if (!holdsNames(items, code !== null, codes)) return numbers
  const haveIds = items.some((item) => (wholeOf(item) ?? 0) >= LEAST_ID)
  if (!haveIds || numbers === false) return false
  if (typeof numbers === 'string') return numbers
  return code === null ? false : say('areIds')
}

/** Whether a list has rows of numbers of which one column is of low ones: ids beside mods, stars, lengths or others. */
export function isUnnamedTable(items: readonly Literal[]): boolean {
  const rows = items.map((item) => (item.kind === 'list' ? item.items : []))
  const [first = []] = rows
  const isTable =
    rows.length > 1 &&
    first.length > 1 &&
    rows.every((row) => row.length === first.length && row.every(({ kind }) => kind === 'number'))
  const isLow = (item: Literal): boolean => item.kind === 'number' && item.value < LEAST_ID
  const low = first.filter((_, column) => isTable && rows.every((row) => isLow(row[column]!)))
  return low.length > 0 && low.length < first.length && !rows.every((row) => row.every(isLow))
}

/** What a value, which is part of a table, says. */
export type TableReading = {
  readonly span: Literal
  readonly reading: Reading
  /** The round of a row, by its cell in a column for rounds. */
  readonly within?: { readonly round: RoundStart }
}

/** The slots of a list of rows, each a list of cells, as sheets give them to programs; null for other lists, and for pairs. */
export function readRowsOf(items: readonly Literal[], codes: BucketCodes): TableReading[] | null {
  if (isUnnamedTable(items)) {
    return items.map((span) => ({ span, reading: refused(reasons.unnamedColumns) }))
  }
  const cells = items.flatMap((item) =>
    item.kind === 'list' && item.items.every(isCell) ? [item.items.map(textOfCell)] : [],
  )
  if (items.length < 2 || cells.length < items.length) return null
  if (!cells.some(({ length }) => length > 2)) return null
  const lines = cells.map((row, at) => ({ line: at + 1, text: row.join('\t'), cells: row }))
  const pools = readTable(lines, codes, '').filter(({ kind }) => kind === 'pool')
  const found = pools.flatMap(({ findings }) => findings)
  const isPool = found.some(
    ({ reading }) =>
      reading.kind === 'asked' || (reading.kind === 'slot' && reading.label !== null),
  )
  if (!isPool) return null
  let within: TableReading['within'] = undefined
  return found.map(({ line, reading, round }) => {
    if (round !== undefined) within = { round }
    return { span: items[line - 1]!, reading, ...(within !== undefined && { within }) }
  })
}

const isCell = (item: Literal): boolean =>
  item.kind === 'list' ? item.items.every(({ kind }) => kind === 'text') : item.kind !== 'object'

function textOfCell(cell: Literal): string {
  if (isNothing(cell)) return ''
  return cell.kind === 'text' ? cell.value : cell.kind === 'number' ? String(cell.value) : ''
}

/** The list of a slot or of a bucket in which no item is a beatmap, beside keys that have some: an empty one is a slot to come. */
export function lostList(key: string, value: Literal, codes: BucketCodes): Reading | null {
  if (value.kind !== 'list') return null
  const items = value.items.filter((item) => !isNothing(item))
  const label = labelOf(key, codes)
  const isSlot = isKnown(label, codes) && label.index !== null
  const reason = say('noIdOf', { what: shown(key) })
  if (items.some((item) => item.kind !== 'text' || idOf(item) !== null)) return null
  if (isSlot) {
    const [only, second] = items
    const planned = second !== undefined ? null : only === undefined ? {} : planOfValue(only)
    return planned === null ? refused(reason) : planFor(label, planned, reason)
  }
  const areNames = items.length > 0 && items.every((item) => isNameOnly(item, codes))
  return areNames && codeOf(key, codes) !== null ? refused(reason) : null
}
