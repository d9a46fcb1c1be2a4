import { freeWork } from '../support/free-work.ts'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { systemCompressor } from '../../src/adapters/system.ts'
import { CompressedAnswers } from '../../src/operations/compression.ts'
import { openHouse } from '../support/house.ts'
import { aPack, slots } from '../support/samples.ts'

let compressions = 0
const house = await openHouse({
  withPorts: (ports) => ({
    ...ports,
    compressor: {
      ...ports.compressor,
      compress: (...call) => {
        compressions += 1
        return ports.compressor.compress(...call)
      },
    },
  }),
})
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())
const host = await house.host()
const large = aPack({ visibility: 'public', slots: slots(64) })
const slug = await host.save(large)

type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bytes: Buffer
}

/** As it goes over the wire: `fetch` would unpack it. */
const ask = (
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body }: { method?: string; body?: unknown } = {},
  who = host,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const authorization = `Bearer ${who.key}`
    const sent = body === undefined ? '' : JSON.stringify(body)
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const call = request(
      `${who.door.url}/api/v1${path}`,
      { method, headers: { authorization, ...type, ...headers } },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Answer['headers'],
            bytes: Buffer.concat(parts),
          }),
        )
      },
    )
    call.on('error', reject)
    call.end(sent)
  })

const unpack = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }
const codings = ['br', 'gzip', 'zstd'] as const
const pack = `/packs/${slug}`

