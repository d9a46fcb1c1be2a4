import type { SharedBuild, SharedIndex } from '../../ports/public-index.ts'
import type { RunStatement } from './run-statement.ts'

const READ_NEWER = `
  select version, built_at as "builtAt", packs, brotli, gzip
  from published_index where version > $1`

// The database's clock may be set back: nobody holds a turn for longer than they asked for.
const TAKE_TURN = `
  insert into lease as held (name, holder, until)
  values ('index', $1, clock_timestamp() + $2 * interval '1 millisecond')
  on conflict (name) do update set holder = excluded.holder, until = excluded.until
  where held.holder = excluded.holder
    or held.until <= clock_timestamp()
    or held.until > excluded.until
  returning holder`

const PUBLISH = `
  insert into published_index as one (version, built_at, packs, brotli, gzip)
  values ($1, $2, $3, $4, $5)
  on conflict (only_one) do update set
    version = excluded.version,
    built_at = excluded.built_at,
    packs = excluded.packs,
    brotli = excluded.brotli,
    gzip = excluded.gzip
  where one.version <= excluded.version`

/** The search index in a PostgreSQL database. */
export const createSharedIndex = (run: RunStatement): SharedIndex => ({
  async readNewer(known) {
    const [build] = await run<SharedBuild>(READ_NEWER, [known])
    return build ?? null
  },

  async takeTurn(holder, forMs) {
    return (await run(TAKE_TURN, [holder, forMs])).length > 0
  },

  async publish({ version, builtAt, packs, brotli, gzip }) {
    await run(PUBLISH, [version, builtAt, packs, brotli, gzip])
  },
})
