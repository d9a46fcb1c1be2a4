import { expect, inject, test } from 'vitest'
import { emptyDatabase, takeDatabase } from '../support/postgres-databases.ts'
import { Door } from '../support/door.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'
import { aPack } from '../support/samples.ts'
import { until } from '../support/until.ts'

test('three processes start at once on an empty database, serve one store, and one may be killed', async () => {
  const folder = await freshFolder()
  const env = { DATABASE_URL: await emptyDatabase(), DATABASE_CONNECTIONS: '5' }
  const start = () => startServer(folder, env)
  const servers = await Promise.all([start(), start(), start()])
  const [one, two, three] = servers
  for (const { process: server } of servers) {
    expect(server.stdout).toMatch(/ store +PostgreSQL, 127\.0\.0\.1:\d+\/mapcrate_test_\w+\n/)
    expect(server.stdout + server.stderr).not.toContain('secret')
  }

  const key = await makeKey(folder, { env })
  const body = aPack({ name: 'Shared', visibility: 'public' })
  const created = await one.packs.ask('POST', '/packs', { key, body })
  expect(created.status).toBe(201)
  const path = `/packs/${created.json.pack.slug}`
  for (const { packs } of servers) {
    expect((await packs.ask('GET', path, { key })).json.pack.name).toBe('Shared')
  }
  // Whichever process computes them, and whichever builds the index.
  await until(async () => (await two.packs.ask('GET', path, { key })).json.pack.stats)
  const indexOn = async ({ packs }: (typeof servers)[number]) =>
    (await fetch(`${packs.url}/packs/index.json`)).text()
  await until(async () => {
    const texts = await Promise.all(servers.map(indexOn))
    return texts.every((text) => text === texts[0] && text.includes('"k":'))
  })

  one.process.signal('SIGKILL')
  const changed = { ...body, name: 'Still shared' }
  expect((await two.packs.ask('PUT', path, { key, body: changed })).status).toBe(200)
  await until(async () => (await indexOn(three)).includes('Still shared'))
  expect((await two.stop()).code).toBe(0)
  expect((await three.packs.ask('GET', path, { key })).json.pack.name).toBe('Still shared')
  expect((await three.stop()).code).toBe(0)
})

test('each process does what its roles say, and together they do all', async () => {
  const database = await takeDatabase()
  const folder = await freshFolder()
  const env = { DATABASE_URL: database.url }
  const start = (role: string) => startServer(folder, env, undefined, ['--role', role])
  const [api, site, pools, worker] = await Promise.all([
    start('api'),
    start('site'),
    start('pools'),
    start('worker'),
  ])
  const addressOf = ({ process: server }: typeof api, what: string): string =>
    new RegExp(`^ {2}${what} +(http:\\S+?)(/api/v1)?$`, 'm').exec(server.stdout)?.[1] ?? ''
  const statusOf = async (url: string): Promise<number> => (await fetch(url)).status
  expect(worker.process.stdout).not.toMatch(/^ {2}(site|packs service|tournament-pools)/m)
  expect(addressOf(api, 'site') + addressOf(site, 'packs service')).toBe('')

  const key = await makeKey(folder, { env })
  const ask = (method: string, path: string, body?: unknown) =>
    api.packs.ask(method, path, { key, body })
  const created = await ask('POST', '/packs', aPack({ visibility: 'public' }))
  const { slug } = created.json.pack
  await until(async () => (await ask('GET', `/packs/${slug}`)).json.pack.stats)

  const siteUrl = addressOf(site, 'site')
  const readIndex = async () => (await fetch(`${siteUrl}/packs/index.json`)).text()
  await until(async () => (await readIndex()).includes(slug))
  expect(await statusOf(`${siteUrl}/robots.txt`)).toBe(200)
  expect((await new Door(siteUrl).ask('GET', '/me', { key })).status).toBe(404)
  const apiUrl = addressOf(api, 'packs service')
  expect(await statusOf(`${apiUrl}/packs/index.json`)).toBe(404)
  const poolsUrl = addressOf(pools, 'tournament-pools service')
  expect(await statusOf(`${poolsUrl}/api/v1/openapi.json`)).toBe(200)
  for (const each of [api, site, pools, worker]) expect((await each.stop()).code).toBe(0)
  await database.giveBack()
})

test('roles need a database, and must be known', async () => {
  const folder = await freshFolder()
  const env = { PORT: '0', POOLS_PORT: '0', PLATFORM_PORT: '0' }
  const alone = await runCli(folder, ['serve', '--role', 'api'], { env })
  expect(alone.stderr).toContain('--role needs DATABASE_URL')
  expect(alone.code).toBe(1)
  const unknown = await runCli(folder, ['serve', '--role', 'api,cook'], { env })
  expect(unknown.stderr).toContain('"cook" is not known')
  expect(unknown.code).toBe(2)
})

