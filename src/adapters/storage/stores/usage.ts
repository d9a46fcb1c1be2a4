import { type RawBuilder, sql } from 'kysely'
import type { SavedUse, UsageStore } from '../../../ports/search.ts'
import type { CacheTag, Db, Engine } from '../engine.ts'
import { prepareByLength, prepareQuery } from '../query.ts'

/** Lists of beatmaps of few lengths; a shorter one ends with ids that no beatmap has. */
const LENGTHS = [1, 4, 16, 64] as const
const NO_BEATMAP = 0
/** With more changes that are not taken over, each use is looked at: that costs less by then. */
const MOST_PENDING = 500
/** Answers of a kind, of up to 64 beatmaps each. */
const MAX_KEPT = 300

const isListed = sql`pack.visibility = 'public' and pack.hidden_at is null`

export function createUsageStore({ read, alongIndex, newCache }: Engine): UsageStore {
  const lists = newCache<Listed>(MAX_KEPT, tagsOf)
  const lasts = newCache<Lasts>(MAX_KEPT, tagsOf)
  const neighbours = newCache<PooledWith>(MAX_KEPT, tagsOf)
  const { counted, lookedAt, inPending, inExcepted, pending } = usageQueries()
  /** Uses of each beatmap, newest first, so that no more rows are read than are shown. */
  const newest = prepareByLength(
    ([limit, offset, each = 1, except, ...ids]: readonly (number | string)[]) => sql<UseRow>`
      select ${useColumns} from (
        select * from (${unionOf(ids.map((id) => newestOf(id, each, except)))}) as merged
        ${newestFirst} limit ${limit} offset ${offset}
      ) as used ${joins} ${newestFirst}`,
  )
  const last = prepareByLength(
    ([except, ...ids]: readonly (number | string)[]) => sql<UseRow>`
      select ${useColumns} from (${unionOf(ids.map((id) => newestOf(id, sql.lit(1), except)))}) as used
      ${joins}`,
  )

  /** Uses by beatmap, of packs that are public and not hidden now. */
  async function count(
    tx: Db,
    ids: readonly number[],
    except: string,
  ): Promise<Map<number, number>> {
    const totals = new Map(ids.map((id) => [id, 0]))
    const add = (rows: readonly CountRow[], sign: 1 | -1) => {
      for (const { id, uses } of rows) {
        const total = totals.get(id)
        if (total !== undefined) totals.set(id, total + sign * uses)
      }
    }
    const list = padded(ids)
    const [state] = await pending(tx, { limit: MOST_PENDING + 1 })
    // Changes that were not noted, and a rebuild, may have left packs that are not public any more.
    const isKept = state !== undefined && state.walk < 0 && state.counted === state.noted
    if (isKept && state.noted + state.uncounted <= MOST_PENDING) {
      add(await counted(tx, list), 1)
      if (state.noted + state.uncounted > 0) add(await inPending(tx, list), -1)
    } else {
      add(await lookedAt(tx, list), 1)
    }
    if (except !== '') add(await inExcepted(tx, [except, ...list]), -1)
    return totals
  }

  const readList = (ids: readonly number[], page: number, pageSize: number): Promise<Listed> =>
    read(async (tx) => {
      await alongIndex?.(tx)
      const offset = (page - 1) * pageSize
      const totals = await count(tx, ids, '')
      const sum = [...totals.values()].reduce((all, total) => all + total, 0)
      if (offset >= sum) return { uses: [], totals }
      const rows = await newest(tx, [pageSize, offset, offset + pageSize, '', ...padded(ids)])
      return { uses: rows.map(toUse), totals }
    })

  const readLast = (ids: readonly number[], except: string): Promise<Lasts> =>
    read(async (tx) => {
      await alongIndex?.(tx)
      const totals = await count(tx, ids, except)
      const rows = await last(tx, [except, ...padded(ids)])
      const uses = rows.map(toUse)
      return new Map(
        uses.map((use) => [use.beatmapId, { total: totals.get(use.beatmapId) ?? 0, last: use }]),
      )
    })

  const readPooledWith = (beatmapId: number, packs: number, limit: number): Promise<PooledWith> =>
    read(async (tx) => {
      const { rows } = await sql<{ beatmaps: string }>`
        select beatmaps from search_pack where pack_id in (
          select pack_id from beatmap_use join pack on pack.id = beatmap_use.pack_id
          where beatmap_id = ${beatmapId} and ${isListed}
          group by beatmap_use.updated_at, pack_id
          order by beatmap_use.updated_at desc, pack_id desc limit ${packs})`.execute(tx)
      const counts = new Map<number, number>()
      for (const { beatmaps } of rows) {
        for (const id of JSON.parse(beatmaps) as number[]) {
          if (id !== beatmapId) counts.set(id, (counts.get(id) ?? 0) + 1)
        }
      }
      return [...counts]
        .toSorted(([a, packsOfA], [b, packsOfB]) => packsOfB - packsOfA || a - b)
        .slice(0, limit)
        .map(([id, packs]) => ({ beatmapId: id, packs }))
    })

  return {
    list: async (ids, page, pageSize) =>
      lists(keyOf(ids, page, pageSize), () => readList(ids, page, pageSize)),

    last: async (ids, exceptTournament) => {
      const except = exceptTournament ?? ''
      return lasts(keyOf(ids, except), () => readLast(ids, except))
    },

    pooledWith: async (beatmapId, packs, limit) =>
      neighbours(keyOf([beatmapId], packs, limit), () => readPooledWith(beatmapId, packs, limit)),
  }
}

