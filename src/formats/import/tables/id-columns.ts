import { type BucketCodes, isFilled, tidy } from '../words/labels.ts'
import { holdsDetails } from '../words/planned.ts'
import { LARGEST_ID, LEAST_LONG, readId } from '../lines/plausible-ids.ts'
import { namesByLine } from './column-facts.ts'
import { mayHoldIds, namesNumbers, topicOf } from './column-names.ts'
import { askColumn, type Finding, reasons, slotReading } from '../readings.ts'
import type { CellRow } from './transposed.ts'

/**
 * Asks whether the numbers of a column are beatmaps where rows plan their slots without, each number is as long as an id, and
 * the name of the column is another one: `Song ID`, `Pick #`.
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
