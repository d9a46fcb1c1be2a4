import { sql } from 'kysely'
import { DAY_MS } from '../../../contract/quotas.ts'
import { LONGEST_AGAIN_MS } from '../../../domain/beatmaps.ts'
import type { SavedPack } from '../../../domain/packs.ts'
import type { DuePack, StatsBacklog, StatsResult, StatsWork } from '../../../ports/stats.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareListQuery, prepareQueries } from '../query.ts'
import { packsWithOwner, toSavedPack } from './pack-queries.ts'
import { createPublicList, publicKey, type PublicKeyRow } from './public-list.ts'

/** In one transaction: other saves run in between. */
const MARKED_AT_ONCE = 1_000
/** More than any pack waits, for its next attempt or under a lease. */
const LONGEST_MS = 2 * DAY_MS

export function createStatsWork({ db, write, skipLocked, timeOf }: Engine): StatsWork {
  const queries = statsWorkQueries(skipLocked)
  const byIds = prepareListQuery((ids: readonly number[]) =>
    packsWithOwner(db).where('id', 'in', ids),
  )
  const list = createPublicList()

  /** How far the shared clock is ahead of the caller's, ms, as of the last look. */
  let ahead = 0
  async function sharedTime(on: Db, callerNow: number): Promise<number> {
    const now = await timeOf(on, callerNow)
    ahead = now - callerNow
    return now
  }
  const shared = (time: number | null): number | null => time && time + ahead

  async function markAll(callerNow: number): Promise<number> {
    const now = await sharedTime(db, callerNow)
    let marked = 0
    for (let after = 0; ;) {
      const portion = { after, now, limit: MARKED_AT_ONCE }
      const rows = await write('packs', (tx) => queries.markSome(tx, portion))
      marked += rows.length
      if (rows.length < MARKED_AT_ONCE) return marked
      after = rows.reduce((highest, { id }) => Math.max(highest, id), after)
    }
  }

  return {
    takeDue(callerNow, callerUntil, limit) {
      const work = async (tx: Db): Promise<DuePack[]> => {
        const now = await sharedTime(tx, callerNow)
        const times = { now, toCome: now + LONGEST_MS, leaseUntil: callerUntil + ahead }
        const taken = await queries.takeDue(tx, { ...times, limit })
        const ids = taken.map(({ id }) => id)
        const rows = new Map((await byIds(tx, ids)).map((row) => [row.id, row]))
        return taken.toSorted(longestDueFirst).flatMap(({ id, attempt, lease }) => {
          const row = rows.get(id)
          return row === undefined ? [] : [{ pack: toSavedPack(row), attempt, lease }]
        })
      }
      return write('packs', work, null)
    },

    finish({ pack: { slug, ownerId, updatedAt }, lease }, { stats, attempts, ...next }) {
      const work = async (tx: Db): Promise<boolean> => {
        const text = stats && JSON.stringify(stats)
        const times = { dueAt: shared(next.dueAt), askAgainAt: shared(next.askAgainAt ?? null) }
        const end = { slug, updatedAt, lease, stats: text, attempts, ...times }
        const [row] = await queries.finish(tx, end)
        if (row === undefined) return false
        if (stats !== null) await list.move(tx, slug, publicKey(row), publicKey(row))
        return true
      }
      return write('packs', work, ownerId)
    },

    async markDue(slug, callerNow) {
      if (slug === null) return markAll(callerNow)
      const now = await sharedTime(db, callerNow)
      return (await write('packs', (tx) => queries.markOne(tx, { slug, now }))).length
    },

    async askAgain(callerNow, limit) {
      const now = await sharedTime(db, callerNow)
      const [next] = await queries.nextAgain(db, {})
      // A moment that far ahead was set while the clock was (D-53).
      const tooLate = now + LONGEST_AGAIN_MS
      const { at = null, last = null } = next ?? {}
      if (at === null || last === null || (at > now && last <= tooLate)) return 0
      return (await write('packs', (tx) => queries.askAgain(tx, { now, tooLate, limit }))).length
    },

    async beginRecomputation() {
      await write('packs', (tx) => queries.beginRecomputation(tx, {}))
    },

    async markNext(callerNow, limit) {
      const [place] = await queries.place(db, {})
      if (!place || place.upTo === 0) return 0
      const now = await sharedTime(db, callerNow)
      const ids = await write('packs', async (tx) => {
        const marked = (await queries.markDown(tx, { now, limit })).map(({ id }) => id)
        const upTo = marked.length < limit ? 0 : Math.min(...marked) - 1
        await queries.setUpTo(tx, { upTo })
        return marked
      })
      return ids.length
    },

    async leftToMark() {
      const [left] = await queries.leftToMark(db, {})
      return left?.packs ?? 0
    },

    async backlog(callerNow, withinMs = 0) {
      const now = await sharedTime(db, callerNow)
      const [backlog] = await queries.backlog(db, { now: now + withinMs })
      if (backlog === undefined) return { length: 0, oldestDueAt: null, total: 0 }
      const { oldestDueAt } = backlog
      return { ...backlog, oldestDueAt: oldestDueAt && oldestDueAt - ahead }
    },

    async nextDueAt(callerNow) {
      const now = await sharedTime(db, callerNow)
      const [next] = await queries.next(db, {})
      if (!next || next.at === null || next.last === null) return null
      return next.last > now + LONGEST_MS ? callerNow : next.at - ahead
    },
  }
}

