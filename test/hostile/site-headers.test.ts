import { request as httpRequest } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DoorPorts } from '../../src/door/context.ts'
import { type Browser, pageDataOf } from '../support/browser.ts'
import type { Reply } from '../support/door.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { expectSiteHeaders } from '../support/site-watch.ts'

const PAGE = { accept: 'text/html' }

let house: SiteHouse
let stranger: Browser
let owner: Browser
let moderator: Browser
let broken = false

const failing = <T extends object>(store: T): T =>
  new Proxy(store, {
    get: (target, name, receiver) =>
      broken
        ? () => Promise.reject(new Error('/var/lib/mapcrate.db: the disk is gone'))
        : Reflect.get(target, name, receiver),
  })
const withPorts = (ports: DoorPorts): DoorPorts => ({ ...ports, packs: failing(ports.packs) })

beforeAll(async () => {
  house = await openSiteHouse({ withPorts, isSecure: true })
  await house.ports.accounts.setModerator(7003, true, 0)
  stranger = house.browser()
  owner = await house.signedIn(7001)
  moderator = await house.signedIn(7003)
})
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const save = (visibility: 'public' | 'unlisted' | 'private' = 'public'): Promise<string> => {
  house.clock.nextMinute()
  return house.save(owner, aPack({ visibility }))
}
const hide = (slug: string): Promise<Reply> =>
  moderator.ask('POST', `/session/moderation/packs/${slug}/hide`, { reason: 'copied' })

describe('D-13: every answer carries the headers that keep it to itself, whatever it is', () => {
  const expectSafe = (reply: Reply, status: number): void => {
    expect(reply.status, reply.text.slice(0, 200)).toBe(status)
    expectSiteHeaders(reply.headers)
    expect(reply.headers.get('strict-transport-security')).toBe('max-age=31536000')
  }

  test.each([
    [200, 'GET', '/'],
    [200, 'GET', '/session'],
    [200, 'GET', '/assets/home-2c3d.js'],
    [200, 'GET', '/robots.txt'],
    [200, 'GET', '/favicon.svg'],
    [200, 'GET', '/favicon.ico'],
    [200, 'GET', '/docs/openapi/packs.json'],
    [204, 'OPTIONS', '/session'],
    [302, 'GET', '/sign-in'],
    [400, 'GET', '/sign-in/callback'],
    [400, 'GET', '/session/packs?page=0'],
    [400, 'GET', '/session/packs?page=%00'],
    [400, 'GET', '/session/moderation/packs?only=%00'],
    [400, 'GET', '/session/moderation/packs?query=%00'],
    [200, 'GET', '/session/moderation/packs?query=%ED%A0%80'],
    [200, 'GET', '/session/moderation/packs?query=%25_%5C%27'],
    [400, 'GET', '/session/moderation/packs?query=a&query=b'],
    [403, 'POST', '/session/key'],
    [404, 'GET', '/nothing'],
    [404, 'GET', '/p/AAAAAAAAAA'],
    [404, 'GET', '/p/AAAAAAAAAA/preview.png'],
    [404, 'GET', '/p/%00'],
    [404, 'GET', '/p/%00%00%00%00%00%00%00%00%00%00/edit'],
    [404, 'GET', '/p/AAAAA%00AAAA/preview.png'],
    [404, 'GET', `/p/${'A'.repeat(10_000)}`],
    [404, 'GET', '/session/packs/%00'],
    [404, 'GET', '/assets/%00.js'],
    [404, 'GET', '/assets/nothing.js'],
    [404, 'GET', '/session/packs/AAAAAAAAAA'],
    [405, 'PUT', '/'],
    [405, 'PUT', '/session'],
    [405, 'POST', '/assets/home-2c3d.js'],
  ])('%i %s %s, as a page and as data', async (status, method, path) => {
    for (const headers of [PAGE, { accept: 'application/json' }]) {
      expectSafe(await moderator.send(method, path, { headers }), status)
    }
  })

  test.each([
    '/',
    '/assets/home-2c3d.js',
    '/robots.txt',
    '/favicon.svg',
    '/docs/openapi/packs.json',
  ])('304 GET %s', async (path) => {
    const etag = (await stranger.open(path)).headers.get('etag') ?? ''
    expectSafe(await stranger.send('GET', path, { headers: { 'if-none-match': etag } }), 304)
  })

  test('401, 413, 415 and 429 of POST /session/packs', async () => {
    expectSafe(await stranger.ask('POST', '/session/packs', aPack()), 401)
    expectSafe(await owner.ask('POST', '/session/packs', { name: 'x'.repeat(17_000) }), 413)
    const text = { 'content-type': 'text/plain' }
    expectSafe(await owner.ask('POST', '/session/packs', '{}', text), 415)
    for (let at = 0; at < 8; at += 1) await owner.ask('POST', '/session/packs', '{}')
    const last = await owner.ask('POST', '/session/packs', '{}')
    expectSafe(last, 429)
    expect(last.headers.get('retry-after')).toBe(last.headers.get('ratelimit-reset'))
  })

  test('500 wherever the store fails, without a word of why (D-14)', async () => {
    const slug = await save()
    broken = true
    try {
      for (const path of ['/', `/p/${slug}`, `/p/${slug}/preview.png`, `/session/packs/${slug}`]) {
        for (const headers of [PAGE, { accept: '*/*' }]) {
          const reply = await stranger.send('GET', path, { headers })
          expectSafe(reply, 500)
          expect(reply.text).not.toMatch(/disk|mapcrate\.db|\bat .*\.ts/)
          expect(reply.headers.get('cache-control')).toMatch(/no-cache|no-store/)
        }
      }
    } finally {
      broken = false
    }
  })
})

