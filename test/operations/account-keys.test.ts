import { expect, onTestFinished, test } from 'vitest'
import { NEW_KEYS_PER_HOUR } from '../../src/contract/quotas.ts'
import { issueKey, makeKey, revokeOwnKey, showKey } from '../../src/operations/keys.ts'
import { expectError } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { signedIn } from '../support/signed-in.ts'

const house = async () => {
  const opened = await openHouse()
  onTestFinished(opened.close)
  const { accountId } = (await signedIn(opened)).viewer
  const wish = { service: 'packs', keyPrefix: 'packs', accountId } as const
  const ask = (key: string, service: 'packs' | 'pools' = 'packs') =>
    opened.doors[service].ask('GET', '/me', { key })
  return { ...opened, accountId, wish, ask }
}

test('spec 5: the first key is made, shown once, and works', async () => {
  const { ports, wish, accountId, ask, clock } = await house()
  expect((await showKey(ports, 'packs', accountId)).key).toBeNull()
  const made = await makeKey(ports, wish)
  expect(made).toEqual({
    key: expect.stringMatching(/^packs_[\w-]{43}$/),
    shown: made.key.slice(6, 10),
    createdAt: new Date(clock.now()).toISOString(),
  })
  expect((await ask(made.key)).json.user.username).toBe('Ada')
})

test('D-40: the account page shows four characters, the creation and the day of last use', async () => {
  const { ports, wish, accountId, ask, clock } = await house()
  clock.set('2026-11-20T23:59:58.000Z')
  const { key, shown, createdAt } = await makeKey(ports, wish)
  const facts = async () => (await showKey(ports, 'packs', accountId)).key
  expect(await facts()).toEqual({ shown, createdAt, lastUsedOn: null })
  clock.set('2026-11-21T00:00:01.000Z')
  await ask(key)
  await expect.poll(facts).toEqual({ shown, createdAt, lastUsedOn: '2026-11-21' })
  expect((await showKey(ports, 'pools', accountId)).key).toBeNull()
})

test('spec 5: regenerating stops the old key at once; revoking deletes it, once', async () => {
  const { ports, wish, accountId, ask } = await house()
  const first = await makeKey(ports, wish)
  const second = await makeKey(ports, wish)
  expectError(await ask(first.key), 'invalid_api_key')
  expect((await ask(second.key)).status).toBe(200)
  await revokeOwnKey(ports, 'packs', accountId)
  expectError(await ask(second.key), 'invalid_api_key')
  await expect(revokeOwnKey(ports, 'packs', accountId)).rejects.toMatchObject({
    code: 'not_found',
    message: 'you have no such API key for this service',
  })
})

test('spec 4.2: the pools service has its own key and its own count', async () => {
  const { ports, wish, accountId, ask } = await house()
  const packs = await makeKey(ports, wish)
  const pools = await makeKey(ports, { ...wish, service: 'pools', keyPrefix: 'pools' })
  expect((await ask(packs.key)).status).toBe(200)
  expect((await ask(pools.key, 'pools')).status).toBe(200)
  expectError(await ask(pools.key), 'invalid_api_key')
  expect((await showKey(ports, 'pools', accountId)).newKeysLeft).toBe(NEW_KEYS_PER_HOUR - 1)
})

test('D-41: an eleventh new key in the hour is refused, and the tenth goes on working', async () => {
  const { ports, wish, accountId, ask, clock } = await house()
  clock.set('2026-11-21T10:30:00.500Z')
  let last = ''
  for (let left = NEW_KEYS_PER_HOUR - 1; left >= 0; left -= 1) {
    last = (await makeKey(ports, wish)).key
    expect(await showKey(ports, 'packs', accountId)).toMatchObject({
      newKeysLeft: left,
      newKeysResetSeconds: 1800,
    })
  }
  await expect(makeKey(ports, wish)).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'you can create 10 keys per hour; wait for the next hour',
    retryAfter: 1800,
  })
  expect((await showKey(ports, 'packs', accountId)).newKeysLeft).toBe(0)
  expect((await ask(last)).status).toBe(200)
  clock.set('2026-11-21T11:00:00.000Z')
  expect(await showKey(ports, 'packs', accountId)).toMatchObject({
    newKeysLeft: NEW_KEYS_PER_HOUR,
    newKeysResetSeconds: 3600,
  })
  await makeKey(ports, wish)
})

test("D-41: neither revoking nor the operator's command counts", async () => {
  const { ports, wish, accountId } = await house()
  await issueKey(ports, { service: 'packs', keyPrefix: 'packs', gameId: 4711, username: 'Ada' })
  await revokeOwnKey(ports, 'packs', accountId)
  expect((await showKey(ports, 'packs', accountId)).newKeysLeft).toBe(NEW_KEYS_PER_HOUR)
  await makeKey(ports, wish)
  expect((await showKey(ports, 'packs', accountId)).newKeysLeft).toBe(NEW_KEYS_PER_HOUR - 1)
})
