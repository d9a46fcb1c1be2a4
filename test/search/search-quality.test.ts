import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchPacks } from '../../src/operations/search.ts'
import { type IndexLoop, startIndexLoop } from '../../src/worker/search-index.ts'
import { launchChromium } from '../support/chromium.ts'
import { openRealPage } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { type Ask, describeQuality, openCorpus, type Quality } from './quality.ts'

let house: SiteHouse
let chromium: Chromium
let loop: IndexLoop
let page: Page
let measure: (ask: Ask) => Promise<Quality>

beforeAll(async () => {
  house = await openSiteHouse({ hasRealPages: true })
  measure = await openCorpus(house.ports)
  const silent = { warn: () => {}, error: () => {} }
  const { indexCache, ports } = house
  loop = startIndexLoop(ports, { indexCache, poolsOwnerName: 'Tournament pools' }, silent)
  await loop.ready
  chromium = await launchChromium()
  const opening = { from: null, path: '/packs', hasHandClock: true }
  ;({ page } = await openRealPage(chromium, house, opening))
  await page.locator('[aria-setsize="1000"]').first().waitFor()
})
afterAll(async () => {
  await chromium.close()
  await loop.stop()
  await house.close()
})

/** What a reader of Browse sees first who types this. */
const askPage: Ask = async (query) => {
  // Nobody asks so much in a minute.
  house.clock.nextMinute()
  await page.getByRole('searchbox').fill(query)
  await page.clock.runFor(1_000)
  await page.locator('.results[aria-busy=false]').waitFor()
  return page.locator('.pack-row .row-name a').allTextContents()
}
const askServer: Ask = async (q) => {
  const { packs } = await searchPacks(house.ports, { q }, 'Tournament pools')
  return packs.map(({ entry }) => entry.n)
}

// `npm run search-quality` prints the queries that miss.
test.each([
  ['the page', askPage],
  ['the server', askServer],
])(
  '%s shows of 95 in 100 queries what they look for among the first three of 1,000 packs',
  async (who, ask) => {
    const quality = await measure(ask)
    const { queries, misses, byKind } = quality
    const isPrinted = process.env['SEARCH_QUALITY'] !== undefined
    if (isPrinted) console.log(`${who}\n\n${describeQuality(quality)}`)
    expect(queries).toBeGreaterThanOrEqual(200)
    expect(misses.length / queries, describeQuality(quality)).toBeLessThanOrEqual(0.05)
    // No kind is bad for the others being good.
    for (const { kind, queries: asked, misses: missed } of byKind) {
      expect(missed / asked, kind).toBeLessThanOrEqual(0.1)
    }
  },
)
