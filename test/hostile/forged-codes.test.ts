import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  FAILED_CODES_PER_ADDRESS,
  FAILED_CODES_PER_NETWORK,
  FAILED_CODES_WINDOW_MS,
} from '../../src/contract/quotas.ts'
import type { DoorPorts } from '../../src/door/context.ts'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import type { Reply } from '../support/door.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

// Codes of one's own making beside people who sign in (D-91). All of them come from this machine, so that a proxy says
// from which address; time is a hand-set clock's.
let house: SiteHouse

beforeEach(async () => {
  house = await openSiteHouse({ trustedProxies: ['127.0.0.1'] })
})
afterEach(() => house.close())

const FORGER = '198.51.100.66'
const MINUTE_MS = 60_000

const open = (browser: Browser, address: string, path: string): Promise<Reply> =>
  browser.send('GET', path, { headers: { accept: 'text/html', 'x-forwarded-for': address } })

/** Begins to sign in; gives the state, which the browser has in a cookie. */
const begin = async (browser: Browser, address: string): Promise<string> => {
  const begun = await open(browser, address, '/sign-in')
  return new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
}

/** Comes back from the platform with a code of its own making, and keeps the cookie for the next. */
const createForger = (service: ServiceName = 'packs') => {
  const browser = house.browser(service)
  let kept = new Map<string, string>()
  let made = 0
  return {
    begin: async (address: string) => {
      const state = await begin(browser, address)
      kept = new Map(browser.cookies)
      return state
    },
    forge: async (address: string, state: string): Promise<Reply> => {
      made += 1
      const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ')
      const path = `/sign-in/callback?code=def50200${made}&state=${state}`
      const headers = { accept: 'text/html', 'x-forwarded-for': address, cookie }
      return house.browser(service).send('GET', path, { headers })
    },
  }
}

/** Signs in as people do, up to the answer that they come back to. */
const comeBack = async (address: string, gameId: number): Promise<Reply> => {
  const browser = house.browser()
  const begun = await open(browser, address, '/sign-in')
  const back = await house.agree(begun.headers.get('location') ?? '', gameId)
  return open(browser, address, back)
}

/** Whether the one who signs in is signed in. */
const signIn = async (address: string, gameId: number): Promise<boolean> =>
  (await comeBack(address, gameId)).status === 302

type CallReport = {
  readonly token: number
  readonly calls: ReadonlyArray<{ readonly kind: string; readonly status: number }>
}

const callsOfPlatform = async (): Promise<CallReport> =>
  (await fetch(`${house.platformUrl}/standin/calls`)).json() as Promise<CallReport>

const count = (report: CallReport, kind: string, status: number): number =>
  report.calls.filter((call) => call.kind === kind && call.status === status).length

describe('GET /sign-in/callback: forged codes beside people who sign in (D-91)', () => {
  type Flood = {
    readonly minutes: number
    /** Forged codes and people in each minute, mixed. */
    readonly forged: number
    readonly people: number
    readonly addressOf: (at: number) => string
  }

  const flood = async ({ minutes, forged, people, addressOf }: Flood) => {
    const forger = createForger()
    const statuses: number[] = []
    const shares: number[] = []
    for (let minute = 0; minute < minutes; minute += 1) {
      const state = await forger.begin(`203.0.113.${minute}`)
      const replies: Promise<Reply>[] = []
      const arrivals: Promise<boolean>[] = []
      for (let at = 0; at < forged; at += 1) {
        replies.push(forger.forge(addressOf(minute * forged + at), state))
        if (arrivals.length * forged <= at * people) {
          arrivals.push(signIn(`192.0.2.${arrivals.length}`, 7001 + (at % 3)))
        }
      }
      statuses.push(...(await Promise.all(replies)).map(({ status }) => status))
      const signedIn = (await Promise.all(arrivals)).filter((isIn) => isIn)
      expect(arrivals).toHaveLength(people)
      shares.push(signedIn.length / people)
      house.clock.advance(MINUTE_MS)
    }
    return { statuses, worstShare: Math.min(...shares), report: await callsOfPlatform() }
  }

  test('1,000 from one address in ten minutes: 20 reach the platform, and in each minute 95 % of the others sign in at once', async () => {
    const minutes = { minutes: 10, forged: 100, people: 18 }
    const { statuses, worstShare, report } = await flood({ ...minutes, addressOf: () => FORGER })
    expect(statuses).toHaveLength(1_000)
    expect(worstShare).toBeGreaterThanOrEqual(0.95)
    const tried = count(report, 'token', 400)
    expect(tried).toBe(statuses.filter((status) => status === 400).length)
    expect(tried).toBe(FAILED_CODES_PER_ADDRESS)
    // Nobody who sends them is told that the platform, or the others, are at fault.
    expect(new Set(statuses)).toEqual(new Set([400, 429]))
    expect(report.calls.filter(({ status }) => status === 429)).toEqual([])
  })

  test('from as many networks of one /48 of IPv6', async () => {
    const { worstShare, report } = await flood({
      minutes: 4,
      forged: 100,
      people: 12,
      addressOf: (at) => `2001:db8:1:${at.toString(16)}::1`,
    })
    expect(worstShare).toBeGreaterThanOrEqual(0.95)
    expect(count(report, 'token', 400)).toBeLessThanOrEqual(FAILED_CODES_PER_NETWORK)
  })
})

