import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteCosts } from '../../src/contract/quotas.ts'
import { endpointsOf, serviceNames } from '../../src/contract/services.ts'
import { pagesOf } from '../../src/site/pages/page-table.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { spendSiteShare } from '../../src/operations/admission.ts'

// A cache must not give a program what a browser got, nor the other way round (RFC 9110 12.5.5).
let house: SiteHouse
beforeAll(async () => {
  house = await openSiteHouse()
  await house.publishIndex()
})
afterAll(() => house.close())

const kinds = [undefined, '*/*', 'application/json', 'text/html,application/xhtml+xml;q=0.9']

/** What there is at a path for each `Accept`. */
async function variants(url: string, path: string) {
  const replies = []
  for (const accept of kinds) {
    house.clock.nextMinute()
    const headers: Record<string, string> = accept === undefined ? { accept: '' } : { accept }
    const reply = await fetch(url + path, { redirect: 'manual', headers })
    const type = reply.headers.get('content-type')?.replace(/;.*/, '')
    const vary = (reply.headers.get('vary') ?? '').toLowerCase().split(/, */)
    replies.push({ is: `${reply.status} ${type}`, vary })
    await reply.arrayBuffer()
  }
  return replies
}

const samples: Readonly<Record<string, string>> = { version: '1', gameId: '4711' }
const sampleOf = (path: string): string =>
  path
    .replace('/beatmaps/{id}', '/beatmaps/75')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => samples[name] ?? 'AAAAAAAAAA')

const others = [
  '/nowhere',
  '/p/AAAAAAAAAA',
  '/t/AAAAAAAAAA',
  '/t/AAAAAAAAAA.json',
  '/assets/none.js',
  '/packs/index.json',
  '/packs.atom',
  '/robots.txt',
  '/sitemap.xml',
  '/session/search?q=a',
]

describe.each(serviceNames)('the site of %s', (service) => {
  const api = serviceNames.flatMap((each) => Object.values(endpointsOf[each]))
  const paths = [
    ...pagesOf[service].map(({ path }) => path),
    ...api.flatMap(({ path }) => [sampleOf(path), `/api/v1${sampleOf(path)}`]),
    ...others,
  ]

  test('names Accept in Vary wherever the answer depends on it', async () => {
    const dependent: string[] = []
    for (const path of new Set(paths)) {
      const replies = await variants(house.urls[service], path)
      if (new Set(replies.map(({ is }) => is)).size === 1) continue
      dependent.push(path)
      for (const { is, vary } of replies) expect(vary, `${path}: ${is}`).toContain('accept')
    }
    expect(dependent).toEqual(expect.arrayContaining(['/nowhere', '/me', '/packs/AAAAAAAAAA']))
  })

  // Only programs that ask for JSON are told where the API is; where there is nothing, browsers get a page.
  test.each([
    ['*/*', 'nothing', 'json'],
    ['text/html', 'nothing', 'page'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'nothing', 'page'],
    ['text/html, application/json', 'nothing', 'page'],
    ['application/json;q=0.9, text/html', 'nothing', 'page'],
    ['application/json;q=0', 'nothing', 'json'],
    ['application/json;q=0.000, text/html;q=0.001', 'nothing', 'page'],
    ['text/html;q=0', 'nothing', 'json'],
    ['text/html;q=0, */*', 'nothing', 'json'],
    ['application/json', 'the address', 'json'],
    ['application/json, text/plain, */*', 'the address', 'json'],
    ['Application/JSON; charset=utf-8; q=0.1', 'the address', 'json'],
    ['application/problem+json', 'the address', 'json'],
    ['application/json, text/html;q=0.5', 'the address', 'json'],
    ['text/html;q=0, application/json;q=0.5', 'the address', 'json'],
  ])('Accept: %s gets %s of the API, and as %s that there is nothing', async (accept, told, as) => {
    house.clock.nextMinute()
    const read = async (path: string) => {
      const headers = { accept }
      const reply = await fetch(house.urls[service] + path, { redirect: 'manual', headers })
      expect(reply.headers.get('vary')).toMatch(/\bAccept(?!-)/)
      return { status: reply.status, text: await reply.text() }
    }
    const me = await read('/me')
    const isTold = me.status === 404 && me.text.includes('/api/v1/me')
    expect(isTold ? 'the address' : 'nothing').toBe(told)
    const nowhere = await read('/nowhere')
    expect(nowhere.status).toBe(404)
    expect(nowhere.text.startsWith('<!') ? 'page' : 'json').toBe(as)
  })

  test('names Authorization, too, where a key gets another answer than none', async () => {
    const url = `${house.urls[service]}/me`
    const withKey = await fetch(url, {
      headers: { authorization: 'Bearer any', accept: 'text/html' },
    })
    expect(withKey.headers.get('content-type')).toMatch('json')
    const without = await fetch(url, { headers: { accept: 'text/html' } })
    expect(without.headers.get('content-type')).toMatch('html')
    for (const { headers } of [withKey, without])
      expect(headers.get('vary')).toMatch('Authorization')
  })

  test('names it of a refusal for too many requests', async () => {
    house.clock.nextMinute()
    const address = 'address 127.0.0.1'
    while (spendSiteShare(house.ports, service, address, siteCosts.page) === null);
    for (const accept of ['application/json', 'text/html']) {
      const reply = await fetch(`${house.urls[service]}/docs`, { headers: { accept } })
      expect(reply.status).toBe(429)
      expect(reply.headers.get('vary')).toMatch(/\bAccept(?!-)/)
    }
  })
})
