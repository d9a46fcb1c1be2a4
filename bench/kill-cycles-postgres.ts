import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { openPostgresStores } from '../src/adapters/storage/postgres/open.ts'
import {
  systemClock,
  systemCompressor,
  systemHasher,
  systemRandom,
} from '../src/adapters/system.ts'
import { type KillCount, killOver, makeKeys } from './kill-cycles.ts'
import { ANY_PORTS, portsOf } from './processes.ts'
import { ENTRIES, type Kept, keptOf, REPLACED_VERSIONS } from './read-whole.ts'

const LOOK_EACH_MS = 20

const PACKS =
  'select slug, name, visibility, slots, buckets, pack_key, updated_at, version from pack'

/** Blocks of the public list that count, with what is pending, other packs than there are. */
const WRONG_BLOCKS = `
  with moved as (
    select from_updated_at as at, pack_id, -1 as step from public_change
    where seq is null and from_updated_at is not null
    union all
    select to_updated_at, pack_id, 1 from public_change
    where seq is null and to_updated_at is not null
  ), ranged as (
    select *, lead(first_updated_at) over w as next_at, lead(first_id) over w as next_id
    from public_block window w as (order by first_updated_at, first_id)
  )
  select block.size, count(pack.id) as counted
  from (
    select first_updated_at, first_id, next_at, next_id, size + (
      select coalesce(sum(step), 0) from moved
      where (at, pack_id) >= (first_updated_at, first_id)
        and (next_at is null or (at, pack_id) < (next_at, next_id))
    ) as size
    from ranged
  ) as block
  left join pack on pack.visibility = 'public' and pack.hidden_at is null
    and (pack.updated_at, pack.id) >= (block.first_updated_at, block.first_id)
    and (block.next_at is null
      or (pack.updated_at, pack.id) < (block.next_at, block.next_id))
  group by block.first_updated_at, block.first_id, block.size
  having block.size <> count(pack.id)`

/** Whoever is still at work for a process of ours, be it dead. */
const BUSY = `
  select count(*)::int as busy from pg_stat_activity
  where application_name = 'mapcrate' and datname = current_database() and state <> 'idle'`

/** Reads all packs and checks what is kept of them besides; knows how the index's version was before. */
const wholeReader = (url: string) => {
  let before = { version: 0, acknowledged: 0 }
  return async (acknowledged: number): Promise<Kept> => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      while ((await client.query<{ busy: number }>(BUSY)).rows[0]?.busy !== 0) {
        await pause(LOOK_EACH_MS)
      }
      await client.query('begin isolation level repeatable read')
      const wrong = await client.query(WRONG_BLOCKS)
      if (wrong.rows.length > 0) throw new Error(`blocks: ${JSON.stringify(wrong.rows)}`)
      const numbers = await client.query(
        `select value + (select count(*) from public_change where seq is null) as value
         from shared_number where name = 'index_version'`,
      )
      const version = Number(numbers.rows[0]?.value)
      // Each save of a public pack moves it; stats do as well.
      if (version - before.version < acknowledged - before.acknowledged) {
        throw new Error(`the index's version went from ${before.version} to ${version} only`)
      }
      before = { version, acknowledged }
      const all = async (query: string) => (await client.query<Record<string, unknown>>(query)).rows
      return keptOf(await all(PACKS), await all(REPLACED_VERSIONS), await all(ENTRIES))
    } finally {
      await client.end()
    }
  }
}

/** A store in a database, and processes over it. @param more settings of their environment. */
export const groundOn = async (url: string, more: Readonly<Record<string, string>> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-kill-'))
  const stores = await openPostgresStores(url, { size: 2, timeoutMs: null })
  const ports = {
    ...stores,
    clock: systemClock,
    random: systemRandom,
    hasher: systemHasher,
    compressor: systemCompressor,
  }
  let accounts = 0
  const children = new Set<ChildProcess>()

  /** The real server over the database, without logs. */
  const startService = async () => {
    const child = spawn(
      process.execPath,
      ['--max-semi-space-size=8', '--import', './scripts/compile-cache.mjs', 'src/main/serve.ts'],
      {
        env: {
          PATH: process.env['PATH'] ?? '',
          DATABASE_URL: url,
          DATA_DIR: folder,
          ...ANY_PORTS,
          LOG_LEVEL: 'silent',
          ...more,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    children.add(child)
    child.once('exit', () => children.delete(child))
    return { ...(await portsOf(child)), child }
  }

  return {
    stores,
    newKeys: async (count: number): Promise<string[]> => {
      const keys = await makeKeys(ports, accounts, count)
      accounts += count
      return keys
    },
    startService,
    readAll: wholeReader(url),
    close: async (): Promise<void> => {
      const running = [...children]
      await Promise.all(
        running.map((child) => {
          const gone = once(child, 'exit')
          child.kill('SIGKILL')
          return gone
        }),
      )
      await stores.care.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until the server says that it can serve; how long that took, ms. */
export const untilReady = async (port: number, withinMs: number): Promise<number> => {
  const begun = performance.now()
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    const ms = performance.now() - begun
    if (answer?.ok) return ms
    if (ms > withinMs) throw new Error(`port ${port} is not ready within ${withinMs} ms`)
    await pause(LOOK_EACH_MS)
  }
}

/** Kills one of two servers over this database under writes, again and again. */
export const killCyclesOnPostgres = async (
  url: string,
  cycles: number,
  onCycle?: (cycle: number, count: KillCount) => void,
  say?: (fault: string) => void,
): Promise<KillCount> => {
  const ground = await groundOn(url)
  try {
    const { port: survivor } = await ground.startService()
    const count = await killOver({ ...ground, survivor }, cycles, onCycle, say)
    await ground.stores.care.check()
    return count
  } finally {
    await ground.close()
  }
}
