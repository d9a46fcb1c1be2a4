import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIndexBuilder } from '../../src/operations/search-index.ts'
import type { Browser } from '../support/browser.ts'
import { aPack } from '../support/samples.ts'
import { SCRIPT } from '../support/site-assets.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let stranger: Browser

beforeAll(async () => {
  house = await openSiteHouse()
  stranger = house.browser()
})
afterAll(() => house.close())

describe('what crawlers look for', () => {
  test('robots.txt keeps them from what is personal and names the sitemap', async () => {
    const { headers, text } = await stranger.open('/robots.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text).toMatch(/^User-agent: \*\n/)
    for (const path of ['/session', '/sign-in', '/account', '/moderation', '/api/']) {
      expect(text).toContain(`Disallow: ${path}\n`)
    }
    expect(text).not.toMatch(/Disallow: \/(?:p\/)?\n/)
    expect(text).toContain(`Sitemap: ${house.urls.packs}/sitemap.xml`)
  })

  test('sitemap.xml lists the open pages and every pack of the search index', async () => {
    const owner = await house.signedIn(7001)
    const slug = await house.save(owner, aPack({ visibility: 'public' }))
    const secret = await house.save(owner, aPack({ visibility: 'unlisted' }))
    const build = createIndexBuilder(house.ports.publicIndex, 'Tournament pools')
    const { version, parts, packs } = await build(async () => {})
    const file = { bytes: Buffer.concat(parts), etag: '"x"' }
    const files = { br: file, identity: file, gzip: async () => file }
    house.indexCache.put({ version, builtAt: 0, packs, files })
    const { status, headers, text } = await stranger.open('/sitemap.xml')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8')
    const places = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place]) => place)
    const site = house.urls.packs
    expect(places).toEqual(expect.arrayContaining([`${site}/`, `${site}/packs`, `${site}/docs`]))
    expect(places).toContain(`${site}/p/${slug}`)
    expect(places).not.toContain(`${site}/p/${secret}`)
    expect(places).not.toContain(`${site}/account`)
    expect(text).toContain('<lastmod>2026-10-03T18:30:01.000Z</lastmod>')
  })
})

describe('the OpenAPI documents', () => {
  test.each(['packs', 'pools'] as const)(
    'both stand on the site of %s, just as the services serve them',
    async (site) => {
      const browser = house.browser(site)
      for (const service of ['packs', 'pools'] as const) {
        const reply = await browser.open(`/docs/openapi/${service}.json`)
        expect(reply.status).toBe(200)
        expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
        expect(reply.headers.get('access-control-allow-origin')).toBeNull()
        const { text } = await house.browser(service).open('/api/v1/openapi.json')
        expect(reply.text).toBe(text)
        const etag = reply.headers.get('etag') ?? ''
        const headers = { 'if-none-match': etag }
        const again = await browser.send('GET', `/docs/openapi/${service}.json`, { headers })
        expect(again.status).toBe(304)
      }
      expect((await browser.open('/docs/openapi/other.json')).status).toBe(404)
    },
  )
})

describe('what browsers look for', () => {
  test.each([
    ['/favicon.svg', 'image/svg+xml'],
    ['/favicon.ico', 'image/x-icon'],
    ['/icon-180.png', 'image/png'],
    ['/icon-192.png', 'image/png'],
    ['/icon-512.png', 'image/png'],
    ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8'],
  ])('%s', async (path, type) => {
    const reply = await stranger.open(path)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type])
    expect(reply.headers.get('cache-control')).toBe('public, max-age=86400')
    const etag = reply.headers.get('etag') ?? ''
    const again = await stranger.send('GET', path, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  test('the icons have the sizes that they are said to have', async () => {
    const manifest = JSON.parse((await stranger.open('/manifest.webmanifest')).text)
    const icons: { src: string; sizes: string }[] = manifest.icons
    for (const { src, sizes } of icons) {
      const response = await fetch(house.urls.packs + src)
      const bytes = Buffer.from(await response.arrayBuffer())
      if (sizes === 'any') expect(bytes.toString()).toMatch(/^<svg /)
      else expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
    }
  })
})

describe('/assets/*', () => {
  const FILE = '/assets/shared-0a1b.js'

  test('never go out of date, and come small', async () => {
    const tags = new Set<string | null>()
    for (const coding of ['br', 'gzip', 'identity']) {
      const reply = await stranger.send('GET', FILE, { headers: { 'accept-encoding': coding } })
      expect(reply.text).toBe(SCRIPT)
      expect(reply.headers.get('content-encoding')).toBe(coding === 'identity' ? null : coding)
      expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(reply.headers.get('vary')).toBe('Accept-Encoding')
      const length = Number(reply.headers.get('content-length'))
      if (coding === 'identity') expect(length).toBe(SCRIPT.length)
      else expect(length).toBeLessThan(SCRIPT.length / 10)
      const etag = reply.headers.get('etag') ?? ''
      tags.add(etag)
      const headers = { 'accept-encoding': coding, 'if-none-match': etag }
      const again = await stranger.send('GET', FILE, { headers })
      expect([again.status, again.text]).toEqual([304, ''])
    }
    expect(tags.size).toBe(3)
  })

  test.each([
    '/assets/',
    '/assets/none.js',
    '/assets/../manifest.json',
    '/assets/%2e%2e/manifest.json',
    '/assets/..%2fmanifest.json',
    '/assets/%2e%2e%2f%2e%2e%2fmapcrate.db',
    '/manifest.json',
    '/assets/__proto__',
    '/assets/constructor',
  ])('%s is not there', async (path) => {
    expect((await stranger.open(path)).status).toBe(404)
  })
})
