import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { copyStore } from '../../src/main/copy-store.ts'
import { expectError } from '../support/door.ts'
import { expectHeldRelease } from '../support/held-release.ts'
import { killCopies, killDeletions, killRecomputations } from '../support/killed-commands.ts'
import { emptyDatabase, takeDatabase } from '../support/postgres-databases.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'
import { aPack } from '../support/samples.ts'
import { copyUsed, copyWhileServed } from '../support/used-sources.ts'
import { until } from '../support/until.ts'

test('a worker has a health address, and its secret comes from a file', async () => {
  const database = await takeDatabase()
  const folder = await freshFolder()
  const file = join(folder, 'database-url')
  await writeFile(file, `${database.url}\n`)
  const env = { DATABASE_URL_FILE: file, HEALTH_PORT: '0', METRICS_PORT: '0' }
  const worker = await startServer(folder, env, undefined, ['--role', 'worker'])
  const [health = '', metrics = ''] = ['health', 'metrics'].map(
    (name) => new RegExp(`^ {2}${name} +(\\S+)$`, 'm').exec(worker.process.stdout)?.[1],
  )
  expect(await (await fetch(`${health}/readyz`)).json()).toEqual({ status: 'ready' })
  expect(await (await fetch(`${health}/healthz`)).json()).toEqual({ status: 'ok' })
  expect((await fetch(new URL('/readyz', metrics))).status).toBe(200)
  const asked = await runCli(folder, ['health'], {
    env: { DATABASE_URL_FILE: file, HEALTH_PORT: new URL(health).port },
  })
  expect(asked).toEqual({ code: 0, stdout: 'ready\n', stderr: '' })
  expect(worker.process.stdout + worker.process.stderr).not.toContain(database.url)
  expect((await worker.stop()).code).toBe(0)
  await database.giveBack()
})

test('backup - of a database is a store that restore - takes', async () => {
  const database = await takeDatabase()
  const folder = await freshFolder()
  const env = { DATABASE_URL: database.url }
  await makeKey(folder, { env })
  const backup = await runCli(folder, ['backup', '-'], { env, encoding: 'latin1' })
  expect([backup.code, backup.stderr]).toEqual([0, ''])
  const bytes = Buffer.from(backup.stdout, 'latin1')
  const copy = join(folder, 'copy.db')
  await writeFile(copy, bytes)
  using opened = new DatabaseSync(copy, { readOnly: true })
  expect(opened.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(opened.prepare('select username from account where game_id = 4711').all()).toEqual([
    { username: 'Ada' },
  ])
  const restored = await runCli(join(folder, 'restored'), ['restore', '-'], { input: bytes })
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/the same in both/) })
  await database.giveBack()
})

test('what operators decide holds in all processes, and one account goes in all', async () => {
  const database = await takeDatabase()
  const folder = await freshFolder()
  const env = { DATABASE_URL: database.url, DATABASE_CONNECTIONS: '5' }
  const key = await makeKey(folder, { env })
  const servers = [await startServer(folder, env), await startServer(folder, env)]
  const does = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCli(folder, words, { env })
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' })
    return stdout
  }
  const onEach = <T>(ask: (server: (typeof servers)[number]) => Promise<T>) =>
    Promise.all(servers.map(ask))
  const save = ({ packs }: (typeof servers)[number]) =>
    packs.ask('POST', '/packs', { key, body: aPack() })

  await does('read-only', 'on', '--reason', 'we move')
  for (const reply of await onEach(save)) expectError(reply, 'unavailable', /: we move$/)
  await does('notice', 'Down at 20:00')
  await until(async () => {
    const pages = await onEach(async ({ pools }) => (await fetch(pools.url)).text())
    return pages.every((page) => page.includes('Down at 20:00') && page.includes('we move'))
  })
  await does('notice', '--clear')
  await does('read-only', 'off')
  for (const { status } of await onEach(save)) expect(status).toBe(201)

  await does('moderator', '--game-id', '4711')
  expect(await does('moderators')).toMatch(/^4711 {2}Ada, since .*, no session\n$/)
  expect(await does('account', '--username', 'ada')).toMatch(/^ {2}packs +\d+: \d+ unlisted$/m)
  expect((await runCli(folder, ['delete-account', '--game-id', '4711'], { env })).code).toBe(1)
  for (const { status } of await onEach(({ packs }) => packs.ask('GET', '/me', { key }))) {
    expect(status).toBe(200)
  }
  await does('delete-account', '--game-id', '4711', '--yes')
  for (const reply of await onEach(({ packs }) => packs.ask('GET', '/me', { key }))) {
    expectError(reply, 'invalid_api_key')
  }
  expect((await does('log')).replaceAll(/^.{16}/gm, 'T')).toBe(
    'T  (operator)  delete player 4711\nT  (operator)  appoint player 4711\n',
  )
  for (const server of servers) expect((await server.stop()).code).toBe(0)
  await database.giveBack()
})

