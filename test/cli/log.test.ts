import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { asOperator } from '../../src/domain/moderation.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const MINUTE = /^\d{4}-\d\d-\d\d \d\d:\d\d/gm

test('what the operator does from the shell is in the log, the newest first', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const key = await makeKey(folder, { gameId: 4711, username: 'Ada' })
  const body = {
    name: 'Finals',
    visibility: 'public',
    slots: [{ mod: 'NM', index: 1, beatmapId: 75 }],
  }
  const { slug } = (await server.packs.ask('POST', '/packs', { key, body })).json.pack
  const does = async (...words: string[]) => {
    const { code, stderr, stdout } = await runCli(folder, words)
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' })
    return stdout
  }
  expect(await does('log')).toBe('there is nothing in the log\n')
  await does('pin', slug)
  await does('hide', '--reason', 'copied', slug)
  await does('moderator', '--game-id', '4711', '--reason', 'helps us')
  await does('moderator', '--game-id', '4711')
  await does('moderator', '--game-id', '4711', '--remove')
  await does('suspend', '--game-id', '12', '--reason', 'advertising')
  await does('unsuspend', '--game-id', '12')
  const lines = [
    'T  (operator)  unsuspend player 12',
    'T  (operator)  suspend player 12: advertising',
    'T  (operator)  dismiss player 4711 (Ada)',
    'T  (operator)  appoint player 4711 (Ada): helps us',
    `T  (operator)  hide pack ${slug} (Finals): copied`,
    `T  (operator)  pin pack ${slug} (Finals)`,
  ]
  const all = await does('log')
  expect(all.replaceAll(MINUTE, 'T').trimEnd().split('\n')).toEqual(lines)
  const two = await does('log', '--limit', '2')
  expect(two.replaceAll(MINUTE, 'T').trimEnd().split('\n')).toEqual(lines.slice(0, 2))
  const { entries } = JSON.parse(await does('log', '--json', '--since', '1h'))
  expect(entries.map(({ action }: { action: string }) => action)).toEqual([
    'unsuspend',
    'suspend',
    'dismiss',
    'appoint',
    'hide',
    'pin',
  ])
  expect(entries[3]).toEqual({
    at: expect.any(String),
    moderator: null,
    action: 'appoint',
    subject: 'player',
    gameId: 4711,
    username: 'Ada',
    reason: 'helps us',
  })
})

test('--since leaves out what is older, in days, as a time, and as how long ago', async () => {
  const folder = await freshFolder()
  const { accounts, care } = await openSqliteStores(join(folder, 'mapcrate.db'))
  const day = 86_400_000
  const now = Date.now()
  for (let each = 0; each < 1_100; each += 1) {
    await accounts.setModerator(1000 + each, true, now - day * (1_100 - each), asOperator())
  }
  await care.close()
  const counted = async (...words: string[]) => {
    const { stdout } = await runCli(folder, ['log', '--limit', '5000', '--json', ...words])
    return JSON.parse(stdout).entries.length
  }
  expect(await counted()).toBe(1_100)
  expect(await counted('--since', `${24 * 30 + 1}h`)).toBe(30)
  expect(await counted('--since', '700d')).toBe(699)
  const time = new Date(now - 100 * day - 1_000).toISOString()
  expect(await counted('--since', time)).toBe(100)
  expect(await counted('--since', time.slice(0, 10))).toBeGreaterThanOrEqual(100)
})

test.each([
  [['--limit', '0'], '--limit "0" is not understood'],
  [['--limit', 'x'], '--limit "x" is not understood'],
  [['--since', 'yesterday'], '--since "yesterday" is no time'],
  [['--since', '2026-02-30'], '--since "2026-02-30" is no time'],
  [['x'], 'x'],
])('log %j ends with 2', async (words, message) => {
  const ending = await runCli(await freshFolder(), ['log', ...words])
  expect(ending.stderr).toContain(message)
  expect(ending.code).toBe(2)
})
