import { readFileSync } from 'node:fs'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SavedPack } from '../../src/domain/packs.ts'
import { packSitemap } from '../../src/site/crawlers/sitemap.ts'
import { guidePages, pagesOf } from '../../src/site/pages/page-table.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { MemoryPublicIndex } from '../support/memory-public-index.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
beforeAll(async () => {
  house = await openSiteHouse()
})
afterAll(() => house.close())

const sites = ['packs', 'pools'] as const
const placesIn = (xml: string): string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place = '']) => place)

/** As a crawler reads robots.txt (RFC 9309): the longest rule that matches counts. */
const mayVisit = (robots: string, path: string): boolean => {
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)]
    .map(([, kind, rule = '']) => ({ kind, rule }))
    .filter(({ rule }) =>
      new RegExp(`^${rule.replaceAll('.', '\\.').replaceAll('*', '.*')}`).test(path),
    )
    .toSorted((a, b) => b.rule.length - a.rule.length)
  return rules[0]?.kind !== 'Disallow'
}

describe.each(sites)('robots.txt of the site of %s', (site) => {
  test('keeps crawlers from personal pages and the API, and names the sitemap', async () => {
    const { headers, text } = await house.browser(site).open('/robots.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text).toMatch(/^User-agent: \*\n/)
    const personal = pagesOf[site].flatMap(({ path, isPersonal }) => (isPersonal ? path : []))
    for (const path of [
      ...personal,
      '/sign-in',
      '/sign-in/callback',
      '/session/account',
      '/api/v1/packs',
      '/p/abc/edit',
      '/my',
      '/t/abc/edit',
      '/t/abc/staff',
      '/invite/abc',
    ]) {
      expect([path, mayVisit(text, path)]).toEqual([path, false])
    }
    expect(text).toContain(`\nSitemap: ${house.urls[site]}/sitemap.xml\n`)
  })

  test('lets them load public pages and all that these need', async () => {
    const { text } = await house.browser(site).open('/robots.txt')
    const open = pagesOf[site].flatMap(({ path, isPersonal }) => (isPersonal ? [] : path))
    for (const path of [
      ...open,
      '/',
      '/p/abc',
      '/t/abc',
      '/p/abc/preview.png',
      '/preview.png',
      '/llms.txt',
      '/assets/shared-0a1b.js',
      '/packs/index.json',
      '/packs.atom',
      '/docs/api.md',
      '/session/search?q=cup',
      '/session/beatmaps/75',
      '/session/beatmaps/usage?ids=75',
      '/docs/openapi/packs.json',
      '/favicon.svg',
      '/manifest.webmanifest',
    ]) {
      expect([path, mayVisit(text, path)]).toEqual([path, true])
    }
  })
})

describe('/sitemap.xml', () => {
  test('lists the open pages and every public pack, but nothing that others may not see (D-66)', async () => {
    const owner = await house.signedIn(7001)
    const slug = await house.save(owner, aPack({ visibility: 'public' }))
    const hidden = await house.save(owner, aPack({ visibility: 'public' }))
    const unlisted = await house.save(owner, aPack({ visibility: 'unlisted' }))
    const secret = await house.save(owner, aPack({ visibility: 'private' }))
    const stranger = house.browser()
    const before = await stranger.open('/sitemap.xml')
    expect([before.status, before.headers.get('content-type')]).toEqual([
      200,
      'application/xml; charset=utf-8',
    ])
    const site = house.urls.packs
    expect(placesIn(before.text)).toEqual(
      expect.arrayContaining(
        ['/', '/packs', '/maps', '/k', '/docs', '/docs/api'].map((path) => site + path),
      ),
    )
    expect(before.text).toMatch(/<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/)
    expect(placesIn(before.text)).toContain(`${site}/p/${hidden}`)

    await house.ports.packs.moderate(hidden, () => ({ hiddenAt: 1, pinnedRank: null }))
    const places = placesIn((await stranger.open('/sitemap.xml')).text)
    expect(places).toContain(`${site}/p/${slug}`)
    for (const none of [`/p/${hidden}`, `/p/${unlisted}`, `/p/${secret}`, '/account', '/me']) {
      expect(places).not.toContain(site + none)
    }
  })

  test('D-74: of a public tournament says when it changed for strangers, not when a draft did', async () => {
    const host = await house.signedIn(7001, 'pools')
    const body = { name: 'Harbour Cup', visibility: 'public' }
    const made = await host.ask('POST', '/session/tournaments', body)
    const path = `/session/tournaments/${made.json.tournament.slug}`
    const read = async () => (await house.browser('pools').open('/sitemap.xml')).text
    const before = await read()
    expect(before).toContain(`/t/${made.json.tournament.slug}</loc><lastmod>`)
    house.clock.nextMinute()
    expect((await host.ask('POST', `${path}/rounds`, { name: 'Finals' })).status).toBe(201)
    expect(await read()).toBe(before)
    expect((await host.ask('PATCH', path, { name: 'Lights Cup' })).status).toBe(200)
    expect(await read()).not.toBe(before)
  })

  test.each(sites)('comes compressed, and only once: %s', async (site) => {
    const browser = house.browser(site)
    for (const coding of ['gzip', 'identity']) {
      const headers = { 'accept-encoding': coding }
      const reply = await browser.send('GET', '/sitemap.xml', { headers })
      expect(reply.headers.get('content-encoding')).toBe(coding === 'gzip' ? 'gzip' : null)
      expect(reply.headers.get('vary')).toBe('Accept-Encoding')
      expect(placesIn(reply.text)).toContain(`${house.urls[site]}/`)
      const etag = reply.headers.get('etag') ?? ''
      const again = { ...headers, 'if-none-match': etag }
      expect((await browser.send('GET', '/sitemap.xml', { headers: again })).status).toBe(304)
      const head = await browser.send('HEAD', '/sitemap.xml', { headers })
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
    }
  })

  test.each([
    'none',
    'packs',
    'packs-1.xml',
    'packs-2026-13.xml',
    'packs-0000-01.xml',
    'packs-9999-12.xml',
    'packs-2026-10-1.xml',
    'packs-2026-10-2.xml',
    'packs-2026-10-9999.xml',
    'pages.xml.xml',
    'packs-2026-10-99999999999999999999.xml',
    'packs-2026-10-0.xml',
    '..%2fpackage.json',
  ])('/sitemap-%s is not there', async (part) => {
    expect((await house.browser().open(`/sitemap-${part}`)).status).toBe(404)
  })

  test('a part of a month is there', async () => {
    const { status, text } = await house.browser().open('/sitemap-packs-2026-10.xml')
    expect(status).toBe(200)
    expect(placesIn(text).length).toBeGreaterThan(0)
  })
})

describe('a sitemap in parts', () => {
  const site = 'https://mapcrate.test'
  const read = async (texts: AsyncIterable<string> | null): Promise<string> =>
    texts === null ? '' : textOf(texts)
  const packOf = (slug: string, time: string): SavedPack => ({
    ...aNewPack({ slug, createdAt: Date.parse(time) }),
    ownerUsername: 'Ada',
  })

  test('holds every pack once, and a new pack changes the last part only', async () => {
    const index = new MemoryPublicIndex()
    const packs = Array.from({ length: 7 }, (_, at) => packOf(`old${at}`, `2025-12-3${at % 2}`))
    index.save(...packs, packOf('young', '2026-02-01'))
    const sitemap = packSitemap(index, 5, 3)
    const readParts = async () => {
      const names = placesIn(await read(await sitemap.whole(site)))
      const parts = names.map((place) => place.slice(`${site}/sitemap-`.length))
      return new Map(
        await Promise.all(
          parts.map(async (part) => [part, await read(await sitemap.part(part, site))] as const),
        ),
      )
    }
    const before = await readParts()
    expect([...before.keys()]).toEqual([
      'pages.xml',
      'packs-2025-12.xml',
      'packs-2025-12-2.xml',
      'packs-2025-12-3.xml',
      'packs-2026-02.xml',
    ])
    const listed = [...before.values()].flatMap(placesIn).filter((place) => place.includes('/p/'))
    expect(listed.toSorted()).toEqual(
      ['young', ...packs.map(({ slug }) => slug)].map((slug) => `${site}/p/${slug}`).toSorted(),
    )
    index.save(packOf('younger', '2026-02-02'))
    const after = await readParts()
    const changed = [...after].flatMap(([part, xml]) => (before.get(part) === xml ? [] : part))
    expect(changed).toEqual(['packs-2026-02.xml'])
  })

  test('reads many packs in portions', async () => {
    const index = new MemoryPublicIndex()
    index.save(...Array.from({ length: 2_500 }, (_, at) => packOf(`p${at}`, '2026-01-01')))
    const xml = await read(await packSitemap(index, 1, 2_200).part('packs-2026-01.xml', site))
    expect(new Set(placesIn(xml)).size).toBe(2_200)
    const rest = await read(await packSitemap(index, 1, 2_200).part('packs-2026-01-2.xml', site))
    expect(new Set([...placesIn(xml), ...placesIn(rest)]).size).toBe(2_500)
    expect(await packSitemap(index, 1, 2_200).part('packs-2026-01-3.xml', site)).toBeNull()
  })
})

describe.each(sites)('texts for language models on the site of %s', (site) => {
  test('llms.txt has the form of llmstxt.org, and its links lead somewhere', async () => {
    const { status, headers, text } = await house.browser(site).open('/llms.txt')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(text).toMatch(/^# [^\n]+\n\n> [^\n]+\n\n## /)
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): .+$/gm)].map(([, url = '']) => url)
    expect(links.length).toBeGreaterThan(guidePages.length)
    const own = links.filter((url) => url.startsWith(house.urls[site]))
    for (const url of own) {
      if (url.endsWith('/packs/index.json') || url.endsWith('.atom')) continue
      expect([url, (await fetch(url)).status]).toEqual([url, 200])
    }
  })

  test.each(guidePages.flatMap(({ path, markdown }) => (markdown ? [[path, markdown]] : [])))(
    '%s is there as Markdown, with the addresses of this service',
    async (path = '', markdown = '') => {
      const browser = house.browser(site)
      const { status, headers, text } = await browser.open(markdown)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
      expect(text).toMatch(/^# /m)
      expect(text).not.toContain('mapcrate.test')
      expect(text).not.toContain('<!--')
      const source = readFileSync(new URL(`../..${markdown}`, import.meta.url), 'utf8')
      expect(text.length).toBeGreaterThan(source.length / 2)
      const page = await browser.open(path)
      expect(page.text).toContain(`<link rel="alternate" type="text/markdown" href="${markdown}">`)
    },
  )

  test.each(['/docs/operations.md', '/docs/reference.md', '/docs/..%2fpackage.json', '/docs.md'])(
    '%s is not there',
    async (path) => {
      expect((await house.browser(site).open(path)).status).toBe(404)
    },
  )
})
