import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import type { Browser } from '../support/browser.ts'
import type { Reply } from '../support/door.ts'

const MINUTE_MS = 60_000

let house: SiteHouse
let browser: Browser

beforeEach(async () => {
  house = await openSiteHouse()
  browser = house.browser()
})
afterEach(() => house.close())

const locationOf = (reply: Reply): string => reply.headers.get('location') ?? ''

/** Goes to the platform and agrees there; gives the path that one is sent back to. */
const goAndAgree = async (path = '/sign-in', gameId: number | null = 7001): Promise<string> =>
  house.agree(locationOf(await browser.open(path)), gameId)

/** A page that says what happened, signs nobody in, and leaves nothing half done. */
const expectProblem = async (reply: Reply, status: number, words: RegExp): Promise<void> => {
  expect(reply.status).toBe(status)
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(reply.text).toMatch(words)
  expect(reply.text).toContain('<a class="button"')
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect([...browser.cookies.keys()]).not.toContain('session')
  expect(await house.ports.accounts.countPlayers()).toBe(0)
}

describe('the way there', () => {
  test('leads to the platform with a fresh state and the exact redirect address', async () => {
    const states = new Set<string>()
    for (let time = 0; time < 3; time++) {
      const reply = await browser.open('/sign-in')
      expect(reply.status).toBe(302)
      expect(reply.headers.get('cache-control')).toBe('private, no-store')
      const { pathname, searchParams } = new URL(locationOf(reply))
      expect(pathname).toBe('/oauth/authorize')
      expect(searchParams.get('redirect_uri')).toBe(`${house.urls.packs}/sign-in/callback`)
      expect(searchParams.get('scope')).toBe('identify public')
      states.add(searchParams.get('state') ?? '')
    }
    expect(states.size).toBe(3)
    for (const state of states) expect(state).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  test('is remembered by the browser alone, out of the reach of scripts, for 20 minutes', async () => {
    const reply = await browser.open('/sign-in')
    const cookies = reply.headers.getSetCookie()
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(
      /^sign-in-[A-Za-z0-9_-]{16}=[^;]+; Path=\/; Max-Age=1200; HttpOnly; SameSite=Lax$/,
    )
  })
})

describe('coming back (spec 5)', () => {
  test('signs in, and leads to where one was', async () => {
    const back = await goAndAgree('/sign-in?return=%2Fpacks%3Fsort%3Dnew')
    const reply = await browser.open(back)
    expect(reply.status).toBe(302)
    expect(locationOf(reply)).toBe('/packs?sort=new')
    expect(await browser.look()).toMatchObject({
      gameId: 7001,
      username: 'Peridot',
      isModerator: false,
    })
    expect([...browser.cookies.keys()]).toEqual(['session', 'signed-in-packs', 'known-browser'])
  })

  test('brings a session out of the reach of scripts and of other sites, for 30 days', async () => {
    const reply = await browser.open(await goAndAgree())
    const session = reply.headers.getSetCookie().find((line) => line.startsWith('session='))
    expect(session).toMatch(
      /^session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    )
  })

  test('leads nowhere but to paths of ours', async () => {
    for (const wish of ['//evil.test', '/\\evil.test', '/%2f%2fevil.test', '/\t/evil.test', 'x']) {
      const back = await goAndAgree(`/sign-in?return=${encodeURIComponent(wish)}`)
      expect(locationOf(await browser.open(back)), wish).toBe('/')
    }
  })

  test('leads nowhere else when the cookie was written over', async () => {
    const back = await goAndAgree()
    const [name = '', value = ''] = [...browser.cookies][0] ?? []
    const [state, time] = value.split('.')
    const evil = Buffer.from('//evil.test').toString('base64url')
    browser.cookies.set(name, `${state}.${time}.${evil}`)
    expect(locationOf(await browser.open(back))).toBe('/')
  })

  test('a path with letters of any script goes into the header percent-encoded', async () => {
    const back = await goAndAgree(`/sign-in?return=${encodeURIComponent('/packs?q=é港')}`)
    expect(locationOf(await browser.open(back))).toBe('/packs?q=%C3%A9%E6%B8%AF')
  })

  test('D-42: takes a new username over', async () => {
    await browser.open(await goAndAgree())
    await house.rename(7001, 'Olivine')
    const again = await house.signedIn(7001)
    expect(again.viewer?.username).toBe('Olivine')
    expect((await browser.look())?.username).toBe('Olivine')
  })
})

describe('several sign-ins under way in one browser', () => {
  const pendingOf = (): string[] =>
    [...browser.cookies.keys()].filter(
      (name) => !['session', 'signed-in-packs', 'known-browser'].includes(name),
    )

  test('each ends well, in any order, and leads to its own page', async () => {
    const one = await goAndAgree('/sign-in?return=%2Fone')
    const two = await goAndAgree('/sign-in?return=%2Ftwo')
    const three = await goAndAgree('/sign-in?return=%2Fthree', 7002)
    expect(pendingOf()).toHaveLength(3)
    for (const [back, path] of [
      [two, '/two'],
      [one, '/one'],
      [three, '/three'],
    ] as const) {
      const reply = await browser.open(back)
      expect(reply.status).toBe(302)
      expect(locationOf(reply)).toBe(path)
    }
    expect(pendingOf()).toEqual([])
    expect((await browser.look())?.gameId).toBe(7002)
  })

  test('five at most: a sixth takes the place of the oldest', async () => {
    const backs: string[] = []
    for (let tab = 0; tab < 8; tab += 1) {
      backs.push(await goAndAgree())
      house.clock.advance(1_000)
      expect(pendingOf().length).toBeLessThanOrEqual(5)
    }
    const statuses = []
    for (const back of backs) statuses.push((await browser.open(back)).status)
    expect(statuses).toEqual([400, 400, 400, 302, 302, 302, 302, 302])
  })

  test('what others put among the cookies is neither removed nor repeated', async () => {
    const names = [
      'sign-in',
      'sign-in-x',
      `sign-in-${'A'.repeat(17)}`,
      'sign-in-%0d%0aSet-Cookie:x=y',
    ]
    for (const name of names) browser.cookies.set(name, 'x.y.z')
    for (let tab = 0; tab < 7; tab += 1) {
      const { headers } = await browser.open('/sign-in')
      for (const line of headers.getSetCookie()) {
        expect(line).toMatch(/^sign-in-[A-Za-z0-9_-]{16}=/)
      }
    }
    expect(pendingOf()).toEqual(expect.arrayContaining(names))
  })
})

describe('what cannot be finished', () => {
  test('a state that nobody here gave out', async () => {
    const back = new URL(await goAndAgree(), 'http://x')
    back.searchParams.set('state', 'A'.repeat(43))
    await expectProblem(
      await browser.open(back.pathname + back.search),
      400,
      /could not be completed/,
    )
  })

  test('no state', async () => {
    const back = new URL(await goAndAgree(), 'http://x')
    back.searchParams.delete('state')
    await expectProblem(
      await browser.open(back.pathname + back.search),
      400,
      /could not be completed/,
    )
  })

  test('the state twice', async () => {
    const back = await goAndAgree()
    const state = new URL(back, 'http://x').searchParams.get('state')
    await expectProblem(await browser.open(`${back}&state=${state}`), 400, /could not be completed/)
  })

  test('a state that another browser was sent away with', async () => {
    const back = await goAndAgree()
    browser = browser.another()
    await expectProblem(await browser.open(back), 400, /another browser/)
    await browser.open('/sign-in')
    await expectProblem(await browser.open(back), 400, /another browser/)
  })

  test('a sign-in of another browser leaves the one that is under way alone', async () => {
    const mine = await goAndAgree()
    const other = browser.another()
    const begun = await other.open('/sign-in')
    const theirs = await house.agree(locationOf(begun), 7002)
    expect((await browser.open(theirs)).status).toBe(400)
    expect((await browser.open(mine)).status).toBe(302)
    expect((await browser.look())?.username).toBe('Peridot')
  })

  test('a state older than 20 minutes', async () => {
    const back = await goAndAgree()
    house.clock.advance(20 * MINUTE_MS + 1)
    await expectProblem(await browser.open(back), 400, /longer than 20 minutes/)
  })

  test('the same answer once more: the browser has forgotten, and so has the platform', async () => {
    const back = await goAndAgree()
    const [name = '', kept = ''] = [...browser.cookies][0] ?? []
    expect((await browser.open(back)).status).toBe(302)
    expect((await browser.open(back)).status).toBe(400)
    const thief = browser.another()
    thief.cookies.set(name, kept)
    const stolen = await thief.open(back)
    expect(stolen.status).toBe(400)
    expect(stolen.text).toMatch(/already used or has expired/)
    expect([...thief.cookies.keys()]).toEqual([])
  })

  test('a code that the platform never gave out', async () => {
    const back = new URL(await goAndAgree(), 'http://x')
    back.searchParams.set('code', 'made-up')
    await expectProblem(
      await browser.open(back.pathname + back.search),
      400,
      /already used or has expired/,
    )
    expect([...browser.cookies.keys()]).toEqual([])
  })

  test('one code after the other that comes to nothing: after twenty, 429 until ten minutes are over', async () => {
    const tryOne = async () => {
      const back = new URL(await goAndAgree(), 'http://x')
      back.searchParams.set('code', 'made-up')
      return browser.open(back.pathname + back.search)
    }
    const kept = await goAndAgree()
    // What comes to something does not count.
    for (let tries = 0; tries < 3; tries += 1) await house.signedIn(7002)
    for (let tries = 0; tries < 20; tries += 1) {
      expect((await tryOne()).status).toBe(400)
      // So many a minute leave enough to others.
      if (tries % 4 === 3) house.clock.advance(MINUTE_MS)
    }
    const refused = await browser.open(kept)
    expect(refused.status).toBe(429)
    expect(refused.text).toMatch(/Too many failed sign-ins/)
    expect(refused.headers.get('retry-after')).toBe('299')
    expect((await browser.open('/sign-in')).status).toBe(429)
    house.clock.advance(5 * MINUTE_MS)
    expect((await browser.open(await goAndAgree())).status).toBe(302)
    expect((await browser.look())?.username).toBe('Peridot')
  })

  test.each([
    ['without a code', (query: URLSearchParams) => query.delete('code')],
    ['with two codes', (query: URLSearchParams) => query.append('code', 'another')],
  ])('an answer %s is changed on its way: nobody else is at fault', async (_what, change) => {
    const back = new URL(await goAndAgree(), 'http://x')
    change(back.searchParams)
    await expectProblem(await browser.open(back.pathname + back.search), 400, /Sign in again/)
  })

  test('an error of the platform other than a refusal by the player', async () => {
    const back = new URL(await goAndAgree(), 'http://x')
    back.searchParams.delete('code')
    back.searchParams.set('error', 'invalid_scope<script>')
    const reply = await browser.open(back.pathname + back.search)
    await expectProblem(reply, 502, /not yours/)
    expect(reply.text).not.toContain('invalid_scope')
  })

  test('a scope that the platform does not know comes back without a state: it is the operator’s', async () => {
    await goAndAgree()
    const pending = [...browser.cookies.keys()]
    const query = 'error=invalid_scope&error_description=Some+words&hint=Wobble&message=Some+words'
    const reply = await browser.open(`/sign-in/callback?${query}`)
    await expectProblem(reply, 502, /not set up correctly here/)
    expect(reply.text).not.toMatch(/another browser|invalid_scope|Wobble/)
    // It belongs to none of the sign-ins that are under way.
    expect([...browser.cookies.keys()]).toEqual(pending)
  })

  test('what the platform refuses is in the log, with its remedy, and nothing that a visitor may have made up', async () => {
    const lines: string[] = []
    const logged = await openSiteHouse({ onLog: (line) => lines.push(line) })
    const other = logged.browser()
    await other.open('/sign-in/callback?error=invalid_scope')
    await other.open('/sign-in/callback?error=%0Aevil&error_description=evil')
    const begun = await other.open('/sign-in')
    const back = await logged.agree(locationOf(begun), 7001)
    await logged.order({ fault: 'html', status: 403, kind: 'token' })
    expect((await other.open(back)).status).toBe(502)
    await logged.close()
    const said = lines.map((line) => JSON.parse(line))
    expect(said).toMatchObject([
      { error: 'invalid_scope', remedy: expect.stringContaining('check the scopes') },
      { msg: 'the platform refused to sign somebody in' },
      { msg: 'nobody was signed in', reason: expect.stringContaining('answered 403: a proxy') },
    ])
    expect(lines.join()).not.toContain('evil')
    expect(lines.join()).not.toContain('def502')
  })

  test('each reason is one line a minute in the log, with the number of those left out (D-92)', async () => {
    const lines: string[] = []
    const logged = await openSiteHouse({ onLog: (line) => lines.push(line) })
    const other = logged.browser()
    const come = async () => {
      const back = await logged.agree(locationOf(await other.open('/sign-in')), 7001)
      expect((await other.open(back)).status).toBe(502)
    }
    for (const error of ['aa', 'bb', 'cc']) await other.open(`/sign-in/callback?error=${error}`)
    await logged.order({ fault: 'html', status: 403, kind: 'token', times: 2 })
    for (let time = 0; time < 5; time += 1) await come()
    logged.clock.advance(MINUTE_MS)
    await come()
    await other.open('/sign-in/callback?error=dd')
    await logged.close()
    const told = expect.stringMatching(/^POST \/oauth\/token answered 403/)
    const held = expect.stringMatching(/^POST \/oauth\/token was not made: less than a minute ago/)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { error: 'aa' },
      { reason: told },
      { reason: held },
      { reason: told },
      { error: 'dd', others: 2 },
    ])
  })

  test('players whose accounts the platform lets nobody use are one line a minute, too (D-42, D-92)', async () => {
    const lines: string[] = []
    const logged = await openSiteHouse({ onLog: (line) => lines.push(line) })
    const other = logged.browser()
    await logged.order({ fault: 'unauthorized', kind: 'me', times: 2 })
    for (let time = 0; time < 2; time += 1) {
      const back = await logged.agree(locationOf(await other.open('/sign-in')), 7001)
      expect((await other.open(back)).status).toBe(403)
    }
    await logged.close()
    const reason = 'the platform does not let the account of this player be used'
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ reason }])
  })

  test('with a state that nobody here gave out, an error says nothing', async () => {
    const reply = await browser.open(
      `/sign-in/callback?error=invalid_scope&state=${'A'.repeat(43)}`,
    )
    await expectProblem(reply, 400, /could not be completed/)
  })
})

