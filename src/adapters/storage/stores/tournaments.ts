import type { InferResult } from 'kysely'
import { SYSTEM_ACCOUNT_ID } from '../../../domain/accounts.ts'
import { BoundedMap } from '../../../domain/loading.ts'
import type { SavedDraft } from '../../../domain/draft-history.ts'
import type { SavedPack } from '../../../domain/packs.ts'
import { draftOf } from '../../../domain/rounds.ts'
import type {
  PackChange,
  RoundDraft,
  SavedMember,
  SavedTournament,
} from '../../../domain/tournaments.ts'
import type { Page } from '../../../ports/store.ts'
import {
  everyTournament,
  type PublicTournament,
  type TournamentFilter,
  type TournamentStore,
} from '../../../ports/tournaments.ts'
import type { Db, Engine } from '../engine.ts'
import { readPage, suspendedFor, textContains } from '../query.ts'
import { deletedRounds } from './deleted-rounds.ts'
import { dueRounds } from './due-rounds.ts'
import { keyedWrites } from './keyed-writes.ts'
import { moderationLog, suspensionAfter, withoutSuspension } from './moderation.ts'
import { packQueries } from './pack-queries.ts'
import { packSaves } from './pack-saves.ts'
import { createOutbox } from './outbox.ts'
import { createPublicList } from './public-list.ts'
import { createTournamentLog } from './tournament-feed.ts'
import {
  findModerated,
  findOfMember,
  publicTournaments,
  toListed,
  toTournamentColumns,
  tournamentReads,
} from './tournament-rows.ts'
import {
  countAccounts,
  countHosted,
  saveContent,
  saveRounds,
  saveUnlessRefused,
} from './tournament-saves.ts'

/** With their rounds and packs, up to 0.2 MB each. */
const MAX_TOURNAMENTS = 200
/** Of lists, up to 50 each. */
const MAX_PAGES = 64

export function createTournamentStore(engine: Engine): TournamentStore {
  const { db, write, lock, timeOf } = engine
  const reads = tournamentReads(engine)
  const keyed = keyedWrites(engine)
  const cached = engine.newCache<SavedTournament>(MAX_TOURNAMENTS, (slug) => [
    `tournament ${slug}`,
    'names',
  ])
  const publicPages = engine.newCache<Page<PublicTournament>>(MAX_PAGES, () => ['tournaments'])
  const hosted = engine.newCache<readonly PublicTournament[]>(MAX_PAGES, (key) => [
    `host ${key.split(' ')[0]}`,
    'tournaments',
  ])
  const readCached = cacheTournaments(engine, reads)
  const log = moderationLog(engine)
  const feed = createTournamentLog(engine)
  const outbox = createOutbox()
  const packs = packSaves(engine, packQueries(db), createPublicList())

  /** Returns the pack as it is saved; null when it is removed. */
  async function savePack(tx: Db, change: PackChange, now: number): Promise<SavedPack | null> {
    const owner = SYSTEM_ACCOUNT_ID
    if (change.kind === 'remove') {
      await packs.remove(tx, change.slug, owner, now)
      return null
    }
    if (change.kind === 'replace') {
      const saved = await packs.replace(tx, change.slug, owner, () => change.state)
      if (saved === null) throw new Error(`The pack ${change.slug} is gone`)
      return saved
    }
    const creation = await packs.create(tx, change.pack, null, null)
    if (creation.outcome === 'slug_taken') throw new SlugTaken()
    if (creation.outcome === 'created') return creation.pack
    throw new Error(`A pack cannot be created: ${creation.outcome}`)
  }

  return {
    read: (slug) => cached(slug, () => readCached(slug)),
    findWrite: (once) => keyed.find(once),

    listPublic: async (filter, ...page) =>
      publicPages(JSON.stringify([filter, page]), () =>
        readPage(engine, (tx) => findPublic(tx, filter), toPublic, ...page),
      ),

    listHosted: async (accountId, limit) =>
      hosted(`${accountId} ${limit}`, async () => {
        const found = findPublic(db, everyTournament).where('slug', 'in', (eb) =>
          eb
            .selectFrom('tournament_staff')
            .select('tournament')
            .where('account_id', '=', accountId)
            .where('role', '=', 'host'),
        )
        return (await found.limit(limit).execute()).map(toPublic)
      }),

    listModerated: ({ query, isHidden }, ...page) =>
      readPage(
        engine,
        (tx) => findModerated(tx, query, isHidden),
        ({ suspended, ...row }) => ({ ...toListed(row), isSuspended: suspended > 0 }),
        ...page,
      ),

    listOfMember: (accountId, ...page) =>
      readPage(
        engine,
        (tx) => findOfMember(tx, accountId),
        ({ changedAt, ...row }) => ({ ...toListed(row), updatedAt: changedAt }),
        ...page,
      ),

    create(
      { slug, createdAt, rounds = [], copiedFrom = null, ...facts },
      hostId,
      limit,
      once = null,
    ) {
      const content = { ...facts, hiddenAt: null, hiddenReason: null }
      const times = { updatedAt: createdAt, publicAt: createdAt }
      const columns = toTournamentColumns({ ...content, ...times })
      const row = { ...columns, slug, copied_from: copiedFrom, created_at: createdAt }
      const work = async (tx: Db) => {
        if ((await countAccounts(tx, [hostId])) === 0) return 'no_owner'
        if ((await suspendedFor(tx, hostId)) !== null) return 'no_owner'
        if (once !== null) await keyed.refuseRepeated(tx, once)
        if ((await countHosted(tx, hostId)) >= limit) return 'full'
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
        const empty = { rounds: [], staff: [] }
        const made = { ...content, ...times, slug, copiedFrom, createdAt, ...empty }
        if (rounds.length > 0) await saveRounds(tx, made, { ...made, rounds }, hostId)
        await feed.note(tx, createdAt, null, {
          ...made,
          rounds,
          staff: [hostOf(hostId, createdAt)],
        })
        if (once !== null) await keyed.note(tx, once)
        return 'created'
      }
      return write('tournaments', work, hostId)
    },

    change: (slug, savedBy, limit, at, change, once = null) =>
      reads.change(slug, async (tx, before) => {
        if (once !== null) await keyed.refuseRepeated(tx, once)
        const content = change(before)
        if (content === before) return before
        const votes = await feed.votesOfRemoved(tx, before, content)
        const saved = await saveUnlessRefused(engine, tx, before, content, savedBy, limit)
        if (typeof saved === 'string') return saved
        await feed.note(tx, at, before, saved)
        await feed.noteDiscussions(tx, at, votes)
        if (saved.discord !== before.discord) {
          await outbox.noteChannel(tx, await timeOf(tx, at), saved)
        }
        if (saved.discord !== null) await outbox.note(tx, await timeOf(tx, at), before, saved)
        if (once !== null) await keyed.note(tx, once)
        return saved
      }),

    moderate: (slug, change) =>
      reads.change(slug, async (tx, before) => {
        const row = tx.selectFrom('tournament').select('suspended').where('slug', '=', slug)
        const { suspended } = await row.executeTakeFirstOrThrow()
        const { content, note } = change(withoutSuspension(before, suspended))
        if (note === null) return before
        const hiddenAt = content.hiddenAt ?? (suspended > 0 ? before.hiddenAt : null)
        const saved = await saveContent(tx, before, { ...content, hiddenAt }, null)
        await feed.note(tx, note.at, before, saved)
        if (suspended > 0) {
          const set = tx.updateTable('tournament').set({ suspended: suspensionAfter(content) })
          await set.where('slug', '=', slug).execute()
        }
        const { name } = content
        await log(tx, { subject: 'tournament', slug, name, ownerId: null }, note)
        return saved
      }),

    async changeWithPacks(slug, savedBy, callerNow, change) {
      const work = async (tx: Db) => {
        await lock(tx, 'tournaments', slug)
        const before = await reads.load(tx, slug)
        if (before === null) return null
        const now = await timeOf(tx, callerNow)
        const made = change(before, now)
        if (made === null) return null
        if (made.content === before && made.packs.length === 0) return before
        const saved = new Map<string, SavedPack | null>()
        for (const each of made.packs) {
          const packSlug = each.kind === 'create' ? each.pack.slug : each.slug
          saved.set(packSlug, await savePack(tx, each, now))
        }
        if (made.content === null) {
          await outbox.noteDeletion(tx, now, before)
          await tx.deleteFrom('tournament').where('slug', '=', slug).execute()
          await feed.note(tx, now, before, null)
          return 'deleted'
        }
        const after = await saveContent(tx, before, made.content, savedBy, saved)
        await feed.note(tx, now, before, after)
        await outbox.note(tx, now, before, after)
        return after
      }
      try {
        return await write('packs', work, SYSTEM_ACCOUNT_ID)
      } catch (error) {
        if (error instanceof SlugTaken) return 'slug_taken'
        throw error
      }
    },

    ...dueRounds(engine),
    ...deletedRounds(engine),

    async findByPack(packSlug) {
      const round = db.selectFrom('tournament_round').select('tournament')
      const found = await round.where('pack_slug', '=', packSlug).executeTakeFirst()
      return found?.tournament ?? null
    },

    readVersions: async (slug, roundId) =>
      (await findVersions(db, slug, roundId).execute()).map(toVersion),
  }
}

