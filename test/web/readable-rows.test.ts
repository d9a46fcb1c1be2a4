import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTournament } from '../support/public-tournament.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import { catchUp } from '../support/catch-up.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { openPool, openPoolHouse, savePack, settleStats, teach, whenKnown } from './pool-page.ts'

/** Twenty maps as pools have them, by the lengths of their texts: title, artist, difficulty, mapper. */
const maps = [
  ['Kaze no Uta', 'Hoshi Yuki', 'Extra', 'Ametrin'],
  ['Twilight Parade (Cut Ver.)', 'Orchard Lane', "Sunder's Expert", 'Sunder'],
  ['Metal Rain', 'Grimwerk', 'Overcharge', 'RaidenX'],
  ['Everlasting Carnival of the Night', 'Nine Rivers feat. Ada', 'Masquerade', 'Lumen'],
  ['Aria', 'Vela', 'Insane', 'Sotto'],
  ['Under the Paper Moon', 'Kitsune Radio', 'Collab Extreme', 'Fieryrage'],
  ['Chronostasis', 'Rust & Ivory', 'Time Collapse', '-Nightfall-'],
  ['Hollow Garden', 'mochi', 'Withering', 'pishifat'],
  ['Last Goodbye (TV Size)', 'Ayame Sato', 'Special', 'Delis'],
  ['Zero Gravity Runner', 'DJ Cascade', 'Event Horizon', 'Yusomi'],
  ['Sakura no Ame, Natsu no Kaze', 'Tsumugi', 'Kyouran', 'Kalibe'],
  ['Bleeding Edge', 'Cyberqueen', 'Ultra', 'Skystar'],
  ['The Clockmaker', 'Anton Reva', "Jeremiah's Extra", 'Jeremiah'],
  ['Starlight Express (Extended Mix)', 'Polaris Sound Team', 'Galaxy', 'Nathan'],
  ['Invoke', 'LEVANT', 'Ritual', 'Monstrata'],
  ['Ocean Drive', 'Palm Mall', 'Breeze', 'Regou'],
  ['Requiem for a Broken Machine', 'Ghost Data Archive', 'Collapse', 'Mazzerin'],
  ['Ringing Bells', 'yuiko*', 'Another', 'Sing'],
  ['Fractal Dreams', 'Somnium', 'Recursion', 'Hobbes2'],
  ['Final Theory of the Universe', 'Aleph Null', 'Singularity', 'Down'],
] as const
const idOf = (at: number): number => 301 + at
const slots = maps.map((_, at) => ({ mod: 'NM', index: at + 1, beatmapId: idOf(at) }))

let chromium: Chromium
let house: SiteHouse
let packPath: string
let tournamentPath: string

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openPoolHouse()
  for (const [at, [title, artist, version, creator]] of maps.entries()) {
    const numbers = {
      stars: at === 19 ? 11.39 : 6 + at / 10,
      seconds: 95 + at * 9,
      bpm: 140 + at * 5,
    }
    await teach(house, idOf(at), {
      set: 9_000 + at,
      mode: 'osu',
      title,
      artist,
      version,
      creator,
      ...numbers,
    })
  }
  const slug = await savePack(house, await house.signedIn(7001), {
    slots,
    buckets: [{ code: 'NM' }],
  })
  packPath = `/p/${slug}`
  const host = await house.signedIn(7002, 'pools')
  const { id } = host.viewer!
  const made = await openTournament(house.ports, id, {}, [{ name: 'Finals', slots }])
  await releaseRound(house.ports, id, made.slug, made.rounds[0]!.id, { at: 'now' })
  tournamentPath = `/t/${made.slug}`
  await settleStats(house)
})
afterAll(async () => {
  await house.close()
  await chromium.close()
})

/** Titles of which a part is out of sight, mappers that are to be seen, and numbers at a glance that are cut. */
const read = async (page: Page) => {
  const titles = await page
    .locator('.slot-row .beatmap-title')
    .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length)
  const mappers = await page.locator('.slot-row .beatmap-more').evaluateAll(
    (all) =>
      all.filter((line) => {
        const mapper = line.lastElementChild!
        const [outer, inner] = [line.getBoundingClientRect(), mapper.getBoundingClientRect()]
        return inner.bottom <= outer.bottom + 1 && mapper.scrollWidth <= mapper.clientWidth + 1
      }).length,
  )
  const facts = await page
    .locator('.glance-fact > dd')
    .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length)
  return { titles, mappers, facts }
}

describe.each([
  ['a pack', () => packPath, 'packs'],
  ['a tournament', () => tournamentPath, 'pools'],
] as const)('on the page of %s', (_what, path, service) => {
  it('at most one title of twenty is cut, 18 mappers are there and all numbers whole, 960 to 1,920 pixels wide', async () => {
    const opening = { from: null, path: path(), look: { viewport: { width: 1_920, height: 900 } } }
    const { page } =
      service === 'packs'
        ? await openPool(chromium, house, path(), opening)
        : await openRealPage(chromium, house, { ...opening, service })
    await whenKnown(page)
    for (const width of [960, 1_024, 1_199, 1_200, 1_280, 1_440, 1_920]) {
      await page.setViewportSize({ width, height: 900 })
      const { titles, mappers, facts } = await read(page)
      expect({ width, titles: Math.max(1, titles), mappers: Math.min(18, mappers), facts }).toEqual(
        {
          width,
          titles: 1,
          mappers: 18,
          facts: 0,
        },
      )
    }
    await page.setViewportSize({ width: 390, height: 900 })
    const { titles, facts } = await read(page)
    await page.setViewportSize({ width: 320, height: 900 })
    const narrow = await read(page)
    expect([titles, facts, narrow.titles, narrow.facts]).toEqual([0, 0, 0, 0])
    await closeWindow(page)
  })
})

it('the owner of a pack is whole in its row on a phone', async () => {
  await catchUp(house.ports)
  const look = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const { page } = await openRealPage(chromium, house, { from: null, path: '/packs', look })
  const owners = page.locator('.row-owner')
  await owners.filter({ hasText: 'Tournament pools' }).waitFor()
  const cut = await owners.evaluateAll(
    (all) => all.filter((each) => each.scrollWidth > each.clientWidth).length,
  )
  expect(cut).toBe(0)
  await closeWindow(page)
})

it.each([640, 768, 899])(
  'at most a quarter of the titles is cut, %d pixels wide',
  async (width) => {
    const look = { viewport: { width, height: 900 } }
    const { page } = await openPool(chromium, house, packPath, { look })
    await whenKnown(page)
    expect((await read(page)).titles).toBeLessThanOrEqual(maps.length / 4)
    await closeWindow(page)
  },
)
