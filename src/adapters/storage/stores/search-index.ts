import { sql } from 'kysely'
import type { CreatedPack, PublicIndex, SharedBuild, SharedIndex } from '../../../ports/search.ts'
import type { Engine, RunStatement } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import { createChangeCounter } from './public-count.ts'
import { countedVersion, createPublicList } from './public-list.ts'
import { indexedColumns, type IndexRow, toIndexedPack } from './search.ts'

type SortKey = { readonly createdAt: number; readonly slug: string }

export function createPublicIndex(engine: Engine): PublicIndex {
  const { db, read } = engine
  const counter = createChangeCounter(engine)
  const { readState } = createPublicList()
  const queries = publicIndexQueries()
  const states = engine.newCache<object>(1, () => ['list', 'names'])

  return {
    version: () => counter.version(),
    state: () => states('', async () => ({})),

    readChanges: (since, limit) =>
      read(async (tx) => {
        const state = await readState(tx)
        const counted = countedVersion(state)
        if (since === counted) return { version: counted, changed: [], gone: [] }
        const [number, mark] = since.split('.')
        const value = Number(number)
        const [next] = await queries.markBefore(tx, { next: value + 1 })
        if (next?.mark !== mark) return null
        const slugs = await queries.changesAfter(tx, { value })
        // Others may have counted changes without noting them, and old notes are removed.
        const noted = slugs.reduce((sum, { changes }) => sum + changes, 0)
        if (noted !== state.value - value || slugs.length > limit) return null
        const changed = (await queries.changedAfter(tx, { value })).map(toIndexedPack)
        const shown = new Set(changed.map(({ slug }) => slug))
        const gone = slugs.flatMap(({ slug }) => (shown.has(slug) ? [] : slug))
        return { version: counted, changed, gone }
      }),

    async readPortion(after, limit) {
      const { createdAt, slug } = after ?? { createdAt: Number.MAX_SAFE_INTEGER, slug: '' }
      return (await queries.portion(db, { createdAt, slug, limit })).map(toIndexedPack)
    },

    readCreated: ({ after, ...time }) => queries.created(db, { ...after, ...time }),
  }
}

function publicIndexQueries() {
  const shownPacks = sql`
    select ${indexedColumns} from pack
    where visibility = 'public' and hidden_at is null`

  return prepareQueries({
    portion: (after: { createdAt: number; slug: string; limit: number }) => sql<IndexRow>`
      ${shownPacks} and (created_at, slug) < (${after.createdAt}, ${after.slug})
      order by created_at desc, slug desc limit ${after.limit}`,

    created: (time: SortKey & { before: number; skip: number; limit: number }) => sql<CreatedPack>`
      select slug, created_at as "createdAt", updated_at as "updatedAt" from pack
      where visibility = 'public' and hidden_at is null
        and (created_at, slug) > (${time.createdAt}, ${time.slug}) and created_at < ${time.before}
      order by created_at, slug limit ${time.limit} offset ${time.skip}`,

    markBefore: ({ next }: { next: number }) => sql<{ mark: string | null }>`
      select mark_before as mark from public_change where seq = ${next}`,

    changesAfter: ({ value }: { value: number }) => sql<{ slug: string; changes: number }>`
      select slug, count(*) as changes from public_change where seq > ${value} group by slug`,

    changedAfter: ({ value }: { value: number }) => sql<IndexRow>`
      ${shownPacks} and slug in (select slug from public_change where seq > ${value})`,
  })
}

// Processes of the version before write and compare the number alone, and leave the mark as it is.
const READ_OTHER = `
  with published as (
    select concat(version, '.', mark) as version, built_at as "builtAt", packs, brotli, gzip
    from published_index
  )
  select * from published where version is distinct from $1`

// The database's clock may be set back: no process holds the lease for longer than it asked for.
const TAKE_LEASE = `
  insert into lease as held (name, holder, until)
  values ('index', $1, clock_timestamp() + $2 * interval '1 millisecond')
  on conflict (name) do update set holder = excluded.holder, until = excluded.until
  where held.holder = excluded.holder
    or held.until <= clock_timestamp()
    or held.until > excluded.until
  returning holder`

// The row of the lease is locked until this is committed: no other process takes it and publishes meanwhile.
const PUBLISH = `
  with held as (select from lease where name = 'index' and holder = $1 for update)
  insert into published_index as one (version, mark, built_at, packs, brotli, gzip)
  select $2::bigint, $3::text, $4::bigint, $5::integer, $6::bytea, $7::bytea from held
  on conflict (only_one) do update set
    version = excluded.version,
    mark = excluded.mark,
    built_at = excluded.built_at,
    packs = excluded.packs,
    brotli = excluded.brotli,
    gzip = excluded.gzip
  returning only_one`

/** Shared by processes in a PostgreSQL database. */
export function createSharedIndex(run: RunStatement): SharedIndex {
  return {
    async readOther(known) {
      const [build] = await run<SharedBuild>(READ_OTHER, [known])
      return build ?? null
    },

    async takeLease(holder, forMs) {
      return (await run(TAKE_LEASE, [holder, forMs])).length > 0
    },

    async publish({ version, builtAt, packs, brotli, gzip }, holder) {
      const [number, mark] = version.split('.')
      const values = [holder, number, mark, builtAt, packs, brotli, gzip]
      return (await run(PUBLISH, values)).length > 0
    },
  }
}
