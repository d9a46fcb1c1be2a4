import { type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { Value } from 'typebox/value'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SearchIndex } from '../../src/contract/search-index.ts'
import { createServiceApp } from '../../src/door/service-app.ts'
import { type IndexFile, PublishedIndexCache } from '../../src/operations/search-index.ts'
import { addSearchIndex } from '../../src/site/search-index.ts'
import { type IndexLoop, startIndexLoop } from '../../src/worker/search-index.ts'
import { Door, expectError, type Reply } from '../support/door.ts'
import { type House, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { testSettings } from '../support/settings.ts'
import { until } from '../support/until.ts'

const PATH = '/packs/index.json'

let house: House
let app: FastifyInstance
let indexCache: PublishedIndexCache
let loop: IndexLoop | null
let port: number

beforeEach(async () => {
  house = await openHouse()
  indexCache = new PublishedIndexCache()
  loop = null
  app = createServiceApp({
    service: 'packs',
    ports: house.ports,
    settings: testSettings('packs'),
    site: async (scope) => addSearchIndex(scope, indexCache),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})

afterEach(async () => {
  await loop?.stop()
  await app.close()
  await house.close()
})

const startLoop = async (): Promise<void> => {
  const silent = { warn: () => {}, error: () => {} }
  const { ports } = house
  loop = startIndexLoop(ports, { indexCache, poolsOwnerName: 'Tournament pools' }, silent)
  await loop.ready
}

type Raw = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** As it comes over the wire: `fetch` would unpack it. */
const ask = (
  headers: Record<string, string> = {},
  { method = 'GET', path = PATH, body = '' } = {},
): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const request = httpRequest({ port, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })

const read = ({ bytes }: Raw): SearchIndex => Value.Parse(SearchIndex, JSON.parse(bytes.toString()))

const replyOf = ({ status, headers, bytes }: Raw): Reply => ({
  status,
  headers: new Headers(headers as Record<string, string>),
  text: bytes.toString(),
  json: JSON.parse(bytes.toString()),
})

describe('spec 2.10: GET /packs/index.json', () => {
  it('lists public packs, newest created first, to anybody', async () => {
    const host = await house.host()
    const first = await host.save(aPack({ visibility: 'public', description: 'Best of 13.' }))
    house.clock.advance(1_000)
    const second = await host.save(aPack({ visibility: 'public', name: 'Semifinals' }))
    await host.save(aPack({ visibility: 'unlisted' }))
    await host.save(aPack({ visibility: 'private' }))
    await startLoop()

    const answer = await ask()
    expect(answer.status).toBe(200)
    expect(read(answer)).toEqual({
      v: 1,
      packs: [
        {
          s: second,
          n: 'Semifinals',
          o: host.username,
          c: 3,
          d: '',
          u: '2026-10-03T18:30:02.000Z',
          t: '2026-10-03T18:30:02.000Z',
        },
        {
          s: first,
          n: 'Grand Finals',
          o: host.username,
          c: 3,
          d: 'Best of 13.',
          u: '2026-10-03T18:30:01.000Z',
          t: '2026-10-03T18:30:01.000Z',
        },
      ],
    })
  })

  it('D-39: shows what the API changes within 2 seconds', async () => {
    const host = await house.host()
    await startLoop()
    const shown = async () => read(await ask()).packs
    const within = (check: (packs: SearchIndex['packs']) => boolean) =>
      until(async () => check(await shown()), 2_000)

    const slug = await host.save(aPack({ visibility: 'public' }))
    await within(([pack]) => pack?.s === slug)
    await host.put(slug, aPack({ visibility: 'unlisted' }))
    await within((packs) => packs.length === 0)
  })

  it('D-39: is never older than a page that was served before it', async () => {
    const host = await house.host()
    const slug = await host.save(aPack({ visibility: 'public' }))
    await startLoop()
    for (const name of ['Round of 16', 'Quarterfinals', 'Semifinals', 'Finals']) {
      await host.put(slug, aPack({ visibility: 'public', name }))
      expect(read(await ask()).packs).toMatchObject([{ s: slug, n: name }])
    }
    await host.put(slug, aPack({ visibility: 'private' }))
    expect(read(await ask()).packs).toEqual([])
  })

  it('a change reads no other packs, whatever it is', async () => {
    const host = await house.host()
    for (let each = 0; each < 3; each++) await host.save(aPack({ visibility: 'public' }))
    await startLoop()
    const portions = vi.spyOn(house.ports.publicIndex, 'readPortion')
    const shown = async (check: (packs: SearchIndex['packs']) => boolean) =>
      until(async () => check(read(await ask()).packs))

    const slug = await host.save(aPack({ visibility: 'public' }))
    await shown((packs) => packs.some(({ s }) => s === slug))
    await host.put(slug, aPack({ visibility: 'public', name: 'Semifinals' }))
    await shown((packs) => packs.some(({ n }) => n === 'Semifinals'))
    await host.put(slug, aPack({ visibility: 'private' }))
    await shown((packs) => packs.length === 3)
    expect(portions).not.toHaveBeenCalled()
  })

  it('counts toward no limit, and shows the limit of the address (D-10)', async () => {
    await startLoop()
    for (let each = 0; each < 70; each++) expect((await ask()).status).toBe(200)
    const { headers } = await ask({ authorization: 'Bearer not-a-key' })
    expect(headers).toMatchObject({ 'ratelimit-limit': '20', 'ratelimit-remaining': '20' })
  })

  it('D-13, D-38: has the headers of every answer, its own Cache-Control, and none of CORS', async () => {
    await startLoop()
    const { headers } = await ask({ origin: 'http://elsewhere.test' })
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
      'ratelimit-reset': expect.any(String),
    })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('takes a query for no other path', async () => {
    await startLoop()
    expect((await ask({}, { path: `${PATH}?v=2` })).status).toBe(200)
  })
})

describe('D-38: compressed', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('%s for whoever takes it', async (coding, unpack) => {
    await (await house.host()).save(aPack({ visibility: 'public' }))
    await startLoop()
    const plain = await ask()
    const packed = await ask({ 'accept-encoding': coding })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(packed.headers).toMatchObject({
      'content-encoding': coding,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(packed.bytes.length),
      vary: 'Accept-Encoding',
    })
    expect(unpack(packed.bytes)).toEqual(plain.bytes)
    expect(packed.headers.etag).toMatch(/^"[^"]+"$/)
    expect(packed.headers.etag).not.toBe(plain.headers.etag)
  })

  it('brotli and gzip only when somebody asks for them', async () => {
    await startLoop()
    const br = vi.spyOn(indexCache.current()!.files, 'br')
    const gzip = vi.spyOn(indexCache.current()!.files, 'gzip')
    expect((await ask({ 'accept-encoding': 'identity' })).status).toBe(200)
    expect(br).not.toHaveBeenCalled()
    for (const coding of ['br', 'gzip;q=0.5, br']) {
      expect((await ask({ 'accept-encoding': coding })).status).toBe(200)
    }
    expect(br).toHaveBeenCalledTimes(2)
    expect(gzip).not.toHaveBeenCalled()
    await ask({ 'accept-encoding': 'gzip' }, { method: 'HEAD' })
    expect(gzip).toHaveBeenCalledTimes(1)
  })

  it('gzip that is made while the index changes is answered whole, with its own tag', async () => {
    const made = Promise.withResolvers<IndexFile>()
    const fileOf = (text: string) => ({ bytes: Buffer.from(text), etag: `"${text}"` })
    const put = (text: string, gzip: Promise<IndexFile>) => {
      const files = { identity: fileOf(text), br: async () => fileOf(text), gzip: () => gzip }
      indexCache.put({ version: text, builtAt: 0, packs: 0, files })
      return vi.spyOn(files, 'gzip')
    }
    const asked = put('before', made.promise)
    const early = ask({ 'accept-encoding': 'gzip' })
    await until(async () => asked.mock.calls.length > 0)
    put('after', Promise.resolve(fileOf('after, zipped')))
    made.resolve(fileOf('before, zipped'))
    const [one, two] = [await early, await ask({ 'accept-encoding': 'gzip' })]
    expect([one.bytes.toString(), one.headers.etag]).toEqual(['before, zipped', '"before, zipped"'])
    expect([two.bytes.toString(), two.headers.etag]).toEqual(['after, zipped', '"after, zipped"'])
  })

  it('gzip that cannot be made is internal_error, and the next request tries again', async () => {
    await startLoop()
    const gzip = vi.spyOn(indexCache.current()!.files, 'gzip')
    gzip.mockRejectedValueOnce(new Error('Cannot allocate memory'))
    const failed = await ask({ 'accept-encoding': 'gzip' })
    expectError(replyOf(failed), 'internal_error')
    expect(failed.headers).not.toHaveProperty('content-encoding')
    expect((await ask({ 'accept-encoding': 'gzip' })).status).toBe(200)
  })

  it('as it is for whoever refuses everything', async () => {
    await startLoop()
    const answer = await ask({ 'accept-encoding': 'identity;q=0, *;q=0' })
    expect(answer.status).toBe(200)
    expect(read(answer).packs).toEqual([])
  })
})

describe('D-13, D-38: If-None-Match', () => {
  it('is answered with 304 while nothing has changed, in each coding by its own tag', async () => {
    await startLoop()
    for (const coding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': coding }
      const { etag = '' } = (await ask(headers)).headers
      for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await ask({ ...headers, 'if-none-match': tags })
        expect(answer.status, tags).toBe(304)
        expect(answer.bytes).toHaveLength(0)
        expect(answer.headers).toMatchObject({
          etag,
          vary: 'Accept-Encoding',
          'cache-control': 'public, max-age=0, must-revalidate',
        })
        expect(answer.headers).not.toHaveProperty('content-encoding')
      }
      const other = await ask({ ...headers, 'if-none-match': '"other"' })
      expect(other.status).toBe(200)
    }
  })

  it('is answered with the new index once something has changed', async () => {
    await startLoop()
    const { etag = '' } = (await ask()).headers
    const slug = await (await house.host()).save(aPack({ visibility: 'public' }))
    const answer = await until(async () => {
      const each = await ask({ 'if-none-match': etag })
      return each.status === 200 && each
    })
    expect(read(answer).packs.map(({ s }) => s)).toEqual([slug])
    expect(answer.headers.etag).not.toBe(etag)
  })
})

describe('D-12: methods', () => {
  it('HEAD is GET without the body', async () => {
    await startLoop()
    for (const headers of [{}, { 'accept-encoding': 'br' }]) {
      const get = await ask(headers)
      const head = await ask(headers, { method: 'HEAD' })
      expect(head.status).toBe(200)
      expect(head.bytes).toHaveLength(0)
      for (const name of ['etag', 'content-length', 'content-type', 'content-encoding', 'vary']) {
        expect(head.headers[name], name).toBe(get.headers[name])
      }
    }
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is 405 with Allow', async (method) => {
    await startLoop()
    const headers = { 'content-type': 'text/plain' }
    const body = method === 'DELETE' ? '' : 'anything'
    const answer = await ask(headers, { method, body })
    expectError(replyOf(answer), 'method_not_allowed', 'this path takes GET, HEAD, OPTIONS')
    expect(answer.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'cache-control': 'private, no-cache',
    })
  })

  it('OPTIONS is 204 with Allow', async () => {
    const answer = await ask({}, { method: 'OPTIONS' })
    expect(answer.status).toBe(204)
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS')
  })
})

describe('before the first index is there', () => {
  it('a request waits for it', async () => {
    const early = ask()
    await startLoop()
    expect(read(await early).packs).toEqual([])
  })

  it('it waits for 5 seconds at most: unavailable', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const early = ask()
      await until(async () => vi.getTimerCount() > 0)
      await vi.advanceTimersByTimeAsync(5_000)
      const reply = replyOf(await early)
      expectError(reply, 'unavailable')
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the API on the same address', () => {
  it('is what it was', async () => {
    const host = await house.host()
    const reply = await new Door(`http://127.0.0.1:${port}`).ask('GET', '/me', { key: host.key })
    expect(reply.json.user.username).toBe(host.username)
  })
})
