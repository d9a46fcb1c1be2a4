import { afterAll, describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { createFaults } from './faults.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { expectStanding } from './standing.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const subject: Subject = {
  house,
  service: 'pools',
  method: 'GET',
  prepare: async () => ({ path: '/me' }),
}

describe('200 the account behind the key', () => {
  it('is the shape of the packs service (spec 4.2)', async () => {
    const host = await house.host('pools')
    expect(host.key).toMatch(/^pools_[A-Za-z0-9_-]{43}$/)
    const reply = await host.get('/me')
    expect(reply.status).toBe(200)
    expectStanding(reply)
    expect(reply.headers.get('etag')).toMatch(/^"[^"]+"$/)
    const { gameId, username } = host
    const { id } = reply.json.user
    expect(reply.text).toBe(JSON.stringify({ user: { id, gameId, username } }))
  })

  it('is the same account on both services', async () => {
    const onPools = await house.host('pools')
    const onPacks = await house.hostOf(onPools.gameId, onPools.username)
    expect((await onPools.get('/me')).text).toBe((await onPacks.get('/me')).text)
  })
})

describe('401 unauthorized, invalid_api_key', () => {
  refusesStrangers(subject)

  it('takes no key of the packs service, nor the packs service one of this (spec 5)', async () => {
    const onPools = await house.host('pools')
    const onPacks = await house.host('packs')
    expectError(await house.doors.pools.ask('GET', '/me', { key: onPacks.key }), 'invalid_api_key')
    expectError(await house.doors.packs.ask('GET', '/me', { key: onPools.key }), 'invalid_api_key')
  })

  it('takes the key before no longer once there is a new one (spec 5)', async () => {
    const before = await house.host('pools')
    const after = await house.hostOf(before.gameId, before.username, 'pools')
    expectError(await before.get('/me'), 'invalid_api_key')
    expect((await after.get('/me')).status).toBe(200)
  })
})

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => survivesFaults(subject, faults, ['accounts', 'quotas']))
