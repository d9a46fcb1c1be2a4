import { hash } from 'node:crypto'
import { once } from 'node:events'
import { get } from 'node:http'
import { createGunzip, gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { systemCompressor } from '../../src/adapters/system.ts'
import { ANYBODYS_END, type PageText } from '../../src/site/pages/html.ts'
import { packPage } from '../../src/site/pages/page-bytes.ts'
import { pageDataOf } from '../support/browser.ts'
import { aPack, slots } from '../support/samples.ts'
import { openSiteHouse } from '../support/site-house.ts'

/** Shorter and longer than what a compressor looks back at. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 1_000 }),
  fc
    .tuple(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }),
      fc.integer({ min: 0, max: 5_000 }),
    )
    .map(([part, times]) => part.repeat(times)),
)

/** Text as pages are, bytes as nobody expects them, and more than one stored block holds. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }),
  fc.string({ unit: 'grapheme', maxLength: 2_000 }).map((text) => Buffer.from(text)),
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.integer({ min: 0, max: 200_000 }))
    .map(([part, length]) => Buffer.alloc(length, part)),
)

/** A page in three parts, each of which may have anything in it that was in another one, or nothing. */
const page = fc
  .tuple(fc.tuple(text, text, text), fc.integer({ min: 0, max: 3 }))
  .map(([[before, fixed, after], again]) => ({
    before,
    fixed: { text: fixed },
    after: after + (before + fixed).repeat(again),
  }))
const wholeOf = ({ before, fixed, after }: PageText): Buffer =>
  Buffer.from(before + fixed.text + after)

describe('a gzip body of a compressed front and a stored end (D-52)', () => {
  test('unpacks to both, and holds the end as it is', async () => {
    await fc.assert(
      fc.asyncProperty(page, bytes, async (parts, end) => {
        const [{ front: made, length, etag }, whole] = [packPage(parts), wholeOf(parts)]
        const joined = Buffer.from(systemCompressor.join(made, end))
        expect(gunzipSync(joined).equals(Buffer.concat([whole, end]))).toBe(true)
        expect(Buffer.from(await systemCompressor.unpackFront(made)).equals(whole)).toBe(true)
        if (end.length < 65_536) expect(joined.includes(end)).toBe(true)
        // What the end holds moves nothing but its own bytes and the sum.
        const other = Buffer.from(systemCompressor.join(made, Buffer.alloc(end.length, 'a')))
        expect(other.length).toBe(joined.length)
        // The tag is that of the page for those who are not signed in.
        const anybodys = Buffer.concat([whole, ANYBODYS_END])
        expect([length, etag]).toEqual([
          anybodys.length,
          `"${hash('sha1', anybodys, 'base64url')}"`,
        ])
      }),
      { numRuns: 200 },
    )
  })

  test('has the same bytes each time, whatever was made before', () => {
    fc.assert(
      fc.property(page, fc.array(text), (parts, others) => {
        const first = packPage(parts)
        for (const after of others) packPage({ ...parts, after })
        expect(packPage(parts)).toEqual(first)
        expect(packPage({ ...parts, fixed: { ...parts.fixed } })).toEqual(first)
      }),
    )
  })

  test('unpacks as it comes, byte by byte', async () => {
    await fc.assert(
      fc.asyncProperty(page, bytes, async (parts, end) => {
        const unzip = createGunzip()
        const unpacked: Buffer[] = []
        unzip.on('data', (part: Buffer) => unpacked.push(part))
        const { front } = packPage({ ...parts, after: parts.after.slice(0, 500) })
        for (const byte of systemCompressor.join(front, end.subarray(0, 500))) {
          unzip.write(Buffer.of(byte))
        }
        unzip.end()
        await once(unzip, 'end')
        const whole = wholeOf({ ...parts, after: parts.after.slice(0, 500) })
        expect(Buffer.concat(unpacked).equals(Buffer.concat([whole, end.subarray(0, 500)]))).toBe(
          true,
        )
      }),
      { numRuns: 20 },
    )
  })
})

describe('a page for somebody who is signed in', async () => {
  const house = await openSiteHouse()
  afterAll(() => house.close())
  const owner = await house.signedIn(7001)
  const viewers = [owner, await house.signedIn(7002)]
  const slug = await house.save(owner, aPack({ visibility: 'public', slots: slots(64) }))
  const paths = ['/', '/packs', '/account', `/p/${slug}`, `/p/${slug}/edit`]

  /** As it goes over the wire: `fetch` would unpack it. */
  const ask = async (path: string, accept: string | null, from = owner, method = 'GET') => {
    const cookie = [...from.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const coding = accept === null ? {} : { 'accept-encoding': accept }
    const headers = { accept: 'text/html', cookie, ...coding }
    const request = get(owner.url + path, { headers, method })
    const [response] = await once(request, 'response')
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer)
    return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(parts) }
  }

  test.each(paths)(
    '%s in gzip is the same as it is, and its token is not compressed',
    async (path) => {
      for (const viewer of viewers) {
        for (const accept of ['gzip', 'gzip, deflate, br, zstd', 'br;q=0.5, gzip;q=0.1', '*']) {
          const plain = await ask(path, null, viewer)
          const zipped = await ask(path, accept, viewer)
          if (plain.status === 302) continue
          expect(plain.headers['content-encoding']).toBeUndefined()
          expect(zipped.headers['content-encoding']).toBe('gzip')
          expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true)
          expect(zipped.bytes.includes(JSON.stringify(viewer.viewer))).toBe(true)
          for (const { headers, bytes: sent } of [plain, zipped]) {
            expect(headers).toMatchObject({
              'content-length': String(sent.length),
              'cache-control': 'private, no-store',
              vary: expect.stringMatching(/Accept-Encoding, Accept-Language, Cookie$/),
            })
            expect(headers).not.toHaveProperty('etag')
          }
        }
      }
    },
  )

  test.each([null, '', 'identity', 'br', 'zstd', 'gzip;q=0, br', 'deflate'])(
    'stays as it is where gzip is not accepted: %j',
    async (accept) => {
      const { headers, bytes: sent } = await ask('/packs', accept)
      expect(headers['content-encoding']).toBeUndefined()
      expect(pageDataOf({ text: sent.toString() }).viewer).toEqual(owner.viewer)
    },
  )

  test('HEAD says what GET would', async () => {
    for (const accept of ['gzip', null]) {
      const got = await ask('/packs', accept)
      const head = await ask('/packs', accept, owner, 'HEAD')
      expect(head.bytes).toHaveLength(0)
      for (const name of ['content-length', 'content-encoding', 'content-type', 'vary']) {
        expect(head.headers[name], name).toBe(got.headers[name])
      }
    }
  })
})
