import { afterAll, describe, expect, expectTypeOf, it } from 'vitest'
import { MapcrateError } from '../../src/client/errors.ts'
import { createClient, type PacksClient } from '../../src/client/packs.ts'
import { createPoolsClient } from '../../src/client/tournaments.ts'
import type { User } from '../../src/contract/accounts.ts'
import type { HistoryPage, WholeVersion } from '../../src/contract/history.ts'
import type { Pack, PackPage } from '../../src/contract/packs.ts'
import { packsApi, poolsApi } from '../../src/contract/services.ts'
import { decodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { replacePack } from '../../src/operations/packs.ts'
import { accountIdOf, seed } from '../api/seed.ts'
import { openHouse } from '../support/house.ts'
import { aPack, slots } from '../support/samples.ts'

const house = await openHouse()
afterAll(() => house.close())

const open = async () => {
  const host = await house.host()
  return { host, client: createClient({ baseUrl: host.door.url, key: host.key }) }
}

describe('a client has a function for each operation', () => {
  it('of the contract (spec 4)', async () => {
    const { client } = await open()
    expect(Object.keys(client)).toEqual(expect.arrayContaining(Object.keys(packsApi)))
    const pools = createPoolsClient({ baseUrl: 'http://pools.test', key: 'pools_x' })
    const iterators = ['iterateTournaments', 'iterateMyTournaments', 'iterateBeatmapUsage']
    const more = ['quota', 'followChanges', 'proposeCandidates', ...iterators]
    expect(Object.keys(pools).toSorted()).toEqual([...Object.keys(poolsApi), ...more].toSorted())
  })

  it('getMe (spec 2.1)', async () => {
    const { host, client } = await open()
    const user = await client.getMe()
    expect(user).toMatchObject({ gameId: host.gameId, username: host.username })
    expectTypeOf(user).toEqualTypeOf<User>()
  })

  it('createPack, getPack, replacePack, deletePack', async () => {
    const { host, client } = await open()
    const input = aPack({ slots: slots(64), visibility: 'private', description: 'é 🏆' })
    const made = await client.createPack(input)
    expectTypeOf(made).toEqualTypeOf<Pack>()
    expect(made).toMatchObject({ ...input, ownerName: host.username })
    expect(await client.getPack(made.slug)).toEqual(made)
    const renamed = await client.replacePack(made.slug, { ...made, name: 'Semifinals' })
    expect(renamed).toMatchObject({ ...input, name: 'Semifinals', slug: made.slug })
    expect(await client.deletePack(made.slug)).toBeUndefined()
    await expect(client.getPack(made.slug)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('createPack and replacePack take a pool as a pack key has it (D-22)', async () => {
    const { client } = await open()
    const own = [{ code: 'RC', color: 3 }]
    for (const buckets of [undefined, own]) {
      const { packKey, slug } = await client.createPack(aPack({ ...(buckets && { buckets }) }))
      const pool = decodePackKey(packKey)
      expect(pool.buckets === null).toBe(buckets === undefined)
      expect((await client.createPack(pool)).packKey).toBe(packKey)
      expect((await client.replacePack(slug, pool)).packKey).toBe(packKey)
    }
  })

  it('listPacks and listMyPacks, of any page (spec 2.7)', async () => {
    const { host, client } = await open()
    await seed(house, host, 51, () => ({ visibility: 'public' }))
    const page = await client.listMyPacks({ page: 2 })
    expectTypeOf(page).toEqualTypeOf<PackPage>()
    expect(page).toMatchObject({ page: 2, pageCount: 2, total: 51 })
    expect(page.packs).toHaveLength(1)
    expect((await client.listMyPacks()).packs).toHaveLength(50)
    expect((await client.listPacks()).total).toBeGreaterThanOrEqual(51)
    expect((await client.listPacks({ page: 999_999 })).packs).toEqual([])
  })

  it('getHistory, getVersion, iterateHistory and setHistoryPublic (D-70 to D-72)', async () => {
    const { client } = await open()
    const { client: other } = await open()
    const { slug } = await client.createPack(aPack())
    const second = await client.replacePack(slug, aPack({ name: 'Second' }))
    const page = await client.getHistory(slug)
    expectTypeOf(page).toEqualTypeOf<HistoryPage>()
    expect(page).toMatchObject({ page: 1, pageCount: 1, total: 2 })
    const whole = await client.getVersion(slug, 2)
    expectTypeOf(whole).toEqualTypeOf<WholeVersion>()
    expect(whole).toEqual({ ...page.versions[0], slots: second.slots })
    expect((await client.getHistory(slug, { page: 2 })).versions).toEqual([])

    await expect(other.getHistory(slug)).rejects.toMatchObject({ code: 'not_found' })
    const { etag } = await client.getHistory(slug).withResponse()
    expect(await client.setHistoryPublic(slug, true, { ifMatch: etag ?? '' })).toBeUndefined()
    expect((await other.getHistory(slug)).versions).toEqual(page.versions)
    const stale = client.setHistoryPublic(slug, false, { ifMatch: '"another"' })
    await expect(stale).rejects.toMatchObject({ code: 'precondition_failed' })
    await client.setHistoryPublic(slug, false)
    await expect(other.getVersion(slug, 1)).rejects.toMatchObject({ code: 'not_found' })
    for (const version of [0, 1.5, NaN, 3]) {
      await expect(client.getVersion(slug, version)).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  it('restores a version as docs/client.md does, and the service ignores nothing of it (D-49)', async () => {
    const { client } = await open()
    const buckets = [{ code: 'RC', color: 3 }]
    const first = await client.createPack(aPack({ description: 'Best of 9', buckets }))
    const { slug } = first
    const pack = await client.replacePack(slug, aPack({ name: 'Worse', visibility: 'public' }))
    const restored = { ...(await client.getVersion(slug, 1)), visibility: pack.visibility }
    const call = client.replacePack(slug, restored, { ifMatch: pack })
    const { packKey, visibility } = first
    expect(await call).toMatchObject({ packKey, description: 'Best of 9', visibility: 'public' })
    expect(visibility).toBe('unlisted')
    expect((await call.withResponse()).ignoredFields).toEqual([])
  })

  it('iterateHistory turns pages, each version once (D-16)', async () => {
    const { host, client } = await open()
    const { slug } = await client.createPack(aPack())
    const ownerId = await accountIdOf(house, host)
    for (let at = 2; at <= 60; at += 1) {
      await replacePack(house.ports, ownerId, slug, aPack({ name: `save ${at}` }))
    }
    const numbers: number[] = []
    for await (const { version } of client.iterateHistory(slug)) {
      numbers.push(version)
      // A save pushes versions onto the next page.
      if (version === 40) {
        await replacePack(house.ports, ownerId, slug, aPack({ name: 'meanwhile' }))
      }
    }
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, at) => 60 - at))
  })

  it('getOpenapi, without the key and without spending (D-11)', async () => {
    const { client } = await open()
    expect(await client.getOpenapi()).toMatchObject({ openapi: '3.1.0' })
    await client.getMe()
    expect(client.quota.requests?.remaining).toBe(59)
  })

  it('getMe and getOpenapi of the tournament-pools service (spec 4.2)', async () => {
    const host = await house.host('pools')
    const client = createPoolsClient({ baseUrl: host.door.url, key: host.key })
    expect(await client.getMe()).toMatchObject({ username: host.username })
    expect(await client.getOpenapi()).toMatchObject({ openapi: '3.1.0' })
    expect(client.quota.requests).toMatchObject({ limit: 60, remaining: 59 })
  })

  it('that can be taken out of it', async () => {
    const { getMe }: PacksClient = (await open()).client
    await expect(getMe()).resolves.toHaveProperty('username')
  })
})

describe('a client takes the address', () => {
  it.each(['', '/', '/api/v1', '/api/v1/'])('with %j behind it', async (end) => {
    const host = await house.host()
    const client = createClient({ baseUrl: host.door.url + end, key: host.key })
    expect((await client.getMe()).username).toBe(host.username)
  })

  it.each([
    '',
    'packs.example',
    'ftp://packs.example',
    'https://a:b@packs.example',
    'https://x/?y',
  ])('but not %j', (baseUrl) => {
    expect(() => createClient({ baseUrl, key: 'packs_x' })).toThrow(TypeError)
  })

  it.each(['', 'packs_a b', 'packs_\n', 'packs_é'])('and no key like %j', (key) => {
    expect(() => createClient({ baseUrl: 'https://packs.example', key })).toThrow(/^key must be/)
  })

  it('and shows the key to nobody who prints it', async () => {
    const { host, client } = await open()
    const { inspect } = await import('node:util')
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(host.key)
  })
})

describe('a refusal is a MapcrateError with code, status and request id (spec 7)', () => {
  it('bad_request', async () => {
    const { client } = await open()
    const error = await client.createPack(aPack({ name: '' })).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(MapcrateError)
    expect(error).toMatchObject({
      name: 'MapcrateError',
      code: 'bad_request',
      status: 400,
      message: 'name must have 1 to 64 characters',
      requestId: expect.stringMatching(/^[\w-]+$/),
      retryAfter: null,
    })
  })

  it('invalid_api_key', async () => {
    const client = createClient({ baseUrl: house.doors.packs.url, key: 'packs_wrong' })
    await expect(client.getMe()).rejects.toMatchObject({ code: 'invalid_api_key', status: 401 })
    expect(client.quota).toEqual({ requests: null, writes: null })
  })

  it.each(['getPack', 'deletePack'] as const)('not_found, from %s', async (name) => {
    const { client } = await open()
    await expect(client[name]('nobodyhas1')).rejects.toMatchObject({
      code: 'not_found',
      status: 404,
    })
  })

  it('too_large', async () => {
    const { client } = await open()
    const body = { ...aPack(), note: 'x'.repeat(20_000) }
    await expect(client.createPack(body)).rejects.toMatchObject({ code: 'too_large', status: 413 })
  })

  it.each(['', '..', '../me', 'a/b', 'q7Jm2_xT0a?x', 'ten chars!'])(
    'not_found without asking for what is no slug: %j',
    async (slug) => {
      const { client } = await open()
      for (const asked of [
        client.getPack(slug),
        client.deletePack(slug),
        client.replacePack(slug, aPack()),
      ]) {
        await expect(asked).rejects.toMatchObject({ code: 'not_found', status: null })
      }
      expect(client.quota).toEqual({ requests: null, writes: null })
    },
  )

  it.each(['', 'a b', '…', 'x'.repeat(256)])(
    'bad_request without asking for an idempotency key like %j',
    async (idempotencyKey) => {
      const { client } = await open()
      await expect(client.createPack(aPack(), { idempotencyKey })).rejects.toMatchObject({
        code: 'bad_request',
        status: null,
      })
    },
  )
})

describe('client.quota', () => {
  it('tells where both quotas stand, as far as answers have told (D-9)', async () => {
    const { client } = await open()
    expect(client.quota).toEqual({ requests: null, writes: null })
    await client.getMe()
    expect(client.quota).toEqual({
      requests: { limit: 60, remaining: 59, resetSeconds: expect.any(Number) },
      writes: null,
    })
    await client.createPack(aPack())
    expect(client.quota.requests?.remaining).toBe(58)
    expect(client.quota.writes).toMatchObject({ limit: 10, remaining: 9 })
    expect(client.quota.writes?.resetSeconds).toBeLessThanOrEqual(60)
  })

  it('takes over what others spend of the same account', async () => {
    const { host, client } = await open()
    await client.getMe()
    for (let time = 0; time < 5; time += 1) await host.get('/me')
    await client.getMe()
    expect(client.quota.requests?.remaining).toBe(53)
  })
})
