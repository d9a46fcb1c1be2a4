import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hidePack, pinPack } from '../../src/operations/moderation.ts'
import { VersionCache } from '../../src/site/version-cache.ts'
import { type Browser, pageDataOf, tagsOf } from '../support/browser.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { catchUp } from '../support/catch-up.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let stranger: Browser
let owner: Browser
/** Keys of the pages that were kept. */
let kept: string[]
let isBroken: boolean
/** What a search waits for before it returns. */
let searched: Promise<unknown>
let searches: number
let visits: number

beforeEach(async () => {
  kept = []
  isBroken = false
  searched = Promise.resolve()
  searches = 0
  visits = 0
  // oxlint-disable-next-line typescript/unbound-method -- called with the cache below
  const { set } = VersionCache.prototype
  vi.spyOn(VersionCache.prototype, 'set').mockImplementation(function (
    this: VersionCache<unknown>,
    ...entry
  ) {
    kept.push(entry[0])
    return set.apply(this, entry)
  })
  house = await openSiteHouse({
    withPorts: (ports) => {
      const search = Object.create(ports.search) as typeof ports.search
      search.find = async (wanted) => {
        if (isBroken) throw new Error('out of order')
        const reply = await ports.search.find(wanted)
        searches += 1
        await searched
        return reply
      }
      const packs = Object.create(ports.packs) as typeof ports.packs
      packs.listPinned = () => {
        visits += 1
        return ports.packs.listPinned()
      }
      return { ...ports, search, packs }
    },
  })
  stranger = house.browser()
  owner = await house.signedIn(7001)
})
afterEach(async () => {
  await house.close()
  vi.restoreAllMocks()
})

const save = async (name: string, more: object = {}): Promise<string> => {
  house.clock.nextMinute()
  return house.save(owner, aPack({ name, visibility: 'public', ...more }))
}

const open = async (path: string) => {
  const reply = await stranger.open(path)
  expect(reply.status).toBe(200)
  return { ...reply, data: pageDataOf(reply) }
}

const found = async (path: string): Promise<string[] | undefined> => {
  const { data } = await open(path)
  return data.found?.packs.map(({ entry }) => entry.n)
}

describe('Browse comes with what its address asks for (D-66)', () => {
  test('the newest packs, words, filters, an order, and the next page', async () => {
    for (let at = 1; at <= 32; at += 1) await save(`Cup ${at}`, { description: 'harbour' })
    await save('Harbour')
    await catchUp(house.ports)
    const { found: first } = (await open('/packs')).data
    expect(first?.packs.slice(0, 2).map(({ entry }) => entry.n)).toEqual(['Harbour', 'Cup 32'])
    expect([first?.packs.length, first?.searched]).toEqual([30, 33])
    expect(await found(`/packs?after=${first?.next}`)).toEqual(['Cup 3', 'Cup 2', 'Cup 1'])
    expect(await found('/packs?q=cup+7')).toEqual(['Cup 7'])
    expect((await found('/packs?q=harbour'))?.[0]).toBe('Harbour')
    await save('Later', { description: 'harbour' })
    await catchUp(house.ports)
    expect((await found('/packs?q=harbour'))?.[0]).toBe('Harbour')
    expect((await found('/packs?q=harbour&sort=created'))?.[0]).toBe('Later')
    expect(await found('/packs?beatmaps=500-')).toEqual([])
    expect(await found('/packs?q=zzzzzz')).toEqual([])
  })

  test('what nobody can ask for is left out of the address, not refused', async () => {
    await save('Only')
    await catchUp(house.ports)
    for (const search of [
      `q=${'only '.repeat(200)}`,
      'after=nothing',
      'after=nothing&q=only',
      'stars=x&mods=%00&rulesets=osu,osu&unrated=maybe',
      'q=only&q=other',
      'unknown=1',
      'sort=stars&reversed=1',
    ]) {
      expect([search, await found(`/packs?${search}`)]).toEqual([search, ['Only']])
    }
    const pageOf = (q: string) => open(`/packs?${new URLSearchParams({ q })}`)
    const hostile = await pageOf(`"></script><img src=x onerror=alert(1)>`)
    expect(tagsOf(hostile)).toEqual(tagsOf(await pageOf('another')))
  })

  test('a page of words is not for search engines; Browse itself is', async () => {
    expect((await open('/packs')).text).not.toContain('noindex')
    expect((await open('/packs?q=cup')).text).toContain('noindex')
  })

  test('a search that fails leaves a page without packs', async () => {
    await save('Only')
    await catchUp(house.ports)
    isBroken = true
    for (const path of ['/', '/packs', '/packs?q=only']) expect(await found(path)).toBeUndefined()
    isBroken = false
    expect(await found('/packs?q=only')).toEqual(['Only'])
    expect(await found('/packs')).toEqual(['Only'])
  })
})

