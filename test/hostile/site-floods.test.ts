import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DoorPorts } from '../../src/door/context.ts'
import { startIndexLoop } from '../../src/worker/search-index.ts'
import type { Browser } from '../support/browser.ts'
import type { Reply } from '../support/door.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { until } from '../support/until.ts'

// What strangers send by the hundred: it is bounded in what it costs, and others are answered meanwhile.
let house: SiteHouse
let stranger: Browser
let asked: string[]

/** Notes each call to a store. */
const noted = <T extends object>(store: T, of: string): T =>
  new Proxy(store, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function') return method
      return (...args: unknown[]): unknown => {
        asked.push(`${of}.${String(name)}`)
        return method.apply(target, args)
      }
    },
  })

const withPorts = (ports: DoorPorts): DoorPorts => ({
  ...ports,
  packs: noted(ports.packs, 'packs'),
  accounts: noted(ports.accounts, 'accounts'),
  sessions: noted(ports.sessions, 'sessions'),
  apiKeys: noted(ports.apiKeys, 'apiKeys'),
  beatmapCache: noted(ports.beatmapCache, 'beatmapCache'),
})

beforeEach(async () => {
  asked = []
  house = await openSiteHouse({ withPorts })
  stranger = house.browser()
})
afterEach(() => house.close())

const many = <T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)))

const statuses = (replies: readonly Reply[]): Set<number> =>
  new Set(replies.map(({ status }) => status))

const calls = async (): Promise<number> => {
  const report = await fetch(`${house.platformUrl}/standin/calls`)
  return ((await report.json()) as { calls: unknown[] }).calls.length
}

/** 64 beatmaps that nobody else asks for. */
const look = (at: number): Promise<Reply> => {
  const beatmaps = Array.from({ length: 64 }, (_, id) => ({ id: 1 + at * 64 + id, mods: [] }))
  return house.browser().ask('POST', '/session/beatmaps', { beatmaps })
}

describe('POST /session/beatmaps: strangers spend their own share of the platform’s calls, and no more', () => {
  test('200 strangers, each with 64 other beatmaps: 30 calls, and work in the background goes on', async () => {
    const replies = await many(200, look)
    expect(statuses(replies)).toEqual(new Set([200]))
    expect(await calls()).toBeLessThanOrEqual(30)
    const late = replies.filter(({ json }) => json.retryAfter !== null)
    expect(late.length).toBeGreaterThan(150)
    for (const { json } of late) expect(json.retryAfter).toBeLessThanOrEqual(60)
    for (let at = 0; at < 20; at += 1) {
      const [found] = await house.platform.readBeatmaps([500_000 + at], 'background')
      expect(found?.id).toBe(500_000 + at)
    }
  })

  test('200 strangers with the same 64: two calls and a token serve them all, and then all of it is known', async () => {
    expect(statuses(await many(200, () => look(7)))).toEqual(new Set([200]))
    expect(await calls()).toBe(3)
    expect((await look(7)).json.retryAfter).toBeNull()
  })

  test('what is known is told at once though the share is spent, and a minute later there is more', async () => {
    await look(999)
    await many(40, look)
    expect((await look(999)).json.retryAfter).toBeNull()
    expect((await look(500)).json.beatmaps[0].state).toBe('pending')
    house.clock.advance(61_000)
    expect((await look(500)).json.beatmaps[0].state).toBe('known')
  })

  test('for strangers no rating is asked for that no pack shows: naming a pack of others buys nothing', async () => {
    const owner = await house.signedIn(7001)
    const slots = [{ mod: 'DT', index: 1, beatmapId: 75 }]
    const secret = await house.save(owner, aPack({ visibility: 'private', slots }))
    await fetch(`${house.platformUrl}/standin/calls`, { method: 'DELETE' })
    const ask = (slug: string) =>
      stranger.ask('POST', '/session/beatmaps', { slug, beatmaps: [{ id: 75, mods: ['DT'] }] })
    const [hidden, missing] = [await ask(secret), await ask('AAAAAAAAAA')]
    expect(hidden.json).toEqual(missing.json)
    expect(hidden.json.beatmaps[0].stars).toBeNull()
  })
})

