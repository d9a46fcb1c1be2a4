import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core'
import type { PackInput, SitePack } from '../../src/contract/packs.ts'
import { createStatsRun } from '../../src/worker/stats.ts'
import type { Browser } from '../support/browser.ts'
import { openRealPage, type RealPage } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse, type SiteHouseOptions } from '../support/site-house.ts'

/** The platform has none of this id. */
export const GONE_ID = 10_000_001

/** A slot of every kind: of built-in buckets, of a custom one, of none, and one that is gone. */
export const everyKind: PackInput = {
  name: 'Harbour Cup',
  visibility: 'public',
  description: 'First line.\nSecond line.',
  buckets: [
    { code: 'NM' },
    { code: 'HD' },
    { code: 'HR' },
    { code: 'DT' },
    { code: 'RC1', color: 3, mods: { kind: 'free' } },
    { code: 'TB' },
  ],
  slots: [
    { mod: 'TB', index: 1, beatmapId: 107 },
    { mod: 'NM', index: 2, beatmapId: 102 },
    { mod: 'NM', index: 1, beatmapId: 101 },
    { mod: 'HD', index: 1, beatmapId: 103 },
    { mod: 'HR', index: 1, beatmapId: 104 },
    { mod: 'DT', index: 1, beatmapId: 105 },
    { mod: 'DT', index: 2, beatmapId: GONE_ID },
    { mod: 'RC1', index: 1, beatmapId: 106 },
    { mod: null, index: 1, beatmapId: 108 },
  ],
}

const ids = everyKind.slots.map(({ beatmapId }) => beatmapId).filter((id) => id !== GONE_ID)

const facts = (id: number): object => ({
  set: 9_000 + id,
  artist: 'Nine Rivers',
  title: `Harbour ${id}`,
  creator: 'arbor',
  version: 'Insane',
  mode: 'osu',
  stars: 4 + (id % 100) / 4,
  seconds: 258,
  bpm: 222.22,
  ratings: { DT: 7.125, HR: 5.5, HD: 5 },
})

/** Changes what the platform knows of a beatmap. */
export const teach = async (house: SiteHouse, id: number, known: object): Promise<void> => {
  await fetch(`${house.platformUrl}/standin/beatmaps`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, facts: known }),
  })
}

/** The real site with its real pages, before a platform that knows the beatmaps of `everyKind`. */
export const openPoolHouse = async (
  options: Pick<SiteHouseOptions, 'mirrors' | 'installation' | 'isPseudo'> = {},
): Promise<SiteHouse> => {
  const house = await openSiteHouse({ hasRealPages: true, ...options })
  for (const id of ids) await teach(house, id, facts(id))
  return house
}

/** Computes all stats that are due. */
export const settleStats = async (house: SiteHouse): Promise<void> => {
  const log = { warn: () => {}, error: () => {} }
  const { ports, platform } = house
  // What only pages show is due a moment later.
  for (const aheadMs of [0, 2_000]) {
    const clock = { now: () => ports.clock.now() + aheadMs }
    const turn = createStatsRun({ ...ports, clock, platform }, log)
    while ((await turn()) > 0);
  }
}

/** Saves a pack in a minute of its own. */
export const savePack = (
  house: SiteHouse,
  owner: Browser,
  changes: Partial<PackInput> = {},
): Promise<string> => {
  house.clock.nextMinute()
  return house.save(owner, { ...everyKind, ...changes })
}

/** The site has nothing in its cache of what the platform knows. */
export const forgetBeatmaps = async ({ ports }: SiteHouse): Promise<void> => {
  while (await ports.beatmapCache.forget(Infinity, Infinity));
}

export const readPack = async (from: Browser, slug: string): Promise<SitePack> =>
  (await from.ask('GET', `/session/packs/${slug}`)).json.pack

export type Opening = {
  readonly from?: Browser | null
  readonly look?: BrowserContextOptions
  readonly hasHandClock?: boolean
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** Opens a page that shows a pool. */
export const openPool = (
  chromium: Chromium,
  house: SiteHouse,
  path: string,
  { from = null, ...rest }: Opening = {},
): Promise<RealPage> => openRealPage(chromium, house, { from, path, ...rest })

/** Everything of the pool is known. */
export const whenKnown = async (page: Page): Promise<void> => {
  await page.locator('.pool .blank').first().waitFor({ state: 'detached' })
}

/** The texts of a slot's row, cell by cell, white space made even. */
export const cellsOf = async (page: Page, label: string): Promise<string[]> => {
  const row = page.locator('tr.slot-row', { has: page.locator(`.slot-chip[title="${label}"]`) })
  const texts = await row.locator('th, td').allInnerTexts()
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

export const clipboard = (page: Page): Promise<string> =>
  page.evaluate('navigator.clipboard.readText()')
