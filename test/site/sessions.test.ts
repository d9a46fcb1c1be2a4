import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CSRF_HEADER } from '../../src/contract/endpoint.ts'
import type { Browser } from '../support/browser.ts'
import { aPack } from '../support/samples.ts'
import { expectSiteError, expectSuccess } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { beginRequest } from '../support/slow-request.ts'

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
    house.clock.advance(29 * DAY_MS)
    expect(await isSignedIn(browser)).toBe(true)
    house.clock.advance(30 * DAY_MS + 1000)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('its cookie lives on while it is used, and is not sent with every answer', async () => {
    const browser = await house.signedIn(7001)
    expect((await browser.open('/')).headers.getSetCookie()).toEqual([])
    house.clock.advance(DAY_MS)
    expect((await browser.open('/')).headers.getSetCookie()).toEqual([
      `session=${tokenOf(browser)}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`,
      'signed-in-packs=1; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax',
    ])
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

const cookiesOfEnd = [
  'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  'signed-in-packs=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  'signed-out=1; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax',
]

/** Sends all but the end of a body; `finish` sends that, and gives the answer. */
const beginPost = async (browser: Browser, path: string, sent: unknown) => {
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const body = JSON.stringify(sent)
  const { socket, answer } = await beginRequest(browser.url, [
    `POST ${path} HTTP/1.1`,
    `Cookie: ${cookie}`,
    `Origin: ${browser.origin}`,
    `${CSRF_HEADER}: ${browser.viewer!.csrf}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body.slice(0, -1),
  ])
  // Behind this answer the server has read what came before it.
  await browser.ask('GET', '/session')
  const finish = (): Promise<string> => {
    socket.end(body.slice(-1))
    return answer
  }
  return { finish }
}

describe('signing out', () => {
  test('ends this session alone, and takes the cookie away', async () => {
    const [here, there] = [await house.signedIn(7001), await house.signedIn(7001)]
    const token = tokenOf(here)
    const reply = await here.ask('POST', '/session/sign-out', {})
    expect(reply.status).toBe(204)
    expect(reply.text).toBe('')
    expect(reply.headers.getSetCookie()).toEqual(cookiesOfEnd)
    here.cookies.set('session', token)
    expect(await isSignedIn(here)).toBe(false)
    expect(await isSignedIn(there)).toBe(true)
  })

  test('says one thing about the cookie, also when it would have been renewed', async () => {
    const browser = await house.signedIn(7001)
    house.clock.advance(DAY_MS)
    const reply = await browser.ask('POST', '/session/sign-out', {})
    expect(reply.headers.getSetCookie()).toEqual(cookiesOfEnd)
    expect(browser.cookies.has('session')).toBe(false)
  })

  test('ends what is still coming: a request whose body is not there yet saves nothing', async () => {
    const browser = await house.signedIn(7001)
    const save = await beginPost(browser, '/session/packs', aPack())
    expect((await browser.ask('POST', '/session/sign-out', {})).status).toBeLessThan(300)
    expect(await save.finish()).toContain('"code":"not_signed_in"')
    const again = await house.signedIn(7001)
    expect((await again.ask('GET', '/session/packs')).json.total).toBe(0)
  })

  test.each(['/session/moderation/packs/{slug}/hide', '/session/moderation/players/7003/suspend'])(
    '%s of a moderator who is none any more when its body is there → 403',
    async (path) => {
      const slug = await house.save(await house.signedIn(7003), aPack({ visibility: 'public' }))
      const { accounts, packs, suspensions } = house.ports
      await accounts.setModerator(7001, true, 0)
      const browser = await house.signedIn(7001)
      const decision = await beginPost(browser, path.replace('{slug}', slug), { reason: 'Spam' })
      await accounts.setModerator(7001, false, 0)
      expect(await decision.finish()).toMatch(/^HTTP\/1\.1 403 /)
      expect((await packs.read(slug))?.hiddenAt).toBe(null)
      expect(await suspensions.readSuspension(7003)).toBe(null)
    },
  )

  test('everywhere ends all sessions of the player, and nobody else’s', async () => {
    const mine = [await house.signedIn(7001), await house.signedIn(7001, 'pools')]
    const other = await house.signedIn(7002)
    const reply = await mine[0]?.ask('POST', '/session/sign-out', { everywhere: true })
    expect(reply?.status).toBe(204)
    for (const browser of mine) expect(await isSignedIn(browser)).toBe(false)
    expect(await isSignedIn(other)).toBe(true)
  })
})

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

describe('the list of sessions', () => {
  const listOf = async (browser: Browser) => {
    const reply = await browser.ask('GET', '/session/sessions')
    expectSuccess(reply, 'listSessions')
    return reply.json.sessions
  }
  /** Signs in from a browser that says this of itself. */
  const signedInFrom = async (agent: string, service: 'packs' | 'pools' = 'packs') => {
    const browser = house.browser(service)
    const begun = await browser.open('/sign-in')
    const back = await house.agree(begun.headers.get('location') ?? '', 7001)
    await browser.send('GET', back, { headers: { 'user-agent': agent } })
    await browser.look()
    return browser
  }

  test('says where, since when, and which is this one', async () => {
    const here = await signedInFrom(CHROME)
    house.clock.advance(DAY_MS)
    const there = await signedInFrom('<script>alert(1)</script>', 'pools')
    await house.signedIn(7002)
    const at = (ms: number) => new Date(ms).toISOString()
    const now = house.clock.now()
    const pools = { service: 'pools', device: null, createdAt: at(now), lastSeenAt: at(now) }
    const packs = { service: 'packs', device: 'Chrome on Windows', createdAt: at(now - DAY_MS) }
    expect(await listOf(there)).toMatchObject([
      { ...pools, isCurrent: true },
      { ...packs, lastSeenAt: at(now - DAY_MS), isCurrent: false },
    ])
    expect(await listOf(here)).toMatchObject([
      { ...pools, isCurrent: false },
      { ...packs, lastSeenAt: at(now), isCurrent: true },
    ])
    const { sessions } = (await here.ask('GET', '/session/my-data')).json
    expect(sessions).toEqual([pools, { ...packs, lastSeenAt: at(now) }])
    const text = JSON.stringify(await listOf(here))
    expect(text).not.toContain(house.ports.hasher.sha256(tokenOf(here)))
  })

  test('ends a single one, at once, on either service', async () => {
    const [here, there] = [await house.signedIn(7001), await house.signedIn(7001)]
    const pools = await house.signedIn(7001, 'pools')
    const others = (await listOf(here)).filter((each: { isCurrent: boolean }) => !each.isCurrent)
    const poolsId = others.find((each: { service: string }) => each.service === 'pools').id
    expect((await here.ask('DELETE', '/session/sessions', { id: poolsId })).status).toBe(204)
    expect(await isSignedIn(pools)).toBe(false)
    expect(await isSignedIn(there)).toBe(true)
    const again = await here.ask('DELETE', '/session/sessions', { id: poolsId })
    expectSiteError(again, 'not_found', /no such session/)
  })

  test('ends this one as signing out does', async () => {
    const here = await house.signedIn(7001)
    const [{ id }] = await listOf(here)
    const reply = await here.ask('DELETE', '/session/sessions', { id })
    expect(reply.headers.getSetCookie()).toEqual(cookiesOfEnd)
    expect(await isSignedIn(here)).toBe(false)
  })

  test('ends all others', async () => {
    const [here, there] = [await house.signedIn(7001), await house.signedIn(7001)]
    const pools = await house.signedIn(7001, 'pools')
    const somebody = await house.signedIn(7002)
    expect((await here.ask('POST', '/session/sessions/end-others')).status).toBe(204)
    expect(await listOf(here)).toMatchObject([{ isCurrent: true }])
    for (const ended of [there, pools]) expect(await isSignedIn(ended)).toBe(false)
    expect(await isSignedIn(somebody)).toBe(true)
  })

  test('is nobody else’s to see or end', async () => {
    const [mine, theirs] = [await house.signedIn(7001), await house.signedIn(7002)]
    const [{ id }] = await listOf(mine)
    expectSiteError(await theirs.ask('DELETE', '/session/sessions', { id }), 'not_found')
    for (const wrong of ['', 'x', `${id}0`, '%'.repeat(16), 7, null]) {
      const reply = await mine.ask('DELETE', '/session/sessions', { id: wrong })
      expectSiteError(reply, 'bad_request', /id/)
    }
    const forged = { 'x-csrf-token': null }
    for (const [method, path, body] of [
      ['DELETE', '/session/sessions', { id }],
      ['POST', '/session/sessions/end-others', undefined],
    ] as const) {
      expectSiteError(await mine.ask(method, path, body, forged), 'forbidden')
      expectSiteError(await house.browser().ask(method, path, body), 'not_signed_in')
    }
    expect(await isSignedIn(mine)).toBe(true)
  })
})

describe('a session belongs to its service', () => {
  test('one of the packs service makes no key on the pools service, nor the other way round', async () => {
    const [packs, pools] = [await house.signedIn(7001), await house.signedIn(7001, 'pools')]
    const poolsToken = pools.cookies.get('pools-session') ?? ''
    // Browsers send cookies by host, whatever the port: each name is tried with each token.
    for (const [owner, token] of [
      [packs, poolsToken],
      [pools, tokenOf(packs)],
    ] as const) {
      const thief = owner.another()
      thief.viewer = (owner === packs ? pools : packs).viewer
      for (const name of ['session', 'pools-session']) thief.cookies.set(name, token)
      expect((await thief.ask('GET', '/session')).json.viewer).toBeNull()
      for (const method of ['GET', 'POST', 'DELETE']) {
        expectSiteError(await thief.ask(method, '/session/key'), 'not_signed_in')
      }
    }
  })

  test('two services on one host do not sign each other out', async () => {
    const browser = await house.signedIn(7001)
    const pools = house.browser('pools')
    for (const [name, value] of browser.cookies) pools.cookies.set(name, value)
    // Not from the packs site.
    pools.cookies.delete('signed-in-packs')
    await house.signIn(pools, 7001)
    for (const [name, value] of pools.cookies) browser.cookies.set(name, value)
    expect(await isSignedIn(browser)).toBe(true)
    expect(await isSignedIn(pools)).toBe(true)
  })

  test('lasts 90 days from the sign-in; its cookie does not outlast it', async () => {
    const browser = await house.signedIn(7001)
    for (const days of [25, 25, 25]) {
      house.clock.advance(days * DAY_MS)
      expect(await isSignedIn(browser)).toBe(true)
    }
    house.clock.advance(10 * DAY_MS)
    const [line] = (await browser.open('/')).headers.getSetCookie()
    expect(line).toContain(`Max-Age=${5 * 86_400};`)
    house.clock.advance(5 * DAY_MS + 1)
    expect(await isSignedIn(browser)).toBe(false)
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
      /^__Host-sign-in-[A-Za-z0-9_-]{16}=[^;]+; Path=\/; Max-Age=1200; HttpOnly; SameSite=Lax; Secure$/,
    )
    const address = begun.headers.get('location') ?? ''
    expect(new URL(address).searchParams.get('redirect_uri')).toBe(
      'https://packs.test/sign-in/callback',
    )
    const ended = await browser.open(await secure.agree(address, 7001))
    expect(ended.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-sign-in-[A-Za-z0-9_-]{16}=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax; Secure$/,
      ),
      expect.stringMatching(
        /^__Host-session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
      ),
      // That somebody has signed in with this browser before (D-56).
      expect.stringMatching(
        /^__Host-known-browser=[\w-]{22}\.[\w-]{22}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/,
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
