import type { Pack, PackPage, PackReply } from '../contract/pack.ts'
import { PAGE_SIZE } from '../contract/bounds.ts'
import { ownerNameOf } from '../domain/owner-name.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import type { PackList } from '../ports/pack-store.ts'
import { type JsonBody, memoJson } from './json-body.ts'

const timestamp = (ms: number): string => new Date(ms).toISOString()

/**
 * A pack as it goes over the wire (spec 2.2, D-45, D-46). Nothing depends on who asks: a hidden
 * pack reaches its owner alone, so `hiddenAt` shows whenever it is set.
 */
const presentPack = (pack: SavedPack, poolsOwnerName: string): Pack => ({
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

const packMemo = memoJson<PackReply>()
const pageMemo = memoJson<PackPage>()

/** The answer that gives one pack. */
export const packBody = (pack: SavedPack, poolsOwnerName: string): JsonBody<PackReply> =>
  packMemo(pack, poolsOwnerName, () => ({ pack: presentPack(pack, poolsOwnerName) }))

/** How many pages a list has; at least one (D-15). */
export const pageCountOf = (list: PackList): number =>
  Math.max(1, Math.ceil(list.total / PAGE_SIZE))

/** The answer that gives one page of packs (spec 2.7). */
export const pageBody = (
  list: PackList,
  page: number,
  poolsOwnerName: string,
): JsonBody<PackPage> =>
  pageMemo(list, `${page} ${poolsOwnerName}`, () => ({
    packs: list.packs.map((pack) => presentPack(pack, poolsOwnerName)),
    page,
    pageCount: pageCountOf(list),
    total: list.total,
  }))
