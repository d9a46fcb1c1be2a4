import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import { otherService } from '../../src/contract/visitor.ts'
import { deleteAccount } from '../../src/operations/accounts.ts'
import { findViewer } from '../../src/operations/sessions.ts'
import type { Browser } from '../support/browser.ts'
import type { Reply } from '../support/door.ts'
import { openSiteHouse, type SiteHouse, type SiteHouseOptions } from '../support/site-house.ts'

const [SECOND_MS, DAY_MS] = [1_000, 86_400_000]

let house: SiteHouse
let calls: string[]

const open = async (options: SiteHouseOptions = {}) => {
  calls = []
  house = await openSiteHouse({ onPlatformCall: (path) => calls.push(path), ...options })
}
beforeEach(() => open())
afterEach(() => house.close())

const locationOf = ({ headers }: Reply): URL =>
  new URL(headers.get('location') ?? '', 'http://none.test')
const isThere = (service: ServiceName, reply: Reply): boolean =>
  locationOf(reply).origin === house.publicUrl(service)

/** One browser before both sites, signed in on one. */
const comeFrom = async (service: ServiceName) => {
  const here = await house.signedIn(7001, service)
  const to = otherService(service)
  calls = []
  return { here, there: here.at(house.urls[to], house.publicUrl(to)), to }
}

/** Presses a link to the other site's sign-in, and follows as far as to the code: the last address is not opened. */
const ask = async (here: Browser, there: Browser, path = '/sign-in?return=%2Faccount') => {
  const asked = locationOf(await there.open(path))
  const answered = await here.open(asked.pathname + asked.search)
  const back = locationOf(answered)
  return { asked, answered, back, path: back.pathname + back.search }
}

describe.each(['packs', 'pools'] as const)('signed in on %s', (service) => {
  test('one press signs in on the other site, without the platform', async () => {
    const { here, there, to } = await comeFrom(service)
    const { asked, back, path } = await ask(here, there)
    expect(asked.origin).toBe(house.publicUrl(service))
    expect(back.origin).toBe(house.publicUrl(to))
    const reply = await there.open(path)
    expect(reply.status).toBe(302)
    expect(reply.headers.get('location')).toBe('/account')
    expect(await there.look()).toMatchObject({ gameId: 7001, username: 'Peridot' })
    expect(await here.look()).toMatchObject({ gameId: 7001 })
    expect(there.viewer?.csrf).not.toBe(here.viewer?.csrf)
    expect(calls).toEqual([])
    const pending = [...there.cookies.keys()].filter((name) => /^(?:pools-)?sign-in-/.test(name))
    expect(pending).toEqual([])
  })

  test('the session there ends when this one would have, and each signs out by itself', async () => {
    const { here, there, to } = await comeFrom(service)
    // It ends 90 days after it began, and 30 after it was used last.
    for (const days of [20, 25, 20]) {
      house.clock.advance(days * DAY_MS)
      await here.look()
    }
    house.clock.advance(20 * DAY_MS)
    const { path } = await ask(here, there, '/sign-in')
    const cookies = (await there.open(path)).headers.getSetCookie()
    const name = to === 'pools' ? 'pools-session=' : 'session='
    const line = cookies.find((each) => each.startsWith(name)) ?? ''
    expect(line).toContain(`Max-Age=${5 * 86_400};`)
    await there.look()
    await there.ask('POST', '/session/sign-out', {})
    expect(await there.look()).toBeNull()
    expect(await here.look()).not.toBeNull()
    await here.ask('POST', '/session/sign-out', {})
    expect(await here.look()).toBeNull()
  })

  test('where the hosts differ, a link of this site says where to ask', async () => {
    await house.close()
    await open({ isSecure: true })
    const here = await house.signedIn(7001, service)
    const there = house.browser(otherService(service))
    expect(locationOf(await there.open('/sign-in')).pathname).toBe('/oauth/authorize')
    const { path } = await ask(here, there, `/sign-in?from=${service}&return=%2Faccount`)
    expect((await there.open(path)).headers.get('location')).toBe('/account')
    expect(await there.look()).toMatchObject({ gameId: 7001 })
    const again = await there.open(`/sign-in?from=${service}&return=%2Faccount`)
    expect(again.headers.get('location')).toBe('/account')
  })
})

