import { MAX_DELETED_ROUNDS, MAX_VERSIONS } from '../../../contract/bounds.ts'
import type { SavedPack } from '../../../domain/packs.ts'
import type { SavedRound, SavedTournament, TournamentContent } from '../../../domain/tournaments.ts'
import type { Db, Engine } from '../engine.ts'
import { suspendedFor } from '../query.ts'
import {
  draftJson,
  inOrder,
  toRoundRow,
  toSavedRound,
  toTournamentColumns,
} from './tournament-rows.ts'

// All of these run in a transaction that holds the lock of the tournament.

/** Saves the content; or if the staff cannot be what it says, returns why, and nothing is written. */
export async function saveUnlessRefused(
  engine: Pick<Engine, 'lock'>,
  tx: Db,
  before: SavedTournament,
  content: TournamentContent,
  savedBy: string | null,
  limit: number,
) {
  const refusal = await findRefusal(engine, tx, before, content, limit)
  return refusal ?? saveContent(tx, before, content, savedBy)
}

/** Why the staff cannot be what the content says; null when it can. */
async function findRefusal(
  { lock }: Pick<Engine, 'lock'>,
  tx: Db,
  { staff }: SavedTournament,
  content: TournamentContent,
  limit: number,
): Promise<'no_account' | 'full' | 'no_host' | null> {
  const roles = new Map(staff.map(({ accountId, role }) => [accountId, role]))
  const changed = content.staff.filter(({ accountId, role }) => roles.get(accountId) !== role)
  const added = changed.map(({ accountId }) => accountId).filter((id) => !roles.has(id))
  if ((await countAccounts(tx, added)) < added.length) return 'no_account'
  if (await losesLastHost(tx, staff, content.staff)) return 'no_host'
  const hosts = changed.filter(({ role }) => role === 'host').map(({ accountId }) => accountId)
  // They host this one not yet. In one order, so that no two transactions wait for each other.
  for (const id of hosts.toSorted()) {
    await lock(tx, 'tournaments', id)
    if ((await countHosted(tx, id)) >= limit) return 'full'
  }
  return null
}

type Staff = SavedTournament['staff']

/** Whether a host is removed, and none is left who is not suspended. */
async function losesLastHost(tx: Db, before: Staff, after: Staff): Promise<boolean> {
  const hosts = after.filter(({ role }) => role === 'host').map(({ accountId }) => accountId)
  const isSame = before.every(({ accountId, role }) => role !== 'host' || hosts.includes(accountId))
  if (isSame) return false
  for (const id of hosts) if ((await suspendedFor(tx, id)) === null) return false
  return true
}

/** How many of these there are. */
export async function countAccounts(tx: Db, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  return (await tx.selectFrom('account').select('id').where('id', 'in', ids).execute()).length
}

/** How many tournaments an account hosts; exact while its lock is held. */
export async function countHosted(tx: Db, id: string): Promise<number> {
  const places = tx.selectFrom('tournament_staff').select('tournament')
  const hosted = places.where('account_id', '=', id).where('role', '=', 'host')
  return (await hosted.execute()).length
}

/** Packs by their slugs; null: removed. */
type PacksAfter = ReadonlyMap<string, SavedPack | null>

/**
 * Saves what differs from `before`, and returns what would be read now. `packs`: those that were saved or removed
 * before in the same transaction.
 */
export async function saveContent(
  tx: Db,
  before: SavedTournament,
  content: TournamentContent,
  savedBy: string | null,
  packs: PacksAfter = new Map(),
): Promise<SavedTournament> {
  const { slug } = before
  const columns = toTournamentColumns(content)
  await tx.updateTable('tournament').set(columns).where('slug', '=', slug).execute()
  const rounds = await saveRounds(tx, before, content, savedBy, packs)
  await saveStaff(tx, before, content)
  return Object.freeze({ ...before, ...content, rounds, staff: inOrder(content.staff) })
}

