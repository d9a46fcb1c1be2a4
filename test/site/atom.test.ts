import { request as httpRequest } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { spendSiteShare } from '../../src/operations/admission.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { type IndexLoop, startIndexLoop } from '../../src/worker/search-index.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { type AtomFeed, readAtom } from '../support/read-atom.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { until } from '../support/until.ts'

const TYPE = 'application/atom+xml; charset=utf-8'

let chromium: Chromium
let parser: Page
let house: SiteHouse
let loop: IndexLoop
let stranger: Browser
let owner: Browser
/** What the site asked its ports for. */
let lists: number
let compressed: number

beforeAll(async () => {
  chromium = await launchChromium()
  parser = await chromium.newPage()
})
afterAll(() => chromium.close())

beforeEach(async () => {
  lists = 0
  compressed = 0
  house = await openSiteHouse({
    withPorts: (ports) => ({
      ...ports,
      packs: {
        ...ports.packs,
        listPublic: (...asked) => {
          lists += 1
          return ports.packs.listPublic(...asked)
        },
      },
      compressor: {
        ...ports.compressor,
        compress: (bytes, coding) => {
          compressed += 1
          return ports.compressor.compress(bytes, coding)
        },
      },
    }),
  })
  stranger = house.browser()
  owner = await house.signedIn(7001)
  const { ports, indexCache } = house
  const silent = { warn: () => {}, error: () => {} }
  loop = startIndexLoop(ports, { indexCache, poolsOwnerName: 'Tournament pools' }, silent)
  await loop.ready
})
afterEach(async () => {
  await loop.stop()
  await house.close()
})

const save = (changes: Parameters<typeof aPack>[0] = {}): Promise<string> => {
  house.clock.nextMinute()
  return house.save(owner, aPack({ visibility: 'public', ...changes }))
}

const read = async (path: string): Promise<AtomFeed> => {
  const { status, text } = await stranger.open(path)
  expect(status, text).toBe(200)
  return readAtom(parser, text)
}

/** The feed of public packs as soon as it is so: it follows the search index. */
const whenFeed = (check: (feed: AtomFeed) => boolean): Promise<AtomFeed> =>
  until(async () => {
    const feed = await read('/packs.atom')
    return check(feed) && feed
  })

const titles = ({ entries }: AtomFeed): string[] => entries.map(({ title }) => title)

