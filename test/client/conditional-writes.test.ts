import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import type { ClientOptions } from '../../src/client/call.ts'
import { CLIENT_VERSION, connect } from '../../src/client/connection.ts'
import { createClient, packsClient, packsOperations } from '../../src/client/packs.ts'
import { realTime } from '../../src/client/time.ts'
import { someStats } from '../api/samples.ts'
import { alter } from '../api/seed.ts'
import { withoutQuotas } from '../api/spend.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { openBadRoad } from './bad-road.ts'

const house = await openHouse({ withPorts: withoutQuotas })
const road = await openBadRoad(house.doors.packs.url)
afterAll(async () => {
  await road.close()
  await house.close()
})

/** Real time, a hundred times as fast where it only passes. */
const hurried = {
  now: realTime.now,
  after: (ms: number, work: () => void) => realTime.after(ms / 100, work),
}

const open = async (options: Partial<ClientOptions> = {}) => {
  const host = await house.host()
  const all = { baseUrl: road.url, key: host.key, timeout: 3_000_000, ...options }
  const client = packsClient(connect(packsOperations(), all, hurried))
  const pack = await client.createPack(aPack())
  road.expect()
  return { host, client, pack }
}

const stale = { code: 'precondition_failed' }
const methodsSeen = () => road.seen.map(({ method }) => method)

describe('a client changes what it has read (D-48)', () => {
  it('only while nobody has saved it since: a copy of the pack carries its state', async () => {
    const { host, client, pack } = await open()
    const renamed = await client.replacePack(pack.slug, { ...pack, name: 'First' })
    expect(methodsSeen()).toEqual(['PUT'])
    expect(road.seen[0]?.headers['if-match']).toMatch(/^".+"$/)
    await host.put(pack.slug, aPack({ name: 'Somebody else' }))
    const second = client.replacePack(pack.slug, { ...renamed, name: 'Second' })
    await expect(second).rejects.toMatchObject({
      ...stale,
      message: expect.stringContaining('read it again'),
      requestId: expect.any(String),
    })
    expect((await client.getPack(pack.slug)).name).toBe('Somebody else')
  })

  it('also when only its stats have come in since', async () => {
    const { client, pack } = await open()
    await alter(house, pack.slug, { stats: someStats })
    const renamed = await client.replacePack(pack.slug, { ...pack, name: 'Finals' })
    expect(renamed).toMatchObject({ name: 'Finals', stats: someStats })
    expect(methodsSeen()).toEqual(['PUT'])
  })

  it('also when only a magnet link has come in since', async () => {
    const { host, client, pack } = await open()
    const url = 'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a'
    await alter(house, pack.slug, { exports: [{ url, createdAt: 1_000 }] })
    expect((await host.get(`/packs/${pack.slug}`)).json.pack.exports).toHaveLength(1)
    const renamed = await client.replacePack(pack.slug, { ...pack, description: 'Finals' })
    expect(renamed).toMatchObject({ description: 'Finals' })
    expect(methodsSeen()).toEqual(['PUT', 'GET', 'PUT'])
  })

  it('also when it was read in a list, which has no tag of each pack', async () => {
    const { host, pack } = await open()
    const { client } = await open({ key: host.key })
    const [listed] = (await client.listMyPacks()).packs.filter(({ slug }) => slug === pack.slug)
    road.expect()
    await client.replacePack(pack.slug, { ...listed!, name: 'Finals' })
    expect(methodsSeen()).toEqual(['GET', 'PUT'])
    const late = client.replacePack(pack.slug, { ...listed!, name: 'Late' })
    await expect(late).rejects.toMatchObject(stale)
    expect((await client.getPack(pack.slug)).name).toBe('Finals')
  })

  it('and sees its own save again when the answer was lost', async () => {
    const { client, pack } = await open()
    road.expect('lose')
    const renamed = await client.replacePack(pack.slug, { ...pack, name: 'Finals' })
    expect(renamed.name).toBe('Finals')
    expect(methodsSeen()).toEqual(['PUT', 'PUT', 'GET'])
    expect(await client.getPack(pack.slug)).toEqual(renamed)
  })

  it('unless it is told to overwrite, or writes what it has not read', async () => {
    const { host, client, pack } = await open()
    await host.put(pack.slug, aPack({ name: 'Somebody else' }))
    const copy = { ...pack, name: 'Mine' }
    expect((await client.replacePack(pack.slug, copy, { ifMatch: null })).name).toBe('Mine')
    expect((await client.replacePack(pack.slug, aPack({ name: 'New' }))).name).toBe('New')
    const other = await client.createPack(aPack())
    expect((await client.replacePack(other.slug, copy)).name).toBe('Mine')
    expect(road.seen.every(({ headers }) => headers['if-match'] === undefined)).toBe(true)
  })

  it('by a state or tag that it is given', async () => {
    const { host, client, pack } = await open()
    await expect(
      client.replacePack(pack.slug, aPack(), { ifMatch: '"other"' }),
    ).rejects.toMatchObject({ ...stale, status: 412 })
    await host.put(pack.slug, aPack({ name: 'Somebody else' }))
    await expect(client.deletePack(pack.slug, { ifMatch: pack })).rejects.toMatchObject(stale)
    const other = await client.createPack(aPack())
    await expect(client.deletePack(pack.slug, { ifMatch: other })).rejects.toMatchObject({
      code: 'bad_request',
      status: null,
    })
    const { data, etag } = await client.getPack(pack.slug).withResponse()
    await client.replacePack(pack.slug, aPack({ name: 'By tag' }), { ifMatch: etag })
    await expect(client.deletePack(pack.slug, { ifMatch: data })).rejects.toMatchObject(stale)
    await client.deletePack(pack.slug, { ifMatch: await client.getPack(pack.slug) })
    await expect(client.deletePack(pack.slug, { ifMatch: '*' })).rejects.toMatchObject(stale)
  })

  it.each(['*', 'the pack'] as const)('a lost deletion with %s is one', async (ifMatch) => {
    const { client, pack } = await open()
    road.expect('lose')
    await client.deletePack(pack.slug, { ifMatch: ifMatch === '*' ? '*' : pack })
    expect(methodsSeen()).toEqual(['DELETE', 'DELETE'])
  })
})

