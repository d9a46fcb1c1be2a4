import type { ForcedMod } from '../contract/mods.ts'
import type { Slot } from '../contract/pools.ts'
import { playedBpm, playedDifficulty, playedLength, roundHalfUp } from '../pool/played-values.ts'
import type { Pool } from '../pool/pool.ts'
import { slotLabel, slotMods, slotsInPoolOrder } from '../pool/slots.ts'
import { guardCell } from './cell-guard.ts'
import type { DetailsBySlot, SlotDetails } from './slot-details.ts'

const header = [
  'Slot',
  'Beatmap ID',
  'Set ID',
  'Artist',
  'Title',
  'Version',
  'Mapper',
  'Stars',
  'Length',
  'BPM',
  'CS',
  'AR',
  'OD',
  'HP',
]
const unknown = header.slice(2).map(() => '')

/**
 * The pool as comma-separated values (RFC 4180), a row for each slot in pool order. Stars are with
 * the slot's mods, length (seconds), BPM, CS, AR, OD and HP too (D-32); what is not known is empty. Cells that a spreadsheet could run as a formula are guarded by an
 * apostrophe, which `readPaste` takes off again.
 */
export function writeCsv(pool: Pool, details: DetailsBySlot): string {
  return write(pool, details, ',', '\r\n')
}

/** The pool as `writeCsv` has it, in the form that spreadsheets copy and paste. */
export function writeTsv(pool: Pool, details: DetailsBySlot): string {
  return write(pool, details, '\t', '\n')
}

function write(pool: Pool, details: DetailsBySlot, separator: string, lineBreak: string): string {
  const quoteCell = quoter(separator)
  const rows = [header, ...rowsOf(pool, details)]
  return rows
    .map((cells) => cells.map((cell) => quoteCell(guardCell(cell))).join(separator) + lineBreak)
    .join('')
}

function rowsOf(pool: Pool, details: DetailsBySlot): string[][] {
  const plays = slotMods(pool)
  const slots = pool.slots.map((slot, at) => ({ ...slot, at, forced: plays[at]?.forced ?? [] }))
  return slotsInPoolOrder({ ...pool, slots }).map((slot) => rowOf(slot, details.get(slot.at)))
}

function rowOf(
  slot: Slot & { readonly forced: readonly ForcedMod[] },
  known: SlotDetails | undefined,
): string[] {
  const place = [slotLabel(slot), String(slot.beatmapId)]
  return [...place, ...(known === undefined ? unknown : detailCells(known, slot.forced))]
}

function detailCells({ details, stars }: SlotDetails, mods: readonly ForcedMod[]): string[] {
  const { circleSize, approachRate, overallDifficulty, healthDrain } = playedDifficulty(
    details,
    mods,
  )
  return [
    String(details.setId),
    details.artist,
    details.title,
    details.difficulty,
    details.mapper,
    stars === null ? '' : roundHalfUp(stars, 2).toFixed(2),
    String(playedLength(details, mods)),
    String(playedBpm(details, mods) ?? ''),
    ...[circleSize, approachRate, overallDifficulty, healthDrain].map(String),
  ]
}

/** Quotes a cell where it would be read otherwise than it is. */
const quoter = (separator: string): ((cell: string) => string) => {
  const special = new RegExp(`["\\r\\n${separator}]|^\\s|\\s$`)
  return (cell) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
}