describe('GET /sign-in: beginning costs nothing of ours', () => {
  test('300 times: a state of its own each time, and no store is asked', async () => {
    const replies = await many(300, () => house.browser().open('/sign-in?return=/me'))
    expect(statuses(replies)).toEqual(new Set([302]))
    const states = replies.map(({ headers }) =>
      new URL(headers.get('location') ?? '').searchParams.get('state'),
    )
    expect(new Set(states).size).toBe(300)
    expect(asked).toEqual([])
    expect(await calls()).toBe(0)
  })

  test('300 callbacks that nobody was sent away with: neither a store nor the platform is asked', async () => {
    const replies = await many(300, (at) =>
      house.browser().open(`/sign-in/callback?code=${at}&state=${'A'.repeat(43)}`),
    )
    expect(statuses(replies)).toEqual(new Set([400]))
    expect(asked).toEqual([])
    expect(await calls()).toBe(0)
  })

  test('callbacks with codes of one’s own making: 20 calls, then 429 with Retry-After; nothing is kept', async () => {
    const seen = new Set<number>()
    while ((await house.browser().open('/sign-in')).status === 302) {
      const replies = await many(20, async (at) => {
        const browser = house.browser()
        const begun = await browser.open('/sign-in')
        const { searchParams } = new URL(begun.headers.get('location') ?? 'x:')
        const state = searchParams.get('state')
        return browser.open(`/sign-in/callback?code=made-up-${at}&state=${state}`)
      })
      for (const { status, headers } of replies) {
        seen.add(status)
        if (status !== 400) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        expect(headers.get('set-cookie') ?? '').not.toMatch(/(?:^|, )session=[^;]/)
      }
      // More in a minute would be calls that others sign in with (D-91).
      house.clock.advance(61_000)
    }
    expect(seen).toEqual(new Set([400, 429]))
    expect(await calls()).toBe(20)
    expect(asked).toEqual([])
  })

  test('people sign in though strangers have spent all calls that page views have', async () => {
    await many(40, look)
    expect((await house.signedIn(7001)).viewer?.username).toBe('Peridot')
  })
})

describe('GET /p/{slug}/preview.png: 500 at once', () => {
  test('of 40 packs with as much to draw as there can be: a few are drawn, others go on meanwhile', async () => {
    const owner = await house.signedIn(7001)
    const buckets = Array.from({ length: 8 }, (_, at) => ({
      code: `${'W'.repeat(11)}${at}`,
      color: at,
    }))
    const slots = Array.from({ length: 64 }, (_, at) => ({
      mod: buckets[at % 8]?.code ?? 'NM',
      index: Math.floor(at / 8) + 92,
      beatmapId: at + 1,
    }))
    const pack = aPack({ visibility: 'public', name: 'W'.repeat(64), slots, buckets })
    const slug = await house.save(owner, pack)
    const stored = await house.ports.packs.read(slug)
    const slugs = await many(40, async (at) => {
      const name = `${'W'.repeat(60)}${at}`
      const other = { ...stored!, slug: `flood${at}`.padEnd(10, '_'), name }
      await house.ports.packs.create(other, null)
      return other.slug
    })
    const before = process.memoryUsage().rss
    const flood = many(500, (at) => stranger.open(`/p/${slugs[at % slugs.length]}/preview.png`))
    const waits: number[] = []
    for (let at = 0; at < 10; at += 1) {
      const begun = process.cpuUsage()
      expect((await owner.ask('GET', '/session')).status).toBe(200)
      const { user, system } = process.cpuUsage(begun)
      waits.push((user + system) / 1000)
    }
    const replies = await flood
    expect(statuses(replies)).toEqual(new Set([200, 503]))
    for (const { status, headers } of replies) {
      if (status === 503) expect(headers.get('retry-after')).toBe('5')
    }
    // All 500 pages of the flood are read in one go; nothing waits for a picture behind them. In CPU time of
    // this process, which does it all.
    expect(waits.toSorted((a, b) => a - b)[5]).toBeLessThan(2_000)
    // Each takes 12 MB while it is drawn: all at once would be 6 GB.
    expect(process.memoryUsage().rss - before).toBeLessThan(1024 ** 3)
    await until(async () => (await stranger.open(`/p/${slug}/preview.png`)).status === 200)
  })
})

describe('what crawlers read', () => {
  test('sitemap.xml, robots.txt and the index, 200 times each at once: all the same to the byte', async () => {
    const owner = await house.signedIn(7001)
    await house.save(owner, aPack({ visibility: 'public' }))
    const silent = { warn: () => {}, error: () => {} }
    const loop = startIndexLoop(
      house.ports,
      { indexCache: house.indexCache, poolsOwnerName: 'Tournament pools' },
      silent,
    )
    await loop.ready
    for (const path of ['/sitemap.xml', '/robots.txt', '/packs/index.json']) {
      const replies = await many(200, () => stranger.open(path))
      expect(statuses(replies)).toEqual(new Set([200]))
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    }
    await loop.stop()
  })
})