describe('1,000 forged codes a minute from 50 addresses beside people (D-56, D-91)', () => {
  type Player = { readonly browser: Browser; readonly address: string; readonly gameId: number }

  /** Begins and agrees; returns the path that the platform sends the browser to. */
  const agreeAs = async ({ browser, address, gameId }: Player): Promise<string> => {
    const begun = await open(browser, address, '/sign-in')
    return house.agree(begun.headers.get('location') ?? '', gameId)
  }

  test('of those who have signed in here before, 9 of 10 do after at most one retry of the page', async () => {
    await house.close()
    // The stand-in has few players: whoever signs in for the first time is another one at each address.
    const asMany = ({ platform, ...ports }: DoorPorts): DoorPorts => ({
      ...ports,
      platform: {
        ...platform,
        readPlayer: async (...what) => {
          const player = await platform.readPlayer(...what)
          const [, , caller = ''] = what
          if (player === null || player === 'disabled' || !caller.includes('.')) return player
          return { ...player, gameId: 8000 + Number(caller.split('.').at(-1)), username: caller }
        },
      },
    })
    house = await openSiteHouse({ trustedProxies: ['127.0.0.1'], withPorts: asMany })
    const players = Array.from({ length: 25 }, (_, at): Player => ({
      browser: house.browser(),
      address: `192.0.2.${at}`,
      gameId: 7001,
    }))
    for (const player of players) {
      const reply = await open(player.browser, player.address, await agreeAs(player))
      expect(reply.status).toBe(302)
      player.browser.cookies.delete('session')
      house.clock.advance(5_000)
    }
    house.clock.advance(FAILED_CODES_WINDOW_MS - (house.clock.now() % FAILED_CODES_WINDOW_MS))

    const forgers = [createForger('packs'), createForger('pools')]
    const states = await Promise.all(forgers.map(({ begin }) => begin('203.0.113.1')))
    const ends: number[] = []
    const again = new Map<number, (() => Promise<void>)[]>()
    let forged = 0
    for (let second = 0; second < 130; second += 1) {
      const forging = Array.from({ length: second < 120 ? 17 : 0 }, () => {
        forged += 1
        const at = forged % 50
        return forgers[at % 2]!.forge(`198.51.${at}.7`, states[at % 2]!)
      })
      const player = second % 2 === 0 ? players[second / 2] : undefined
      const come = async () => {
        const path = await agreeAs(player!)
        const reply = await open(player!.browser, player!.address, path)
        if (reply.status === 302) {
          ends.push(0)
          return
        }
        const due = second + Number(reply.headers.get('refresh'))
        const comeAgain = async () => {
          if ((await open(player!.browser, player!.address, path)).status === 302) ends.push(1)
        }
        again.set(due, [...(again.get(due) ?? []), comeAgain])
      }
      await Promise.all([
        ...forging,
        ...(player === undefined ? [] : [come()]),
        ...(again.get(second) ?? []).map((run) => run()),
      ])
      house.clock.advance(1_000)
    }
    expect(forged).toBeGreaterThanOrEqual(2_000)
    expect(ends.length).toBeGreaterThanOrEqual(23)
    expect(house.callBudget.busiestMinute()).toBeLessThanOrEqual(50)
  })

  test('a browser in which a code was refused is as new as any other until the ten minutes are over', async () => {
    const player = { browser: house.browser(), address: '192.0.2.1', gameId: 7001 }
    expect((await open(player.browser, player.address, await agreeAs(player))).status).toBe(302)
    const callers = () => house.callBudget.taken.map(({ caller }) => caller)
    expect(callers().at(-1)).toBe('sign-in 192.0.2.1')
    expect((await open(player.browser, player.address, await agreeAs(player))).status).toBe(302)
    expect(callers().at(-1)).toMatch(/^sign-in known [\w-]{22}$/)
    const state = await begin(player.browser, player.address)
    const forged = `/sign-in/callback?code=def50200&state=${state}`
    expect((await open(player.browser, player.address, forged)).status).toBe(400)
    expect(callers().at(-1)).toMatch(/^sign-in refused known /)
    house.clock.advance(MINUTE_MS)
    expect((await open(player.browser, player.address, await agreeAs(player))).status).toBe(302)
    expect(callers().at(-1)).toBe('sign-in 192.0.2.1')
    house.clock.advance(FAILED_CODES_WINDOW_MS)
    expect((await open(player.browser, player.address, await agreeAs(player))).status).toBe(302)
    expect(callers().at(-1)).toMatch(/^sign-in known /)
  })

  test('a cookie that this service has not signed is none', async () => {
    const player = { browser: house.browser(), address: '192.0.2.1', gameId: 7001 }
    await open(player.browser, player.address, await agreeAs(player))
    const cookie = player.browser.cookies.get('known-browser') ?? ''
    const [known = '', signature = ''] = cookie.split('.')
    for (const forged of [
      `${known}x.${signature}`,
      `.${signature}`,
      known,
      `${known}.`,
      '.',
      `${known}.${signature}x`,
    ]) {
      player.browser.cookies.set('known-browser', forged)
      expect((await open(player.browser, player.address, await agreeAs(player))).status).toBe(302)
      expect(house.callBudget.taken.at(-1)?.caller).toBe('sign-in 192.0.2.1')
    }
  })
})