test('what falls due while nothing may be changed waits in all workers (D-63)', async () => {
  const database = await takeDatabase()
  const folder = await freshFolder()
  const env = { DATABASE_URL: database.url, DATABASE_CONNECTIONS: '5' }
  await makeKey(folder, { env })
  const servers = [await startServer(folder, env), await startServer(folder, env)]
  const stores = await openPostgresStores(database.url, { size: 2, timeoutMs: null })
  await expectHeldRelease(stores, 4711, async (...words) => {
    expect((await runCli(folder, words, { env })).code).toBe(0)
  })
  await stores.care.close()
  for (const server of servers) await server.stop()
  await database.giveBack()
})

test.each([
  ['delete-account', killDeletions],
  ['recompute', killRecomputations],
])('%s that is killed leaves nothing half done, and can be repeated', async (_, kill) => {
  const database = await takeDatabase()
  await kill({ folder: await freshFolder(), env: { DATABASE_URL: database.url } }, 2)
  await database.giveBack()
})

test.each(['copy', 'restore'] as const)(
  '%s that is killed leaves a database that serves nobody but whole, and can be repeated',
  async (command) => {
    const newPlace = async () => {
      const env = { DATABASE_URL: await emptyDatabase() }
      return { folder: await freshFolder(), env }
    }
    await killCopies(command, newPlace, 4)
  },
)

test.each(['copy', 'restore'] as const)(
  '%s to a database that a server has open is refused, and neither is changed, until it is stopped',
  async (command) => {
    const from = await freshFolder()
    await makeKey(from)
    const file = join(from, 'mapcrate.db')
    const folder = await freshFolder()
    const env = { DATABASE_URL: await emptyDatabase() }
    for (const role of ['api', 'worker']) {
      const more = role === 'worker' ? { HEALTH_PORT: '0' } : {}
      const server = await startServer(folder, { ...env, ...more }, undefined, ['--role', role])
      const fill = () =>
        runCli(folder, command === 'copy' ? ['copy', '--from', file] : ['restore', file], { env })
      const refused = await fill()
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(/a server or another command uses it; stop that first; /)
      const marks = await overConnection(env.DATABASE_URL, (client) =>
        client.query("select from migration where name like 'unfinished%'"),
      )
      expect(marks.rows).toEqual([])
      expect((await server.stop()).code).toBe(0)
      if (role === 'worker') expect(await fill()).toMatchObject({ code: 0 })
    }
  },
)

test('copy takes a database only while no server can change it', async () => {
  const url = await emptyDatabase()
  const place = { folder: await freshFolder(), env: { DATABASE_URL: url } }
  await copyUsed(['copy', '--from', url], place)
})

test('a database is not copied past a server that comes meanwhile', async () => {
  const url = await emptyDatabase()
  const place = { folder: await freshFolder(), env: { DATABASE_URL: url } }
  await copyWhileServed({ databaseUrl: url }, place)
})

const COUNT = 'select pg_stat_force_next_flush()'
const named = (name: string) => `update account set username = '${name}' where game_id = 4711`
test.each([
  ['saves nothing', [], true],
  ['takes back what it writes', ['begin', named('Ann'), 'rollback', COUNT], true],
  ['writes what is there', [named('Ada'), COUNT], true],
  ['saves something', [named('Ann')], false],
])(
  'a database is copied beside a connection of another program that stays open and %s',
  async (_, queries, isCopied) => {
    const url = await emptyDatabase()
    await makeKey(await freshFolder(), { env: { DATABASE_URL: url } })
    const target = { file: join(await freshFolder(), 'mapcrate.db') }
    await overConnection(url, async (client) => {
      // What follows within a second is counted later.
      await client.query(named('Ada'))
      await client.query(COUNT)
      let hasWritten = false
      const copied = copyStore('copy', { databaseUrl: url }, target, async (doing) => {
        if (doing !== 'checked' || hasWritten) return
        hasWritten = true
        for (const query of queries) await client.query(query)
      })
      if (isCopied) expect(await copied).toBeGreaterThan(0)
      else await expect(copied).rejects.toThrow('has changed since the copy began')
      expect(hasWritten).toBe(true)
    })
  },
)

