import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const ada = ['moderator', '--game-id', '4711']

test('names a moderator and takes it back, saying so', async () => {
  const folder = await freshFolder()
  await makeKey(folder, { gameId: 4711, username: 'Ada' })
  const stdoutOf = async (...more: string[]) => {
    const { code, stdout, stderr } = await runCli(folder, [...ada, ...more])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  expect(await stdoutOf()).toBe('player 4711 (Ada) is a moderator now\n')
  expect(await stdoutOf()).toBe('player 4711 (Ada) was a moderator already\n')
  expect(await stdoutOf('--remove')).toBe('player 4711 (Ada) is no moderator any more\n')
  expect(await stdoutOf('--remove')).toBe('player 4711 (Ada) was no moderator\n')
})

test('works before the first sign-in, and makes the store, but no account', async () => {
  const folder = join(await freshFolder(), 'not', 'there', 'yet')
  const { code, stdout } = await runCli(folder, ada)
  expect(stdout).toBe('player 4711 is a moderator now, from their first sign-in on\n')
  expect(code).toBe(0)
  const { accounts, care } = await openSqliteStores(join(folder, 'mapcrate.db'))
  expect(await accounts.countPlayers()).toBe(0)
  const account = await accounts.ensurePlayer({ gameId: 4711, username: 'Ada' }, 'ada', 0)
  expect(account.isModerator).toBe(true)
  await care.close()
})

test.each([
  [['moderator'], '--game-id is missing'],
  [['moderator', '--game-id', '0'], '--game-id "0" is no game id'],
  [['moderator', '--game-id', '1', '--remove', 'x'], 'x'],
  [['suspend', '--game-id', '1'], '--reason is missing'],
  [['suspend', '--reason', 'x'], '--game-id is missing'],
  [['unsuspend', '--game-id', '1', 'x'], 'x'],
  [['hide', '--reason'], '--reason has no value'],
  [['hide', '--reason', 'a', '--reason', 'b', 'aaaaaaaaaa'], '--reason is given twice'],
  [['hide', '--reason', 'a'], 'SLUG is missing'],
])('%j is misuse', async (words, reason) => {
  const { code, stderr } = await runCli(await freshFolder(), words)
  expect(stderr).toContain(reason)
  expect(code).toBe(2)
})

test('D-30: the operator may say why, and the log keeps it', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  const stores = await openSqliteStores(join(folder, 'mapcrate.db'))
  const slug = '-aaaaaaaaa'
  const owner = await stores.accounts.ensurePlayer({ gameId: 1, username: 'Owner' }, 'owner', 0)
  await stores.packs.create(aNewPack({ slug, ownerId: owner.id, name: 'Finals' }), null)
  for (const words of [
    ['pin', slug],
    ['hide', '--reason', 'stolen', '--', slug],
    ['unhide', slug, '--reason', 'a mistake'],
  ]) {
    expect(await runCli(folder, words)).toMatchObject({ code: 0, stderr: '' })
  }
  const { rows: notes } = await stores.packs.readLog(1, 50)
  const pack = { subject: 'pack', slug, packName: 'Finals' }
  const line = { by: 'operator', ...pack, at: expect.any(Number) }
  expect(notes).toEqual([
    { ...line, action: 'unhide', reason: 'a mistake' },
    { ...line, action: 'hide', reason: 'stolen' },
    { ...line, action: 'pin', reason: null },
  ])
  await stores.care.close()
})

test('D-76: suspends a player at once beside a running server, and lifts it, saying so', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const key = await makeKey(folder, { gameId: 4711, username: 'Ada' })
  const me = () => server.packs.ask('GET', '/me', { key })
  const stdoutOf = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCli(folder, words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  const suspend = ['suspend', '--game-id', '4711', '--reason', 'advertising'] as const
  expect((await me()).status).toBe(200)
  expect(await stdoutOf(...suspend)).toBe('suspended player 4711 (Ada)\n')
  expect((await me()).status).toBe(401)
  expect(await stdoutOf(...suspend)).toBe(
    'player 4711 (Ada) was suspended already; nothing was changed\n',
  )
  const args = ['key', '--service', 'packs', '--game-id', '4711', '--username', 'Ada']
  const refused = await runCli(folder, args)
  expect(refused.stderr).toMatch(/the account is suspended, and gets no key/)
  expect(await stdoutOf('unsuspend', '--game-id', '4711')).toBe(
    'lifted the suspension of player 4711 (Ada)\n',
  )
  expect(await stdoutOf('unsuspend', '--game-id', '4711')).toBe(
    'player 4711 (Ada) was not suspended; nothing was changed\n',
  )
  expect((await me()).status).toBe(200)
  expect(await stdoutOf('suspend', '--game-id', '9', '--reason', 'x')).toBe('suspended player 9\n')
  expect((await server.stop()).code).toBe(0)
})