test('one /64 of IPv6, at once and on both sites, is one address: 20 of its codes reach the platform (D-91)', async () => {
  const begun = house.clock.now()
  house.clock.advance(FAILED_CODES_WINDOW_MS - (begun % FAILED_CODES_WINDOW_MS))
  const forgers = [createForger('packs'), createForger('pools')]
  const statuses: number[] = []
  for (let minute = 0; minute < 8; minute += 1) {
    const states = await Promise.all(forgers.map(({ begin }) => begin(`203.0.113.${minute}`)))
    const replies = Array.from({ length: 30 }, async (_, at) => {
      const address = `2001:db8:7:7:${minute}:${at.toString(16)}::1`
      return forgers[at % 2]!.forge(address, states[at % 2]!)
    })
    statuses.push(...(await Promise.all(replies)).map(({ status }) => status))
    house.clock.advance(MINUTE_MS)
  }
  expect(count(await callsOfPlatform(), 'token', 400)).toBe(FAILED_CODES_PER_ADDRESS)
  expect(statuses.filter((status) => status === 400)).toHaveLength(FAILED_CODES_PER_ADDRESS)
  expect(new Set(statuses)).toEqual(new Set([400, 429]))
  expect((await open(house.browser(), '2001:db8:7:7:ffff::1', '/sign-in')).status).toBe(429)
  expect((await open(house.browser('pools'), '2001:db8:7:7::', '/sign-in')).status).toBe(429)
  expect((await open(house.browser(), '2001:db8:7:8::1', '/sign-in')).status).toBe(302)
})

test('people sign in beside forged codes while everything else pauses (D-92)', async () => {
  const failure = { call: 'GET /', trouble: 'throttled', reason: '429' } as const
  const forger = createForger()
  for (let minute = 0; minute < 3; minute += 1) {
    await house.callBudget.fail(failure, house.clock.now(), { calls: 'all', askedUntil: null })
    const state = await forger.begin(`203.0.113.${minute}`)
    const forged = Array.from({ length: 60 }, () => forger.forge(FORGER, state))
    const people = Array.from({ length: 12 }, (_, at) => signIn(`192.0.2.${at}`, 7001 + (at % 3)))
    expect(await Promise.all(people)).toEqual(Array.from({ length: 12 }, () => true))
    await Promise.all(forged)
    expect((await house.callBudget.take('background', house.clock.now())).granted).toBe(false)
    house.clock.advance(MINUTE_MS)
    // The probe of this minute finds nothing better.
    await house.callBudget.take('background', house.clock.now())
  }
})

describe('one address that signs in again and again, beside people who sign in (D-56)', () => {
  test.each([
    ['good codes of one account', 7001],
    ['codes of a restricted player', 7004],
  ])('%s: in each minute all others sign in at once', async (_what, gameId) => {
    for (let minute = 0; minute < 3; minute += 1) {
      const mine: Promise<Reply>[] = []
      const others: Promise<boolean>[] = []
      for (let at = 0; at < 40; at += 1) {
        mine.push(comeBack(FORGER, gameId))
        if (at % 4 === 3) others.push(signIn(`192.0.2.${at}`, 7001 + (at % 3)))
      }
      expect(new Set(await Promise.all(others))).toEqual(new Set([true]))
      const statuses = (await Promise.all(mine)).map(({ status }) => status)
      const own = gameId === 7001 ? 302 : 403
      expect(statuses).toContain(own)
      expect([own, 429, 503]).toEqual(expect.arrayContaining([...new Set(statuses)]))
      house.clock.advance(MINUTE_MS)
    }
  })
})

