import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hidePack } from '../../src/operations/moderation.ts'
import { VersionCache } from '../../src/site/version-cache.ts'
import { type Browser, pageDataOf } from '../support/browser.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let stranger: Browser
let owner: Browser
/** What was rendered and compressed for gzip, and what was compressed otherwise. */
let rendered: string[]
let compressed: string[]

beforeEach(async () => {
  rendered = []
  compressed = []
  // oxlint-disable-next-line typescript/unbound-method -- called with the encoder below
  const { encode } = TextEncoder.prototype
  vi.spyOn(TextEncoder.prototype, 'encode').mockImplementation(function (
    this: TextEncoder,
    text = '',
  ) {
    if (text.startsWith('<!doctype html>')) rendered.push(text)
    // The rest of it; what is between the two is the same on each page of its kind.
    else if (text.endsWith('"viewer":')) rendered.push(`${rendered.pop()}${text}`)
    return encode.call(this, text)
  })
  house = await openSiteHouse({
    withPorts: (ports) => ({
      ...ports,
      compressor: {
        ...ports.compressor,
        compress: (bytes, coding) => {
          compressed.push(Buffer.from(bytes).toString())
          return ports.compressor.compress(bytes, coding)
        },
      },
    }),
  })
  stranger = house.browser()
  owner = await house.signedIn(7001)
})
afterEach(async () => {
  await house.close()
  vi.restoreAllMocks()
})

const open = (browser: Browser, path: string, headers: Record<string, string> = {}) =>
  browser.send('GET', path, {
    headers: { accept: 'text/html', 'accept-encoding': 'br', ...headers },
  })

const gzip = { 'accept-encoding': 'gzip' }
const whole = { 'accept-encoding': 'identity' }

const save = async (changes: Parameters<typeof aPack>[0] = {}): Promise<string> => {
  house.clock.nextMinute()
  return house.save(owner, aPack({ visibility: 'public', ...changes }))
}

const saveAgain = async (slug: string, changes: Parameters<typeof aPack>[0]): Promise<void> => {
  const { updatedAt } = (await house.ports.packs.read(slug))!
  house.clock.nextMinute()
  const pack = aPack({ visibility: 'public', ...changes })
  const edit = { pack, basedOn: new Date(updatedAt).toISOString() }
  expect((await owner.ask('PUT', `/session/packs/${slug}`, edit)).status).toBe(200)
}