describe('who is not signed in', () => {
  test('who declines on the platform’s page', async () => {
    const reply = await browser.open(await goAndAgree('/sign-in?return=/me', null))
    await expectProblem(reply, 403, /You cancelled .* nothing has changed/)
    expect(reply.text).toContain(`href="${house.urls.packs}/sign-in?return=%2Fme"`)
    expect([...browser.cookies.keys()]).toEqual([])
  })

  test('a refusal that does not belong to this browser is not believed', async () => {
    const reply = await browser.open('/sign-in/callback?error=access_denied&state=x')
    await expectProblem(reply, 400, /could not be completed/)
  })

  test('D-42: a restricted player', async () => {
    const reply = await browser.open(await goAndAgree('/sign-in', 7004))
    await expectProblem(reply, 403, /Restricted players cannot sign in/)
    expect(reply.text).not.toContain('Sign in again')
  })

  test('D-42: a deleted player', async () => {
    const reply = await browser.open(await goAndAgree('/sign-in', 7005))
    await expectProblem(reply, 403, /no longer exists/)
  })

  test('a player who is restricted since keeps the session until it ends, and gets no new one', async () => {
    await browser.open(await goAndAgree())
    expect(await browser.look()).not.toBeNull()
    const reply = await browser.open(await goAndAgree('/sign-in', 7004))
    expect(reply.status).toBe(403)
    expect((await browser.look())?.username).toBe('Peridot')
  })
})

