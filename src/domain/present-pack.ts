import type { Pack } from '../contract/pack.ts'
import { ownerNameOf } from './owner-name.ts'
import type { SavedPack } from './saved-pack.ts'

/** A point in time as it goes over the wire: ISO 8601, UTC, milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString()

/**
 * A pack as it goes over the wire (spec 2.2, D-45, D-46). Nothing depends on who asks: a hidden
 * pack reaches nobody who may not know it, so `hiddenAt` shows whenever it is set.
 */
export const presentPack = (pack: SavedPack, poolsOwnerName: string): Pack => ({
  slug: pack.slug,
  name: pack.name,
  visibility: pack.visibility,
  ...(pack.description !== null && { description: pack.description }),
  slots: [...pack.slots],
  ...(pack.buckets !== null && { buckets: [...pack.buckets] }),
  exports: pack.exports.map(({ url, createdAt }) => ({
    kind: 'magnet',
    url,
    createdAt: timestamp(createdAt),
  })),
  ...(pack.hiddenAt !== null && { hiddenAt: timestamp(pack.hiddenAt) }),
  ...(pack.stats !== null && { stats: pack.stats }),
  createdAt: timestamp(pack.createdAt),
  updatedAt: timestamp(pack.updatedAt),
  packKey: pack.packKey,
  ownerName: ownerNameOf(pack, poolsOwnerName),
})
