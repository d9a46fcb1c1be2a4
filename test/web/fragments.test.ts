import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { openSiteScene, places, type Viewer } from './site-scene.ts'

let house: SiteHouse
let chromium: Chromium
let viewers: Record<ServiceName, Record<Viewer, Browser | null>>
let filled: (path: string) => string
let page: Page

beforeAll(async () => {
  chromium = await launchChromium()
  ;({ house, viewers, filled } = await openSiteScene())
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(() => closeWindow(page))

const seen = new Map(places.map((place) => [place[0].split('#')[0] + place[1], place]))

it.each([...seen.values()])(
  '%s of %s, before %s, is shown whatever the fragment of its address is',
  async (path, service, viewer) => {
    const [plain = ''] = filled(path).split('#')
    // No text of UTF-8, and nothing on the page is called so.
    const opened = await openRealPage(chromium, house, {
      from: viewers[service][viewer],
      service,
      path: `${plain}#100%`,
    })
    page = opened.page
    await page.waitForLoadState('networkidle')
    await page.evaluate(`location.hash = '%E0%A4%A'`)
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve))`)
    expect(await page.getByText('Something went wrong').count()).toBe(0)
    // Browsers complain of a page that is not there.
    expect(opened.complaints.filter((line) => !/40[34] \(/.test(line))).toEqual([])
  },
)