type TakeTimes = {
  readonly now: number
  /** No pack waits beyond this. */
  readonly toCome: number
  readonly leaseUntil: number
}

type TakenRow = Omit<DuePack, 'pack'> & { readonly id: number; readonly dueAt: number }

function longestDueFirst(a: TakenRow, b: TakenRow): number {
  return a.dueAt - b.dueAt || a.id - b.id
}

function statsWorkQueries(skipLocked: Engine['skipLocked']) {
  // Written out, not bound: only so do the engines see that an index holds these packs alone.
  const isFree = sql`stats_due_at is not null and stats_lease_until = 0`
  const isHeld = sql`stats_lease_until > 0`

  const upTo = sql`select value from shared_number where name = 'recompute_up_to'`

  const mark = (now: number) => sql`
    update pack set stats_due_at = ${now}, stats_lease_until = 0,
      stats_lease_token = stats_lease_token + 1, stats_attempts = 0`

  return prepareQueries({
    /**
     * Takes those that are free, and those whose lease has expired; the longest due. Another worker does
     * not wait for what this one is taking or an owner is saving.
     */
    takeDue: ({ now, toCome, leaseUntil, limit }: TakeTimes & { limit: number }) =>
      sql<TakenRow>`
        with free as materialized (
          select id, stats_due_at from pack where ${isFree} and stats_due_at <= ${now}
          order by stats_due_at, id limit ${limit} ${skipLocked}
        ), expired as materialized (
          select id, stats_due_at from pack where ${isHeld} and stats_lease_until <= ${now}
          order by stats_lease_until, id limit ${limit} ${skipLocked}
        ), put_off as materialized (
          select id, stats_due_at from pack where ${isFree} and stats_due_at > ${toCome}
          order by stats_due_at, id limit ${limit} ${skipLocked}
        ), kept as materialized (
          select id, stats_due_at from pack where ${isHeld} and stats_lease_until > ${toCome}
          order by stats_lease_until, id limit ${limit} ${skipLocked}
        ), due as materialized (
          select * from free union all select * from expired
          union all select * from put_off union all select * from kept
          order by stats_due_at, id limit ${limit}
        )
        update pack set stats_lease_until = ${leaseUntil},
          stats_lease_token = stats_lease_token + 1, stats_attempts = stats_attempts + 1
        where id in (select id from due)
        returning id, stats_due_at as "dueAt", stats_attempts as attempt,
          stats_lease_token as lease`,

    backlog: ({ now }: { now: number }) => sql<StatsBacklog>`
      select count(*) as total, count(*) filter (where stats_due_at <= ${now}) as length,
        min(stats_due_at) filter (where stats_due_at <= ${now}) as "oldestDueAt"
      from (
        select stats_due_at from pack where ${isFree}
        union all select stats_due_at from pack where ${isHeld}
      ) as work`,

    next: () => sql<{ at: number | null; last: number | null }>`
      select min(at) as at, max(at) as last from (
        select min(stats_due_at) as at from pack where ${isFree}
        union all select max(stats_due_at) from pack where ${isFree}
        union all select min(stats_lease_until) from pack where ${isHeld}
        union all select max(stats_lease_until) from pack where ${isHeld}
      ) as moments`,

    /** Returns no row when the pack has been saved, marked or taken since, or is gone. */
    finish: (end: FinishedWork) => sql<PublicKeyRow>`
      update pack set stats = coalesce(${end.stats}, stats), stats_due_at = ${end.dueAt},
        stats_lease_until = 0, stats_attempts = ${end.attempts}, ask_again_at = ${end.askAgainAt}
      where slug = ${end.slug} and updated_at = ${end.updatedAt} and stats_lease_token = ${end.lease}
      returning id, visibility, hidden_at as "hiddenAt", updated_at as "updatedAt"`,

    markOne: ({ slug, now }: { slug: string; now: number }) =>
      sql<{ id: number }>`${mark(now)} where slug = ${slug} returning id`,

    // One aggregate each: SQLite reads the whole index for two.
    nextAgain: () => sql<{ at: number | null; last: number | null }>`
      select
        (select min(ask_again_at) from pack where ask_again_at is not null) as at,
        (select max(ask_again_at) from pack where ask_again_at is not null) as last`,

    // A pack that is due for another reason is asked about then.
    askAgain: ({ now, tooLate, limit }: { now: number; tooLate: number; limit: number }) =>
      sql<{ id: number }>`
        update pack set stats_due_at = coalesce(stats_due_at, ${now}), ask_again_at = null
        where id in (
          select id from pack where ask_again_at is not null
            and (ask_again_at <= ${now} or ask_again_at > ${tooLate})
          order by ask_again_at, id limit ${limit}
        )
        returning id`,

    beginRecomputation: () => sql`
      update shared_number set value = coalesce((select max(id) from pack), 0)
      where name = 'recompute_up_to'`,

    /** Marks the next packs of the recomputation, from its place downward. */
    markDown: ({ now, limit }: { now: number; limit: number }) =>
      sql<{ id: number }>`${mark(now)}
        where id in (
          select id from pack where id <= (${upTo}) order by id desc limit ${limit}
        )
        returning id`,

    place: () => sql<{ upTo: number }>`
      select value as "upTo" from shared_number where name = 'recompute_up_to'`,

    setUpTo: ({ upTo }: { upTo: number }) => sql`
      update shared_number set value = ${upTo} where name = 'recompute_up_to'`,

    leftToMark: () => sql<{ packs: number }>`
      select count(*) as packs from pack where id <= (${upTo})`,

    /** Marks the next packs after this id, in the order of their ids. */
    markSome: ({ after, now, limit }: { after: number; now: number; limit: number }) =>
      sql<{ id: number }>`${mark(now)}
        where id in (select id from pack where id > ${after} order by id limit ${limit})
        returning id`,
  })
}

type FinishedWork = Omit<StatsResult, 'stats' | 'askAgainAt'> &
  Pick<SavedPack, 'slug' | 'updatedAt'> &
  Pick<DuePack, 'lease'> & {
    /** JSON; null leaves those it has. */
    stats: string | null
    askAgainAt: number | null
  }