describe('the front page', () => {
  test('comes with the ten newest packs and one that is open: the first pinned, otherwise the newest', async () => {
    expect((await open('/')).data).toMatchObject({ pinned: [], found: { packs: [] } })
    const slugs: string[] = []
    for (let at = 1; at <= 12; at += 1) slugs.push(await save(`Cup ${at}`))
    await catchUp(house.ports)
    house.clock.advance(2_000)
    const { data } = await open('/')
    expect(data.found?.packs).toHaveLength(10)
    expect([data.pack?.name, data.beatmaps]).toEqual(['Cup 12', expect.any(Array)])
    await pinPack(house.ports, slugs[3]!, { moderatorId: null, reason: null })
    const again = (await open('/')).data
    expect([again.pack?.name, again.pinned?.map(({ n }) => n)]).toEqual(['Cup 4', ['Cup 4']])
  })
})

describe('Maps', () => {
  test('begins with the known beatmaps of the newest packs, each once, and of no pack that is not public', async () => {
    const hidden = await save('Hidden')
    const shown = await save('Shown')
    await house.save(owner, aPack({ name: 'Mine', visibility: 'private' }))
    const { slots } = (await house.ports.packs.read(shown))!
    const ids = [...new Set(slots.map(({ beatmapId }) => beatmapId))]
    await catchUp(house.ports)
    expect((await open('/maps')).data.recentMaps).toEqual([])
    const known = ids.map((id) => aBeatmap(id))
    await house.ports.beatmapCache.keepBeatmaps(known, [], house.clock.now())
    // Known by the look-up of somebody else, not to everybody (D-74).
    expect((await open('/maps')).data.recentMaps).toEqual([])
    await house.ports.beatmapCache.publish(ids, [])
    house.clock.nextMinute()
    const { recentMaps = [] } = (await open('/maps')).data
    expect(recentMaps.map(({ id }) => id)).toEqual(ids)
    for (const { pack } of recentMaps) expect(pack).toEqual({ slug: shown, name: 'Shown' })
    for (const slug of [shown, hidden]) {
      await hidePack(house.ports, slug, { moderatorId: null, reason: 'a test' })
    }
    expect((await open('/maps')).data.recentMaps).toEqual([])
  })

  test.each([
    ['129891', '/maps/129891'],
    [' https://osu.ppy.sh/b/75 ', '/maps/75'],
    ['https://osu.ppy.sh/beatmapsets/989460#osu/2069833', '/maps/2069833'],
    [
      'https://osu.ppy.sh/beatmapsets/989460',
      '/packs?q=https%3A%2F%2Fosu.ppy.sh%2Fbeatmapsets%2F989460',
    ],
    ['12 34', '/packs?q=12+34'],
    ['no 39', '/packs?q=no+39'],
    ['//evil.test', '/packs?q=%2F%2Fevil.test'],
    ['\r\nSet-Cookie: a=b', '/packs?q=%0D%0ASet-Cookie%3A+a%3Db'],
  ])('%j is the beatmap that it names alone, otherwise a search', async (text, place) => {
    const reply = await stranger.open(`/maps?q=${encodeURIComponent(text)}`)
    expect([reply.status, reply.headers.get('location')]).toEqual([302, place])
  })
})

describe('D-66: a pack that nobody may see is on neither page', () => {
  test.each([
    ['hidden', (slug: string) => hidePack(house.ports, slug, { moderatorId: null, reason: 'x' })],
    ['deleted', (slug: string) => owner.ask('DELETE', `/session/packs/${slug}`)],
  ])('%s: at once, before the search has taken it over', async (_, vanish) => {
    const slug = await save('Seen once')
    await catchUp(house.ports)
    house.clock.advance(2_000)
    for (const path of ['/', '/packs', '/packs?q=seen']) {
      expect([path, await found(path)]).toEqual([path, ['Seen once']])
    }
    await vanish(slug)
    for (const path of ['/', '/packs', '/packs?q=seen', '/packs?q=seem']) {
      const { text } = await open(path)
      expect([path, text.includes(slug), text.includes('Seen once')]).toEqual([path, false, false])
    }
  })

  test('private and unlisted ones were never there', async () => {
    await save('Kept back', { visibility: 'private' })
    await save('Kept back too', { visibility: 'unlisted' })
    await catchUp(house.ports)
    for (const path of ['/', '/packs', '/packs?q=kept']) {
      expect((await open(path)).text).not.toContain('Kept back')
    }
  })

  test.each(['/', '/packs'])(
    '%s: also while another reader still waits for what was there',
    async (path) => {
      const slug = await save('Hidden soon')
      await catchUp(house.ports)
      const gate = Promise.withResolvers<void>()
      searched = gate.promise
      searches = 0
      const before = found(path)
      await vi.waitFor(() => expect(searches).toBeGreaterThan(0))
      await hidePack(house.ports, slug, { moderatorId: null, reason: 'copied' })
      const visitsBefore = visits
      const after = found(path)
      await vi.waitFor(() => expect(visits).toBeGreaterThan(visitsBefore))
      gate.resolve()
      expect(await before).toBeDefined()
      expect(await after).toEqual([])
    },
  )
})

describe('what is kept of pages is bounded', () => {
  test('one page of Browse, whatever else is asked for', async () => {
    await open('/packs')
    kept = []
    for (let at = 0; at < 40; at += 1) {
      await open(`/packs?q=word${at}`)
      await open(`/packs?unknown=${at}`)
      await open(`/packs?after=${at}`)
      await open(`/packs?stars=${at}-`)
      if (at % 10 === 9) house.clock.nextMinute()
    }
    expect(kept.filter((key) => key !== '/packs')).toEqual([])
  })
})
