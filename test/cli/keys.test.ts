import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectError } from '../support/door.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const cookiezi = ['--service', 'packs', '--game-id', '4711']

test('spec 5: key prints a key alone on stdout and makes store and account', async () => {
  const folder = join(await freshFolder(), 'not', 'there', 'yet')
  const { code, stdout, stderr } = await runCli(folder, ['key', ...cookiezi, '--username', ' Ada '])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^packs_[A-Za-z0-9_-]{43}\n$/)
  expect(stderr).toBe('')
  const server = await startServer(folder)
  const me = await server.packs.ask('GET', '/me', { key: stdout.trim() })
  expect(me.json.user).toEqual({ id: expect.any(String), gameId: 4711, username: 'Ada' })
})

test('spec 5: beside a running server, a second key replaces the first at once, revoke ends it', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const first = await makeKey(folder)
  expect((await server.packs.ask('GET', '/me', { key: first })).status).toBe(200)

  const second = await makeKey(folder, { username: 'Shige' })
  expectError(await server.packs.ask('GET', '/me', { key: first }), 'invalid_api_key')
  const me = await server.packs.ask('GET', '/me', { key: second })
  expect(me.json.user).toMatchObject({ gameId: 4711, username: 'Shige' })

  const revoked = await runCli(folder, ['revoke', ...cookiezi])
  expect(revoked).toEqual({
    code: 0,
    stdout: 'revoked the packs key of player 4711\n',
    stderr: '',
  })
  expectError(await server.packs.ask('GET', '/me', { key: second }), 'invalid_api_key')
})

test('spec 4.2: the pools service has its own keys', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const packsKey = await makeKey(folder)
  const poolsKey = await makeKey(folder, { service: 'pools' })
  expect(poolsKey).toMatch(/^pools_[A-Za-z0-9_-]{43}$/)
  expect((await server.pools.ask('GET', '/me', { key: poolsKey })).json.user.gameId).toBe(4711)
  expect((await server.packs.ask('GET', '/me', { key: packsKey })).status).toBe(200)
  expectError(await server.pools.ask('GET', '/me', { key: packsKey }), 'invalid_api_key')
  expectError(await server.packs.ask('GET', '/me', { key: poolsKey }), 'invalid_api_key')
})

test('D-1: keys begin with the configured prefix', async () => {
  const { stdout } = await runCli(await freshFolder(), ['key', ...cookiezi, '--username', 'Ada'], {
    env: { PACKS_KEY_PREFIX: 'mine' },
  })
  expect(stdout).toMatch(/^mine_/)
})

test('revoking a key that is not there exits 1', async () => {
  const folder = await freshFolder()
  await makeKey(folder, { gameId: 1 })
  const { code, stderr } = await runCli(folder, ['revoke', ...cookiezi])
  expect(stderr).toBe('mapcrate-server revoke: player 4711 has no API key for the packs service\n')
  expect(code).toBe(1)
})

test('what changes a store makes none where there is none', async () => {
  const folder = await freshFolder()
  for (const args of [
    ['revoke', ...cookiezi],
    ['hide', 'aaaaaaaaaa'],
    ['unhide', 'aaaaaaaaaa'],
    ['pin', 'aaaaaaaaaa'],
    ['unpin', 'aaaaaaaaaa'],
    ['backup', join(folder, 'copy.db')],
  ]) {
    const { code, stderr } = await runCli(folder, args)
    expect(stderr).toMatch(/there is no store at .*mapcrate\.db; set DATA_DIR/)
    expect(code).toBe(1)
  }
  expect(await readdir(folder)).toEqual([])
})

test('a store that cannot be opened is told in one line', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  await rm(join(folder, 'mapcrate.db'), { force: true })
  const { code, stderr } = await runCli('/dev/null/store', ['key', ...cookiezi, '--username', 'x'])
  expect(stderr).toMatch(/^mapcrate-server key: .*DATA_DIR.*\n$/)
  expect(code).toBe(1)
})
