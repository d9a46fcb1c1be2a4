import { randomInt } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { ChatProblem } from '../../../contract/announcements.ts'
import { staffRoles } from '../../../contract/tournaments.ts'
import { ChatAddress } from '../../../domain/chat-address.ts'
import type { SavedPack } from '../../../domain/packs.ts'
import { draftOf } from '../../../domain/rounds.ts'
import { filledSince } from '../../../domain/tournament-views.ts'
import type {
  DiscordChannel,
  RoundContent,
  RoundDraft,
  SavedMember,
  SavedRound,
  SavedTournament,
  TournamentContent,
  WithdrawnRelease,
} from '../../../domain/tournaments.ts'
import { releasedFields, roundFields } from '../../../pool/round-fields.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries, textContains } from '../query.ts'
import type { Tables } from '../tables.ts'
import { packsWithOwner, toSavedPack } from './pack-queries.ts'

const listedColumns = [
  'tournament.slug',
  'tournament.name',
  'tournament.short_name as shortName',
  'tournament.description',
  'tournament.ruleset',
  'tournament.year',
  'tournament.rank_min as rankMin',
  'tournament.rank_max as rankMax',
  'tournament.link',
  'tournament.visibility',
  'tournament.announce_rounds as announceRounds',
  'tournament.discord_url as discordUrl',
  'tournament.discord_off as discordOff',
  'tournament.copied_from as copiedFrom',
  'tournament.hidden_at as hiddenAt',
  'tournament.hidden_reason as hiddenReason',
  'tournament.created_at as createdAt',
  'tournament.updated_at as updatedAt',
  'tournament.public_at as publicAt',
] as const

type ListedFlags = {
  readonly announceRounds: 0 | 1
  readonly discordUrl: string | null
  readonly discordOff: ChatProblem | null
}

export const toListed = <R extends ListedFlags>({
  announceRounds,
  discordUrl,
  discordOff,
  ...row
}: R) => ({
  ...row,
  announceRounds: announceRounds === 1,
  discord: discordUrl === null ? null : toChannel(discordUrl, discordOff),
})

function toChannel(url: string, off: ChatProblem | null): DiscordChannel | null {
  const address = ChatAddress.parse(url)
  return address && { address, off }
}

/**
 * Public tournaments, hidden ones too, by `publicAt`, the last first; among equals the newest created first (D-16), of
 * which only those need to be sorted, beside the index.
 */