describe('a page is rendered and compressed once for each version (D-52)', () => {
  test('for all who are not signed in, however many ask at once', async () => {
    const slug = await save()
    const paths = ['/', '/packs', '/k', `/p/${slug}`, '/p/AAAAAAAAAA', '/moderation']
    for (const path of paths) {
      rendered = []
      compressed = []
      const replies = await Promise.all(Array.from({ length: 20 }, () => open(stranger, path)))
      replies.push(await open(stranger, path))
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
      expect(replies.every(({ headers }) => headers.get('content-encoding') === 'br')).toBe(true)
      expect([path, rendered.length, compressed.length]).toEqual([path, 1, 1])
    }
  })

  test('for those who are signed in it is neither rendered nor compressed anew', async () => {
    const slug = await save()
    const others = [owner, await house.signedIn(7002), await house.signedIn(7003)]
    for (const path of ['/', '/packs', '/account', `/p/${slug}`]) {
      await open(stranger, path, gzip)
      // The owner is shown a little more of a pack.
      if (path.startsWith('/p/')) await open(owner, path, gzip)
      rendered = []
      compressed = []
      for (const browser of others) {
        for (const [accept, coding] of [
          ['gzip, br', 'gzip'],
          ['br', null],
        ] as const) {
          const reply = await open(browser, path, { 'accept-encoding': accept })
          expect(pageDataOf(reply).viewer).toEqual(browser.viewer)
          expect(reply.headers.get('content-encoding')).toBe(coding)
        }
      }
      expect([path, rendered.length, compressed.length]).toEqual([path, 0, 0])
    }
  })

  test('in gzip at first, which all readers share, and in brotli once it is asked for often', async () => {
    const both = { 'accept-encoding': 'gzip, deflate, br' }
    const codings: (string | null)[] = []
    for (let at = 0; at < 10; at++) {
      const { headers } = await open(stranger, '/packs', both)
      codings.push(headers.get('content-encoding'))
    }
    expect(codings).toEqual([...Array.from({ length: 8 }, () => 'gzip'), 'br', 'br'])
    expect([rendered.length, compressed.length]).toEqual([1, 1])
    expect((await open(stranger, '/packs', gzip)).headers.get('content-encoding')).toBe('gzip')
    expect((await open(stranger, '/packs', whole)).headers.get('content-encoding')).toBeNull()
    expect([rendered.length, compressed.length]).toEqual([1, 1])
  })

  test('whose objects were loaded again and are equal', async () => {
    const slug = await save()
    const first = await open(stranger, `/p/${slug}`)
    const { packs } = house.ports
    const read = packs.read.bind(packs)
    const again = vi.spyOn(packs, 'read').mockImplementation(async (...which) => {
      return JSON.parse(JSON.stringify(await read(...which)))
    })
    rendered = []
    const second = await open(stranger, `/p/${slug}`)
    expect(again).toHaveBeenCalled()
    again.mockRestore()
    expect([second.text, rendered.length]).toEqual([first.text, 0])
  })

  test('however the engine has what is equal', () => {
    // Objects of one shape share how their numbers are stored: a fraction changes it for all that are made later.
    const numbers = fc.dictionary(fc.string(), fc.integer(), { minKeys: 1 })
    fc.assert(
      fc.property(numbers, (all) => {
        const cache = new VersionCache<string>({})
        const text = JSON.stringify({ all, list: [all] })
        cache.set('/', [], 'kept', [JSON.parse(text)])
        const fractions = Object.entries(all).map(([name, value]) => [name, value + 0.5])
        JSON.parse(JSON.stringify({ all: Object.fromEntries(fractions), list: [] }))
        expect(cache.get('/', [], [JSON.parse(text)])).toBe('kept')
        const other = { all, list: [Object.fromEntries(fractions)] }
        expect(cache.get('/', [], [other])).toBeUndefined()
      }),
    )
  })

  test('HEAD and 304 render nothing of their own', async () => {
    const etag = (await open(stranger, '/packs')).headers.get('etag') ?? ''
    rendered = []
    compressed = []
    const again = await open(stranger, '/packs', { 'if-none-match': etag })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    const head = await stranger.send('HEAD', '/packs', { headers: { 'accept-encoding': 'br' } })
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
    expect([rendered.length, compressed.length]).toEqual([0, 0])
  })
})

describe('a cached page is never old', () => {
  test('a pack that was saved again and the new name of its owner show at once', async () => {
    const slug = await save({ description: 'First draft.' })
    const titleOf = async () => (await open(stranger, `/p/${slug}`)).text
    expect(await titleOf()).toContain('First draft.')
    await saveAgain(slug, { name: 'Finals', description: 'Second draft.' })
    expect(await titleOf()).toMatch(/<title>Finals .*Second draft\./s)
    await house.ports.accounts.ensurePlayer({ gameId: 7001, username: 'Olivine' }, 'unused', 0)
    expect(await titleOf()).toContain('by Olivine.')
    expect(pageDataOf(await open(owner, `/p/${slug}`)).pack).toMatchObject({
      name: 'Finals',
      isMine: true,
    })
  })

  test('D-30: so does the pinned row, on the pages that show it and on the pack', async () => {
    await house.ports.accounts.setModerator(7003, true, 0)
    const moderator = await house.signedIn(7003)
    const slugs = [await save({ name: 'One' }), await save({ name: 'Two' })]
    const pinned = async (path: string) =>
      pageDataOf(await open(stranger, path)).pinned?.map(({ s }) => s)
    const isPinned = async () => pageDataOf(await open(stranger, `/p/${slugs[0]}`)).pack?.isPinned
    expect([await pinned('/'), await pinned('/packs'), await isPinned()]).toEqual([[], [], false])
    for (const slug of slugs) {
      await moderator.ask('POST', `/session/moderation/packs/${slug}/pin`, {})
    }
    expect([await pinned('/'), await pinned('/packs'), await isPinned()]).toEqual([
      slugs,
      slugs,
      true,
    ])
    await moderator.ask('PUT', '/session/moderation/pins', { slugs: slugs.toReversed() })
    expect(await pinned('/')).toEqual(slugs.toReversed())
    await saveAgain(slugs[0] ?? '', { visibility: 'unlisted' })
    expect([await pinned('/'), await isPinned()]).toEqual([[slugs[1]], false])
  })

  test('so does whatever else it shows, such as a setting', () => {
    const cache = new VersionCache<string>({})
    const settings = { siteUrl: 'http://a.test', poolsUrl: 'http://b.test' }
    cache.set('/', Object.values(settings), 'old')
    expect(cache.get('/', Object.values(settings))).toBe('old')
    settings.siteUrl = 'http://c.test'
    expect(cache.get('/', Object.values(settings))).toBeUndefined()
    cache.set('/', Object.values(settings), 'new')
    expect(cache.get('/', Object.values(settings))).toBe('new')
    expect(cache.get('/', Object.values(settings).slice(1))).toBeUndefined()
  })
})

