import { sql } from 'kysely'
import type { SavedInvitation } from '../../../domain/invitations.ts'
import type { InvitationStore } from '../../../ports/workspaces.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import { createTournamentLog } from './tournament-feed.ts'
import { tournamentReads } from './tournament-rows.ts'
import { saveUnlessRefused } from './tournament-saves.ts'

const columns = sql.raw(`id, tournament as slug, role, rounds, created_by as "createdBy",
  created_at as "createdAt", expires_at as "expiresAt"`)

/** Who made it is a host still. */
const isByHost = sql`exists (
  select role from tournament_staff as maker
  where maker.tournament = tournament_invitation.tournament
    and maker.account_id = created_by and maker.role = 'host'
)`

type InvitationRow = Omit<SavedInvitation, 'rounds'> & { readonly rounds: string | null }

const toInvitation = ({ rounds, ...row }: InvitationRow): SavedInvitation => ({
  ...row,
  rounds: rounds === null ? null : (JSON.parse(rounds) as string[]),
})

export function createInvitationStore(engine: Engine): InvitationStore {
  const { db } = engine
  const tournaments = tournamentReads(engine)
  const feed = createTournamentLog(engine)
  const queries = prepareQueries({
    open: ({ slug, now }: { slug: string; now: number }) => sql<InvitationRow>`
      select ${columns} from tournament_invitation
      where tournament = ${slug} and expires_at > ${now} and ${isByHost}
      order by created_at desc, id`,

    byHash: ({ hash, now }: { hash: string; now: number }) => sql<InvitationRow>`
      select ${columns} from tournament_invitation
      where token_hash = ${hash} and expires_at > ${now} and ${isByHost}`,

    forget: ({ slug, now }: { slug: string; now: number }) => sql`
      delete from tournament_invitation
      where tournament = ${slug} and (expires_at <= ${now} or not ${isByHost})`,

    insert: ({ hash, ...made }: InvitationRow & { hash: string }) => sql`
      insert into tournament_invitation
        (id, token_hash, tournament, role, rounds, created_by, created_at, expires_at)
      values (${made.id}, ${hash}, ${made.slug}, ${made.role}, ${made.rounds},
        ${made.createdBy},
        ${made.createdAt}, ${made.expiresAt})`,

    remove: ({ slug, id }: { slug: string; id: string }) => sql<{ id: string }>`
      delete from tournament_invitation where tournament = ${slug} and id = ${id} returning id`,
  })

  const find = async (on: Db, hash: string, now: number): Promise<SavedInvitation | null> => {
    const [row] = await queries.byHash(on, { hash, now })
    return row === undefined ? null : toInvitation(row)
  }

  return {
    list: async (slug, now) => (await queries.open(db, { slug, now })).map(toInvitation),

    create: (invitation, hash, limit, check) =>
      tournaments.change(invitation.slug, async (tx, saved) => {
        check(saved)
        const { slug, createdAt: now } = invitation
        await queries.forget(tx, { slug, now })
        if ((await queries.open(tx, { slug, now })).length >= limit) return 'full'
        const rounds = invitation.rounds && JSON.stringify(invitation.rounds)
        await queries.insert(tx, { ...invitation, rounds, hash })
        return 'created'
      }),

    remove: (slug, id, check) =>
      tournaments.change(slug, async (tx, saved) => {
        check(saved)
        return (await queries.remove(tx, { slug, id })).length > 0
      }),

    find: (hash, now) => find(db, hash, now),

    async accept(hash, now, limit, join) {
      const found = await find(db, hash, now)
      if (found === null) return null
      return tournaments.change(found.slug, async (tx, before) => {
        // Another request may have been first.
        const invitation = await find(tx, hash, now)
        if (invitation === null) return null
        const content = join(before, invitation)
        if (content === null) return before
        const saved = await saveUnlessRefused(engine, tx, before, content, null, limit)
        if (typeof saved === 'string') return saved
        await feed.note(tx, now, before, saved)
        await queries.remove(tx, { slug: invitation.slug, id: invitation.id })
        return tournaments.load(tx, found.slug)
      })
    },
  }
}
