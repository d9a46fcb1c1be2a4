import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ForcedMod } from '../../src/contract/mods.ts'
import { type Browser, pageDataOf } from '../support/browser.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const CANDIDATES = Array.from({ length: 1_000 }, (_, at) => 500_001 + at)
/** In a draft, in a private pack, and looked up by those who made them. */
const SECRETS = CANDIDATES.filter((_, at) => at % 83 === 40)
const MODS: readonly ForcedMod[] = ['DT']
const AT_ONCE = 64

let house: SiteHouse

beforeAll(async () => {
  house = await openSiteHouse()
  const host = await house.signedIn(7001)
  const slots = SECRETS.map((beatmapId, at) => ({ mod: 'DT', index: at + 1, beatmapId }))
  const slug = await house.save(host, { name: 'Finals', visibility: 'private', slots })
  const beatmaps = SECRETS.map((id) => ({ id, mods: MODS }))
  for (let asked = 0; asked < SECRETS.length; asked += 4) {
    const reply = await host.ask('POST', '/session/beatmaps', { beatmaps, slug })
    expect(reply.status, reply.text).toBe(200)
    house.clock.nextMinute()
  }
  const { beatmapCache } = house.ports
  const keys = [...(await beatmapCache.readBeatmaps(SECRETS)).values()].map(({ beatmap }) => {
    if (beatmap === 'gone') throw new Error('the stand-in has all beatmaps')
    return { beatmapId: beatmap.id, ruleset: beatmap.ruleset, mods: MODS }
  })
  expect(keys).toHaveLength(SECRETS.length)
  expect(await beatmapCache.readRatings(keys)).not.toContain(null)
})
afterAll(() => house.close())

/** Candidates of which a stranger hears something else than of most. */
const unlike = (heard: ReadonlyMap<number, string>): number[] => {
  const times = Map.groupBy(heard, ([, answer]) => answer)
  const most = [...times.values()].toSorted((a, b) => b.length - a.length)[0]!
  return [...heard].flatMap(([id, answer]) => (answer === most[0]![1] ? [] : id))
}

const portions = Array.from({ length: Math.ceil(CANDIDATES.length / AT_ONCE) }, (_, at) =>
  CANDIDATES.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
)

/** In the next hour, where the shares of all begin anew. */
const ask = async (by: Browser, method: string, path: string, body?: unknown) => {
  house.clock.advance(3_600_000)
  const reply = await by.ask(method, path, body)
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply
}

/** How many calls about beatmaps reach the platform for it. */
const callsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const count = async (): Promise<number> => {
    const { beatmaps, attributes } = await (
      await fetch(`${house.platformUrl}/standin/calls`)
    ).json()
    return beatmaps + attributes
  }
  const before = await count()
  await work()
  return (await count()) - before
}

describe(`D-74: of ${SECRETS.length} secret beatmaps among ${CANDIDATES.length}, strangers find none`, () => {
  it('by GET /maps/{id}', async () => {
    const visitor = house.browser()
    const heard = new Map<number, string>()
    for (const id of CANDIDATES) {
      if (heard.size % 500 === 0) house.clock.nextMinute()
      const { status, text } = await visitor.open(`/maps/${id}`)
      heard.set(id, `${status} ${text.replaceAll(String(id), '')}`)
    }
    expect(unlike(heard)).toEqual([])
  })

  it('by POST /session/beatmaps without a session: no stars, and the same calls for each', async () => {
    const visitor = house.browser()
    const heard = new Map<number, string>()
    for (const ids of portions) {
      const calls = await callsOf(async () => {
        const beatmaps = ids.map((id) => ({ id, mods: MODS }))
        const { json } = await ask(visitor, 'POST', '/session/beatmaps', { beatmaps })
        for (const { id, state, stars } of json.beatmaps) heard.set(id, `${state} ${stars}`)
      })
      expect(calls).toBe(Math.ceil(ids.length / 50))
    }
    expect(unlike(heard)).toEqual([])
  })

  it('by POST /session/beatmaps with a session: four ratings a request, whichever are cached', async () => {
    const stranger = await house.signedIn(7002)
    for (const ids of portions) {
      const calls = await callsOf(async () => {
        const beatmaps = ids.map((id) => ({ id, mods: MODS }))
        const { json } = await ask(stranger, 'POST', '/session/beatmaps', { beatmaps })
        const rated = json.beatmaps.map(({ stars }: { stars: number | null }) => stars !== null)
        expect(rated).toEqual(ids.map((_, at) => at < 4))
      })
      expect(calls).toBe(Math.ceil(ids.length / 50) + 4)
    }
  })

  it('by packs of their own', async () => {
    const stranger = await house.signedIn(7003)
    const heard = new Map<number, string>()
    for (const ids of portions) {
      const slots = ids.map((beatmapId, at) => ({ mod: 'DT', index: at + 1, beatmapId }))
      const pack = { name: 'Candidates', visibility: 'public', slots }
      const { json } = await ask(stranger, 'POST', '/session/packs', pack)
      const page = await stranger.open(`/p/${json.pack.slug}`)
      const known = new Map(pageDataOf(page).beatmaps?.map(({ id, ...facts }) => [id, facts]))
      for (const id of ids) heard.set(id, JSON.stringify(known.get(id) ?? null))
    }
    expect(unlike(heard)).toEqual([])
  })
})
