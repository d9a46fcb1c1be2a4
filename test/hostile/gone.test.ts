import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NO_LIVE_KEY } from '../../src/domain/keys.ts'
import type { DoorPorts } from '../../src/door/context.ts'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import { type Host, type House, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

// An account is deleted between the door, where its key is still good, and the deed.
let house: House
let host: Host
let slug: string
let meanwhile: (() => Promise<unknown>) | null = null

const withPorts = (ports: DoorPorts): DoorPorts => ({
  ...ports,
  quotas: {
    ...ports.quotas,
    async admit(...knock) {
      const admission = await ports.quotas.admit(...knock)
      const first = meanwhile
      meanwhile = null
      await first?.()
      return admission
    },
  },
})

beforeAll(async () => {
  house = await openHouse({ withPorts })
})
afterAll(() => house.close())
beforeEach(async () => {
  host = await house.host()
  slug = await host.save(aPack({ visibility: 'private' }))
  const { user } = (await host.get('/me')).json
  meanwhile = () => house.ports.accounts.remove(user.id, 0)
  house.clock.nextMinute()
})

const expectKeyGone = (reply: Reply): void => {
  expectError(reply, 'invalid_api_key')
  expect(reply.json.error.message).toBe(NO_LIVE_KEY)
}

describe('a key whose account is deleted while the request is under way (spec 5)', () => {
  test('POST /packs: 401, and no pack is left behind', async () => {
    expectKeyGone(await host.post(aPack({ visibility: 'public', name: 'left behind' })))
    const { rows: packs } = await house.ports.packs.listPublic(1, 50)
    expect(packs.map(({ name }) => name)).not.toContain('left behind')
  })

  test('POST /packs with an Idempotency-Key: 401 as well', async () => {
    const body = aPack({ visibility: 'public' })
    const headers = { 'idempotency-key': 'once' }
    expectKeyGone(await host.ask('POST', '/packs', { body, headers }))
  })

  test('GET /me: 401', async () => {
    expectKeyGone(await host.get('/me'))
  })

  test('counts as a failed attempt of the address, and tells of that quota as every 401 (D-5)', async () => {
    const gone = await host.get('/me')
    expectKeyGone(gone)
    expect(quotaOf(gone)).toMatchObject({ limit: 20, remaining: 19 })
    for (let time = 0; time < 19; time += 1) await host.get('/me')
    const other = await house.host()
    const { user } = (await other.get('/me')).json
    meanwhile = () => house.ports.accounts.remove(user.id, 0)
    const over = await other.get('/me')
    expectError(over, 'rate_limited')
    expect(quotaOf(over)).toMatchObject({ limit: 20, remaining: 0 })
  })

  test.each([
    ['GET /packs/{slug}', () => host.get(`/packs/${slug}`)],
    ['PUT /packs/{slug}', () => host.put(slug, aPack())],
    ['DELETE /packs/{slug}', () => host.delete(slug)],
    ['GET /packs/{slug}/history', () => host.get(`/packs/${slug}/history`)],
    ['GET /packs/{slug}/history/{version}', () => host.get(`/packs/${slug}/history/1`)],
    [
      'PUT /packs/{slug}/history',
      () => host.ask('PUT', `/packs/${slug}/history`, { body: { public: true } }),
    ],
  ])('%s: 404, the pack is gone with it', async (_what, ask) => {
    expectError(await ask(), 'not_found')
  })

  test('GET /me/packs: an empty page', async () => {
    const { status, json } = await host.get('/me/packs')
    expect([status, json.total]).toEqual([200, 0])
  })

  test('and the next request: 401 from the door', async () => {
    await host.get('/packs')
    expectError(await host.get('/packs'), 'invalid_api_key')
  })
})
