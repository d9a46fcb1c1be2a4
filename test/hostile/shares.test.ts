import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { siteCosts } from '../../src/contract/quotas.ts'
import { requesterOf } from '../../src/domain/quotas.ts'
import type { Session } from '../../src/domain/sessions.ts'
import { SerialFlight, SingleFlight } from '../../src/domain/loading.ts'
import { lookAtBeatmaps } from '../../src/operations/beatmap-look.ts'
import { RecentFailures } from '../../src/operations/beatmaps.ts'
import { createStatsRun } from '../../src/worker/stats.ts'
import type { Browser } from '../support/browser.ts'
import { quotaOf, type Reply } from '../support/door.ts'
import { aPack } from '../support/samples.ts'
import { expectSiteError } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { slotsOf } from '../support/stats-rig.ts'

// One visitor at full speed against everybody else (D-56). All of them come from this machine, so
// that a proxy says from which address; time is a hand-set clock's, and what counts is calls.
let house: SiteHouse

beforeEach(async () => {
  house = await openSiteHouse({ trustedProxies: ['127.0.0.1'] })
})
afterEach(() => house.close())

const HOG = '198.51.100.66'
const many = <T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)))

const from = (address: string, browser: Browser = house.browser()) => ({
  ask: (method: string, path: string, body?: unknown): Promise<Reply> =>
    browser.ask(method, path, body, { 'x-forwarded-for': address }),
  open: (path: string, headers: Record<string, string> = {}): Promise<Reply> =>
    browser.send('GET', path, {
      headers: { accept: 'text/html', 'x-forwarded-for': address, ...headers },
    }),
})

let nextId = 1
/** So many beatmaps that nobody has asked for before. */
const newBeatmaps = (count: number) => ({
  beatmaps: Array.from({ length: count }, () => ({ id: nextId++, mods: [] })),
})
const look = (address: string, count: number): Promise<Reply> =>
  from(address).ask('POST', '/session/beatmaps', newBeatmaps(count))

/** The hog asks for 64 new beatmaps, 40 times at once. */
const hogAsks = (): Promise<Reply[]> => many(40, () => look(HOG, 64))

describe('one anonymous visitor at full speed (D-56)', () => {
  it('every other visitor’s ten beatmaps are there in the first answer', async () => {
    for (let minute = 0; minute < 2; minute += 1) {
      const before = await hogAsks()
      for (let visitor = 0; visitor < 8; visitor += 1) {
        const address = visitor % 2 === 0 ? `203.0.113.${visitor}` : `2001:db8:0:${visitor}::1`
        const { status, json } = await look(address, 10)
        expect([status, json.retryAfter]).toEqual([200, null])
        if (visitor % 4 === 0) await hogAsks()
      }
      const known = before.filter(({ json }) => json.retryAfter === null).length
      expect(known).toBeLessThanOrEqual(3)
      house.clock.advance(60_000)
    }
  })

  it('an IPv6 network of one /64 is one visitor', async () => {
    for (let host = 1; host <= 40; host += 1) await look(`2001:db8:1:2::${host.toString(16)}`, 50)
    const { json } = await look('2001:db8:1:3::1', 10)
    expect(json.retryAfter).toBeNull()
  })

  it('the signed in keep calls of their own though a crowd of addresses asks', async () => {
    const ada = await house.signedIn(7001)
    for (let stranger = 1; stranger <= 60; stranger += 1) await look(`192.0.2.${stranger}`, 50)
    const { json } = await from('192.0.2.1', ada).ask('POST', '/session/beatmaps', newBeatmaps(10))
    expect(json.retryAfter).toBeNull()
  })

  it('an address adds 640 beatmaps to the cache in an hour, all strangers 6,400; accounts go on', async () => {
    const added = async (): Promise<number> => {
      const ids = Array.from({ length: nextId - 1 }, (_, at) => at + 1)
      return (await house.ports.beatmapCache.readBeatmaps(ids)).size
    }
    for (let minute = 0; minute < 20; minute += 1) {
      await look(HOG, 50)
      await look(HOG, 50)
      house.clock.advance(60_000)
    }
    const ofOne = await added()
    expect(ofOne).toBeGreaterThanOrEqual(640)
    expect(ofOne).toBeLessThan(640 + 50)
    const refused = await look(HOG, 5)
    expect(refused.json.beatmaps[0].state).toBe('pending')
    expect(refused.json.retryAfter).toBeGreaterThan(60)
    expect(refused.json.retryAfter).toBeLessThanOrEqual(3600)

    for (let stranger = 0; stranger < 140; stranger += 1) {
      await look(`192.0.2.${stranger}`, 50)
      if (stranger % 8 === 0) house.clock.advance(60_000)
    }
    const ofAll = await added()
    expect(ofAll).toBeLessThan(2 * (6400 + 50))
    const ada = await house.signedIn(7001)
    const { json } = await ada.ask('POST', '/session/beatmaps', newBeatmaps(10))
    expect(json.retryAfter).toBeNull()
  })
})

