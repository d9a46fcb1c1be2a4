import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CSRF_HEADER, type Endpoint } from '../../src/contract/endpoint.ts'
import type { Browser } from '../support/browser.ts'
import type { Reply } from '../support/door.ts'
import { aPack } from '../support/samples.ts'
import { bodies, endpoints, expectSiteError, pathFor } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const MODERATOR = 7003

let house: SiteHouse
let browser: Browser
let player: Browser
let slug: string
let bodyOf: Readonly<Record<string, unknown>>
let before: unknown

/** All that a forged request could have changed. */
const everything = async (): Promise<unknown> => ({
  mine: (await browser.ask('GET', '/session/my-data')).json,
  quota: (await browser.ask('GET', '/session')).json.quota,
  moderated: (await browser.ask('GET', '/session/moderation/packs')).json,
  log: (await browser.ask('GET', '/session/moderation/log')).json,
})

beforeAll(async () => {
  house = await openSiteHouse()
  await house.ports.accounts.setModerator(MODERATOR, true, 0)
  browser = await house.signedIn(MODERATOR)
  player = await house.signedIn(7001)
  slug = await house.save(browser, aPack({ visibility: 'public' }))
  const { packKey, updatedAt } = (await browser.ask('GET', `/session/packs/${slug}`)).json.pack
  bodyOf = bodies(packKey, updatedAt)
  await browser.ask('POST', '/session/key')
  before = await everything()
})
// Whatever was tried: none of it got through, and none of it was paid for.
afterAll(async () => {
  expect(await everything()).toEqual(before)
  await house.close()
})

type Headers = Record<string, string | null>

const call = (
  from: Browser,
  [name, endpoint]: [string, Endpoint],
  headers: Headers = {},
): Promise<Reply> => from.ask(endpoint.method, pathFor(endpoint, slug), bodyOf[name], headers)

const those = (choose: (endpoint: Endpoint) => boolean) =>
  endpoints.filter(([, endpoint]) => choose(endpoint))

const personal = those(({ who }) => who !== 'anyone')
const proven = those(({ proof }) => proof !== undefined)
const changing = those(({ proof }) => proof === 'token')
const moderating = those(({ who }) => who === 'moderators')

describe('every endpoint that changes something asks for a token', () => {
  test.each(endpoints)('%s', (name, { method, proof }) => {
    const isLook = name === 'lookAtBeatmaps'
    expect(proof).toBe(method === 'GET' ? undefined : isLook ? 'page' : 'token')
  })
})

describe('the table says which errors there are', () => {
  test.each(endpoints)('%s', (_, { who, proof, body, spendsWrite, errors }) => {
    const sure = [
      500,
      ...(who === 'anyone' ? [] : [401]),
      ...(proof === undefined && who !== 'moderators' ? [] : [403]),
      ...(body === undefined ? [] : [400, 413, 415]),
      ...(spendsWrite ? [429] : []),
    ]
    expect(errors).toEqual(expect.arrayContaining(sure))
    expect(errors).toEqual(errors.toSorted((a, b) => a - b))
  })
})

describe('401: nobody is signed in', () => {
  test.each(personal)('%s', async (...endpoint) => {
    expectSiteError(await call(browser.another(), endpoint), 'not_signed_in', 'sign in to do this')
  })

  test.each(personal)('%s, with a session that is none', async (...endpoint) => {
    const other = browser.another()
    other.cookies.set('session', 'A'.repeat(43))
    expectSiteError(await call(other, endpoint), 'not_signed_in')
  })
})

describe('403: another page asks', () => {
  const foreign: readonly (readonly [string, Headers])[] = [
    ['another site', { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
    ['another site in an old browser', { origin: 'https://evil.test', 'sec-fetch-site': null }],
    ['an origin that is hidden', { origin: 'null' }],
    ['no page at all', { origin: null, 'sec-fetch-site': null }],
    ['a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['another site that names ours', { 'sec-fetch-site': 'cross-site' }],
    ['a page without an origin from elsewhere', { origin: null, 'sec-fetch-site': 'cross-site' }],
    ['nobody’s page', { origin: null, 'sec-fetch-site': 'none' }],
  ]
  const cases = proven.flatMap((endpoint) => foreign.map((page) => [...endpoint, ...page] as const))

  test.each(cases)('%s, %s: %s', async (name, endpoint, _, headers) => {
    expectSiteError(
      await call(browser, [name, endpoint], headers),
      'forbidden',
      /page of this site/,
    )
  })

  test.each(proven)('%s: the other service of this host', async (...endpoint) => {
    const { pools } = house.urls
    expectSiteError(
      await call(browser, endpoint, { origin: pools }),
      'forbidden',
      /page of this site/,
    )
  })
})

describe('403: the page does not know the session’s token', () => {
  test.each(changing)('%s', async (...endpoint) => {
    const own = browser.viewer?.csrf ?? ''
    const other = player.viewer?.csrf ?? ''
    for (const token of [null, '', 'x', other, `${own}x`, own.slice(0, -1), own.toLowerCase()]) {
      const reply = await call(browser, endpoint, { [CSRF_HEADER]: token })
      expectSiteError(reply, 'forbidden', /out of date/)
    }
  })

  test.each(changing)('%s: as a form of another site would send it', async (...[, endpoint]) => {
    const reply = await browser.send(endpoint.method, pathFor(endpoint, slug), {
      body: 'name=x',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.test',
        'sec-fetch-site': 'cross-site',
      },
    })
    expectSiteError(reply, 'forbidden')
  })
})

describe('403: only moderators', () => {
  test.each(moderating)('%s', async (...endpoint) => {
    expectSiteError(await call(player, endpoint), 'forbidden', 'only moderators can do this')
  })
})

describe('the way through', () => {
  test('is open where the browser sends no Sec-Fetch-Site, and where it sends no Origin', async () => {
    for (const headers of [{ 'sec-fetch-site': null }, { origin: null }]) {
      const reply = await browser.ask(
        'POST',
        '/session/beatmaps',
        bodyOf['lookAtBeatmaps'],
        headers,
      )
      expect(reply.status).toBe(200)
    }
  })

  test('answers are nobody else’s to keep, and carry what every answer does (D-13)', async () => {
    for (const path of ['/session', '/session/packs', '/session/my-data', '/session/nothing']) {
      const { headers } = await browser.ask('GET', path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-request-id')).toMatch(/^[\w-]+$/)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('access-control-allow-origin')).toBeNull()
      if (path !== '/session/nothing') {
        expect(headers.get('cache-control')).toBe('private, no-store')
      }
    }
  })

  test('HEAD is GET without the body; other methods are told which ones there are (D-12)', async () => {
    const head = await browser.ask('HEAD', '/session')
    expect([head.status, head.text]).toEqual([200, ''])
    const wrong = await browser.ask('PATCH', '/session/packs')
    expect(wrong.status).toBe(405)
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
    expect(wrong.json.error.code).toBe('method_not_allowed')
    const options = await browser.ask('OPTIONS', `/session/packs/${slug}`)
    expect(options.status).toBe(204)
    expect(options.headers.get('allow')).toBe('GET, HEAD, PUT, DELETE, OPTIONS')
  })
})
