import { sql } from 'kysely'
import { MAX_VERSIONS } from '../../../contract/bounds.ts'
import type { StaffRole } from '../../../contract/tournaments.ts'
import { SYSTEM_ACCOUNT_ID } from '../../../domain/accounts.ts'
import { BoundedMap } from '../../../domain/bounded-map.ts'
import type {
  PackChange,
  RoundContent,
  SavedMember,
  SavedTournament,
  TournamentContent,
} from '../../../domain/tournaments.ts'
import type { RoundVersion, TournamentFilter, TournamentStore } from '../../../ports/tournaments.ts'
import type { Db, Engine, SharedTime } from '../engine.ts'
import { prepareQueries, readPage, textContains } from '../query.ts'
import { packQueries } from './pack-queries.ts'
import { packSaves } from './pack-saves.ts'
import { createPublicList } from './public-list.ts'
import {
  draftJson,
  listedColumns,
  toListed,
  toRoundRow,
  toTournamentColumns,
  tournamentReads,
} from './tournament-rows.ts'

/** With their rounds and packs, up to 0.2 MB each. */
const MAX_TOURNAMENTS = 200

export function createTournamentStore(
  engine: Engine,
  sharedTime: SharedTime = null,
): TournamentStore {
  const { db, read, write, lock } = engine
  const reads = tournamentReads(db)
  const cached = engine.newCache<SavedTournament>(MAX_TOURNAMENTS)
  const readCached = cacheTournaments(engine, reads)
  const packs = packSaves(engine, packQueries(db), createPublicList())
  const queries = prepareQueries({
    scheduled: ({ rows }: { rows: number }) =>
      sql<{ slug: string; roundId: string; releaseAt: number }>`
        select tournament as slug, id as "roundId", release_at as "releaseAt"
        from tournament_round where release_at is not null
        order by release_at, tournament, id limit ${rows}`,

    hosted: ({ id, except }: { id: string; except: string }) => sql<{ hosted: number }>`
      select count(*) as hosted from tournament_staff
      where account_id = ${id} and role = 'host' and tournament <> ${except}`,
  })

  const timeOf = async (on: Db, callerNow: number): Promise<number> =>
    (await sharedTime?.(on)) ?? callerNow

  /** Why this account must not become the host of another tournament; null when it may. */
  async function refuseHost(tx: Db, id: string, slug: string, limit: number) {
    await lock(tx, 'tournaments', id)
    const [count] = await queries.hosted(tx, { id, except: slug })
    return (count?.hosted ?? 0) >= limit ? ('full' as const) : null
  }

  async function refuseStaff(
    tx: Db,
    { slug, staff }: SavedTournament,
    content: TournamentContent,
    limit: number,
  ) {
    const before = new Map(staff.map((member) => [member.accountId, member]))
    const changed = content.staff.filter(
      ({ accountId, role }) => before.get(accountId)?.role !== role,
    )
    const added = changed.flatMap(({ accountId }) => (before.has(accountId) ? [] : [accountId]))
    if ((await countAccounts(tx, added)) < added.length) return 'no_account' as const
    const hosts = changed.filter(({ role }) => role === 'host').map(({ accountId }) => accountId)
    for (const id of hosts.toSorted()) {
      if ((await refuseHost(tx, id, slug, limit)) !== null) return 'full' as const
    }
    return null
  }

  async function savePack(tx: Db, change: PackChange, now: number): Promise<void> {
    const owner = SYSTEM_ACCOUNT_ID
    if (change.kind === 'remove') {
      await packs.remove(tx, change.slug, owner, now)
    } else if (change.kind === 'replace') {
      const saved = await packs.replace(tx, change.slug, owner, () => change.state)
      if (saved === null) throw new Error(`The pack ${change.slug} is gone`)
    } else {
      const { outcome } = await packs.create(tx, change.pack, null, null)
      if (outcome === 'slug_taken') throw new SlugTaken()
      if (outcome !== 'created') throw new Error(`A pack cannot be created: ${outcome}`)
    }
  }

  return {
    read: (slug) => cached(slug, () => readCached(slug)),

    listPublic: (filter, page, pageSize) =>
      read(async (tx) => {
        const { rows, total } = await readPage(findPublic(tx, filter), page, pageSize)
        return { tournaments: rows.map(toListed), total }
      }),

    listOfMember: (accountId, page, pageSize) =>
      read(async (tx) => {
        const { rows, total } = await readPage(findOfMember(tx, accountId), page, pageSize)
        return { tournaments: rows.map(toListed), total }
      }),

    create({ slug, createdAt, ...facts }, hostId, limit) {
      const content = { ...facts, hiddenAt: null, hiddenReason: null }
      const times = { updatedAt: createdAt, publicAt: createdAt }
      const row = { ...toTournamentColumns({ ...content, ...times }), slug, created_at: createdAt }
      const work = async (tx: Db) => {
        if ((await countAccounts(tx, [hostId])) === 0) return 'no_owner'
        const refused = await refuseHost(tx, hostId, slug, limit)
        if (refused !== null) return refused
        const insert = tx.insertInto('tournament').values(row)
        const { numInsertedOrUpdatedRows: inserted = 0n } = await insert
          .onConflict((conflict) => conflict.column('slug').doNothing())
          .executeTakeFirst()
        if (inserted === 0n) return 'slug_taken'
        const host = {
          tournament: slug,
          account_id: hostId,
          role: 'host',
          since: createdAt,
        } as const
        await tx.insertInto('tournament_staff').values(host).execute()
        return 'created'
      }
      return write('tournaments', work, hostId)
    },

    change: (slug, savedBy, limit, change) =>
      write(
        'tournaments',
        async (tx) => {
          const before = await reads.load(tx, slug)
          if (before === null) return null
          const content = change(before)
          const refused = await refuseStaff(tx, before, content, limit)
          if (refused !== null) return refused
          await saveContent(tx, before, content, savedBy)
          return reads.load(tx, slug)
        },
        slug,
      ),

    async changeWithPacks(slug, savedBy, callerNow, change) {
      const work = async (tx: Db) => {
        await lock(tx, 'tournaments', slug)
        const before = await reads.load(tx, slug)
        if (before === null) return null
        const now = await timeOf(tx, callerNow)
        const made = change(before, now)
        if (made === null) return null
        for (const each of made.packs) await savePack(tx, each, now)
        if (made.content === null) {
          await tx.deleteFrom('tournament').where('slug', '=', slug).execute()
          return 'deleted'
        }
        await saveContent(tx, before, made.content, savedBy)
        return reads.load(tx, slug)
      }
      try {
        return await write('packs', work, SYSTEM_ACCOUNT_ID)
      } catch (error) {
        if (error instanceof SlugTaken) return 'slug_taken'
        throw error
      }
    },

    async due(callerNow, limit) {
      // Before the rounds: what is read later is never due too early.
      const now = await timeOf(db, callerNow)
      const rows = await queries.scheduled(db, { rows: limit + 1 })
      const due = rows.slice(0, limit).filter(({ releaseAt }) => releaseAt <= now)
      const next = rows[due.length]
      return {
        rounds: due.map(({ slug, roundId }) => ({ slug, roundId })),
        nextInMs: next === undefined ? null : Math.max(0, next.releaseAt - now),
      }
    },

    async findByPack(packSlug) {
      const round = db.selectFrom('tournament_round').select('tournament')
      const found = await round.where('pack_slug', '=', packSlug).executeTakeFirst()
      return found?.tournament ?? null
    },

    async readVersions(slug, roundId) {
      const rows = await db
        .selectFrom('round_version')
        .leftJoin('account', 'account.id', 'saved_by')
        .select(['version', 'saved_at as savedAt', 'saved_by as savedBy', 'username', 'content'])
        .where('tournament', '=', slug)
        .where('round_id', '=', roundId)
        .orderBy('version', 'desc')
        .execute()
      return rows.map(toVersion)
    },
  }
}