describe('signing in under load (D-56)', () => {
  /** Signs in from a browser of its own; reloads as the page says, with the clock moved on. */
  const signIn = async (): Promise<{ reply: Reply; reloads: number }> => {
    const browser = house.browser()
    const begun = await browser.open('/sign-in')
    const path = await house.agree(begun.headers.get('location') ?? '', 7001)
    let reply = await browser.open(path)
    let reloads = 0
    while (reply.status === 503 && reloads < 5) {
      const wait = Number(reply.headers.get('refresh'))
      expect(reply.headers.get('retry-after')).toBe(String(wait))
      expect(wait).toBeGreaterThanOrEqual(1)
      expect(wait).toBeLessThanOrEqual(60)
      house.clock.advance(wait * 1000)
      reply = await browser.open(path)
      reloads += 1
    }
    return { reply, reloads }
  }

  it('50 of 50 sign-ins succeed while one visitor asks at full speed and an account saves DT packs', async () => {
    const owner = await house.signedIn(7002)
    const log = { warn: () => {}, error: () => {} }
    const turn = createStatsRun({ ...house.ports, platform: house.platform }, log)
    const others: Reply[] = []
    let ended = 0
    for (let minute = 0; minute < 7; minute += 1) {
      for (let pack = 0; pack < 2; pack += 1) {
        await house.save(owner, aPack({ slots: slotsOf('DT', 30, 10_000_000 * (minute + 1)) }))
      }
      await hogAsks()
      for (let round = 0; round < 12; round += 1) await turn()
      for (let each = 0; each < 8 && ended < 50; each += 1) {
        const { reply, reloads } = await signIn()
        expect([reply.status, reloads]).toEqual([302, 0])
        ended += 1
      }
      others.push(await look(`203.0.113.${minute}`, 10))
      house.clock.advance(60_000)
    }
    expect(ended).toBe(50)
    expect(others.map(({ json }) => json.retryAfter)).toEqual(others.map(() => null))
  })

  it('more at once than there are calls: each is told when the page tries again, and gets in', async () => {
    await hogAsks()
    const waits: number[] = []
    for (let each = 0; each < 40; each += 1) {
      const { reply, reloads } = await signIn()
      expect(reply.status).toBe(302)
      waits.push(reloads)
    }
    expect(waits.filter((reloads) => reloads > 0).length).toBeGreaterThan(0)
    expect(Math.max(...waits)).toBeLessThanOrEqual(1)
  })
})

