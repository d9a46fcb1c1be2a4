import { sql } from 'kysely'
import type { PackFeedEntry } from '../../../domain/changes.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries, prepareQuery, type Query } from '../query.ts'
import { createFeed, forgetReader } from './feed.ts'
import { type ListKey, newMark, type PublicList } from './public-list.ts'

type Change = Omit<PackFeedEntry, 'cursor' | 'wasListed' | 'isListed'>

/** When the pack was updated last where it stands in the public list; null where it does not. */
type ListTime = ListKey['updatedAt'] | null

type ChangeLogEngine = Pick<Engine, 'nextSeq' | 'writesInWith'>

/** What the transactions that change packs write to the feed, and to the public list. */
export function createChangeLog({ nextSeq, writesInWith }: ChangeLogEngine, list: PublicList) {
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
    forgetReader: forgetReader('pack_change'),
  })

  /** @param from the pack's place in the public list before, and `to` after; null when it is not in it. */
  async function append(tx: Db, change: Change, from: ListKey | null, to: ListKey | null) {
    await list.move(tx, change.slug, from, to)
    const listed = { was: from === null ? 0 : 1, is: to === null ? 0 : 1 } as const
    await queries.append(tx, { ...change, ...listed, mark: newMark() })
  }

  return {
    append,

    /**
     * A write of the row of a pack, and then the entry of it: in one statement where the engine can.
     *
     * @param build returns the row; where it returns none, there is no entry.
     */
    prepareNoted<P extends object, R extends { readonly id: number }>(
      build: (values: P) => Query<R>,
    ) {
      const write = prepareQuery(build)
      const writeNoted = prepareQuery((all: P & EntryValues) => withEntry(build(rowOf(all)), all))
      return async (
        tx: Db,
        values: P,
        change: Change,
        from: ListTime,
        to: ListTime,
      ): Promise<R[]> => {
        if (writesInWith) return writeNoted(tx, { ...values, ...entryOf(change, from, to) })
        const rows = await write(tx, values)
        const keyOf = (updatedAt: ListTime, id: number) =>
          updatedAt === null ? null : { updatedAt, id }
        for (const { id } of rows) await append(tx, change, keyOf(from, id), keyOf(to, id))
        return rows
      }
    },

    /** The account is gone: what its packs were, and who had them, stays secret. */
    async forgetOwner(tx: Db, ownerId: string): Promise<void> {
      await queries.forgetOwner(tx, { ownerId })
      await queries.forgetReader(tx, { id: ownerId })
    },
  }
}

const entryOf = (change: Change, from: ListTime, to: ListTime) => ({
  entryAt: change.at,
  entryKind: change.kind,
  entrySlug: change.slug,
  entryOwnerId: change.ownerId,
  entryMark: newMark(),
  entryFrom: from,
  entryTo: to,
  entryWas: from === null ? 0 : 1,
  entryIs: to === null ? 0 : 1,
  entryListMark: newMark(),
})

type EntryValues = ReturnType<typeof entryOf>

/** Without the values of the entry. */
const rowOf = <P extends object>(all: P & EntryValues): P =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('entry'))) as P

const withEntry = <R>(write: Query<R>, entry: EntryValues) => sql<R>`
  with written as (${write}), noted as (
    insert into pack_change (mark, at, kind, slug, owner_id, was_listed, is_listed)
    select ${entry.entryMark}, ${entry.entryAt}, ${entry.entryKind}, ${entry.entrySlug},
      ${entry.entryOwnerId}, ${entry.entryWas}, ${entry.entryIs}
    from written
  ), moved as (
    insert into public_change (slug, pack_id, from_updated_at, to_updated_at, mark)
    select ${entry.entrySlug}, id, cast(${entry.entryFrom} as bigint), cast(${entry.entryTo} as bigint),
      ${entry.entryListMark}
    from written where coalesce(${entry.entryFrom}, ${entry.entryTo}) is not null
  )
  select * from written`

type EntryRow = Change & { was: 0 | 1; is: 0 | 1 }

/** What has happened to packs (D-73). */
export const createChangeFeed = (engine: Engine) =>
  createFeed(engine, {
    table: 'pack_change',
    key: 'change_cursor',
    readers: sql`case when was_listed + is_listed > 0 then null else ' ' || coalesce(owner_id, '') || ' ' end`,
    isFor: (accountId) => sql`(was_listed + is_listed > 0 or owner_id = ${accountId})`,
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