export const publicTournaments = (db: Db) =>
  db
    .selectFrom('tournament')
    .select(listedColumns)
    // Written out, not bound: only so do the engines see that the index answers it.
    .where('visibility', '=', sql.lit('public'))
    .orderBy('public_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('slug', 'desc')

/** What moderators list: never private ones (D-60). */
export function findModerated(db: Db, query: string, isHidden: boolean) {
  return publicTournaments(db)
    .select('suspended')
    .$if(isHidden, (found) => found.where('hidden_at', 'is not', null))
    .$if(query !== '', (found) =>
      found.where((eb) =>
        eb.or([
          textContains('name', query),
          textContains('short_name', query),
          eb('slug', '=', query),
        ]),
      ),
    )
}

/** Those that an account is on the staff of. */
export function findOfMember(db: Db, accountId: string) {
  return (
    db
      .selectFrom('tournament_staff')
      .innerJoin('tournament', 'tournament.slug', 'tournament')
      .select(listedColumns)
      .select('role')
      // Who is limited to rounds learns nothing of the others, by the order neither (D-81).
      .select(sql<number>`coalesce(seen_at, updated_at)`.as('changedAt'))
      .where('account_id', '=', accountId)
      .orderBy('changedAt', 'desc')
      .orderBy('tournament.created_at', 'desc')
      .orderBy('slug', 'desc')
  )
}

/** How a tournament is read, with its rounds, its staff and the packs that were released of it. */
export function tournamentReads({ db, write }: Pick<Engine, 'db' | 'write'>) {
  const queries = prepareQueries({
    facts: ({ slug }: { slug: string }) =>
      db.selectFrom('tournament').select(listedColumns).where('slug', '=', slug),

    rounds: ({ slug }: { slug: string }) =>
      db
        .selectFrom('tournament_round')
        .selectAll()
        .where('tournament', '=', slug)
        .where('deleted_at', 'is', null)
        .orderBy('position'),

    staff: ({ slug }: { slug: string }) =>
      db
        .selectFrom('tournament_staff')
        .innerJoin('account', 'account.id', 'account_id')
        .select(['account_id as accountId', 'game_id as gameId', 'username', 'role'])
        .select(['rounds', 'since', 'seen_at as seenAt'])
        .where('tournament', '=', slug),

    packs: ({ slug }: { slug: string }) =>
      packsWithOwner(db).where('slug', 'in', (eb) =>
        eb
          .selectFrom('tournament_round')
          .select(sql<string>`pack_slug`.as('released'))
          .where('tournament', '=', slug)
          .where('pack_slug', 'is not', null),
      ),

    // Of a pack, what changes with every save of it, and what changes without one. Of its stats, the end: when
    // they were computed. In one row, since many cost more than the rest of the query.
    fingerprint: ({ slug }: { slug: string }) => sql<{ whole: string | null }>`
      select string_agg(part, ' / ' order by part) as whole from (
        select 'mark ' || mark as part from tournament where slug = ${slug}
        union all
        select 'name ' || account.id || ' ' || coalesce(username, '')
        from tournament_staff join account on account.id = account_id where tournament = ${slug}
        union all
        select 'pack ' || pack.id || ' ' || pack.updated_at || ' ' || content_hash || ' '
          || pack.version || ' ' || pack.visibility || ' ' || pack.name || ' ' || coalesce(hidden_at, -1) || ' ' || coalesce(pinned_rank, -1) || ' ' || history_public
          || ' ' || exports || ' ' || coalesce(substr(stats, length(stats) - 29), '') || ' '
          || coalesce(hidden_reason, '')
        from tournament_round as round join pack on pack.slug = pack_slug
        where tournament = ${slug}
      ) as parts`,
  })

  async function load(tx: Db, slug: string): Promise<SavedTournament | null> {
    const [facts] = await queries.facts(tx, { slug })
    if (facts === undefined) return null
    const rounds = await queries.rounds(tx, { slug })
    const staff = await queries.staff(tx, { slug })
    const isReleased = rounds.some(({ pack_slug }) => pack_slug !== null)
    const packs = isReleased ? await queries.packs(tx, { slug }) : []
    const released = new Map(packs.map((pack) => [pack.slug, toSavedPack(pack)]))
    return Object.freeze({
      ...toListed(facts),
      rounds: rounds.map((row) => toSavedRound(row, released.get(row.pack_slug ?? '') ?? null)),
      staff: inOrder(staff.map(toMember)),
    })
  }

  return {
    load,

    /** Runs `work` as a transaction that holds the lock of the tournament; null when there is no such tournament. */
    change: <T>(
      slug: string,
      work: (tx: Db, saved: SavedTournament) => Promise<T>,
    ): Promise<T | null> =>
      write(
        'tournaments',
        async (tx) => {
          const saved = await load(tx, slug)
          return saved === null ? null : work(tx, saved)
        },
        slug,
      ),

    /** Differs when anything does that `load` returns; null when there is no such tournament. */
    async fingerprint(on: Db, slug: string): Promise<string | null> {
      const [row] = await queries.fingerprint(on, { slug })
      return row?.whole ?? null
    },
  }
}

function toMember(row: { readonly [F in keyof SavedMember]: unknown }): SavedMember {
  const rounds = row.rounds === null ? null : (JSON.parse(row.rounds as string) as string[])
  return { ...(row as SavedMember), rounds }
}

/** By role, then by when they came. */
export function inOrder(staff: readonly SavedMember[]): readonly SavedMember[] {
  const rank = ({ role }: SavedMember) => staffRoles.indexOf(role)
  return staff.toSorted(
    (a, b) => rank(a) - rank(b) || a.since - b.since || (a.accountId < b.accountId ? -1 : 1),
  )
}

type RoundRow = Selectable<Tables['tournament_round']>

/** @param pack that was released of it; null when there is none. */
export function toSavedRound(
  row: Omit<RoundRow, 'deleted_at' | 'deleted_by'>,
  pack: SavedPack | null,
): SavedRound {
  const packSlug = row.pack_slug
  const { pack_hidden_at: hiddenAt, pack_hidden_reason: reason } = row
  return Object.freeze({
    id: row.id,
    name: row.name,
    ...roundFields.stored({
      bestOf: row.best_of,
      bans: row.bans,
      packName: row.pack_name,
      targets: row.targets === null ? null : (JSON.parse(row.targets) as RoundContent['targets']),
      ...(row.other_fields !== null && (JSON.parse(row.other_fields) as object)),
    }),
    slots: JSON.parse(row.slots) as RoundContent['slots'],
    buckets: row.buckets === null ? null : (JSON.parse(row.buckets) as RoundContent['buckets']),
    releaseAt: row.release_at,
    releaseIncomplete: row.release_incomplete === 1,
    withdrawn: row.withdrawn === null ? null : (JSON.parse(row.withdrawn) as WithdrawnRelease),
    released:
      packSlug === null
        ? null
        : { ...releasedFacts(JSON.parse(row.released!) as ReleasedFacts), packSlug, pack },
    hiddenPack: pack !== null || hiddenAt === null ? null : { at: hiddenAt, reason },
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  })
}

type ReleasedFacts = Omit<NonNullable<SavedRound['released']>, 'packSlug' | 'pack'>

/** Of a release that was kept before a field was added, too. */
const releasedFacts = (released: ReleasedFacts): ReleasedFacts => ({
  name: released.name,
  ...releasedFields(released),
  scheduledFor: released.scheduledFor ?? null,
  at: released.at,
  slots: released.slots ?? null,
})

type KeptColumn = 'pack_hidden_at' | 'pack_hidden_reason' | 'deleted_at' | 'deleted_by'

/** Without what is kept of a pack that is gone, or of a deletion: nothing that is saved changes it. */
export function toRoundRow(
  tournament: string,
  round: SavedRound,
  position: number,
): Omit<RoundRow, KeptColumn> {
  const { released } = round
  const { bestOf, bans, packName, targets, ...others } = roundFields.sent(round)
  return {
    tournament,
    id: round.id,
    position,
    name: round.name,
    best_of: bestOf ?? null,
    bans: bans ?? null,
    pack_name: packName ?? null,
    targets: targets ? JSON.stringify(targets) : null,
    other_fields: Object.keys(others).length === 0 ? null : JSON.stringify(others),
    slots: JSON.stringify(round.slots),
    buckets: round.buckets && JSON.stringify(round.buckets),
    release_at: round.releaseAt,
    release_incomplete: round.releaseIncomplete ? 1 : 0,
    fill_due: filledSince(round).size > 0 ? 1 : null,
    withdrawn: round.withdrawn && JSON.stringify(round.withdrawn),
    pack_slug: released && released.packSlug,
    released: released && JSON.stringify(releasedFacts(released)),
    version: round.version,
    created_at: round.createdAt,
    updated_at: round.updatedAt,
  }
}

/** What a version of the draft keeps, as JSON. */
export const draftJson = (round: RoundDraft): string => JSON.stringify(draftOf(round))

type FactsRow = Omit<Tables['tournament'], 'slug' | 'created_at' | 'suspended' | 'copied_from'>

/** With a new mark: the row differs from every one before. */
export function toTournamentColumns(
  content: Omit<TournamentContent, 'rounds' | 'staff'>,
): FactsRow {
  return {
    name: content.name,
    short_name: content.shortName,
    description: content.description,
    ruleset: content.ruleset,
    year: content.year,
    rank_min: content.rankMin,
    rank_max: content.rankMax,
    link: content.link,
    visibility: content.visibility,
    announce_rounds: content.announceRounds ? 1 : 0,
    discord_url: content.discord?.address.reveal() ?? null,
    discord_off: content.discord?.off ?? null,
    hidden_at: content.hiddenAt,
    hidden_reason: content.hiddenReason,
    updated_at: content.updatedAt,
    public_at: content.publicAt,
    mark: newTournamentMark(),
  }
}

export const newTournamentMark = (): number => randomInt(2 ** 47)
