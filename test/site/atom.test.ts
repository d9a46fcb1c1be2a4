import { request as httpRequest } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { siteCosts } from '../../src/contract/quotas.ts'
import { spendSiteShare } from '../../src/operations/admission.ts'
import { hidePack, unhidePack } from '../../src/operations/moderation.ts'
import { type IndexLoop, startIndexLoop } from '../../src/worker/search-index.ts'
import { aBeatmap, keepPublic } from '../support/a-beatmap.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { type AtomFeed, readAtom } from '../support/read-atom.ts'
import { aPack, slots } from '../support/samples.ts'
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
let histories: number
/** Whether the store refuses to read a history. */
let fails: boolean

beforeAll(async () => {
  chromium = await launchChromium()
  parser = await chromium.newPage()
})
afterAll(() => chromium.close())

beforeEach(async () => {
  lists = 0
  compressed = 0
  histories = 0
  fails = false
  house = await openSiteHouse({
    withPorts: (ports) => ({
      ...ports,
      packs: {
        ...ports.packs,
        listPublic: (...asked) => {
          lists += 1
          return ports.packs.listPublic(...asked)
        },
        readHistory: (slug) => {
          histories += 1
          if (fails) return Promise.reject(new Error('the store failed'))
          return ports.packs.readHistory(slug)
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

const saveAgain = async (slug: string, changes: Parameters<typeof aPack>[0]): Promise<void> => {
  const { updatedAt } = (await house.ports.packs.read(slug))!
  house.clock.nextMinute()
  const pack = aPack({ visibility: 'public', ...changes })
  const edit = { pack, basedOn: new Date(updatedAt).toISOString() }
  const { status, text } = await owner.ask('PUT', `/session/packs/${slug}`, edit)
  expect(status, text).toBe(200)
}

/** Opens or closes the history of a pack. */
const open = async (slug: string, isPublic = true): Promise<void> => {
  const reply = await owner.ask('PUT', `/session/packs/${slug}/history`, { public: isPublic })
  expect(reply.status, reply.text).toBe(204)
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

/** The slots of `aPack`, the first with another beatmap. */
const withBeatmap = (beatmapId: number) =>
  aPack().slots.map((slot, at) => (at === 0 ? { ...slot, beatmapId } : slot))

const titled = (id: number) => aBeatmap(id, { title: `Harbour ${id}` })
const nameOf = (id: number): string => `Nine Rivers – Harbour ${id} [Insane]`

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
    const { createdAt } = (await house.ports.packs.read(slugs[0]!))!
    await saveAgain(slugs[0]!, { name: 'One, again' })
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

  test('says what the last save changed where the history is open, and not otherwise', async () => {
    const slug = await save()
    await keepPublic(house.ports.beatmapCache, [titled(4392947), titled(75)], 0)
    await saveAgain(slug, { slots: withBeatmap(75) })
    const before = await whenFeed(
      ({ entries: [entry] }) => entry?.updated.includes('18:32') === true,
    )
    expect(before.entries[0]?.summary).toBe('NM 1, DT 1, TB 1: 3 beatmaps, by Peridot.')
    await open(slug)
    const opened = await whenFeed(
      ({ entries: [entry] }) => entry?.summary.includes('Last') === true,
    )
    expect(opened.entries[0]?.summary).toBe(
      `NM 1, DT 1, TB 1: 3 beatmaps, by Peridot.\nLast change: NM1: ${nameOf(4392947)} → ${nameOf(75)}`,
    )
    await open(slug, false)
    await whenFeed(({ entries: [entry] }) => entry?.summary.includes('Last') === false)
  })

  test('names five of many changes, and counts the rest', async () => {
    const slug = await save({ slots: slots(12) })
    await saveAgain(slug, { slots: slots(4) })
    await open(slug)
    const feed = await whenFeed(({ entries: [entry] }) => entry?.summary.includes('Last') === true)
    const [, last] = feed.entries[0]!.summary.split('\nLast change: ')
    expect(last?.split('; ')).toHaveLength(6)
    expect(last).toMatch(/^NM2 removed: beatmap \d+; .*; and 3 more$/)
  })

  test('D-70: reveals nothing of versions that were private or hidden', async () => {
    const slug = await save({ visibility: 'private', name: 'Secret draft' })
    await open(slug)
    await saveAgain(slug, { name: 'Finals', description: 'Out now.' })
    const feed = await whenFeed(({ entries }) => entries.length === 1)
    expect(feed.entries[0]?.summary).toBe('NM 1, DT 1, TB 1: 3 beatmaps, by Peridot. Out now.')
    await hidePack(house.ports, slug, { moderatorId: null, reason: null })
    await saveAgain(slug, { name: 'Hidden', description: 'Out now.' })
    await unhidePack(house.ports, slug, { moderatorId: null, reason: null })
    await saveAgain(slug, { name: 'Grand Finals', description: 'Out now.' })
    const { entries } = await whenFeed(({ entries: [entry] }) => entry?.title === 'Grand Finals')
    expect(entries[0]?.summary).toMatch(/\nLast change: Name: Finals → Grand Finals$/)
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
    const name = 'Fi\u0001\u001b\ufffe\uffff\ud800na\u202els'
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
    while (spendSiteShare(house.ports, 'packs', requester, siteCosts.export) === null);
    expect((await stranger.open('/packs')).status).toBe(429)
    expect((await stranger.open('/packs.atom')).status).toBe(200)
  })

  test('is there on the packs service alone', async () => {
    expect((await house.browser('pools').open('/packs.atom')).status).toBe(404)
  })
})

describe('GET /p/{slug}/history.atom', () => {
  test('has an entry for each version that everyone may read, newest first', async () => {
    const slug = await save({ visibility: 'private', name: 'Draft' })
    await keepPublic(house.ports.beatmapCache, [titled(4392947)], 0)
    await saveAgain(slug, { name: 'Finals' })
    await saveAgain(slug, { name: 'Finals', slots: withBeatmap(75) })
    await saveAgain(slug, { name: 'Finals', visibility: 'private', slots: withBeatmap(76) })
    await saveAgain(slug, { name: 'Grand Finals', slots: withBeatmap(77) })
    await open(slug)
    const page = `${house.urls.packs}/p/${slug}/history`
    const entry = (version: number, minute: number, title: string, summary: string) => {
      const at = `2026-10-03T18:${minute}:00.000Z`
      const id = `${page}?version=${version}`
      const links = [{ rel: 'alternate', type: 'text/html', href: id }]
      return { id, title, updated: at, published: at, author: 'Peridot', links, summary }
    }
    const replaced = `NM1: ${nameOf(4392947)} → beatmap 75`
    const last = 'Name: Finals → Grand Finals\nNM1: beatmap 75 → beatmap 77'
    expect(await read(`/p/${slug}/history.atom`)).toEqual({
      id: `${page}.atom`,
      title: 'History of Grand Finals – Mapcrate',
      updated: '2026-10-03T18:35:00.000Z',
      author: 'Peridot',
      links: [
        { rel: 'self', type: 'application/atom+xml', href: `${page}.atom` },
        { rel: 'alternate', type: 'text/html', href: page },
      ],
      entries: [
        entry(5, 35, 'Version 5', last),
        entry(3, 33, `Version 3: ${replaced}`, replaced),
        entry(2, 32, 'Version 2: First version: 3 beatmaps', 'First version: 3 beatmaps'),
      ],
    })
  })

  test('names beatmaps that were moved, and cuts long texts', async () => {
    const slug = await save({ description: 'x'.repeat(500) })
    await keepPublic(house.ports.beatmapCache, [titled(4392947)], 0)
    const [first, ...rest] = aPack().slots
    await saveAgain(slug, { slots: [{ ...first!, index: 2 }, ...rest] })
    await open(slug)
    const [{ summary } = { summary: '' }] = (await read(`/p/${slug}/history.atom`)).entries
    expect(summary).toBe(`Description removed: ${'x'.repeat(139)}…\n${nameOf(4392947)}: NM1 → NM2`)
  })

  test('is the 404 of a pack that is not there unless its history is open to everyone', async () => {
    await house.ports.accounts.setModerator(7003, true, 0)
    const browsers = [stranger, owner, await house.signedIn(7003)]
    const expectNone = async (slug: string): Promise<void> => {
      for (const browser of browsers) {
        const none = await browser.open(`/p/${slug}/history.atom`)
        const never = await browser.open('/p/AAAAAAAAAA/history.atom')
        expect([none.status, none.text]).toEqual([404, never.text])
        const { text } = await browser.send('GET', `/p/${slug}/history.atom`)
        expect(text).toBe((await browser.send('GET', '/p/AAAAAAAAAA/history.atom')).text)
      }
    }
    const slug = await save()
    await expectNone(slug)
    await open(slug)
    const texts = await Promise.all(
      browsers.map(async (browser) => (await browser.open(`/p/${slug}/history.atom`)).text),
    )
    expect(new Set(texts).size).toBe(1)
    await hidePack(house.ports, slug, { moderatorId: null, reason: null })
    await expectNone(slug)
    await unhidePack(house.ports, slug, { moderatorId: null, reason: null })
    await read(`/p/${slug}/history.atom`)
    await saveAgain(slug, { visibility: 'private' })
    await expectNone(slug)
    await saveAgain(slug, { visibility: 'unlisted' })
    await read(`/p/${slug}/history.atom`)
    await open(slug, false)
    await expectNone(slug)
    await expectNone('nonsense')
  })

  test('is read from the store once for each state of the pack', async () => {
    const slug = await save()
    await open(slug)
    for (const name of ['One', 'Two']) {
      await saveAgain(slug, { name })
      await read(`/p/${slug}/history.atom`)
      histories = 0
      for (let time = 0; time < 3; time++) await read(`/p/${slug}/history.atom`)
      expect(histories).toBe(0)
      expect(titles(await read(`/p/${slug}/history.atom`))[0]).toContain(`→ ${name}`)
    }
  })

  test('a store that fails is internal_error, and the next request is answered', async () => {
    const slug = await save()
    await saveAgain(slug, { name: 'Finals' })
    await open(slug)
    for (const path of ['/packs.atom', `/p/${slug}/history.atom`]) {
      fails = true
      // The feed of all packs is from memory until the index is another one.
      await until(async () => (await stranger.open(path)).status === 500)
      fails = false
      expect((await stranger.open(path)).status).toBe(200)
    }
  })

  test('D-56: costs the share of the address what a page costs, with a session too', async () => {
    const slug = await save()
    await open(slug)
    const requester = 'address 127.0.0.1'
    while (spendSiteShare(house.ports, 'packs', requester, siteCosts.page) === null);
    for (const browser of [stranger, owner]) {
      const reply = await browser.send('GET', `/p/${slug}/history.atom`)
      expect(reply.status).toBe(429)
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/)
    }
  })

  test('is well-formed whatever people write', async () => {
    const slug = await save({ name: '</title>]]>&lt;', description: '<!-- "x" -->' })
    await saveAgain(slug, {
      name: '<b>',
      slots: [{ mod: 'ü港', index: 1, beatmapId: 75 }],
      description: "' onload='alert(1)",
    })
    await open(slug)
    const feed = await read(`/p/${slug}/history.atom`)
    expect(feed.title).toBe('History of <b> – Mapcrate')
    expect(feed.entries[0]?.summary).toContain('Name: </title>]]>&lt; → <b>\n')
    expect(feed.entries[0]?.summary).toContain('ü港1 added: beatmap 75')
  })
})

describe('D-13, D-52: the responses of feeds', () => {
  const paths = async (): Promise<readonly string[]> => {
    for (const name of ['One', 'Two', 'Three', 'Four']) await save({ name })
    const slug = await save({ name: 'Five' })
    for (const name of ['Six', 'Seven', 'Eight']) await saveAgain(slug, { name })
    await open(slug)
    await whenFeed(({ entries }) => entries[0]?.title === 'Eight')
    return ['/packs.atom', `/p/${slug}/history.atom`]
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

  test('on the pages of a pack and of its history: that of the history, while it is open', async () => {
    const slug = await save()
    const feeds = async () =>
      Promise.all(
        [`/p/${slug}`, `/p/${slug}/history`].map(async (path) =>
          feedsIn((await owner.open(path)).text),
        ),
      )
    expect(await feeds()).toEqual([[], []])
    await open(slug)
    const feed = `Changes to this pack ${house.urls.packs}/p/${slug}/history.atom`
    expect(await feeds()).toEqual([[feed], [feed]])
    await hidePack(house.ports, slug, { moderatorId: null, reason: null })
    expect(await feeds()).toEqual([[], []])
  })
})
