import { INDEX_DESCRIPTION_LENGTH } from '../contract/bounds.ts'
import type { Stats } from '../contract/packs.ts'
import type { IndexEntry } from '../contract/search-index.ts'
import { ownerNameOf, type SavedPack } from './packs.ts'
import { timestamp } from './quotas.ts'

/** What the search index is made from; reading whole packs for it would cost twice as much. */
export type IndexedPack = Pick<SavedPack, 'slug' | 'name' | 'ownerId' | 'ownerUsername'> &
  Pick<SavedPack, 'description' | 'stats' | 'createdAt' | 'updatedAt'> & {
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

/** A text's start in a line: 140 UTF-16 code units, no pair split (spec 2.10, D-19). */
export function startOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= INDEX_DESCRIPTION_LENGTH) return line
  const end = INDEX_DESCRIPTION_LENGTH - ELLIPSIS.length
  const isInPair = /[\uD800-\uDBFF]/.test(line.charAt(end - 1))
  return line.slice(0, isInPair ? end - 1 : end).trimEnd() + ELLIPSIS
}

function statsIn({ srAvg, mods, modes, complete, ...stats }: Stats) {
  return {
    ...range('r', stats.srMin, stats.srMax),
    ...(srAvg !== null && { a: srAvg }),
    ...range('l', stats.lenMin, stats.lenMax),
    ...range('b', stats.bpmMin, stats.bpmMax),
    m: mods.join(','),
    g: modes.join(','),
    k: complete,
  }
}

function range(key: 'r' | 'l' | 'b', lowest: number | null, highest: number | null) {
  return lowest === null || highest === null ? {} : { [key]: [lowest, highest] }
}