/** As it comes over the wire: `fetch` would unpack it. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const request = httpRequest(house.urls.packs + path, { method, headers }, (response) => {
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
      request.end()
    },
  )

describe('GET /packs.atom', () => {
  test('without packs is a feed without entries', async () => {
    const url = house.urls.packs
    expect(await read('/packs.atom')).toEqual({
      id: `${url}/packs.atom`,
      title: 'Public packs – Mapcrate',
      updated: '1970-01-01T00:00:00.000Z',
      author: 'Mapcrate',
      links: [
        { rel: 'self', type: 'application/atom+xml', href: `${url}/packs.atom` },
        { rel: 'alternate', type: 'text/html', href: `${url}/packs` },
      ],
      entries: [],
    })
  })

  test('has an entry for each public pack, the last updated first', async () => {
    const first = await save({ name: 'Semifinals', description: 'Best of 11.' })
    const second = await save({
      name: 'Grand Finals',
      slots: [
        { mod: 'NM', index: 1, beatmapId: 75 },
        { mod: 'NM', index: 2, beatmapId: 76 },
        { mod: 'RC1', index: 1, beatmapId: 77 },
        { mod: null, index: 1, beatmapId: 78 },
      ],
    })
    await save({ visibility: 'unlisted' })
    await save({ visibility: 'private' })
    await hidePack(house.ports, await save(), { moderatorId: null, reason: null })
    const url = house.urls.packs
    const feed = await whenFeed(({ entries }) => entries.length === 2)
    expect(feed.updated).toBe('2026-10-03T18:32:00.000Z')
    expect(feed.entries).toEqual([
      {
        id: `${url}/p/${second}`,
        title: 'Grand Finals',
        updated: '2026-10-03T18:32:00.000Z',
        published: '2026-10-03T18:32:00.000Z',
        author: 'Peridot',
        links: [{ rel: 'alternate', type: 'text/html', href: `${url}/p/${second}` }],
        summary: 'without bucket 1, NM 2, RC1 1: 4 beatmaps, by Peridot.',
      },
      {
        id: `${url}/p/${first}`,
        title: 'Semifinals',
        updated: '2026-10-03T18:31:00.000Z',
        published: '2026-10-03T18:31:00.000Z',
        author: 'Peridot',
        links: [{ rel: 'alternate', type: 'text/html', href: `${url}/p/${first}` }],
        summary: 'NM 1, DT 1, TB 1: 3 beatmaps, by Peridot. Best of 11.',
      },
    ])
  })

  test('shows a save within 2 seconds under the same id, and what is private no more', async () => {
    const slugs = [await save({ name: 'One' }), await save({ name: 'Two' })]
    const before = await whenFeed(({ entries }) => entries.length === 2)
    const { updatedAt, createdAt } = (await house.ports.packs.read(slugs[0]!))!
    house.clock.nextMinute()
    const edit = {
      pack: aPack({ name: 'One, again', visibility: 'public' }),
      basedOn: new Date(updatedAt).toISOString(),
    }
    expect((await owner.ask('PUT', `/session/packs/${slugs[0]}`, edit)).status).toBe(200)
    const after = await whenFeed(({ entries: [newest] }) => newest?.title === 'One, again')
    expect(after.entries[0]).toMatchObject({
      id: before.entries[1]?.id,
      published: new Date(createdAt).toISOString(),
      updated: new Date(house.clock.now()).toISOString(),
    })
    expect(after.updated).toBe(after.entries[0]?.updated)
    await hidePack(house.ports, slugs[0]!, { moderatorId: null, reason: null })
    expect(titles(await whenFeed(({ entries }) => entries.length === 1))).toEqual(['Two'])
  })

  test('has at most 50 entries', async () => {
    const stored = (await house.ports.packs.read(await save()))!
    for (let at = 0; at < 60; at++) {
      const slug = `many${at}`.padEnd(10, '_')
      const updatedAt = stored.updatedAt + at
      await house.ports.packs.create({ ...stored, slug, name: `Round ${at}`, updatedAt }, null)
    }
    const feed = await whenFeed((all) => titles(all)[0] === 'Round 59')
    expect(titles(feed)).toEqual(Array.from({ length: 50 }, (_, at) => `Round ${59 - at}`))
  })

  test.each([
    ['markup', '</title><script>alert(1)</script>'],
    ['entities', '&lt;b&gt; &amp; "quotes" \'too\' &nbsp;'],
    ['the end of a CDATA section', ']]><svg/onload=1>'],
    ['a comment', '<!-- -- -->'],
    ['what lies beyond the first plane', 'Grand 港 Finals 🎵'],
  ])('is well-formed whatever people write: %s', async (_, text) => {
    await save({ name: text, description: text })
    const [entry] = (await whenFeed(({ entries }) => entries.length === 1)).entries
    expect(entry?.title).toBe(text)
    expect(entry?.summary).toContain(text)
  })

  test('leaves out the characters that XML cannot hold, and formatting that D-47 refuses', async () => {
    const stored = (await house.ports.packs.read(await save({ visibility: 'private' })))!
    const name = 'Fi\u0000\u001b\ufffe\uffff\ud800na\u202els'
    await house.ports.packs.create(
      { ...stored, slug: 'xmlxmlxml_', visibility: 'public', name, description: name },
      null,
    )
    const [entry] = (await whenFeed(({ entries }) => entries.length === 1)).entries
    expect(entry?.title).toMatch(/^Fi\ufffd?nals$/)
    expect(entry?.summary).toMatch(/Fi\ufffd?nals$/)
  })

  test('isolates texts written right to left from the words around them (D-47)', async () => {
    await save({ name: 'נבחרת', description: 'שלום' })
    const [entry] = (await whenFeed(({ entries }) => entries.length === 1)).entries
    expect(entry?.title).toBe('נבחרת')
    expect(entry?.summary).toBe('NM 1, DT 1, TB 1: 3 beatmaps, by Peridot. \u2068שלום\u2069')
  })

  test('is the same with a session, whoever asks', async () => {
    await save()
    await whenFeed(({ entries }) => entries.length === 1)
    const [theirs, mine] = [await stranger.open('/packs.atom'), await owner.open('/packs.atom')]
    expect(mine.text).toBe(theirs.text)
    expect(mine.headers.get('etag')).toBe(theirs.headers.get('etag'))
    expect(mine.headers.get('set-cookie')).toBeNull()
  })

  test('comes from memory until something changes, however many ask at once', async () => {
    for (const name of ['One', 'Two', 'Three', 'Four']) await save({ name })
    await whenFeed(({ entries }) => entries.length === 4)
    await save({ name: 'Five' })
    const { version } = house.indexCache.current()!
    await until(async () => house.indexCache.current()!.version !== version)
    lists = 0
    compressed = 0
    const headers = { 'accept-encoding': 'br' }
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask('/packs.atom', headers)))
    replies.push(await ask('/packs.atom', headers))
    expect(new Set(replies.map(({ bytes }) => bytes.toString('hex'))).size).toBe(1)
    expect([lists, compressed]).toEqual([1, 1])
  })

  test('D-56: costs nothing, also beyond the share of the address', async () => {
    const requester = 'address 127.0.0.1'
    while (spendSiteShare(house.ports, 'packs', requester, 'export') === null);
    expect((await stranger.open('/packs')).status).toBe(429)
    expect((await stranger.open('/packs.atom')).status).toBe(200)
  })

  test('is there on the packs service alone', async () => {
    expect((await house.browser('pools').open('/packs.atom')).status).toBe(404)
  })
})

describe('D-13, D-52: the responses of feeds', () => {
  const paths = async (): Promise<readonly string[]> => {
    for (const name of ['One', 'Two', 'Three', 'Four']) await save({ name })
    await whenFeed(({ entries }) => entries.length === 4)
    return ['/packs.atom']
  }

  test('have the headers of the search index, and none of CORS', async () => {
    for (const path of await paths()) {
      const { status, headers } = await ask(path, { origin: 'http://elsewhere.test' })
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-type': TYPE,
        'cache-control': 'public, max-age=0, must-revalidate',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
        etag: expect.stringMatching(/^"[^"]+"$/),
      })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('are compressed for those who accept it, each coding with its own ETag', async () => {
    for (const path of await paths()) {
      const plain = await ask(path)
      for (const [coding, unpack] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const packed = await ask(path, { 'accept-encoding': coding })
        expect(packed.headers['content-encoding']).toBe(coding)
        expect(packed.headers['etag']).not.toBe(plain.headers['etag'])
        expect(unpack(packed.bytes)).toEqual(plain.bytes)
      }
    }
  })

  test('are 304 without a body for those who have them', async () => {
    for (const path of await paths()) {
      for (const coding of ['br', 'identity']) {
        const headers = { 'accept-encoding': coding }
        const { etag } = (await ask(path, headers)).headers
        const again = await ask(path, { ...headers, 'if-none-match': String(etag) })
        expect([again.status, again.bytes.length]).toEqual([304, 0])
        expect(again.headers).toMatchObject({
          etag,
          'cache-control': 'public, max-age=0, must-revalidate',
        })
        const other = await ask(path, { ...headers, 'if-none-match': '"other"' })
        expect(other.status).toBe(200)
      }
    }
  })

  test('D-12: HEAD has no body, OPTIONS is 204, other methods are 405 with Allow', async () => {
    for (const path of await paths()) {
      const [get, head] = [await ask(path), await ask(path, {}, 'HEAD')]
      expect([head.status, head.bytes.length]).toEqual([200, 0])
      for (const name of ['etag', 'content-length', 'content-type', 'vary']) {
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
      }
      const options = await ask(path, {}, 'OPTIONS')
      expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS'])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const wrong = await ask(path, {}, method)
        expect([method, wrong.status]).toEqual([method, 405])
        expect(wrong.headers['allow']).toBe('GET, HEAD, OPTIONS')
      }
    }
  })
})

describe('feeds are discovered', () => {
  const feedsIn = (text: string): string[] =>
    [
      ...text.matchAll(
        /<link rel="alternate" type="application\/atom\+xml" title="([^"]*)" href="([^"]*)">/g,
      ),
    ].map(([, title, href]) => `${title} ${href}`)

  test('on the home page and on Browse: that of public packs', async () => {
    for (const path of ['/', '/packs']) {
      const { text } = await stranger.open(path)
      expect(feedsIn(text)).toEqual([`Public packs ${house.urls.packs}/packs.atom`])
    }
    for (const path of ['/k', '/me', '/docs', `/p/${await save()}`]) {
      expect(feedsIn((await stranger.open(path)).text)).toEqual([])
    }
    expect(feedsIn((await house.browser('pools').open('/')).text)).toEqual([])
  })
})