/** Undoes a transaction whose pack has a slug that another one has. */
class SlugTaken extends Error {}

type Known = { readonly fingerprint: string; readonly tournament: SavedTournament }

/** Reads tournaments from the store each time; what has not changed since is not read whole again. */
function cacheTournaments(
  { db, read }: Engine,
  reads: ReturnType<typeof tournamentReads>,
): (slug: string) => Promise<SavedTournament | null> {
  const known = new BoundedMap<string, Known>({ maxEntries: MAX_TOURNAMENTS })

  const loadWhole = (slug: string) =>
    read(async (tx): Promise<Known | null> => {
      const fingerprint = await reads.fingerprint(tx, slug)
      const tournament = await reads.load(tx, slug)
      return fingerprint === null || tournament === null ? null : { fingerprint, tournament }
    })

  return async (slug) => {
    const before = known.get(slug)
    if (before !== undefined && before.fingerprint === (await reads.fingerprint(db, slug))) {
      return before.tournament
    }
    const now = await loadWhole(slug)
    if (now === null) known.delete(slug)
    else known.set(slug, now)
    return now?.tournament ?? null
  }
}

function findPublic(db: Db, { search, ruleset, rank, year }: TournamentFilter) {
  return (
    db
      .selectFrom('tournament')
      .select(listedColumns)
      // Written out, not bound: only so do the engines see that the index answers it.
      .where('visibility', '=', sql.lit('public'))
      .where('hidden_at', 'is', null)
      .$if(search !== '', (found) =>
        found.where((eb) =>
          eb.or([textContains('name', search), textContains('short_name', search)]),
        ),
      )
      .$if(ruleset !== null, (found) => found.where('ruleset', '=', ruleset))
      .$if(year !== null, (found) => found.where('year', '=', year))
      .$if(rank !== null, (found) =>
        found
          .where((eb) => eb.or([eb('rank_min', 'is', null), eb('rank_min', '<=', rank)]))
          .where((eb) => eb.or([eb('rank_max', 'is', null), eb('rank_max', '>=', rank)])),
      )
      .orderBy('public_at', 'desc')
      .orderBy('slug', 'desc')
  )
}

