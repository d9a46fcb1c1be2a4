import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'
import { until } from '../support/until.ts'

const pool = (name: string) => ({
  name,
  slots: [
    { mod: 'NM', index: 1, beatmapId: 129891 },
    { mod: 'DT', index: 1, beatmapId: 75 },
  ],
})

const openHouse = async () => {
  const folder = await freshFolder()
  // With an account there already, no demonstration takes a part of the platform's calls.
  const key = await makeKey(folder)
  const server = await startServer(folder)
  const save = async (name: string): Promise<string> =>
    (await server.packs.ask('POST', '/packs', { key, body: pool(name) })).json.pack.slug
  const statsOf = async (slug: string) =>
    (await server.packs.ask('GET', `/packs/${slug}`, { key })).json.pack.stats
  const computed = (slug: string) =>
    until(async () => {
      const stats = await statsOf(slug)
      return stats?.complete === true && stats
    })
  return { folder, server, save, statsOf, computed }
}

test('recompute --all: every pack has new stats, and it says so', async () => {
  const { folder, save, computed, statsOf } = await openHouse()
  const slugs = [await save('One'), await save('Two')]
  const before = await Promise.all(slugs.map(computed))
  const { code, stdout, stderr } = await runCli(folder, ['recompute', '--all'])
  expect(stdout).toMatch(/^\d packs to compute: all are computed\n$/)
  expect(stderr).toMatch(/^\d of \d packs computed\n/)
  expect(code).toBe(0)
  for (const [at, slug] of slugs.entries()) {
    const after = await statsOf(slug)
    expect(after).toMatchObject({ srMin: 3.61, srMax: 7.81, complete: true })
    expect(after.computedAt > before[at].computedAt).toBe(true)
  }
})

test('recompute SLUG: that pack alone', async () => {
  const { folder, save, computed, statsOf } = await openHouse()
  const [one, two] = [await save('One'), await save('Two')]
  const before = await Promise.all([one, two].map(computed))
  const { code, stdout } = await runCli(folder, ['recompute', one])
  expect(stdout).toBe('1 pack to compute: all are computed\n')
  expect(code).toBe(0)
  expect((await statsOf(one)).computedAt > before[0].computedAt).toBe(true)
  expect(await statsOf(two)).toEqual(before[1])
})

test('recompute --status: the last change of ratings, and what is left (D-95)', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  const none = await runCli(folder, ['recompute', '--status'])
  expect(none.stdout).toBe(
    'no change of ratings was noticed\npacks left to recompute: 0; packs in work or waiting: 0\n',
  )
  expect(none.code).toBe(0)
  const store = await openSqliteStores(join(folder, 'mapcrate.db'))
  const key = { beatmapId: 129891, ruleset: 'base', mods: ['HD'] } as const
  const changes = [{ key, before: 8.001, after: 8.1234 }]
  await store.ratingWatch.finish([], changes, Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2))
  await store.care.close()
  expect((await runCli(folder, ['recompute', '--status'])).stdout).toBe(
    'ratings changed, noticed 2026-01-01T00:00:00.000Z:\n  beatmap 129891 (base) with HD: 8.00 → 8.12\n' +
      'packs left to recompute: 0; packs in work or waiting: 0\n',
  )
})

test('recompute: what it cannot do is said', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  for (const args of [[], ['--some'], ['--all', 'aaaaaaaaaa'], ['--status', '--all']]) {
    expect((await runCli(folder, ['recompute', ...args])).code, args.join(' ')).toBe(2)
  }
  const missing = await runCli(folder, ['recompute', 'aaaaaaaaaa'])
  expect(missing.stderr).toBe('mapcrate-server recompute: there is no pack with this slug\n')
  expect(missing.code).toBe(1)
})