type Listed = Awaited<ReturnType<UsageStore['list']>>
type Lasts = Awaited<ReturnType<UsageStore['last']>>
type PooledWith = Awaited<ReturnType<UsageStore['pooledWith']>>

/** What is kept of beatmaps, which come last. */
const keyOf = (ids: readonly number[], ...rest: readonly (number | string)[]): string =>
  `${rest.join(' ')}/${ids.join(' ')}`

const tagsOf = (key: string): CacheTag[] => [
  ...key
    .slice(key.indexOf('/') + 1)
    .split(' ')
    .map((id): CacheTag => `use ${id}`),
  'names',
  'tournaments',
]

function padded(ids: readonly number[]): number[] {
  const all = [...new Set(ids)]
  const length = LENGTHS.find((room) => room >= all.length) ?? all.length
  return Array.from({ length }, (_, at) => all[at] ?? NO_BEATMAP)
}

type CountRow = { readonly id: number; readonly uses: number }
type Value = number | string | RawBuilder<unknown>

const newestFirst = sql`order by used_at desc, pack_id desc, place, beatmap_id`

const unionOf = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts, sql` union all `)

/** @param except a tournament whose packs are left out; `''` for none. */
const newestOf = (id: Value, limit: Value, except: Value | undefined) => sql`
  select * from (
    select beatmap_id, beatmap_use.updated_at as used_at, pack_id, place, mod, slot_index
    from beatmap_use join pack on pack.id = pack_id
    where beatmap_id = ${id} and ${isListed} and not exists (
      select 1 from tournament_round where pack_slug = pack.slug and tournament = ${except})
    order by beatmap_use.updated_at desc, pack_id desc, place limit ${limit}
  ) as of_one`

const useColumns = sql`
  used.beatmap_id as "beatmapId", used.mod, used.slot_index as "index", pack.slug,
  pack.name as "packName", pack.owner_id as "ownerId", pack.updated_at as "updatedAt",
  (select username from account where account.id = pack.owner_id) as "ownerUsername",
  tournament_round.released as "released", tournament.slug as "tournamentSlug",
  tournament.name as "tournamentName", tournament.year`

/** A round of a tournament that is private or hidden is as good as none. */
const joins = sql`
  join pack on pack.id = used.pack_id
  left join tournament_round on tournament_round.pack_slug = pack.slug
  left join tournament on tournament.slug = tournament_round.tournament
    and tournament.visibility = 'public' and tournament.hidden_at is null`

type UseRow = Omit<SavedUse, 'mod' | 'round'> & {
  readonly mod: string
  /** What was released of the round: its draft may be called otherwise by now (D-60). */
  readonly released: string | null
  readonly tournamentSlug: string | null
  readonly tournamentName: string | null
  readonly year: number | null
}

function toUse({ released, tournamentSlug, tournamentName, year, mod, ...use }: UseRow): SavedUse {
  const isShown = released !== null && tournamentSlug !== null && tournamentName !== null
  const round = isShown
    ? {
        name: (JSON.parse(released) as { name: string }).name,
        tournament: { slug: tournamentSlug, name: tournamentName, year },
      }
    : null
  return { ...use, mod: mod === '' ? null : mod, round }
}

/** How far a rebuild has come, and the changes that are not taken over: counted, noted, and not counted yet. */
type PendingRow = { readonly [name in 'walk' | 'counted' | 'noted' | 'uncounted']: number }

function usageQueries() {
  const among = (ids: readonly Value[]) => sql`beatmap_id in (${sql.join(ids)})`
  const countBy = (from: RawBuilder<unknown>) => sql<CountRow>`
    select beatmap_id as id, count(*) as uses from ${from} group by beatmap_id`
  const searched = sql`(select value from shared_number where name = 'search_seq')`

  return {
    pending: prepareQuery(
      ({ limit }: { limit: number }) => sql<PendingRow>`
        select (select value from shared_number where name = 'search_walk') as walk,
          (select value from shared_number where name = 'index_version') - ${searched} as counted,
          (select count(*) from (
            select seq from public_change where seq > ${searched} limit ${limit}) as newest) as noted,
          (select count(*) from (
            select id from public_change where seq is null limit ${limit}) as others) as uncounted`,
    ),
    counted: prepareByLength((ids: readonly number[]) =>
      countBy(sql`beatmap_use where ${among(ids)}`),
    ),
    lookedAt: prepareByLength((ids: readonly number[]) =>
      countBy(sql`beatmap_use join pack on pack.id = pack_id
        where ${among(ids)} and ${isListed}`),
    ),
    /** Of packs that have changed since they were taken over, and are not public now. */
    inPending: prepareByLength((ids: readonly number[]) =>
      countBy(sql`beatmap_use where ${among(ids)} and pack_id in (
        select pack_id from public_change
        where (seq is null or seq > ${searched})
          and not exists (select 1 from pack where id = pack_id and ${isListed}))`),
    ),
    /** From the packs of the tournament, which are few, to their uses: a popular beatmap has tens of thousands. */
    inExcepted: prepareByLength(([except, ...ids]: readonly (number | string)[]) =>
      countBy(sql`tournament_round cross join pack cross join search_pack cross join beatmap_use
        where tournament = ${except} and pack.slug = pack_slug and ${isListed}
          and search_pack.pack_id = pack.id and beatmap_use.pack_id = pack.id
          and beatmap_use.updated_at = search_pack.updated_at and ${among(ids)}`),
    ),
  }
}
