import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serviceNames } from '../../src/contract/services.ts'
import { guidePages } from '../../src/site/pages/page-table.ts'
import type { Browser } from '../support/browser.ts'
import { SCRIPT } from '../support/site-assets.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let stranger: Browser

beforeAll(async () => {
  house = await openSiteHouse()
  stranger = house.browser()
})
afterAll(() => house.close())

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

describe.each(['packs', 'pools'] as const)('texts of the site of %s', (site) => {
  const fixed = ['/robots.txt', '/llms.txt', '/favicon.svg', '/manifest.webmanifest']
  const documents = serviceNames.map((name) => `/docs/openapi/${name}.json`)
  const guides = guidePages.flatMap(({ markdown }) => markdown ?? [])

  test.each([...fixed, ...documents, ...guides, '/docs/into-the-game.md?lang=ko'])(
    '%s is compressed from 1 KB on, and the same then (D-52)',
    async (path) => {
      const get = (coding: string) =>
        fetch(house.urls[site] + path, { headers: { 'accept-encoding': coding } })
      const [plain, small] = [await get('identity'), await get('gzip')]
      const text = await plain.text()
      expect(await small.text()).toBe(text)
      const isLong = Buffer.byteLength(text) >= 1_024
      for (const [reply, coding] of [
        [plain, null],
        [small, isLong ? 'gzip' : null],
      ] as const) {
        expect(reply.headers.get('content-encoding')).toBe(coding)
        if (isLong) expect(reply.headers.get('vary')).toBe('Accept-Encoding')
      }
      expect(small.headers.get('etag') === plain.headers.get('etag')).toBe(!isLong)
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
