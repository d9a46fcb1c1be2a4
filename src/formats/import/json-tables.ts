import type { Literal } from '../json/parse-literal.ts'
import { idOf, isNothing, labelOf, type NamedMember } from './json-fields.ts'
import { surePlanOf } from './json-plans.ts'
import type { BucketCodes } from './labels.ts'
import { readTable } from './read-text.ts'
import { planReading, type Reading, slotReading } from './readings.ts'

/** What a value, which is part of a table, says. */
export type TableReading = { readonly span: Literal; readonly reading: Reading }

/**
 * The slots of a list of rows, each of them a list of cells, as sheets give them to programs; null for a list of anything
 * else, and for pairs, which have a meaning of their own.
 */
export function readRowsOf(items: readonly Literal[], codes: BucketCodes): TableReading[] | null {
  const rows = items.map((item) =>
    item.kind === 'list' && item.items.every(isCell) ? item.items.map(textOfCell) : null,
  )
  if (rows.length < 2 || rows.includes(null)) return null
  const cells = rows as string[][]
  if (!cells.some(({ length }) => length > 2)) return null
  const lines = cells.map((row, at) => ({ line: at + 1, text: row.join('\t'), cells: row }))
  const pools = readTable(lines, codes, '').filter(({ kind }) => kind === 'pool')
  const found = pools.flatMap(({ findings }) => findings)
  const isPool = found.some(({ reading }) => reading.kind === 'slot' && reading.label !== null)
  return isPool ? found.map(({ line, reading }) => ({ span: items[line - 1]!, reading })) : null
}

const isCell = ({ kind }: Literal): boolean => kind !== 'object' && kind !== 'list'

function textOfCell(cell: Literal): string {
  if (isNothing(cell)) return ''
  return cell.kind === 'text' ? cell.value : cell.kind === 'number' ? String(cell.value) : ''
}

/** The slots of an object with their labels in one list and their beatmaps, in the same order, in another. */
export function readListsBeside(
  members: readonly NamedMember[],
  codes: BucketCodes,
): TableReading[] | null {
  const lists = members.flatMap(({ value }) => (value.kind === 'list' ? [value.items] : []))
  const labels = lists.find(
    (items) =>
      items.length > 1 &&
      items.every((item) => item.kind === 'text' && labelOf(item.value, codes) !== null),
  )
  const ids = lists.find(
    (items) =>
      items.length === labels?.length &&
      items !== labels &&
      items.some((item) => typeof idOf(item) === 'number') &&
      items.every((item) => typeof idOf(item) === 'number' || surePlanOf(item) !== null),
  )
  if (labels === undefined || ids === undefined) return null
  return labels.map((item, at): TableReading => {
    const label = item.kind === 'text' ? labelOf(item.value, codes) : null
    const id = idOf(ids[at])
    const reading =
      typeof id === 'number'
        ? slotReading(label, id, 'pair')
        : planReading(label, surePlanOf(ids[at]!) ?? {}, 'It has no beatmap id.')
    return { span: item, reading }
  })
}