describe('D-56: what the site serves has shares', () => {
  const exhaust = async (address: string): Promise<void> => {
    const now = house.clock.now()
    const share = { kind: 'site', service: 'packs', name: requesterOf(null, address) } as const
    while (!house.ports.quotas.spendShare(share, 100, 1200, now).isRefused);
  }

  it('pages: 429 in plain HTML with the seconds to wait; others go on, and so does the next minute', async () => {
    await exhaust(HOG)
    for (const path of ['/', '/packs', '/p/AAAAAAAAAA', '/nothing/here', '/sign-in']) {
      const reply = await from(HOG).open(path, { accept: 'text/html' })
      expect([path, reply.status]).toEqual([path, 429])
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const wait = reply.headers.get('retry-after')
      expect(Number(wait)).toBe(quotaOf(reply).reset)
      expect(reply.text).toContain(`Wait ${wait} seconds`)
      expect((await from('203.0.113.1').open(path)).status).not.toBe(429)
    }
    house.clock.nextMinute()
    expect((await from(HOG).open('/')).status).toBe(200)
  })

  it('session calls: 429 in the shape of their errors', async () => {
    await exhaust(HOG)
    for (const [method, path, body] of [
      ['GET', '/session', undefined],
      ['GET', '/session/packs', undefined],
      ['POST', '/session/beatmaps', newBeatmaps(1)],
    ] as const) {
      const reply = await from(HOG).ask(method, path, body)
      expectSiteError(reply, 'rate_limited', /wait \d+ seconds/)
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    // A picture is no session call: those who ask for it are not told the reason.
    const picture = await from(HOG).ask('GET', '/p/AAAAAAAAAA/preview.png')
    expect(picture.status).toBe(429)
    expect(picture.json).toEqual({
      error: { code: 'rate_limited', message: expect.stringMatching(/wait \d+ seconds/) },
    })
    expect(Number(picture.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('an account has a share of its own, wherever it asks from, and its address keeps its own', async () => {
    await exhaust(HOG)
    const ada = await house.signedIn(7001)
    expect((await from(HOG, ada).ask('GET', '/session/packs')).status).toBe(200)
    const statuses: number[] = []
    for (let each = 0; each < 40; each += 1) {
      statuses.push((await from(`203.0.113.${each}`, ada).ask('GET', '/session/my-data')).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(600 / siteCosts.export)
    expect((await from('203.0.113.1').open('/')).status).toBe(200)
  })

  it('what is not free is not free by a broken session, and a forged request costs no account', async () => {
    const ada = await house.signedIn(7001)
    await exhaust(HOG)
    const broken = { cookie: `session=${'A'.repeat(43)}` }
    expect((await from(HOG).open('/packs', broken)).status).toBe(429)
    const forged = { origin: 'https://evil.example', 'x-forwarded-for': '203.0.113.5' }
    for (let each = 0; each < 700; each += 1) {
      const reply = await ada.ask('POST', '/session/sign-out', {}, forged)
      expect(reply.status).toBe(403)
    }
    expect((await ada.ask('GET', '/session/packs')).status).toBe(200)
  })

  it('the search index, and what pages are made of, cost nothing (spec 2.10)', async () => {
    await house.publishIndex()
    await exhaust(HOG)
    for (const path of ['/packs/index.json', '/favicon.svg', '/robots.txt', '/healthz']) {
      expect((await from(HOG).open(path)).status).not.toBe(429)
    }
  })
})

describe('what is large is built one at a time for an account', () => {
  it('those who wait for the same share one build, begun after they asked', async () => {
    const builds = new SerialFlight()
    const { promise, resolve } = Promise.withResolvers<void>()
    let atOnce = 0
    let most = 0
    let begun = 0
    const build = async () => {
      begun += 1
      atOnce += 1
      most = Math.max(most, atOnce)
      await promise
      atOnce -= 1
      return begun
    }
    const first = builds.run('ada', 'packs 1', build)
    await Promise.resolve()
    const rest = [1, 2, 3].map(() => builds.run('ada', 'packs 1', build))
    const data = builds.run('ada', 'data', build)
    const ben = builds.run('ben', 'packs 1', async () => 'ben')
    expect(await ben).toBe('ben')
    resolve()
    expect(await first).toBe(1)
    expect(new Set(await Promise.all(rest))).toEqual(new Set([2]))
    expect(await data).toBe(3)
    expect([most, begun]).toEqual([1, 3])
    expect(await builds.run('ada', 'packs 1', async () => 'anew')).toBe('anew')
  })

  it('a build that fails holds nobody up', async () => {
    const builds = new SerialFlight()
    const failing = builds.run('ada', 'data', () => Promise.reject(new Error('the disk')))
    const next = builds.run('ada', 'packs 1', async () => 'packs')
    await expect(failing).rejects.toThrow('the disk')
    expect(await next).toBe('packs')
  })

  it('20 requests for one account’s data read it a few times, and none sees less than it saved', async () => {
    const ada = await house.signedIn(7001)
    const waiting = many(10, () => ada.ask('GET', '/session/packs'))
    await house.save(ada, aPack())
    const after = await many(10, () => ada.ask('GET', '/session/packs'))
    expect((await waiting).every(({ status }) => status === 200)).toBe(true)
    expect(after.map(({ json }) => json.total)).toEqual(after.map(() => 1))
  })
})

describe('a shared look-up', () => {
  it('nobody is given the refusal of somebody else who asked for the same', async () => {
    const failures = new RecentFailures()
    const lookUps = new SingleFlight<number>()
    await hogAsks()
    const ask = (address: string) =>
      lookAtBeatmaps(
        { ...house.ports, platform: house.platform },
        {
          viewer: null as Session | null,
          requester: requesterOf(null, address),
          deadline: () => new Promise<void>(() => {}),
          failures,
          lookUps,
        },
        { beatmaps: [{ id: 77_777, mods: [] }] },
      )
    const [, other] = await Promise.all([ask(HOG), ask('203.0.113.1')])
    expect(other.beatmaps[0]?.state).toBe('known')
  })
})