describe('the platform is next', () => {
  const leadsToPlatform = async (there: Browser, path: string) => {
    const reply = await there.open(path)
    expect(reply.status).toBe(302)
    expect(locationOf(reply).pathname).toBe('/oauth/authorize')
    return reply
  }

  test('where nobody was signed in on the other site, at once', async () => {
    await leadsToPlatform(house.browser('pools'), '/sign-in')
  })

  test('where the other site does not know the browser any more, and it ends well there', async () => {
    const { here, there } = await comeFrom('packs')
    here.cookies.delete('session')
    const { back, path } = await ask(here, there)
    expect(back.searchParams.has('code')).toBe(false)
    const reply = await leadsToPlatform(there, path)
    const ended = await there.open(await house.agree(reply.headers.get('location') ?? '', 7002))
    expect(ended.headers.get('location')).toBe('/account')
    expect(await there.look()).toMatchObject({ gameId: 7002 })
  })

  test('where the other site has not answered: it may be down', async () => {
    const { here, there } = await comeFrom('packs')
    expect(isThere('packs', await there.open('/sign-in'))).toBe(true)
    house.clock.advance(SECOND_MS)
    // A second press of the same impatient reader.
    expect(isThere('packs', await there.open('/sign-in'))).toBe(true)
    house.clock.advance(5 * SECOND_MS)
    await leadsToPlatform(there, '/sign-in')
    expect(await here.look()).not.toBeNull()
  })

  test('after signing out here, for an hour: another player may want to sign in', async () => {
    const { here, there } = await comeFrom('packs')
    const { path } = await ask(here, there)
    await there.open(path)
    await there.look()
    await there.ask('POST', '/session/sign-out', {})
    await leadsToPlatform(there, '/sign-in?from=packs')
    for (const name of there.cookies.keys()) {
      if (name.endsWith('signed-out')) there.cookies.delete(name)
    }
    expect(isThere('packs', await there.open('/sign-in'))).toBe(true)
  })

  test('for somebody who is signed in here, and wants to be somebody else', async () => {
    const { here, there } = await comeFrom('packs')
    const { path } = await ask(here, there)
    await there.open(path)
    await leadsToPlatform(there, '/sign-in')
  })

  test('where there is no other site, which then answers nothing', async () => {
    const alone = await openSiteHouse({ isAlone: true })
    const here = await alone.signedIn(7001)
    const there = here.at(alone.urls.pools)
    for (const path of ['/sign-in', '/sign-in?from=packs']) await leadsToPlatform(there, path)
    const reply = await here.open(`/sign-in/hand-over?state=${'A'.repeat(43)}`)
    expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
    await alone.close()
  })
})

