import { INDEX_DESCRIPTION_LENGTH } from '../contract/bounds.ts'
import type { Stats } from '../contract/packs.ts'
import type { IndexEntry } from '../contract/search-index.ts'
import { ownerNameOf, type SavedPack } from './packs.ts'
import { timestamp } from './time.ts'

/** What the search index is made from; reading whole packs for it would cost twice as much. */
export type IndexedPack = Pick<
  SavedPack,
  | 'slug'
  | 'name'
  | 'ownerId'
  | 'ownerUsername'
  | 'description'
  | 'stats'
  | 'createdAt'
  | 'updatedAt'
> & {
  /** How many slots its pool has. */
  readonly slotCount: number
}

/** A public pack as the search index shows it, its keys in the order of spec 2.10. */
export const indexEntryOf = (pack: IndexedPack, poolsOwnerName: string): IndexEntry => ({
  s: pack.slug,
  n: pack.name,
  o: ownerNameOf(pack, poolsOwnerName),
  c: pack.slotCount,
  d: startOf(pack.description ?? ''),
  u: timestamp(pack.updatedAt),
  t: timestamp(pack.createdAt),
  ...(pack.stats !== null && statsIn(pack.stats)),
})

const ELLIPSIS = '…'

/**
 * The start of a description in one line, at most 140 UTF-16 code units with the ellipsis that
 * stands where it was cut (spec 2.10, D-19). No character is cut in two.
 */
function startOf(description: string): string {
  const line = description.replace(/\s+/g, ' ').trim()
  if (line.length <= INDEX_DESCRIPTION_LENGTH) return line
  const end = INDEX_DESCRIPTION_LENGTH - ELLIPSIS.length
  const isInPair = /[\uD800-\uDBFF]/.test(line.charAt(end - 1))
  return line.slice(0, isInPair ? end - 1 : end).trimEnd() + ELLIPSIS
}

function statsIn(stats: Stats) {
  const stars = range(stats.srMin, stats.srMax)
  const length = range(stats.lenMin, stats.lenMax)
  const bpm = range(stats.bpmMin, stats.bpmMax)
  return {
    ...(stars !== null && { r: stars }),
    ...(stats.srAvg !== null && { a: stats.srAvg }),
    ...(length !== null && { l: length }),
    ...(bpm !== null && { b: bpm }),
    m: stats.mods.join(','),
    g: stats.modes.join(','),
    k: stats.complete,
  }
}

const range = (lowest: number | null, highest: number | null): [number, number] | null =>
  lowest === null || highest === null ? null : [lowest, highest]
