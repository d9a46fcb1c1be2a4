import type { SharedBuild, SharedIndex } from '../../../ports/search-index.ts'
import type { RunStatement } from '../engine.ts'

// Processes of the version before write and compare the number alone, and leave the mark as it is.
const READ_OTHER = `
  with published as (
    select concat(version, '.', mark) as version, built_at as "builtAt", packs, brotli, gzip
    from published_index
  )
  select * from published where version is distinct from $1`

// The database's clock may be set back: nobody holds a turn for longer than they asked for.
const TAKE_LEASE = `
  insert into lease as held (name, holder, until)
  values ('index', $1, clock_timestamp() + $2 * interval '1 millisecond')
  on conflict (name) do update set holder = excluded.holder, until = excluded.until
  where held.holder = excluded.holder
    or held.until <= clock_timestamp()
    or held.until > excluded.until
  returning holder`

// The lease is locked until this is committed: nobody takes the turn and publishes meanwhile.
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

/** The search index in a PostgreSQL database. */
export const createSharedIndex = (run: RunStatement): SharedIndex => ({
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
})