test("the operator's commands obey DATABASE_URL, and a backup of it is a store in a file", async () => {
  const database = await takeDatabase()
  const [folder, backups] = [await freshFolder(), await freshFolder()]
  const env = { DATABASE_URL: database.url }
  const server = await startServer(folder, env)
  const key = await makeKey(folder, { env })
  const ask = (method: string, path: string, body?: unknown) =>
    server.packs.ask(method, path, { key, body })
  const { slug } = (await ask('POST', '/packs', aPack({ visibility: 'public' }))).json.pack

  expect(await runCli(folder, ['hide', slug], { env })).toMatchObject({ code: 0 })
  expect((await ask('GET', `/packs/${slug}`)).json.pack.hiddenAt).toBeDefined()
  expect(await runCli(backups, ['backup', `${backups}/mapcrate.db`], { env })).toMatchObject({
    code: 0,
  })
  expect(
    await runCli(folder, ['revoke', '--game-id', '4711', '--service', 'packs'], { env }),
  ).toMatchObject({ code: 0 })
  expect((await ask('GET', '/me')).status).toBe(401)
  await server.stop()
  await database.giveBack()

  const restored = await startServer(backups)
  const reply = await restored.packs.ask('GET', `/packs/${slug}`, { key })
  expect(reply.json.pack.hiddenAt).toBeDefined()
  await restored.stop()
})

test('a database that cannot be had is told in a line, without its password', async () => {
  const folder = await freshFolder()
  const url = new URL(inject('postgres').url)
  url.password = 'mistaken-secret'
  for (const words of [
    ['serve'],
    ['key', '--game-id', '1', '--username', 'Ada', '--service', 'packs'],
  ]) {
    const { code, stderr, stdout } = await runCli(folder, words, {
      env: { DATABASE_URL: url.href },
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /Cannot open the store in the database: .+ \(DATABASE_URL says where the store is\)\n$/,
    )
    expect(stdout + stderr).not.toContain('mistaken-secret')
  }
})

test('of the two addresses of a database, the message names the one that is wrong', async () => {
  const folder = await freshFolder()
  const [store, other] = await Promise.all([takeDatabase(), takeDatabase()])
  const nothing = await emptyDatabase()
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(store.url)
    change(url)
    return url.href
  }
  const wrong = {
    password: changed((url) => (url.password = 'mistaken-secret')),
    database: changed((url) => (url.pathname = '/mapcrate_test_that_nobody_made')),
    port: changed((url) => (url.port = '1')),
  }
  const tell = async (DATABASE_URL: string, DATABASE_DIRECT_URL: string): Promise<string> => {
    const env = { DATABASE_URL, DATABASE_DIRECT_URL }
    const { code, stderr } = await runCli(folder, ['moderators'], { env })
    expect(stderr).not.toContain('secret')
    return code === 0
      ? 'none'
      : (/\((\w+) says where the store is\)\n$/.exec(stderr)?.[1] ?? stderr)
  }
  for (const [name, value] of [
    ['sslmode', 'disable'],
    ['options', '-c timezone=Asia/Tokyo'],
  ] as const) {
    const same = changed((url) => url.searchParams.set(name, value))
    expect(await tell(store.url, same)).toBe('none')
  }
  for (const bad of Object.values(wrong)) {
    expect(await tell(store.url, bad)).toBe('DATABASE_DIRECT_URL')
    expect(await tell(bad, store.url)).toBe('DATABASE_URL')
  }
  // Each can be used by itself, but migrations of the one would be missing in the other.
  for (const another of [other.url, nothing]) {
    expect(await tell(store.url, another)).toBe('DATABASE_DIRECT_URL')
    expect(await tell(another, store.url)).toBe('DATABASE_DIRECT_URL')
  }
  await Promise.all([store.giveBack(), other.giveBack()])
})

test('a process that ends has counted what it saved, for a step back to the version before', async () => {
  const database = await takeDatabase()
  const folder = await freshFolder()
  const env = { DATABASE_URL: database.url }
  // No other process counts, and this one not while it serves: it has no index to build.
  const api = await startServer(folder, env, undefined, ['--role', 'api'])
  const key = await makeKey(folder, { env })
  const pending = () =>
    overConnection(database.url, async (client) => {
      const { rows } = await client.query('select count(*) from public_change where seq is null')
      return Number(rows[0].count)
    })
  const body = aPack({ visibility: 'public' })
  expect((await api.packs.ask('POST', '/packs', { key, body })).status).toBe(201)
  expect(await pending()).toBe(1)
  expect((await api.stop()).code).toBe(0)
  expect(await pending()).toBe(0)
  await database.giveBack()
})