describe('an address whose codes were refused (D-91)', () => {
  /** Forges codes, minute by minute, until the address is refused. */
  const forgeUntilRefused = async (services: readonly ServiceName[], address: string) => {
    const forgers = services.map((service) => createForger(service))
    let refused = 0
    for (let round = 0; round < 100; round += 1) {
      for (const forger of forgers) {
        const state = await forger.begin('203.0.113.1')
        const reply = await forger.forge(address, state)
        if (reply.status === 400) refused += 1
        else if (refused === FAILED_CODES_PER_ADDRESS) return { refused, reply }
        else {
          // It waits for the calls that are left to others.
          expect(reply.status).toBe(429)
          expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(60)
          house.clock.advance(MINUTE_MS)
        }
      }
    }
    throw new Error('the address was never refused')
  }

  /** To the next ten minutes of the clock. */
  const nextWindow = (): void => {
    const now = house.clock.now()
    house.clock.advance(FAILED_CODES_WINDOW_MS - (now % FAILED_CODES_WINDOW_MS))
  }

  test('gets 429 with the seconds to the next ten minutes, at both ends of the sign-in and on both sites', async () => {
    nextWindow()
    const { refused, reply } = await forgeUntilRefused(['packs', 'pools'], FORGER)
    expect(refused).toBe(FAILED_CODES_PER_ADDRESS)
    const windowMs = FAILED_CODES_WINDOW_MS - (house.clock.now() % FAILED_CODES_WINDOW_MS)
    for (const each of [
      reply,
      await open(house.browser(), FORGER, '/sign-in'),
      await open(house.browser('pools'), FORGER, '/sign-in'),
    ]) {
      expect(each.status).toBe(429)
      expect(each.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(each.headers.get('retry-after')).toBe(String(Math.ceil(windowMs / 1000)))
      expect(each.text).toMatch(/Too many failed sign-ins/)
    }
    expect((await open(house.browser(), '192.0.2.9', '/sign-in')).status).toBe(302)
    nextWindow()
    expect(await signIn(FORGER, 7001)).toBe(true)
  })

  test('after the wait the same page signs in: neither its code nor its state was used up', async () => {
    nextWindow()
    house.clock.advance(FAILED_CODES_WINDOW_MS - 5 * MINUTE_MS)
    const browser = house.browser()
    const begun = await open(browser, FORGER, '/sign-in')
    const back = await house.agree(begun.headers.get('location') ?? '', 7001)
    await forgeUntilRefused(['packs'], FORGER)
    expect((await open(browser, FORGER, back)).status).toBe(429)
    nextWindow()
    expect((await open(browser, FORGER, back)).status).toBe(302)
  })

  test('codes that are good never count, however many', async () => {
    for (let time = 0; time < 3 * FAILED_CODES_PER_ADDRESS; time += 1) {
      expect(await signIn(FORGER, 7001)).toBe(true)
      if (time % 10 === 9) house.clock.advance(MINUTE_MS)
    }
  })
})

describe('a code without this browser’s own state (spec 5)', () => {
  test.each([
    ['no cookie', ({ state }: Begun) => ({ cookie: '', state })],
    ['no state', ({ cookie }: Begun) => ({ cookie, state: '' })],
    ['another state', ({ cookie, other }: Begun) => ({ cookie, state: other })],
    [
      'another state under the name of its cookie',
      ({ cookie, state, other }: Begun) => ({
        cookie: cookie.replace(/=[^.]+/, `=${other}`),
        state,
      }),
    ],
    ['a state cut short', ({ cookie, state }: Begun) => ({ cookie, state: state.slice(1) })],
    [
      'the state twice',
      ({ cookie, state }: Begun) => ({ cookie, state: `${state}&state=${state}` }),
    ],
    [
      'an empty cookie',
      ({ cookie, state }: Begun) => ({ cookie: `${cookie.split('=')[0]}=`, state }),
    ],
    [
      'a cookie of the distant past',
      ({ cookie, state }: Begun) => ({
        cookie: cookie.replace(/\.[^.]*\./, '.1.'),
        state,
      }),
    ],
  ])('%s: 400, nobody is charged, and the platform is not asked', async (_what, change) => {
    const browser = house.browser()
    const state = await begin(browser, FORGER)
    const other = await begin(house.browser(), FORGER)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (let time = 0; time < 2 * FAILED_CODES_PER_ADDRESS; time += 1) {
      const sent = change({ cookie, state, other })
      const headers = { accept: 'text/html', 'x-forwarded-for': FORGER, cookie: sent.cookie }
      const path = `/sign-in/callback?code=abc&state=${sent.state}`
      expect((await house.browser().send('GET', path, { headers })).status).toBe(400)
    }
    expect((await callsOfPlatform()).calls).toEqual([])
    expect(await signIn(FORGER, 7001)).toBe(true)
  })

  type Begun = { readonly cookie: string; readonly state: string; readonly other: string }
})
