import { afterAll, beforeAll, expect, it } from 'vitest'
import { paintFor } from '../../src/cli/user/screen.ts'
import { slotTable } from '../../src/cli/user/tournament/round-text.ts'
import { placeKey } from '../../src/pool/slots.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { runMapcrate } from '../support/run-mapcrate.ts'
import type { Host } from '../support/house.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { envOf } from '../support/tournament-house.ts'

let house: SiteHouse
let host: Host
let slug: string
const looks: string[] = []

beforeAll(async () => {
  house = await openSiteHouse({
    onAnswer: ({ route }) => {
      if (route.endsWith('/session/beatmaps')) looks.push(route)
    },
  })
  host = await house.hostOf(7, 'Ada', 'pools')
  const { json } = await host.ask('POST', '/tournaments', { body: { name: 'Cup' } })
  slug = json.tournament.slug
  const slots = [
    { mod: 'NM', index: 1, beatmapId: 129891 },
    { mod: 'TB', index: 1, placeholder: 'soon', details: { title: 'Tidal Clock' } },
  ]
  for (const name of ['Semifinals', 'Finals']) {
    await host.ask('POST', `/tournaments/${slug}/rounds`, { body: { name, slots } })
  }
  await host.ask('POST', `/tournaments/${slug}/rounds`, { body: { name: 'Empty' } })
})
afterAll(() => house.close())

const show = async (...args: string[]): Promise<string> => {
  house.clock.advance(60_000)
  looks.length = 0
  const ended = await runMapcrate(['tournament', 'show', slug, ...args], { env: envOf(host) })
  expect(ended.code).toBe(0)
  return ended.stdout
}

it('show has titles and stars, as far as the site knows them', async () => {
  await expect.poll(() => show(), { timeout: 60_000 }).toContain('★')
  // One request for each round that has beatmaps.
  expect(looks).toHaveLength(2)
  const text = await show('--round', 'finals')
  expect(looks).toHaveLength(1)
  expect(text).toMatch(/^SLOT +BEATMAP +TITLE +STARS +LINK$/m)
  expect(text).toMatch(
    /^NM1 +129891 +.+ – .+ \[.+\] +★ \d+\.\d\d +https:\/\/osu\.ppy\.sh\/b\/129891$/m,
  )
  expect(text).toMatch(/^TB +“soon”, Tidal Clock$/m)
})

it('a slot has stars with its mods, and while these are not public, those without any (D-74)', () => {
  const details = aBeatmap(75, { stars: 5.123 })
  const slots = [1, 2].map((index) => ({ mod: 'HR', index, beatmapId: 75 }))
  const known = new Map([
    [placeKey(slots[0]!), { details, stars: 5.9 }],
    [placeKey(slots[1]!), { details, stars: null }],
  ])
  const text = slotTable({ name: 'Finals', slots }, known, paintFor({}, {}))
  expect(text).toMatch(/^HR1 .+ ★ 5\.90 +https/m)
  expect(text).toMatch(/^HR2 .+ ★ 5\.12 without mods +https/m)
})

it('show asks nothing of the site with --no-details or --json', async () => {
  expect(await show('--no-details')).toMatch(/^SLOT +BEATMAP +LINK$/m)
  expect(JSON.parse(await show('--json')).rounds).toHaveLength(3)
  expect(looks).toEqual([])
})