test.each([
  ['quiet', 'mapcrate', 'select 1', true],
  ['in a transaction', 'mapcrate', 'begin', false],
  ['of another program, in a transaction', 'mapcrate_exporter', 'begin', true],
  ['of which nothing is known', 'mapcrate', 'set track_activities = off', true],
])(
  'a connection that was left behind, %s, holds a restore up only until it is ended as it says',
  async (_, name, statement, isLet) => {
    const from = await freshFolder()
    await makeKey(from)
    const url = await emptyDatabase()
    const left = new URL(url)
    left.searchParams.set('application_name', name)
    const restore = () =>
      runCli(from, ['restore', join(from, 'mapcrate.db')], { env: { DATABASE_URL: url } })
    const client = new Client({ connectionString: left.href })
    client.on('error', () => {})
    await client.connect()
    try {
      await client.query(statement)
      const { code, stderr } = await restore()
      expect(code, stderr).toBe(isLet ? 0 : 1)
      if (isLet) return
      const [end = ''] = /select pg_terminate_backend.*/.exec(stderr) ?? []
      await overConnection(url, (other) => other.query(end))
      expect(await restore()).toMatchObject({ code: 0 })
    } finally {
      await client.end()
    }
  },
)

test('a backup that is ended while it reads leaves no copy behind', async () => {
  const database = await takeDatabase()
  const copies = await freshFolder()
  const env = { DATABASE_URL: database.url }
  await makeKey(copies, { env })
  const program = fileURLToPath(new URL('../../src/cli/mapcrate-server.ts', import.meta.url))
  const words = [program, 'backup', '--keep', '1', copies]
  const ended = await overConnection(database.url, async (client) => {
    await client.query('begin; lock table pack in access exclusive mode')
    const options = { env: { PATH: process.env['PATH'], ...env } }
    const child = spawn(process.execPath, words, options)
    await until(async () => (await readdir(copies, { recursive: true })).length > 1)
    child.kill('SIGTERM')
    return once(child, 'close')
  })
  expect(ended).toEqual([143, null])
  expect(await readdir(copies)).toEqual([])
  expect((await runCli(copies, ['backup', '--keep', '1', copies], { env })).code).toBe(0)
  expect(await readdir(copies)).toHaveLength(1)
  await database.giveBack()
})

test('connections in use and waited for are measured, and one process builds the index', async () => {
  const database = await takeDatabase()
  const folder = await freshFolder()
  const env = { DATABASE_URL: database.url, DATABASE_CONNECTIONS: '7', METRICS_PORT: '0' }
  const servers = [await startServer(folder, env), await startServer(folder, env)]
  const read = async ({ process: { stdout } }: (typeof servers)[number]): Promise<string> =>
    (await fetch(/metrics +(\S+)$/m.exec(stdout)?.[1] ?? '')).text()
  const valueOf = (text: string, name: string): number =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1])
  await until(async () => {
    const builders = (await Promise.all(servers.map(read))).map((text) =>
      valueOf(text, 'mapcrate_index_builder'),
    )
    return builders.includes(0) && builders.includes(1)
  })
  const key = await makeKey(folder, { env })
  const [first] = servers
  const body = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }
  await first?.packs.ask('POST', '/packs', { key, body })
  const text = await read(servers[0]!)
  expect(text).toContain('engine="postgresql"')
  expect(valueOf(text, 'mapcrate_database_connections_limit')).toBe(7)
  const open = valueOf(text, 'mapcrate_database_connections_open')
  expect(open).toBeGreaterThan(0)
  expect(valueOf(text, 'mapcrate_database_connections_in_use')).toBeLessThanOrEqual(open)
  // What a scrape itself asks the database for does not count.
  await until(async () => valueOf(await read(servers[0]!), 'mapcrate_database_calls_waiting') === 0)
  expect(valueOf(text, 'mapcrate_database_seconds_count')).toBeGreaterThan(0)
  expect(text).toMatch(/^mapcrate_write_lock_wait_seconds_count\{scope="packs"\} [1-9]/m)
  for (const server of servers) expect((await server.stop()).code).toBe(0)
  await database.giveBack()
})