describe('a cached page holds nothing of a viewer', () => {
  test('no token, no name: not in what is kept, nor in what is compressed', async () => {
    const slug = await save()
    const viewers = [owner, await house.signedIn(7002)]
    for (const browser of [...viewers, stranger]) {
      for (const path of [
        '/',
        '/packs',
        '/account',
        '/me',
        `/p/${slug}`,
        `/p/${slug}/edit`,
        '/x',
      ]) {
        await open(browser, path)
      }
    }
    // Four pages, the pack's two views, its editor, whom that asks to sign in, and the 404.
    expect(new Set(rendered).size).toBe(9)
    for (const text of rendered) expect(text).toMatch(/^<!doctype html>.*"viewer":$/s)
    for (const text of [...rendered, ...compressed]) {
      for (const { viewer } of viewers) expect(text).not.toContain(viewer?.csrf)
    }
  })

  test('what owner and moderators may know of a hidden pack reaches nobody else', async () => {
    await house.ports.accounts.setModerator(7003, true, 0)
    const moderator = await house.signedIn(7003)
    const slug = await save()
    const path = `/p/${slug}`
    for (const browser of [owner, stranger, moderator]) await open(browser, path)
    await moderator.ask('POST', `/session/moderation${path.replace('/p/', '/packs/')}/hide`, {
      reason: 'copied from elsewhere',
    })
    const seen = async (browser: Browser) => {
      const reply = await open(browser, path)
      expect(reply.text.includes('copied from elsewhere')).toBe(reply.status === 200)
      return reply.status === 200 ? pageDataOf(reply).pack?.isMine : reply.status
    }
    const other = await house.signedIn(7002)
    // In each order: nobody is served what was rendered for somebody else.
    for (const [browser, expected] of [
      [moderator, false],
      [other, 404],
      [owner, true],
      [stranger, 404],
      [moderator, false],
    ] as const) {
      expect(await seen(browser)).toBe(expected)
    }
  })

  test('D-29: a pack that is hidden is gone at once, though its page is cached', async () => {
    const slug = await save()
    expect((await open(stranger, `/p/${slug}`)).status).toBe(200)
    await hidePack(house.ports, slug, { moderatorId: null, reason: 'copied' })
    const [gone, never] = [
      await open(stranger, `/p/${slug}`),
      await open(stranger, '/p/AAAAAAAAAA'),
    ]
    expect([gone.status, gone.text]).toEqual([404, never.text])
  })
})

describe('what is kept is bounded', () => {
  test('404s for any number of paths are one page', async () => {
    for (let at = 0; at < 50; at++) {
      expect((await open(stranger, `/nothing/${at}`)).status).toBe(404)
      expect((await open(stranger, `/p/${'A'.repeat(8)}${10 + at}`)).status).toBe(404)
    }
    expect([rendered.length, compressed.length]).toEqual([1, 1])
  })

  test('a flood of other pages drops what is not asked for, and leaves what is', async () => {
    const stored = (await house.ports.packs.read(await save()))!
    // Each page takes 1.9 MB of the 64 that are kept. Of base64, three quarters are left when it is compressed; of
    // hexadecimal digits, half: twice as much would have to be compressed.
    const noise = (): string => randomBytes(480_000).toString('base64url')
    const early = await save()
    await open(stranger, `/p/${early}`, gzip)
    for (let at = 0; at < 40; at++) {
      const slug = `flood${at}`.padEnd(10, '_')
      await house.ports.packs.create({ ...stored, slug, description: noise() }, null)
      await open(stranger, `/p/${slug}`, gzip)
      await open(stranger, '/packs', gzip)
    }
    rendered = []
    for (const accept of [gzip, whole]) await open(stranger, '/packs', accept)
    expect(rendered).toHaveLength(0)
    for (const path of [`/p/${early}`, '/p/flood0____']) await open(stranger, path, gzip)
    expect(rendered).toHaveLength(2)
  })
})
