import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { revokeKey } from '../../src/operations/keys.ts'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { expectStanding } from './standing.ts'

const house = await openHouse()
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const { key, gameId, username } = await house.host()
const poolsKey = (await house.host('pools')).key
const ask = (authorization?: string, path = '/me'): Promise<Reply> =>
  house.doors.packs.ask('GET', path, {
    headers: authorization === undefined ? {} : { authorization },
  })

const last = key.at(-1) === 'A' ? 'B' : 'A'

describe('the Authorization header (D-4)', () => {
  it.each([
    ['Bearer', key],
    ['bearer', key],
    ['BEARER', key],
    ['bEaReR', key],
    ['Bearer with spaces between', `   ${key}`],
    ['Bearer with a tab', `\t${key}`],
    ['Bearer with spaces behind', `${key}  `],
  ])('lets in: %s', async (scheme, token) => {
    const reply = await ask(`${scheme.split(' ')[0]} ${token}`)
    expect(reply.status).toBe(200)
    expect(reply.json.user.gameId).toBe(gameId)
  })

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['nothing behind Bearer', 'Bearer'],
    ['spaces behind Bearer', 'Bearer   '],
    ['the key alone', key],
    ['no space', `Bearer${key}`],
    ['another sign', `Bearer=${key}`],
    ['Basic', `Basic ${btoa(`${username}:${key}`)}`],
    ['Token', `Token ${key}`],
    ['another scheme that ends alike', `XBearer ${key}`],
  ])('is no key at all: %s', async (_, authorization) => {
    const reply = await ask(authorization)
    expectError(reply, 'unauthorized')
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    expectStanding(reply)
  })

  it.each([
    ['a word', 'Bearer key'],
    ['another last character', `Bearer ${key.slice(0, -1)}${last}`],
    ['a character less', `Bearer ${key.slice(0, -1)}`],
    ['a character more', `Bearer ${key}A`],
    ['the prefix alone', 'Bearer packs_'],
    ['no prefix', `Bearer ${key.slice('packs_'.length)}`],
    ['another prefix', `Bearer pools_${key.slice('packs_'.length)}`],
    ['another case', `Bearer ${key.toUpperCase()}`],
    ['quotes', `Bearer "${key}"`],
    ['two keys', `Bearer ${key} ${key}`],
    ['a comma', `Bearer ${key},`],
    ['a key of the other service', `Bearer ${poolsKey}`],
    ['the right form and never made', `Bearer packs_${'A'.repeat(43)}`],
    ['a long one', `Bearer packs_${'x'.repeat(8000)}`],
  ])('is a wrong key: %s', async (_, authorization) => {
    const reply = await ask(authorization)
    expectError(reply, 'invalid_api_key')
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    expectStanding(reply)
    expect(reply.text).not.toContain(key.slice(6))
  })

  it.each(['access_token', 'key', 'api_key', 'token', 'authorization'])(
    'is the only place for a key: ?%s= is none',
    async (name) => {
      expectError(await ask(undefined, `/me?${name}=${key}`), 'unauthorized')
    },
  )

  it('is the only header for a key', async () => {
    const headers = {
      'x-api-key': key,
      cookie: `key=${key}`,
      'proxy-authorization': `Bearer ${key}`,
    }
    expectError(await house.doors.packs.ask('GET', '/me', { headers }), 'unauthorized')
  })
})

describe('a key’s life (spec 5)', () => {
  it('ends when there is a new one', async () => {
    const host = await house.host()
    const renewed = await house.hostOf(host.gameId, host.username)
    expectError(await host.get('/me'), 'invalid_api_key')
    expect((await renewed.get('/me')).status).toBe(200)
  })

  it('ends when it is revoked, and a new one begins another', async () => {
    const host = await house.host()
    await revokeKey(house.ports, { service: 'packs', gameId: host.gameId })
    expectError(await host.get('/me'), 'invalid_api_key')
    const renewed = await house.hostOf(host.gameId, host.username)
    expect((await renewed.get('/me')).status).toBe(200)
    expectError(await host.get('/me'), 'invalid_api_key')
  })

  it('does not end with the key of the other service', async () => {
    const host = await house.host()
    await house.hostOf(host.gameId, host.username, 'pools')
    await revokeKey(house.ports, { service: 'pools', gameId: host.gameId })
    expect((await host.get('/me')).status).toBe(200)
  })
})

describe('the answer to a failed attempt (spec 5 rule 8)', () => {
  it('tells the failed attempts of the address, whatever the key’s owner has left', async () => {
    const host = await house.host()
    await house.hostOf(host.gameId, host.username)
    expect(quotaOf(await host.get('/me'))).toMatchObject({ limit: 20, remaining: 19 })
    expect(quotaOf(await ask())).toMatchObject({ limit: 20, remaining: 18 })
  })
})