describe('a player whose name cannot be kept', () => {
  test('is not signed in, and told that it is not their doing', async () => {
    await house.rename(7001, 'x'.repeat(65))
    await expectProblem(await browser.open(await goAndAgree()), 502, /not yours/)
  })
})

describe('when the store fails', () => {
  test('again and again, no good code counts as one that came to nothing', async () => {
    let isBroken = true
    const broken = await openSiteHouse({
      withPorts: (ports) => ({
        ...ports,
        sessions: {
          ...ports.sessions,
          create: async (...session) => {
            if (isBroken) throw new Error('the disk is gone')
            return ports.sessions.create(...session)
          },
        },
      }),
    })
    const comeBack = async (): Promise<number> => {
      const other = broken.browser()
      const begun = await other.open('/sign-in')
      return (await other.open(await broken.agree(locationOf(begun), 7001))).status
    }
    for (let time = 0; time < 20; time += 1) {
      expect(await comeBack()).toBe(500)
      if (time % 10 === 9) broken.clock.advance(61_000)
    }
    isBroken = false
    expect(await comeBack()).toBe(302)
    await broken.close()
  })

  test('a page says so, and the cause stays in the log', async () => {
    const broken = await openSiteHouse({
      withPorts: (ports) => ({
        ...ports,
        sessions: {
          ...ports.sessions,
          create: async () => {
            throw new Error('the disk is gone')
          },
        },
      }),
    })
    const other = broken.browser()
    const begun = await other.open('/sign-in')
    const reply = await other.open(await broken.agree(locationOf(begun), 7001))
    expect(reply.status).toBe(500)
    expect(reply.text).toContain('Something went wrong on our side')
    expect(reply.text).not.toContain('disk')
    expect([...other.cookies.keys()]).toEqual([])
    await broken.close()
  })
})