/** Saves the rounds that differ from those before, and returns what would be read now. */
export async function saveRounds(
  tx: Db,
  { slug, rounds: before }: SavedTournament,
  { rounds: after, updatedAt }: TournamentContent,
  savedBy: string | null,
  packs: PacksAfter = new Map(),
): Promise<SavedRound[]> {
  const removed = missingIn(after, before, ({ id }) => id)
  const deletion = { deleted_at: updatedAt, deleted_by: savedBy }
  for (const round of before) {
    if (removed.includes(round.id)) await markDeleted(tx, slug, round, deletion)
  }
  if (removed.length > 0) await forgetOldest(tx, slug, removed.length)
  const saved: SavedRound[] = []
  for (const [position, round] of after.entries()) {
    const place = before.findIndex(({ id }) => id === round.id)
    const old = before[place]
    const packSlug = round.released?.packSlug ?? ''
    if (old === round && place === position && !packs.has(packSlug)) {
      saved.push(round)
      continue
    }
    const row = toRoundRow(slug, round, position)
    const { tournament: _, id: __, ...columns } = row
    const pack = (packs.has(packSlug) ? packs.get(packSlug) : round.released?.pack) ?? null
    const noted = await tx
      .insertInto('tournament_round')
      .values(row)
      // One that is restored is there, too.
      .onConflict((same) =>
        same.columns(['tournament', 'id']).doUpdateSet({ ...columns, ...notDeleted }),
      )
      .returning(['pack_hidden_at', 'pack_hidden_reason'])
      .executeTakeFirstOrThrow()
    saved.push(toSavedRound({ ...row, ...noted }, pack))
    const draft = draftJson(round)
    if (old !== undefined && old.version === round.version && draftJson(old) === draft) continue
    await keepVersion(tx, slug, round, draft, savedBy)
  }
  return saved
}

const notDeleted = { deleted_at: null, deleted_by: null }

/** The round stays with its candidates and remarks, so that it can be restored (D-82). */
async function markDeleted(
  tx: Db,
  slug: string,
  { id, released, withdrawn }: SavedRound,
  deletion: { readonly deleted_at: number; readonly deleted_by: string | null },
): Promise<void> {
  const last = released
    ? {
        name: released.name,
        packSlug: released.packSlug,
        at: deletion.deleted_at,
        wasShown: false,
      }
    : withdrawn
  await tx
    .updateTable('tournament_round')
    .set({
      release_at: null,
      release_incomplete: 0,
      fill_due: null,
      pack_slug: null,
      released: null,
      withdrawn: last && JSON.stringify(last),
      ...deletion,
    })
    .where('tournament', '=', slug)
    .where('id', '=', id)
    .execute()
}

/** @param most how many there are beyond those that are kept. */
async function forgetOldest(tx: Db, slug: string, most: number): Promise<void> {
  const oldest = tx
    .selectFrom('tournament_round')
    .select('id')
    .where('tournament', '=', slug)
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .limit(most)
    .offset(MAX_DELETED_ROUNDS)
  await tx
    .deleteFrom('tournament_round')
    .where('tournament', '=', slug)
    .where('id', 'in', oldest)
    .execute()
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
  const removed = missingIn(after, before, ({ accountId }) => accountId)
  if (removed.length > 0) {
    const rows = tx.deleteFrom('tournament_staff').where('tournament', '=', tournament)
    await rows.where('account_id', 'in', removed).execute()
  }
  for (const { accountId, role, rounds: limit, since, seenAt } of after) {
    const rounds = limit && JSON.stringify(limit)
    const old = before.find((member) => member.accountId === accountId)
    const isSame = old?.role === role && old.since === since && old.seenAt === seenAt
    if (isSame && (old.rounds && JSON.stringify(old.rounds)) === rounds) continue
    const set = { role, rounds, since, seen_at: seenAt }
    await tx
      .insertInto('tournament_staff')
      .values({ tournament, account_id: accountId, ...set })
      .onConflict((same) => same.columns(['tournament', 'account_id']).doUpdateSet(set))
      .execute()
  }
}

/** The ids of those that are no longer there. */
function missingIn<T>(after: readonly T[], before: readonly T[], idOf: (each: T) => string) {
  const kept = new Set(after.map(idOf))
  return before.map(idOf).filter((id) => !kept.has(id))
}