/** What may go wrong between the code and its return; whatever it is, nobody is signed in. */
const faults: Readonly<Record<string, (at: Fault) => unknown>> = {
  'the code is made up': ({ back }) => back.searchParams.set('code', 'A'.repeat(43)),
  'the code is cut short': ({ back }) =>
    back.searchParams.set('code', (back.searchParams.get('code') ?? '').slice(0, -1)),
  'the code is left out': ({ back }) => back.searchParams.delete('code'),
  'the code is there twice': ({ back }) =>
    back.searchParams.append('code', back.searchParams.get('code') ?? ''),
  'the state is another': ({ back }) => back.searchParams.set('state', 'A'.repeat(43)),
  'the state is left out': ({ back }) => back.searchParams.delete('state'),
  'it is 30 seconds old': () => house.clock.advance(30 * SECOND_MS + 1),
  'the clock went back': () => house.clock.advance(-30 * SECOND_MS - 1),
  'the session has ended': ({ here }) => here.ask('POST', '/session/sign-out', {}),
  'the session has ended everywhere': ({ here }) =>
    here.ask('POST', '/session/sign-out', { everywhere: true }),
  'the account is gone': async ({ here }) => {
    const viewer = await findViewer(house.ports, 'packs', here.cookies.get('session') ?? '')
    await deleteAccount(house.ports, viewer!, 'Peridot')
  },
  'the player was suspended': () =>
    house.ports.suspensions.suspend(7001, {
      moderatorId: null,
      action: 'suspend',
      at: house.clock.now(),
      reason: 'Spam.',
    }),
  'another browser brings it': ({ there }) => there.cookies.clear(),
  'another browser brings it, which has begun a sign-in itself': async ({ there }) => {
    there.cookies.clear()
    there.cookies.set('signed-in-packs', '1')
    await there.open('/sign-in')
  },
  'another browser brings it, which knows all of the address': ({ there, back }) => {
    const state = back.searchParams.get('state') ?? ''
    for (const [name, value] of there.cookies) {
      if (!name.startsWith('pools-sign-in-')) continue
      there.cookies.set(name, value.replace(/^[^.]+/, state))
    }
  },
  'it comes back by the way from the platform': ({ back }) => {
    back.pathname = '/sign-in/callback'
  },
  'another browser brings the code with a state of its own': async ({ there, back }) => {
    there.cookies.clear()
    there.cookies.set('signed-in-packs', '1')
    const asked = locationOf(await there.open('/sign-in'))
    back.searchParams.set('state', asked.searchParams.get('state') ?? '')
  },
  'the code is brought to the site that made it, by the browser that asked there': async ({
    here,
    back,
  }) => {
    const session = here.cookies.get('session') ?? ''
    here.cookies.delete('session')
    here.cookies.set('signed-in-pools', '1')
    const asked = locationOf(await here.open('/sign-in'))
    here.cookies.set('session', session)
    const made = locationOf(await here.open(`/sign-in/hand-over${asked.search}`))
    here.cookies.delete('session')
    back.search = made.search
    back.host = new URL(house.urls.packs).host
  },
  'it has been redeemed': async ({ there, back }) => {
    const kept = new Map(there.cookies)
    await there.open(back.pathname + back.search)
    there.cookies.clear()
    for (const [name, value] of kept) there.cookies.set(name, value)
  },
}
type Fault = { readonly here: Browser; readonly there: Browser; readonly back: URL }

describe('nobody is signed in, and the code is worth nothing, when', () => {
  test.each(Object.entries(faults))('%s', async (_what, spoil) => {
    const { here, there } = await comeFrom('packs')
    const { back, path } = await ask(here, there)
    await spoil({ here, there, back })
    const site = back.port === new URL(house.urls.packs).port ? here : there
    const reply = await site.open(back.pathname + back.search)
    const isToPlatform = locationOf(reply).pathname === '/oauth/authorize'
    expect(isToPlatform || [400, 403].includes(reply.status)).toBe(true)
    expect(reply.text).not.toContain(back.searchParams.get('code') ?? 'no code')
    for (const cookie of reply.headers.getSetCookie()) {
      expect(cookie).not.toMatch(/session=[^;]/)
    }
    expect(await site.look()).toBeNull()
    // What was not used up by then is bound to the browser that began.
    const thief = house.browser('pools')
    await thief.open(path)
    expect(await thief.look()).toBeNull()
  })

  test.each([
    ['has begun nothing', () => {}],
    [
      'has begun a sign-in of its own',
      async (other: Browser) => {
        other.cookies.set('signed-in-packs', '1')
        await other.open('/sign-in')
      },
    ],
  ])(
    'it was brought by another browser, which %s, also to the one that began',
    async (_, begin) => {
      const { here, there } = await comeFrom('packs')
      const { path } = await ask(here, there)
      const other = house.browser('pools')
      await begin(other)
      expect((await other.open(path)).status).toBe(400)
      await there.open(path)
      expect(await there.look()).toBeNull()
      expect(await other.look()).toBeNull()
      // Nothing else has become of it.
      await there.open((await ask(here, there)).path)
      expect(await there.look()).toMatchObject({ gameId: 7001 })
    },
  )

  test('a suspended player is told why', async () => {
    const { here, there } = await comeFrom('packs')
    const { path } = await ask(here, there)
    await faults['the player was suspended']!({ here, there, back: new URL('http://none.test') })
    // Ended with the account's sessions: the platform says who it is, and the site why not.
    const begun = await there.open(path)
    const ended = await there.open(await house.agree(begun.headers.get('location') ?? '', 7001))
    expect(ended.status).toBe(403)
    expect(ended.text).toContain('Spam.')
  })

  test('many bring it at the same time, to two processes: one gets a session', async () => {
    const { here, there } = await comeFrom('packs')
    const { path } = await ask(here, there)
    const { url } = await house.another()
    const all = Array.from({ length: 8 }, (_, at) => {
      const browser = there.another().at(at % 2 === 0 ? house.urls.pools : url)
      for (const [name, value] of there.cookies) browser.cookies.set(name, value)
      return browser
    })
    await Promise.all(all.map((browser) => browser.open(path)))
    const viewers = await Promise.all(all.map((browser) => browser.look()))
    expect(viewers.filter((viewer) => viewer !== null)).toHaveLength(1)
  })
})

