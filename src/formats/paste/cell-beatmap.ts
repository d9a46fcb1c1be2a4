import { reasons } from './reading.ts'
import { findTargets } from '../../pool/beatmap-links.ts'
import { readWhole, tidy } from './words.ts'

/** The beatmap's id, or why there is none. */
export type CellBeatmap = number | string

/** The beatmap in the cells of which the header says that it stands there. */
export function beatmapIn(cells: readonly string[], columns: readonly number[]): CellBeatmap {
  return lookInto(columns.map((column) => cells[column] ?? ''))
}

function lookInto(cells: readonly string[]): CellBeatmap {
  const targets = cells.flatMap((cell) => findTargets(cell))
  const linked = targets.flatMap(({ beatmapId }) => beatmapId ?? [])
  const [id, another] = new Set([...cells.flatMap((cell) => readId(cell) ?? []), ...linked])
  if (another !== undefined) return reasons.conflict
  if (id !== undefined) return id
  return targets.length > 0 ? reasons.wholeSet : reasons.noBeatmap
}

/** Ids of beatmaps have been longer than anything else that sheets count since 2007. */
const LEAST_LONG = 10_000
/** Among several numbers, a lower one behind a slot is rather a level of difficulty. */
const LEAST_SHORT = 100

/**
 * The beatmap of a row when no header says where it stands: its link; else the one number that is
 * long or stands right behind the slot. What could be another number is not guessed at.
 *
 * @param cells those that say something else left empty.
 * @param place the column of the slot; null when the row names none.
 */
export function findBeatmap(cells: readonly string[], place: number | null): CellBeatmap {
  const linked = lookInto(cells.filter((cell) => readId(cell) === null))
  if (typeof linked === 'number') return linked
  if (linked === reasons.conflict) return reasons.severalBeatmaps
  const numbers = cells.map(readId)
  const all = numbers.filter((number) => number !== null)
  const expected = place === null ? cells.findIndex((cell) => tidy(cell) !== '') : place + 1
  const first = numbers[expected] ?? null
  const likely = new Set(all.filter((number) => number >= LEAST_LONG))
  if (first !== null && (all.length === 1 || first >= LEAST_SHORT)) likely.add(first)
  const [id, another] = likely
  if (id !== undefined && another === undefined) {
    return linked === reasons.wholeSet && id < LEAST_LONG ? linked : id
  }
  return all.length === 0 || linked === reasons.wholeSet ? linked : reasons.unnamedColumns
}

/** A cell that is a whole number, also as programs (`129891.0`) and sheets (`129,891`) show it. */
function readId(cell: string): number | null {
  const text = tidy(cell).replace(/\.0+$/, '')
  const isGrouped = /^[0-9]{1,3}(?:[,\u0020\u00a0\u2009\u202f][0-9]{3})+$/.test(text)
  return readWhole(isGrouped ? text.replaceAll(/[^0-9]/g, '') : text)
}