test.each(['%00', 'A', 'A'.repeat(11), 'A'.repeat(10_000), 'AAAAAAAAA%0A', 'AAAAA.AAAA'])(
  'D-26: 404 for the slug %s, which no pack can have: no store is asked',
  async (slug) => {
    broken = true
    try {
      for (const path of [`/p/${slug}`, `/p/${slug}/edit`, `/p/${slug}/preview.png`]) {
        expect((await stranger.open(path)).status).toBe(404)
      }
      expect((await stranger.ask('GET', `/session/packs/${slug}`)).status).toBe(404)
    } finally {
      broken = false
    }
  },
)

describe('what belongs to all never carries a cookie, and what belongs to one is never kept', () => {
  const shared = [
    '/assets/home-2c3d.js',
    '/robots.txt',
    '/favicon.svg',
    '/favicon.ico',
    '/icon-180.png',
  ]

  test('no Set-Cookie beside what caches keep, though the session is due to be renewed', async () => {
    const slug = await save()
    house.clock.advance(11 * 60_000)
    for (const path of [...shared, `/p/${slug}/preview.png`, '/manifest.webmanifest']) {
      const reply = await owner.open(path)
      expect([path, reply.status]).toEqual([path, 200])
      expect(reply.headers.get('cache-control')).toMatch(/^public/)
      expect(reply.headers.get('set-cookie')).toBeNull()
      expect(reply.text).not.toContain(owner.viewer?.csrf)
    }
    const page = await owner.open('/')
    expect(page.headers.get('set-cookie')).toMatch(/^__Host-session=/)
    expect(page.headers.get('cache-control')).toBe('private, no-store')
  })

  test('a page with a token in it is never 304, whatever the browser claims to have', async () => {
    const slug = await save()
    for (const path of ['/', '/packs', '/account', `/p/${slug}`, `/p/${slug}/edit`]) {
      const strange = (await stranger.open(path)).headers.get('etag') ?? '"none"'
      for (const tag of [strange, `W/${strange}`, '*', `${strange}, "other"`]) {
        const headers = { ...PAGE, 'if-none-match': tag }
        const reply = await owner.send('GET', path, { headers })
        expect([path, tag, reply.status]).toEqual([path, tag, 200])
        expect(reply.headers.get('etag')).toBeNull()
        expect(reply.text).toContain(owner.viewer?.csrf)
      }
    }
  })

  test('a stranger’s page says that it hangs on the cookie, and never holds a viewer', async () => {
    const slug = await save()
    for (const path of ['/', '/account', `/p/${slug}`]) {
      const reply = await stranger.open(path)
      expect(reply.headers.get('vary')).toBe('Accept-Encoding, Accept-Language, Cookie')
      expect(reply.text).toContain('"viewer":null')
    }
  })

  test('404 and 403 pages are the same for everybody but for who is signed in: that is kept nowhere', async () => {
    for (const path of ['/nothing', '/p/AAAAAAAAAA', '/moderation']) {
      const [mine, theirs] = [await owner.open(path), await stranger.open(path)]
      const viewer = JSON.stringify(pageDataOf(mine).viewer)
      expect(viewer).toContain(owner.viewer!.csrf)
      expect(mine.text.replace(viewer, 'null')).toBe(theirs.text)
      expect(mine.headers.get('etag')).toBeNull()
      expect(mine.headers.get('cache-control')).toBe('private, no-store')
      expect((await stranger.open(path)).text).toBe(theirs.text)
    }
  })
})