/** A host without a name. */
const hostOf = (accountId: string, since: number): SavedMember => ({
  accountId,
  gameId: 0,
  username: null,
  role: 'host',
  rounds: null,
  since,
  seenAt: null,
})

/** Undoes a transaction whose pack has a slug that another one has. */
class SlugTaken extends Error {}

type CachedTournament = { readonly fingerprint: string; readonly tournament: SavedTournament }

/** Reads tournaments from the store each time; what has not changed since is not read whole again. */
function cacheTournaments(
  { db, read }: Engine,
  reads: ReturnType<typeof tournamentReads>,
): (slug: string) => Promise<SavedTournament | null> {
  const known = new BoundedMap<string, CachedTournament>({ maxEntries: MAX_TOURNAMENTS })

  const loadWhole = (slug: string) =>
    read(async (tx): Promise<CachedTournament | null> => {
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

/** Without what changes unseen by everybody. */
const toPublic = (row: ListedRow): PublicTournament => {
  const { updatedAt: _, discord: __, ...rest } = toListed(row)
  return rest
}

type ListedRow = InferResult<ReturnType<typeof findPublic>>[number]

function findPublic(db: Db, { search, ruleset, rank, year }: TournamentFilter) {
  return publicTournaments(db)
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
}

const findVersions = (db: Db, slug: string, roundId: string) =>
  db
    .selectFrom('round_version')
    .leftJoin('account', 'account.id', 'saved_by')
    .select(['version', 'saved_at as savedAt', 'saved_by as savedBy', 'username', 'content'])
    .where('tournament', '=', slug)
    .where('round_id', '=', roundId)
    .orderBy('version', 'desc')

type VersionRow = InferResult<ReturnType<typeof findVersions>>[number]

function toVersion({ savedBy, username, content, ...row }: VersionRow): SavedDraft {
  return {
    ...row,
    savedBy: savedBy === null ? null : { accountId: savedBy, username },
    content: draftOf(JSON.parse(content) as RoundDraft),
  }
}