describe('a client', () => {
  it.each<[unknown, RegExp]>([
    [undefined, /it is undefined: is the variable/],
    [null, /it is null/],
    ['', /it is empty/],
    [42, /^key must be an API key/],
    ['undefined', /placeholder/],
    ['[object Object]', /^key must be/],
    ['<API_KEY>', /placeholder/],
    ['YOUR_API_KEY', /placeholder/],
    ['${PACKS_KEY}', /placeholder/],
    ['packs_xxxxxxxx', /placeholder/],
    ['…', /other characters/],
  ])('throws for the key %j before any request', (key, message) => {
    const fetch = (): never => {
      throw new Error('a request was sent')
    }
    const make = () => createClient({ baseUrl: 'https://packs.test', key: key as string, fetch })
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  it('names itself in User-Agent, behind the name of the program', async () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { version: string }
    expect(CLIENT_VERSION).toBe(version)
    for (const [userAgent, sent] of [
      [undefined, `mapcrate-client/${version}`],
      [
        'my-bot/1.2 (+https://bot.test)',
        `my-bot/1.2 (+https://bot.test) mapcrate-client/${version}`,
      ],
    ]) {
      const { client } = await open({ userAgent })
      await client.getMe()
      expect(road.seen[0]?.headers['user-agent']).toBe(sent)
    }
    for (const userAgent of ['', ' ', 'a\nb', 'é', 'x'.repeat(201)]) {
      expect(() =>
        createClient({ baseUrl: 'https://packs.test', key: 'packs_1', userAgent }),
      ).toThrow(/^userAgent must be/)
    }
  })

  it('takes a timeout for one call in place of its own', async () => {
    const { client } = await open({ retries: 0 })
    road.expect('stall')
    await expect(client.getMe({ timeout: 100 })).rejects.toMatchObject({
      code: 'timed_out',
      message: expect.stringContaining('within 100 ms'),
    })
    await expect(client.getMe()).resolves.toHaveProperty('username')
  })

  it('gives request id, tag and ignored fields with what a call gives (D-13, D-49)', async () => {
    const { client, pack } = await open()
    const call = client.getPack(pack.slug)
    const answer = await call.withResponse()
    expect(answer).toEqual({
      data: await call,
      requestId: expect.stringMatching(/^[\w-]+$/),
      ignoredFields: [],
      etag: expect.stringMatching(/^".+"$/),
    })
    expect(road.seen).toHaveLength(1)
    const gone = await client.deletePack(pack.slug).withResponse()
    expect(gone).toMatchObject({ data: undefined, requestId: expect.any(String), etag: null })
    for (const read of [client.getMe(), client.listPacks(), client.getOpenapi()]) {
      expect((await read.withResponse()).requestId).toMatch(/^[\w-]+$/)
    }
  })

  it('whose call fails leaves no rejection unheard, however it is awaited', async () => {
    const { client } = await open()
    await expect(client.getPack('nobodyhas1').withResponse()).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(client.getPack('no slug')).rejects.toMatchObject({ code: 'not_found' })
  })
})
