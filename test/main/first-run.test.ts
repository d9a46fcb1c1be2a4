import { readdir } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { demonstrationPools } from '../../src/main/demonstration.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const beatmapOf = ({ beatmapId }: { readonly beatmapId?: number }) => beatmapId

const KEY = /packs_[A-Za-z0-9_-]{43}/

test('the first run prints both addresses and a curl line that works', async () => {
  const server = await startServer(await freshFolder())
  const { stdout } = server.process
  expect(stdout).toContain(`${server.packs.url}/api/v1\n`)
  expect(stdout).toContain(`${server.pools.url}/api/v1\n`)
  const curl = /^ {2}curl -H '(\w+): (.*)' (\S+)$/m.exec(stdout)
  const [, header, value, url] = curl ?? []
  const answer = await fetch(url!, { headers: { [header!]: value! } })
  expect(answer.status).toBe(200)
  const { packs } = (await answer.json()) as { packs: { name: string; visibility: string }[] }
  expect(packs.map(({ name }) => name).toSorted()).toEqual(
    demonstrationPools.map(({ name }) => name).toSorted(),
  )
  expect(packs.map(({ visibility }) => visibility)).toEqual(['public', 'public', 'public'])
})

test('the demonstration has a tournament: two rounds released, one that is due, and a draft', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const player = ['--game-id', '999999999', '--username', 'Demonstration']
  const key = (await runCli(folder, ['key', '--service', 'pools', ...player])).stdout.trim()
  const { tournaments } = (await server.pools.ask('GET', '/me/tournaments', { key })).json
  expect(tournaments).toMatchObject([{ name: 'World Cup 2023', role: 'host' }])
  const path = `/tournaments/${tournaments[0].slug}`
  const { rounds } = (await server.pools.ask('GET', path, { key })).json.tournament
  const [qualifiers, finals, last, draft] = rounds
  expect([qualifiers.name, finals.name, last.name, draft.name]).toEqual([
    'Qualifiers',
    'Finals',
    'Grand Finals',
    'All-Stars',
  ])
  // No slot of it was pooled before: the packs hold other pools (D-67).
  const packed = new Set(demonstrationPools.flatMap(({ slots }) => slots.map(beatmapOf)))
  for (const { slots } of rounds) {
    for (const slot of slots) expect(packed).not.toContain(beatmapOf(slot))
  }
  for (const { packSlug } of [qualifiers, finals]) {
    const { status } = await fetch(`${server.packs.url}/session/packs/${packSlug}`)
    expect(status).toBe(200)
  }
  const minutes = (Date.parse(last.releaseAt) - Date.parse(last.createdAt)) / 60_000
  expect([last.packSlug, Math.round(minutes)]).toEqual([undefined, 10])
  expect(draft.releaseAt).toBeUndefined()
  const staff: { gameId: number }[] = (await server.pools.ask('GET', `${path}/staff`, { key })).json
    .staff
  expect(staff).toHaveLength(3)
  // Far beyond those of the platform, and none of the stand-in's.
  for (const { gameId } of staff) expect(gameId).toBeGreaterThan(900_000_000)
})

test('a later run prints no key, and the command that it names makes one', async () => {
  const folder = await freshFolder()
  const first = await startServer(folder)
  const [key] = KEY.exec(first.process.stdout)!
  expect((await first.stop()).code).toBe(0)

  const second = await startServer(folder)
  expect(second.process.stdout).not.toMatch(KEY)
  expect((await second.packs.ask('GET', '/me/packs', { key })).json.total).toBe(3)
  const [, words] = /npx mapcrate-server (key .*)$/m.exec(second.process.stdout)!
  const made = await runCli(folder, words!.split(' '))
  const packs = await second.packs.ask('GET', '/me/packs', { key: made.stdout.trim() })
  expect(packs.json.total).toBe(3)
})

test('a store with a player in it gets no demonstration', async () => {
  const folder = await freshFolder()
  const key = await makeKey(folder)
  const server = await startServer(folder)
  expect(server.process.stdout).not.toMatch(KEY)
  expect((await server.packs.ask('GET', '/packs', { key })).json.total).toBe(0)
})

test.each<Record<string, string>>([
  { PACKS_URL: 'https://example.org/' },
  { POOLS_URL: 'https://example.org/' },
  { SITE_URL: 'https://example.org/' },
  // Nothing is asked of it here.
  { PLATFORM_URL: 'http://127.0.0.1:9', PLATFORM_CLIENT_ID: '1', PLATFORM_CLIENT_SECRET: 'hush' },
])(
  'with %o set, the run is a real one: no demonstration, whose players could be somebody there',
  async (settings) => {
    const folder = await freshFolder()
    const server = await startServer(folder, settings)
    expect(server.process.stdout).not.toMatch(KEY)
    expect(server.process.stdout).toContain('npx mapcrate-server key --service packs --game-id N')
    const args = ['--service', 'packs', '--game-id', '999999999']
    const { code, stderr } = await runCli(folder, ['revoke', ...args])
    expect(stderr).toContain('has no API key')
    expect(code).toBe(1)
  },
)

test('public addresses are printed and answered with', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder, { POOLS_URL: 'https://pools.example.org/' })
  expect(server.process.stdout).toMatch(/pools service +https:\/\/pools\.example\.org\/api\/v1\n/)
  const { json } = await server.packs.ask('GET', '/openapi.json')
  expect(json.servers[0].url).toBe(`${server.packs.url}/api/v1`)
})

test('once stopped, the store is one file', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  await server.stop()
  expect(await readdir(folder)).toEqual(['mapcrate.db'])
})

test('at rest the process takes less than 150 MB of memory of its own', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  const server = await startServer(folder)
  let bytes = 0
  await vi.waitUntil(
    () => {
      const before = bytes
      bytes = server.process.privateBytes()
      return Math.abs(bytes - before) < 2 ** 20
    },
    { timeout: 60_000, interval: 1000 },
  )
  expect(bytes).toBeLessThan(150 * 2 ** 20)
})
