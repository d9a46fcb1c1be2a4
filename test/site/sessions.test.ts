import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const DAY_MS = 86_400_000

let house: SiteHouse
let finds: number

const counting = (ports: SiteHouse['ports']): SiteHouse['ports'] => ({
  ...ports,
  sessions: {
    ...ports.sessions,
    find: (...question) => {
      finds += 1
      return ports.sessions.find(...question)
    },
  },
})

beforeEach(async () => {
  finds = 0
  house = await openSiteHouse({ withPorts: (ports) => counting(ports as SiteHouse['ports']) })
})
afterEach(() => house.close())

const tokenOf = (browser: Browser): string => browser.cookies.get('session') ?? ''

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.look()) !== null

describe('a session (traps: cookies)', () => {
  test('is kept as a hash: what is stored opens nothing', async () => {
    const browser = await house.signedIn(7001)
    const thief = browser.another()
    thief.cookies.set('session', house.ports.hasher.sha256(tokenOf(browser)))
    expect(await isSignedIn(thief)).toBe(false)
  })

  test('changes at each sign-in, and the one before ends', async () => {
    const browser = await house.signedIn(7001)
    const before = browser.another()
    before.cookies.set('session', tokenOf(browser))
    expect(await isSignedIn(before)).toBe(true)
    const csrf = browser.viewer?.csrf
    await house.signIn(browser, 7001)
    expect(tokenOf(browser)).not.toBe(tokenOf(before))
    expect(browser.viewer?.csrf).not.toBe(csrf)
    expect(await isSignedIn(before)).toBe(false)
  })

  test('that somebody planted is not taken over', async () => {
    const planted = 'A'.repeat(43)
    const victim = house.browser()
    victim.cookies.set('session', planted)
    await house.signIn(victim, 7001)
    expect(tokenOf(victim)).not.toBe(planted)
  })

  test('ends after 30 days without use, and not before', async () => {
    const browser = await house.signedIn(7001)
    house.clock.advance(30 * DAY_MS - 1000)
    expect(await isSignedIn(browser)).toBe(true)
    house.clock.advance(30 * DAY_MS - 1000)
    expect(await isSignedIn(browser)).toBe(true)
    house.clock.advance(30 * DAY_MS + 1000)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('its cookie lives on while it is used, and is not sent with every answer', async () => {
    const browser = await house.signedIn(7001)
    expect((await browser.open('/')).headers.getSetCookie()).toEqual([])
    house.clock.advance(DAY_MS)
    const [line, ...others] = (await browser.open('/')).headers.getSetCookie()
    expect(others).toEqual([])
    expect(line).toBe(
      `session=${tokenOf(browser)}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`,
    )
    expect((await browser.open('/')).headers.getSetCookie()).toEqual([])
  })

  test('costs one look into the store a request, and none without a cookie', async () => {
    const browser = await house.signedIn(7001)
    for (const path of ['/', '/me', '/session', '/session/packs', '/account']) {
      finds = 0
      await browser.open(path)
      expect(finds, path).toBe(1)
    }
    finds = 0
    for (const path of ['/', '/session', '/favicon.svg']) await browser.another().open(path)
    await browser.open('/robots.txt')
    expect(finds).toBe(0)
  })

  test('what is no token is not even looked up; two cookies of one name are none', async () => {
    const browser = house.browser()
    for (const token of ['x', '', '../../etc', `${'A'.repeat(43)}=`]) {
      browser.cookies.set('session', token)
      expect(await isSignedIn(browser)).toBe(false)
    }
    const mine = tokenOf(await house.signedIn(7001))
    browser.cookies.clear()
    const twice = { cookie: `session=${mine}; session=${mine}` }
    expect((await browser.ask('GET', '/session', undefined, twice)).json.viewer).toBeNull()
  })
})

describe('signing out', () => {
  test('ends this session alone, and takes the cookie away', async () => {
    const [here, there] = [await house.signedIn(7001), await house.signedIn(7001)]
    const token = tokenOf(here)
    const reply = await here.ask('POST', '/session/sign-out', {})
    expect(reply.status).toBe(204)
    expect(reply.text).toBe('')
    expect(reply.headers.getSetCookie()).toEqual([
      'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ])
    here.cookies.set('session', token)
    expect(await isSignedIn(here)).toBe(false)
    expect(await isSignedIn(there)).toBe(true)
  })

  test('says one thing about the cookie, also when it would have been renewed', async () => {
    const browser = await house.signedIn(7001)
    house.clock.advance(DAY_MS)
    const reply = await browser.ask('POST', '/session/sign-out', {})
    expect(reply.headers.getSetCookie()).toHaveLength(1)
    expect(browser.cookies.has('session')).toBe(false)
  })

  test('everywhere ends all sessions of the player, and nobody else’s', async () => {
    const mine = [await house.signedIn(7001), await house.signedIn(7001, 'pools')]
    const other = await house.signedIn(7002)
    const reply = await mine[0]?.ask('POST', '/session/sign-out', { everywhere: true })
    expect(reply?.status).toBe(204)
    for (const browser of mine) expect(await isSignedIn(browser)).toBe(false)
    expect(await isSignedIn(other)).toBe(true)
  })
})

describe('over TLS', () => {
  let secure: SiteHouse
  beforeEach(async () => {
    secure = await openSiteHouse({ isSecure: true })
  })
  afterEach(() => secure.close())

  test('cookies are kept to this host, and never sent in the clear', async () => {
    const browser = secure.browser()
    const begun = await browser.open('/sign-in')
    expect(begun.headers.getSetCookie()[0]).toMatch(
      /^__Host-sign-in=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    )
    const address = begun.headers.get('location') ?? ''
    expect(new URL(address).searchParams.get('redirect_uri')).toBe(
      'https://packs.test/sign-in/callback',
    )
    const ended = await browser.open(await secure.agree(address, 7001))
    expect(ended.headers.getSetCookie()).toEqual([
      '__Host-sign-in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
      expect.stringMatching(
        /^__Host-session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ])
    expect(await browser.look()).not.toBeNull()
  })

  test('a cookie without the prefix, which a neighbour could plant, is not believed', async () => {
    const browser = await secure.signedIn(7001)
    const other = browser.another()
    other.cookies.set('session', browser.cookies.get('__Host-session') ?? '')
    expect(await other.look()).toBeNull()
  })
})
