import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { pageDataOf } from '../support/browser.ts'
import { Door, expectError, sendJson } from '../support/door.ts'
import { aPack } from '../support/samples.ts'
import { expectSiteError } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse

beforeEach(async () => {
  house = await openSiteHouse()
})
afterEach(() => house.close())

describe('the tournament-pools service has a site of its own (spec 5)', () => {
  test('with its own way to sign in, back to its own address', async () => {
    const browser = house.browser('pools')
    const begun = await browser.open('/sign-in?return=/account')
    const address = begun.headers.get('location') ?? ''
    expect(new URL(address).searchParams.get('redirect_uri')).toBe(
      `${house.urls.pools}/sign-in/callback`,
    )
    const ended = await browser.open(await house.agree(address, 7001))
    expect(ended.headers.get('location')).toBe('/account')
    const page = await browser.open('/account')
    expect(pageDataOf(page)).toMatchObject({
      page: 'account',
      service: 'pools',
      keyPrefix: 'pools',
      viewer: { username: 'Peridot' },
      siteUrl: house.urls.packs,
      poolsUrl: house.urls.pools,
    })
  })

  test('with keys of its own, that open nothing else', async () => {
    const browser = await house.signedIn(7001, 'pools')
    const { key } = (await browser.ask('POST', '/session/key')).json
    expect(key).toMatch(/^pools_/)
    expect((await new Door(house.urls.pools).ask('GET', '/me', { key })).status).toBe(200)
    expect((await new Door(house.urls.packs).ask('GET', '/me', { key })).status).toBe(401)
    const here = await house.signedIn(7001)
    expect((await here.ask('GET', '/session/key')).json.key).toBeNull()
  })

  test('a page of the one service changes nothing on the other', async () => {
    const browser = await house.signedIn(7001, 'pools')
    const origin = house.urls.packs
    const reply = await browser.ask('POST', '/session/key', undefined, { origin })
    expectSiteError(reply, 'forbidden')
  })

  test('and no more: packs, their moderation and data are the packs service’s', async () => {
    const browser = await house.signedIn(7001, 'pools')
    const slug = await house.save(await house.signedIn(7001), aPack({ visibility: 'public' }))
    const absent = [
      '/packs',
      `/p/${slug}`,
      `/p/${slug}/preview.png`,
      '/k',
      '/new',
      '/me',
      '/sitemap-pages.xml',
      '/packs/index.json',
      '/session/packs',
      '/session/my-data',
      '/session/moderation/packs',
      '/session/moderation/players',
    ]
    for (const path of absent)
      expect([path, (await browser.open(path)).status]).toEqual([path, 404])
    for (const path of [
      '/',
      '/my',
      '/account',
      '/docs',
      '/favicon.svg',
      '/robots.txt',
      '/session',
    ]) {
      expect([path, (await browser.open(path)).status]).toEqual([path, 200])
    }
    expect((await browser.open('/nothing')).text).not.toContain('href="/packs"')
  })
})

describe.each(['packs', 'pools'] as const)(
  'the %s site tells programs where its API is',
  (service) => {
    const paths =
      service === 'packs' ? ['/me', '/packs', '/packs/AAAAAAAAAA'] : ['/me', '/tournaments']
    const ask = async (method: string, path: string, headers: Record<string, string>) =>
      sendJson(method, house.urls[service] + path, headers, undefined)

    test.each(paths)('%s, with a key or for JSON alone', async (path) => {
      const asking: Record<string, string>[] = [
        { authorization: 'Bearer something' },
        { authorization: 'bearer x', accept: 'text/html' },
        { accept: 'application/json' },
        { accept: 'application/json, text/plain, */*' },
        { accept: 'application/problem+json' },
      ]
      for (const headers of asking) {
        for (const method of ['GET', 'POST']) {
          const reply = await ask(method, path, headers)
          const { pathname } = new URL(reply.json.error.message.split(' ').at(-1))
          expectError(reply, 'not_found', /^there is nothing at this path; the API has it at http/)
          expect(pathname).toBe(`/api/v1${path}`)
          expect(Number(reply.headers.get('ratelimit-remaining')), 'no attempt was counted').toBe(
            20,
          )
        }
      }
    })

    test('browsers, and programs that take anything, get what they got', async () => {
      const path = service === 'packs' ? '/packs' : '/my'
      const asking: Record<string, string>[] = [
        { accept: 'text/html,application/xhtml+xml,application/json;q=0.9' },
        { accept: '*/*' },
        { accept: '*/*', authorization: 'Basic abc' },
        { accept: '*/*', authorization: 'Bearer ' },
      ]
      for (const headers of asking) {
        const reply = await ask('GET', path, headers)
        expect(reply.headers.get('content-type') ?? '', path).not.toContain('json')
      }
    })
  },
)