describe('when the platform does not answer', () => {
  test.each([
    [{ fault: 'down', kind: 'token' }, 503, /not responding/],
    [{ fault: 'reset', kind: 'token' }, 503, /not responding/],
    [{ fault: 'html', status: 503, kind: 'token' }, 503, /not responding/],
    [{ fault: 'html', status: 403, kind: 'token' }, 502, /does not let this site through/],
    [{ fault: 'html', status: 301, kind: 'token' }, 502, /not set up correctly here/],
    [{ fault: 'html', kind: 'token' }, 502, /could not be read/],
    [{ fault: 'throttled', kind: 'token', retryAfter: 3600 }, 503, /asks us to wait/],
    [{ fault: 'down', kind: 'me' }, 503, /not responding/],
    [{ fault: 'forbidden', kind: 'me' }, 502, /not set up correctly here/],
    [{ fault: 'truncated', kind: 'me' }, 502, /could not be read/],
    [{ fault: 'wrong-types', kind: 'me' }, 502, /could not be read/],
  ])('%o: a page says why, and promises no time (D-92)', async (fault, status, words) => {
    const back = await goAndAgree()
    await house.order(fault)
    const reply = await browser.open(back)
    await expectProblem(reply, status, words)
    expect(reply.headers.get('retry-after')).toBe(status === 503 ? '60' : null)
    // The code may be used up: the page cannot be loaded again.
    expect(reply.headers.get('refresh')).toBeNull()
    expect(reply.text).not.toMatch(/minute|second|hour/)
  })

  test('one 503 that asks for an hour keeps nobody away who signs in after it (D-92)', async () => {
    const back = await goAndAgree()
    await house.order({ fault: 'html', status: 503, times: 1 })
    expect((await browser.open(back)).status).toBe(503)
    expect((await browser.open(await goAndAgree())).status).toBe(302)
  })

  test('D-42: an account that the platform lets nobody use', async () => {
    const back = await goAndAgree()
    await house.order({ fault: 'unauthorized', kind: 'me' })
    const reply = await browser.open(back)
    await expectProblem(reply, 403, /This game account cannot sign in here/)
    expect(reply.text).not.toContain('Sign in again')
  })

  test('who was signed in before still is', async () => {
    await browser.open(await goAndAgree())
    const back = await goAndAgree()
    await house.order({ fault: 'down', kind: 'token' })
    expect((await browser.open(back)).status).toBe(503)
    expect((await browser.look())?.username).toBe('Peridot')
  })
})