/** As it comes over the wire: `fetch` would unpack it. */
const bytesOf = (path: string, coding: string): Promise<{ coding: string; bytes: Buffer }> =>
  new Promise((resolve, reject) => {
    const headers = { ...PAGE, 'accept-encoding': coding }
    httpRequest(house.urls.packs + path, { headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const packed = answer.headers['content-encoding'] ?? 'identity'
        resolve({ coding: packed, bytes: Buffer.concat(chunks) })
      })
    })
      .on('error', reject)
      .end()
  })

const unpacks: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
}
const unpack = ({ coding, bytes }: { coding: string; bytes: Buffer }): string =>
  (unpacks[coding]?.(bytes) ?? bytes).toString()

describe('codings are never mixed up, however many ask at once', () => {
  // Files are prepared in two codings only.
  test.each([
    ['/', ['br', 'gzip', 'zstd', 'identity']],
    ['/nothing', ['br', 'gzip', 'zstd', 'identity']],
    ['/assets/shared-0a1b.js', ['br', 'gzip', 'identity']],
  ])('GET %s', async (path, expected) => {
    const codings = ['br', 'gzip', 'identity', 'gzip;q=0.5, br;q=0.1', 'zstd', 'br;q=0, *;q=0.1']
    const asked = Array.from({ length: 60 }, (_, at) => codings[at % codings.length] ?? '')
    const answers = await Promise.all(asked.map((coding) => bytesOf(path, coding)))
    expect(new Set(answers.map(unpack)).size).toBe(1)
    expect(new Set(answers.map(({ coding }) => coding))).toEqual(new Set(expected))
  })
})

describe('D-29: a pack that is gone a moment ago is gone in every way of asking', () => {
  const ways: readonly (readonly [string, (slug: string) => Promise<unknown>])[] = [
    ['hidden', hide],
    [
      'made private by the API',
      async (slug) => {
        const host = await house.hostOf(7001, 'Peridot')
        return host.put(slug, aPack({ visibility: 'private' }))
      },
    ],
    ['deleted', (slug) => owner.ask('DELETE', `/session/packs/${slug}`)],
  ]

  /** All of an answer but what differs from each to each. */
  const bare = ({ status, headers, text }: Reply): unknown => {
    const told = Object.fromEntries(headers)
    return [status, text, { ...told, date: '', 'x-request-id': '' }]
  }

  test.each(ways)(
    '%s: pages, data, pictures, HEAD and 304 are as if it had never been',
    async (_, act) => {
      const slug = await save()
      const paths = (id: string) => [`/p/${id}`, `/p/${id}/preview.png`, `/session/packs/${id}`]
      const tags = await Promise.all(
        paths(slug).map(async (path) => (await stranger.open(path)).headers.get('etag') ?? '"x"'),
      )
      expect((await stranger.open(`/p/${slug}/preview.png`)).status).toBe(200)
      await act(slug)
      const missing = [...paths('AAAAAAAAAA'), '/p/AAAAAAAAAA/edit']
      for (const [at, path] of [...paths(slug), `/p/${slug}/edit`].entries()) {
        for (const method of ['GET', 'HEAD']) {
          for (const accept of ['text/html', '*/*', 'image/png']) {
            for (const tag of [tags[at] ?? '"x"', '*', '"none"']) {
              const headers = { accept, 'if-none-match': tag }
              const gone = await stranger.send(method, path, { headers })
              const never = await stranger.send(method, missing[at] ?? '', { headers })
              expect(gone.status).toBe(404)
              expect(bare(gone)).toEqual(bare(never))
            }
          }
        }
      }
    },
  )

  test('shown again, the picture and the page are there again at once', async () => {
    const slug = await save()
    const before = (await stranger.open(`/p/${slug}/preview.png`)).headers.get('etag')
    await hide(slug)
    expect((await stranger.open(`/p/${slug}/preview.png`)).status).toBe(404)
    await moderator.ask('POST', `/session/moderation/packs/${slug}/unhide`, { reason: 'a mistake' })
    const again = await stranger.open(`/p/${slug}/preview.png`)
    expect([again.status, again.headers.get('etag')]).toEqual([200, before])
    expect((await stranger.open(`/p/${slug}`)).status).toBe(200)
  })
})