function findOfMember(db: Db, accountId: string) {
  return db
    .selectFrom('tournament_staff')
    .innerJoin('tournament', 'tournament.slug', 'tournament')
    .select(listedColumns)
    .select('role')
    .where('account_id', '=', accountId)
    .orderBy('updated_at', 'desc')
    .orderBy('slug', 'desc')
}

/** How many of these there are. */
async function countAccounts(tx: Db, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  return (await tx.selectFrom('account').select('id').where('id', 'in', ids).execute()).length
}

async function saveContent(
  tx: Db,
  before: SavedTournament,
  content: TournamentContent,
  savedBy: string | null,
): Promise<void> {
  const { slug } = before
  const columns = toTournamentColumns(content)
  await tx.updateTable('tournament').set(columns).where('slug', '=', slug).execute()
  await saveRounds(tx, before, content, savedBy)
  await saveStaff(tx, before, content)
}

async function saveRounds(
  tx: Db,
  { slug, rounds: before }: SavedTournament,
  { rounds: after }: TournamentContent,
  savedBy: string | null,
): Promise<void> {
  const kept = new Set(after.map(({ id }) => id))
  const removed = before.flatMap(({ id }) => (kept.has(id) ? [] : [id]))
  if (removed.length > 0) {
    const rounds = tx.deleteFrom('tournament_round').where('tournament', '=', slug)
    await rounds.where('id', 'in', removed).execute()
  }
  for (const [position, round] of after.entries()) {
    const place = before.findIndex(({ id }) => id === round.id)
    const old = before[place]
    if (old === round && place === position) continue
    const { tournament, id, ...columns } = toRoundRow(slug, round, position)
    if (old === undefined) {
      await tx
        .insertInto('tournament_round')
        .values({ tournament, id, ...columns })
        .execute()
    } else {
      const row = tx.updateTable('tournament_round').set(columns)
      await row.where('tournament', '=', tournament).where('id', '=', id).execute()
    }
    const draft = draftJson(round)
    if (old !== undefined && old.version === round.version && draftJson(old) === draft) continue
    await keepVersion(tx, slug, round, draft, savedBy)
  }
}

async function keepVersion(
  tx: Db,
  tournament: string,
  { id, version, updatedAt }: SavedTournament['rounds'][number],
  content: string,
  savedBy: string | null,
): Promise<void> {
  const saved = { saved_at: updatedAt, saved_by: savedBy, content }
  await tx
    .insertInto('round_version')
    .values({ tournament, round_id: id, version, ...saved })
    .onConflict((same) => same.columns(['tournament', 'round_id', 'version']).doUpdateSet(saved))
    .execute()
  if (version <= MAX_VERSIONS) return
  await tx
    .deleteFrom('round_version')
    .where('tournament', '=', tournament)
    .where('round_id', '=', id)
    .where('version', '<=', version - MAX_VERSIONS)
    .execute()
}

async function saveStaff(
  tx: Db,
  { slug: tournament, staff: before }: SavedTournament,
  { staff: after }: TournamentContent,
): Promise<void> {
  const kept = new Set(after.map(({ accountId }) => accountId))
  const removed = before.flatMap(({ accountId }) => (kept.has(accountId) ? [] : [accountId]))
  if (removed.length > 0) {
    const rows = tx.deleteFrom('tournament_staff').where('tournament', '=', tournament)
    await rows.where('account_id', 'in', removed).execute()
  }
  for (const { accountId, role, since } of after) {
    const old = before.find((member: SavedMember) => member.accountId === accountId)
    if (old?.role === role && old.since === since) continue
    const set: { role: StaffRole; since: number } = { role, since }
    await tx
      .insertInto('tournament_staff')
      .values({ tournament, account_id: accountId, ...set })
      .onConflict((same) => same.columns(['tournament', 'account_id']).doUpdateSet(set))
      .execute()
  }
}

type VersionRow = Pick<RoundVersion, 'version' | 'savedAt'> & {
  readonly savedBy: string | null
  readonly username: string | null
  readonly content: string
}

function toVersion({ savedBy, username, content, ...row }: VersionRow): RoundVersion {
  return {
    ...row,
    savedBy: savedBy === null ? null : { accountId: savedBy, username },
    content: JSON.parse(content) as RoundContent,
  }
}
