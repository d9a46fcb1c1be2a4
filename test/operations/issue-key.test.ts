import { expect, onTestFinished, test } from 'vitest'
import { isApiKey } from '../../src/domain/keys.ts'
import { issueKey, revokeKey } from '../../src/operations/keys.ts'
import { expectError } from '../support/door.ts'
import { openHouse } from '../support/house.ts'

const house = async () => {
  const opened = await openHouse()
  onTestFinished(opened.close)
  return opened
}
const wish = { service: 'packs', keyPrefix: 'packs', gameId: 4711, username: 'Ada' } as const

test('D-40: of a key its hash, its first four characters and its time are kept', async () => {
  const { ports, clock } = await house()
  const key = await issueKey(ports, wish)
  expect(isApiKey('packs', key)).toBe(true)
  const account = await ports.accounts.findByGameId(4711)
  expect(account).toMatchObject({ gameId: 4711, username: 'Ada' })
  expect(await ports.apiKeys.read(account!.id, 'packs')).toEqual({
    hash: ports.hasher.sha256(key),
    shown: key.slice('packs_'.length, 'packs_'.length + 4),
    createdAt: clock.now(),
    lastUsedDay: null,
  })
})

test('spec 5: one key per account and service; the one before stops working at once', async () => {
  const { ports, hostOf, doors } = await house()
  const first = await hostOf(4711, 'Ada')
  const pools = await hostOf(4711, 'Ada', 'pools')
  const second = await hostOf(4711, 'Ada')
  expectError(await doors.packs.ask('GET', '/me', { key: first.key }), 'invalid_api_key')
  expect((await second.get('/me')).status).toBe(200)
  expect((await pools.get('/me')).status).toBe(200)
  await revokeKey(ports, wish)
  expectError(await second.get('/me'), 'invalid_api_key')
  expect((await pools.get('/me')).status).toBe(200)
})

test('D-42: an account keeps its id and takes a new username over', async () => {
  const { hostOf } = await house()
  const before = await (await hostOf(4711, 'Ada')).get('/me')
  const after = await (await hostOf(4711, ' Shige ')).get('/me')
  expect(after.json.user).toEqual({ ...before.json.user, username: 'Shige' })
})

test('D-41: the operator may make more than ten keys an hour', async () => {
  const { ports } = await house()
  const keys = new Set<string>()
  for (let count = 0; count < 12; count++) keys.add(await issueKey(ports, wish))
  expect(keys.size).toBe(12)
})

test('spec 5: revoking what is not there is told', async () => {
  const { ports } = await house()
  await expect(revokeKey(ports, wish)).rejects.toMatchObject({
    code: 'not_found',
    message: 'player 4711 has no API key for the packs service',
  })
  await issueKey(ports, wish)
  await expect(revokeKey(ports, { ...wish, service: 'pools' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a username that nobody can have makes no account', async () => {
  const { ports } = await house()
  await expect(issueKey(ports, { ...wish, username: 'a\nb' })).rejects.toMatchObject({
    code: 'bad_request',
  })
  expect(await ports.accounts.countPlayers()).toBe(0)
})
