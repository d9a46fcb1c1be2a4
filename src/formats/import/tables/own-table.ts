import { foldName, isCode, placeOf, slotLabel } from '../../../pool/slots.ts'
import {
  isOwnHeader,
  mayBeBeatmap,
  readRows,
  separatorOfOwn,
  unguardPlanned,
} from '../../tables.ts'
import { say } from '../import-message.ts'
import { failed } from '../lines/plans.ts'
import { LARGEST_ID } from '../lines/plausible-ids.ts'
import {
  type Finding,
  planReading,
  type Reading,
  reasons,
  skipped,
  slotReading,
} from '../readings.ts'
import type { FoundShape } from '../shapes.ts'
import { cutDetails, cutPlanned } from '../words/planned.ts'

type Cells = Readonly<Record<string, string>>

/**
 * Reads a table that is as `writeTable` writes it, cell by cell: what a map or a round is called says nothing of the sheet.
 *
 * @returns null for any other table, and for one of ours with a row that has been changed to what `writeTable` does not write.
 */
export function readOwnTable(text: string) {
  const separator = separatorOfOwn(text)
  if (separator === null) return null
  const [head, ...rows] = readRows(text, separator)
  const titles = head?.cells ?? []
  if (head === undefined || !isOwnHeader(titles)) return null
  const hasNames = titles[0] !== 'Slot'
  const places = new Set<string>()
  const findings: Finding[] = [{ line: 1, text: head.text, reading: skipped }]
  for (const { line, text: row, cells } of rows) {
    const finding = { line, text: row }
    const isEmpty = cells.every((cell) => cell === '')
    const own: Cells = Object.fromEntries(titles.map((title, at) => [title, cells[at] ?? '']))
    const { [titles[0]!]: name = '', Slot: label = '' } = own
    const reading = isEmpty ? skipped : cells.length === titles.length ? readOwnRow(own) : null
    const place = `${label} ${hasNames ? foldName(name) : ''}`
    if (reading === null || places.has(place) || (!isEmpty && name.trim() === '')) return null
    if (!isEmpty) places.add(place)
    const isNamed = hasNames && !isEmpty
    findings.push({ ...finding, reading, ...(isNamed && { round: { name, by: 'cell' } }) })
  }
  const shape: FoundShape = { id: 'table', isCertain: true, why: say('isHeaded', { line: 1 }) }
  return places.size === 0 ? null : { shape, findings }
}

function readOwnRow(cells: Cells): Reading | null {
  const { Slot: slot = '', 'Beatmap ID': id = '', Link: link = '' } = cells
  const { mod: code, index } = placeOf(slot)
  const isPlace = code === null || isCode(code)
  if (!isPlace || slotLabel({ mod: code, index }) !== slot || failed.test(id)) return null
  const label = { code, index }
  if (/^[1-9][0-9]*$/.test(id)) {
    const { link: known } = cutPlanned({ link })
    const filling = known === undefined ? {} : { filling: { link: known } }
    return Number(id) > LARGEST_ID
      ? null
      : { ...slotReading(label, Number(id), 'columns'), ...filling }
  }
  const placeholder = unguardPlanned(id)
  if (placeholder === id && mayBeBeatmap(id)) return null
  const { Artist: artist = '', Title: title = '' } = cells
  const { Version: difficulty = '', Mapper: mapper = '' } = cells
  const details = cutDetails({ artist, title, difficulty, mapper }) ?? {}
  const filling = cutPlanned({ placeholder, details, link })
  const planned = planReading(label, filling, reasons.noBeatmap)
  const inNone = code === null ? { isInNone: true } : {}
  return { ...planned, plan: { ...planned.plan!, isCell: true, isWritten: true, ...inNone } }
}
