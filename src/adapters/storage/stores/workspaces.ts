import { sql } from 'kysely'
import {
  type Presence,
  PRESENCE_LASTS_MS,
  type WorkspaceState,
  type WorkspaceStore,
} from '../../../ports/workspaces.ts'
import type { Engine } from '../engine.ts'
import { prepareListQuery, prepareQueries } from '../query.ts'

export function createWorkspaceStore({ db, write, timeOf }: Engine): WorkspaceStore {
  const partsOf = prepareListQuery(stateParts)
  const versionsOf = prepareListQuery(stateVersions)
  const queries = prepareQueries({
    /** Of a member of the staff. */
    insert: ({ id, holder, slug, accountId, round, now }: Presence & { now: number }) => sql`
      insert into tournament_presence
        (id, holder, tournament, account_id, round_id, since, seen_at)
      select ${id}, ${holder}, tournament, account_id, ${round},
        cast(${now} as bigint), cast(${now} as bigint)
      from tournament_staff where tournament = ${slug} and account_id = ${accountId}
      on conflict (id) do update set seen_at = excluded.seen_at`,

    renew: ({ holder, now }: { holder: string; now: number }) => sql<{ id: string }>`
      update tournament_presence set seen_at = ${now} where holder = ${holder} returning id`,

    forget: ({ from, to }: ReturnType<typeof seenWithin>) =>
      sql`delete from tournament_presence where seen_at < ${from} or seen_at > ${to}`,

    leave: ({ holder, id }: { holder: string; id: string }) =>
      sql`delete from tournament_presence where holder = ${holder} and id = ${id}`,

    leaveAll: ({ holder }: { holder: string }) =>
      sql`delete from tournament_presence where holder = ${holder}`,
  })

  return {
    async read(slugs, callerNow, known = new Map()) {
      const now = await timeOf(db, callerNow)
      // Read before the states: what changes in between has another version at the next read.
      const versions = await versionsOf(db, slugs)
      const { from, to } = seenWithin(now)
      const same = versions.flatMap(({ slug, version, firstSeen, lastSeen }) => {
        const state = known.get(slug)
        const areSeen = lastSeen === 0 || (firstSeen >= from && lastSeen <= to)
        const isSame = state?.version === version && areSeen
        return state && isSame ? [[slug, state] as const] : []
      })
      const states = new Map(same)
      const others = versions.filter(({ slug }) => !states.has(slug))
      if (others.length === 0) return states
      const parts = await partsOf(
        db,
        others.map(({ slug }) => slug),
      )
      const bySlug = new Map(others.map(({ slug, version }) => [slug, version]))
      for (const [slug, state] of statesOf(parts, now)) {
        states.set(slug, { version: bySlug.get(slug) ?? '', ...state })
      }
      return states
    },

    async enter(presences, callerNow) {
      await Promise.all(
        presences.map((presence) =>
          write(
            'presence',
            async (tx) => queries.insert(tx, { ...presence, now: await timeOf(tx, callerNow) }),
            presence.id,
          ),
        ),
      )
    },

    renew: (holder, callerNow) =>
      write(
        'presence',
        async (tx) => {
          const now = await timeOf(tx, callerNow)
          const renewed = await queries.renew(tx, { holder, now })
          await queries.forget(tx, seenWithin(now))
          return renewed.length
        },
        holder,
      ),

    async leave(holder, id) {
      await write(
        'presence',
        (tx) =>
          id === null ? queries.leaveAll(tx, { holder }) : queries.leave(tx, { holder, id }),
        holder,
      )
    },
  }
}

/** A clock that was set back must not keep a stream open. */
const seenWithin = (now: number) => ({ from: now - PRESENCE_LASTS_MS, to: now + PRESENCE_LASTS_MS })

/** One part of a state; what a kind does not have is null. */
type Part = {
  readonly kind: 'tournament' | 'discussion' | 'presence'
  readonly slug: string
  /** Of a round, or of an account. */
  readonly id: string
  /** Of a presence: the round. */
  readonly mark: string | null
  readonly gameId: number
  readonly username: string | null
  /** Orders presences. */
  readonly place: number
  readonly seenAt: number
}

type Version = {
  readonly slug: string
  readonly version: string
  readonly firstSeen: number
  readonly lastSeen: number
}

/** All that moves with a state: marks only grow, and of streams there is no other set with the same ends and times. */
function stateVersions(slugs: readonly string[]) {
  const asked = sql.join(Object.values(slugs))
  return sql<Version>`
    select slug, coalesce(min(seen_at), 0) as "firstSeen", coalesce(max(seen_at), 0) as "lastSeen",
      cast(tournament.mark as text) || ' ' || (
        select cast(count(*) as text) || ' ' || cast(coalesce(sum(mark), 0) as text)
        from round_discussion where tournament = slug
      ) || ' ' || cast(count(id) as text) || ' ' || cast(coalesce(sum(since), 0) as text)
        || ' ' || coalesce(min(id), '') || ' ' || coalesce(max(id), '') as version
    from tournament left join tournament_presence on tournament_presence.tournament = slug
    where slug in (${asked}) group by slug, tournament.mark`
}

/** In one statement: all parts are of one state of the store. */
function stateParts(slugs: readonly string[]) {
  const asked = sql.join(Object.values(slugs))
  return sql<Part>`
    with asked as (select slug, mark from tournament where slug in (${asked}))
    select 'tournament' as kind, slug, '' as id, cast(mark as text) as mark,
      cast(0 as bigint) as "gameId", cast(null as text) as username,
      cast(0 as bigint) as place, cast(0 as bigint) as "seenAt"
    from asked
    union all
    select 'discussion', slug, round_id, cast(discussion.mark as text), 0, null, 0, 0
    from asked join round_discussion as discussion on tournament = slug
    union all
    select 'presence', slug, account_id, round_id, game_id, username, since, seen_at
    from asked join tournament_presence on tournament = slug join account on account.id = account_id`
}

function statesOf(
  parts: readonly Part[],
  now: number,
): ReadonlyMap<string, Omit<WorkspaceState, 'version'>> {
  const { from, to } = seenWithin(now)
  const ordered = parts.toSorted((a, b) => a.place - b.place || (a.id < b.id ? -1 : 1))
  const bySlug = Map.groupBy(ordered, ({ slug }) => slug)
  const stateOf = (own: readonly Part[]): Omit<WorkspaceState, 'version'> => {
    const those = (wanted: Part['kind']) => own.filter(({ kind }) => kind === wanted)
    return {
      mark: those('tournament')[0]?.mark ?? '',
      discussion: Object.fromEntries(those('discussion').map(({ id, mark }) => [id, mark ?? ''])),
      here: those('presence')
        .filter(({ seenAt }) => seenAt >= from && seenAt <= to)
        .map(({ id, gameId, username, mark }) => ({
          accountId: id,
          gameId,
          username,
          round: mark,
        })),
    }
  }
  return new Map([...bySlug].map(([slug, own]) => [slug, stateOf(own)]))
}