describe('what a page of somebody else can do', () => {
  test('nothing of it is loaded ahead of a press, or into a page', async () => {
    const { here, there } = await comeFrom('packs')
    const { asked, path } = await ask(here, there)
    const ways: Record<string, string>[] = [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-dest': 'image' },
      { 'sec-fetch-dest': 'empty' },
    ]
    for (const headers of ways) {
      for (const [browser, target] of [
        [there, '/sign-in'],
        [here, asked.pathname + asked.search],
        [there, path],
      ] as const) {
        const reply = await browser.send('GET', target, { headers })
        expect(reply.status, JSON.stringify(headers)).toBe(403)
        expect(reply.headers.getSetCookie()).toEqual([])
      }
    }
    for (const [browser, target] of [
      [here, asked.pathname + asked.search],
      [there, path],
    ] as const) {
      for (const method of ['HEAD', 'POST']) {
        expect((await browser.send(method, target)).status, method).toBe(405)
      }
    }
    // After all that, the press of the reader counts.
    expect((await there.open(path)).headers.get('location')).toBe('/account')
  })

  test('the browser is sent to the two sites alone, whatever an address asks for', async () => {
    const { here, there } = await comeFrom('packs')
    const ends = [
      '//evil.test',
      '/\\evil.test',
      '/%2f%2fevil.test',
      'https://evil.test',
      '/sign-in',
    ]
    for (const end of ends) {
      const query = new URLSearchParams({
        from: 'packs',
        return: end,
        to: end,
        host: end,
      }).toString()
      const asked = locationOf(await there.open(`/sign-in?${query}`))
      expect(asked.origin, end).toBe(house.urls.packs)
      const more = `${asked.pathname}${asked.search}&${query}`
      const back = locationOf(await here.open(more))
      expect(back.origin, end).toBe(house.urls.pools)
      const ended = await there.open(back.pathname + back.search)
      expect(ended.headers.get('location'), end).toBe('/')
      for (const name of ['pools-session', 'signed-in-pools']) there.cookies.delete(name)
    }
  })

  test('a state that is none is not answered', async () => {
    const { here } = await comeFrom('packs')
    for (const query of [
      '',
      '?state=',
      '?state=x',
      `?state=${'A'.repeat(44)}`,
      '?state=A&state=B',
    ]) {
      const reply = await here.open(`/sign-in/hand-over${query}`)
      expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
    }
  })

  test('no response is stored, or names the code to the next page', async () => {
    const { here, there } = await comeFrom('packs')
    const { answered, path } = await ask(here, there)
    for (const reply of [answered, await there.open(path)]) {
      expect(reply.headers.get('cache-control')).toBe('private, no-store')
      expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
      expect(reply.text).toBe('')
    }
  })
})
