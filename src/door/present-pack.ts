import { PAGE_SIZE } from '../contract/bounds.ts'
import type { PackPage, PackReply } from '../contract/packs.ts'
import { presentPack, type SavedPack } from '../domain/packs.ts'
import {
  type IfMatch,
  type Precondition,
  preconditionOf,
  tagsOf,
} from '../domain/reading/requests.ts'
import type { PackList } from '../ports/packs.ts'
import { type JsonBody, memoJson } from './json-body.ts'

const packMemo = memoJson<PackReply>()
const pageMemo = memoJson<PackPage>()

/** The answer that gives one pack. */
export const packBody = (pack: SavedPack, poolsOwnerName: string): JsonBody<PackReply> =>
  packMemo(pack, poolsOwnerName, () => ({ pack: presentPack(pack, poolsOwnerName) }))

/** What a write on condition compares `If-Match` with: the tags that reading the pack would give. */
export const packPrecondition = (
  ifMatch: IfMatch | null,
  poolsOwnerName: string,
): Precondition<SavedPack> | undefined =>
  preconditionOf(ifMatch, (pack) => tagsOf(packBody(pack, poolsOwnerName).etag))

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
