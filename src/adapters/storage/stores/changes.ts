import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { PackFeedEntry } from '../../../domain/changes.ts'
import { type Db, type Engine, prepareQueries } from '../engine.ts'
import { createFeed } from './feed.ts'
import type { ListKey, PublicList } from './public-list.ts'

type Change = Omit<PackFeedEntry, 'cursor' | 'wasListed' | 'isListed'>

/** What the transactions that change packs write to the feed, and to the public list. */
export function createChangeLog({ nextSeq }: Pick<Engine, 'nextSeq'>, list: PublicList) {
  const queries = prepareQueries({
    append: (change: Change & { mark: number; was: 0 | 1; is: 0 | 1 }) => sql`
      insert into pack_change (seq, mark, at, kind, slug, owner_id, was_listed, is_listed)
      values (${nextSeq('pack_change')}, ${change.mark}, ${change.at}, ${change.kind}, ${change.slug},
        ${change.ownerId}, ${change.was}, ${change.is})`,

    // An entry keeps its place, since the cursor of a reader may be there.
    forgetOwner: ({ ownerId }: { ownerId: string }) => sql`
      update pack_change set owner_id = null,
        slug = case when was_listed + is_listed > 0 then slug else '' end
      where owner_id = ${ownerId}`,
  })

  return {
    /** @param from the pack's place in the public list before, and `to` after; null when it is not in it. */
    async append(tx: Db, change: Change, from: ListKey | null, to: ListKey | null): Promise<void> {
      await list.move(tx, change.slug, from, to)
      const listed = { was: from === null ? 0 : 1, is: to === null ? 0 : 1 } as const
      await queries.append(tx, { ...change, ...listed, mark: randomInt(2 ** 31) })
    },

    /** The account is gone: what its packs were, and who had them, stays secret. */
    async forgetOwner(tx: Db, ownerId: string): Promise<void> {
      await queries.forgetOwner(tx, { ownerId })
    },
  }
}

type EntryRow = Change & { was: 0 | 1; is: 0 | 1 }

/** What has happened to packs (D-73). */
export const createChangeFeed = (engine: Engine) =>
  createFeed(engine, {
    table: 'pack_change',
    key: 'change_cursor',
    columns: sql`at, kind, slug, owner_id as "ownerId", was_listed as was, is_listed as "is"`,
    toEntry: ({ at, kind, slug, ownerId, was, is }: EntryRow, cursor): PackFeedEntry => ({
      cursor,
      at,
      kind,
      slug,
      ownerId,
      wasListed: was === 1,
      isListed: is === 1,
    }),
  })