describe('answers of 1 KB and more (D-52)', () => {
  it.each(codings)('come in %s, smaller, with a tag of their own', async (coding) => {
    for (const path of [pack, '/packs', '/me/packs', '/openapi.json']) {
      const plain = await ask(path)
      const coded = await ask(path, { 'accept-encoding': coding })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(coded.headers['content-encoding']).toBe(coding)
      expect(unpack[coding](coded.bytes).equals(plain.bytes)).toBe(true)
      expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2)
      expect(coded.headers['etag']).toBe(plain.headers['etag']?.replace(/"$/, `-${coding}"`))
      for (const { headers, bytes } of [plain, coded]) {
        expect(headers['content-length']).toBe(String(bytes.length))
        expect(headers['vary']).toBe('Accept-Encoding')
        expect(headers['content-type']).toBe('application/json; charset=utf-8')
      }
    }
  })

  it.each<[string, string | undefined]>([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['zstd, gzip', 'zstd'],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'zstd'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0', undefined],
    ['*;q=0', undefined],
    ['deflate', undefined],
    ['', undefined],
    [`${'x,'.repeat(2_000)}br`, 'br'],
  ])('Accept-Encoding: %j', async (accept, coding) => {
    const { headers } = await ask(pack, { 'accept-encoding': accept })
    expect(headers['content-encoding']).toBe(coding)
  })

  it.each([
    '',
    ' ',
    ',',
    ' , ,',
    'abc',
    '"',
    '""',
    'W/',
    'W/""',
    '"another"',
    '"another", W/"one"',
  ])(
    'If-None-Match: %j, which names nothing that was sent, is answered with the tag (RFC 9110 13.1.2)',
    async (tags) => {
      for (const accept of ['br', 'identity']) {
        const { headers } = await ask(pack, { 'accept-encoding': accept })
        const again = await ask(pack, { 'accept-encoding': accept, 'if-none-match': tags })
        expect(again).toMatchObject({ status: 200, headers: { etag: headers['etag'] } })
        expect(again.headers['etag']).toMatch(/^"[^"]+"$/)
      }
    },
  )

  it('a HEAD says what a GET would', async () => {
    for (const accept of ['br', 'identity']) {
      const headers = { 'accept-encoding': accept }
      const got = await ask(pack, headers)
      const head = await ask(pack, headers, { method: 'HEAD' })
      expect(head.bytes).toHaveLength(0)
      for (const name of ['etag', 'vary', 'content-length', 'content-encoding', 'content-type']) {
        expect(head.headers[name], name).toBe(got.headers[name])
      }
    }
  })

  it('any of their tags is a 304 in any coding, and comes back', async () => {
    const tags = await Promise.all(
      ['identity', ...codings].map(
        async (accept) => (await ask(pack, { 'accept-encoding': accept })).headers['etag'] ?? '',
      ),
    )
    expect(new Set(tags).size).toBe(4)
    for (const tag of [...tags, ...tags.map((each) => `W/${each}`), `"x", ${tags[2]}`, '*']) {
      for (const accept of ['br', 'gzip', 'identity']) {
        const { status, headers, bytes } = await ask(pack, {
          'accept-encoding': accept,
          'if-none-match': tag,
        })
        expect(status).toBe(304)
        expect(bytes).toHaveLength(0)
        expect(headers['vary']).toBe('Accept-Encoding')
        expect(headers['content-encoding']).toBeUndefined()
        if (tags.includes(tag)) expect(headers['etag']).toBe(tag)
      }
      house.clock.nextMinute()
    }
    const other = tags[0]!.replace(/"$/, '-lzma"')
    expect((await ask(pack, { 'if-none-match': other })).status).toBe(200)
  })

  it('those of POST and PUT too, and their tags let the next write pass (D-48)', async () => {
    const accept = { 'accept-encoding': 'gzip' }
    const made = await ask('/packs', accept, { method: 'POST', body: large })
    expect(made.headers['content-encoding']).toBe('gzip')
    const { slug: own } = JSON.parse(gunzipSync(made.bytes).toString()).pack
    const ifMatch = { ...accept, 'if-match': made.headers['etag'] ?? '' }
    const put = await ask(`/packs/${own}`, ifMatch, { method: 'PUT', body: large })
    expect([put.status, put.headers['content-encoding']]).toEqual([200, 'gzip'])
    expect((await ask(`/packs/${own}`, ifMatch, { method: 'DELETE' })).status).toBe(412)
    const now = { 'if-match': put.headers['etag'] ?? '' }
    expect((await ask(`/packs/${own}`, now, { method: 'DELETE' })).status).toBe(204)
  })

  it('smaller ones stay as they are, refusals among them', async () => {
    const accept = { 'accept-encoding': 'gzip, br' }
    const small = await host.save(aPack())
    for (const path of ['/me', `/packs/${small}`, '/packs/AAAAAAAAAA', '/nothing']) {
      const { headers, bytes } = await ask(path, accept)
      expect(bytes.length).toBeLessThan(1_024)
      expect(headers['content-encoding']).toBeUndefined()
      expect(headers['vary']).toBeUndefined()
    }
  })

  it.each(codings)('a conflict with all slots of a round comes in %s, too', async (coding) => {
    const pools = await house.host('pools')
    const tournament = await pools.ask('POST', '/tournaments', { body: { name: 'Cup' } })
    const rounds = `/tournaments/${tournament.json.tournament.slug}/rounds`
    const indices = Array.from({ length: 64 }, (_, at) => at + 1)
    const plans = indices.map((index) => ({ mod: 'NM', index, placeholder: `Map ${index}` }))
    const round = await pools.ask('POST', rounds, { body: { name: 'Finals', slots: plans } })
    const path = `${rounds}/${round.json.round.id}/slots`
    const to = { beatmapId: 75 }
    const body = { changes: indices.map((index) => ({ mod: 'NM', index, from: null, to })) }
    const asked = (accept: string) =>
      ask(path, { 'accept-encoding': accept }, { method: 'PATCH', body }, pools)
    const [plain, coded] = [await asked('identity'), await asked(coding)]
    expect([plain.status, coded.status]).toEqual([409, 409])
    expect(JSON.parse(plain.bytes.toString()).slots).toEqual(plans)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(coded.headers['content-encoding']).toBe(coding)
    expect(unpack[coding](coded.bytes).equals(plain.bytes)).toBe(true)
    for (const { headers, bytes } of [plain, coded]) {
      expect(headers['content-length']).toBe(String(bytes.length))
      expect(headers['vary']).toBe('Accept-Encoding')
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['etag']).toBeUndefined()
      expect(headers['ratelimit-limit']).toBe('10')
      expect(headers['x-request-id']).toBeDefined()
    }
  })

  it('are compressed once while they have not changed, however many ask', async () => {
    const gzip = { 'accept-encoding': 'gzip' }
    compressions = 0
    const made = await ask('/packs', {}, { method: 'POST', body: { ...large, name: 'Once' } })
    const fresh = JSON.parse(made.bytes.toString()).pack.slug
    await Promise.all(Array.from({ length: 8 }, () => ask(`/packs/${fresh}`, gzip)))
    expect(compressions).toBe(1)
    // Other commits make the store read again, but not compress again.
    await host.save(aPack({ name: 'Another' }))
    await ask(`/packs/${fresh}`, gzip)
    expect(compressions).toBe(1)
    await ask(`/packs/${fresh}`, {}, { method: 'PUT', body: { ...large, name: 'Changed' } })
    compressions = 0
    await ask(`/packs/${fresh}`, { 'accept-encoding': 'zstd' })
    await ask(`/packs/${fresh}`, { 'accept-encoding': 'zstd' })
    expect(compressions).toBe(1)
    const unasked = compressions
    await ask(`/packs/${fresh}`)
    await ask(`/packs/${fresh}`, { ...gzip, 'if-none-match': '*' })
    expect(compressions).toBe(unasked)
  })
})

describe('what is kept of compressed answers', () => {
  it('has a bound, in which the least recently used makes room', async () => {
    let count = 0
    const answers = new CompressedAnswers(
      {
        ...systemCompressor,
        compress: async (bytes) => {
          count += 1
          return bytes
        },
      },
      freeWork,
    )
    const encode = async (tag: string, megabytes: number) =>
      answers.encode({ etag: tag, payload: new Uint8Array(megabytes * 1_024 * 1_024) }, 'br')
    for (const tag of ['a', 'b', 'c']) await encode(tag, 20)
    await encode('a', 20)
    expect(count).toBe(3)
    await encode('d', 20)
    await encode('a', 20)
    expect(count).toBe(4)
    await encode('b', 20)
    expect(count).toBe(5)
    await encode('huge', 70)
    await encode('huge', 70)
    expect(count).toBe(7)
  })

  it('is bounded for answers of a byte, too: each takes a place', async () => {
    let count = 0
    const compress = async () => new Uint8Array([(count += 1)])
    const answers = new CompressedAnswers({ ...systemCompressor, compress }, freeWork)
    const encode = async (etag: string) =>
      answers.encode({ etag, payload: new Uint8Array(2_000) }, 'br')
    const [first] = await encode('first')
    expect(await encode('first')).toEqual(new Uint8Array([first!]))
    for (let at = 0; at < 200_000; at++) await encode(`another ${at}`)
    count = 0
    await encode('first')
    expect(count).toBe(1)
  })

  it('serves whoever reads more pages in turn than it holds as far as it holds them', async () => {
    let made = 0
    const answers = new CompressedAnswers(systemCompressor, freeWork)
    const front = () => {
      made += 1
      return { bytes: new Uint8Array(80_000), crc: 0, length: 10 }
    }
    // 834 of them are held.
    const readAll = async (pages: number): Promise<number> => {
      made = 0
      for (let at = 0; at < pages; at++) {
        const end = new Uint8Array(10)
        await answers.encode({ etag: `${pages} ${at}`, length: 20, front, end }, 'gzip')
      }
      return made
    }
    expect([await readAll(800), await readAll(800)]).toEqual([800, 0])
    expect(await readAll(1_200)).toBe(1_200)
    for (let round = 0; round < 20; round++) await readAll(1_200)
    expect(await readAll(1_200)).toBeLessThan(500)
  })

  it('a failed compression is tried anew', async () => {
    let isBroken = true
    const answers = new CompressedAnswers(
      {
        ...systemCompressor,
        compress: async (bytes) => {
          if (isBroken) throw new Error('out of memory')
          return bytes
        },
      },
      freeWork,
    )
    const encode = async () => answers.encode({ etag: 'a', payload: new Uint8Array(2_000) }, 'gzip')
    await expect(encode()).rejects.toThrow('out of memory')
    isBroken = false
    expect(await encode()).toHaveLength(2_000)
  })
})
