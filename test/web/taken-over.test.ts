import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { openHeldPage } from '../support/held-page.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { openSiteScene, places, type Viewer } from './site-scene.ts'

let house: SiteHouse
let chromium: Chromium
let viewers: Record<ServiceName, Record<Viewer, Browser | null>>
let filled: (path: string) => string
let pages: Page[] = []

beforeAll(async () => {
  chromium = await launchChromium()
  ;({ house, viewers, filled } = await openSiteScene())
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(async () => {
  for (const page of pages) await closeWindow(page)
  pages = []
})

/** What the scripts of both sites know of the browser: the theme, the language, who is signed in. */
const look = {
  locale: 'de-DE',
  colorScheme: 'dark',
  viewport: { width: 390, height: 844 },
} as const

/** What stands around each page. */
const frameOf = (page: Page): Promise<string[]> =>
  page
    .locator('.skip-link, .header, .footer')
    .evaluateAll((parts) => parts.map(({ outerHTML }) => outerHTML))

const signingIn = (page: Page) => page.locator('.header a:visible', { hasText: 'Sign in' }).count()

/** All of those that show who is signed in, and two of others. */
const tried = places.filter(
  ([path, service, viewer]) =>
    viewer !== 'nobody' || (service === 'packs' && /^\/(new)?$/.test(path)),
)

it.each(tried)(
  '%s of %s, before %s: the frame that the script takes over is as it would make it',
  async (path, service, viewer) => {
    const opening = { from: viewers[service][viewer], service, path: filled(path), look }
    const held = await openHeldPage(chromium, house, opening)
    pages.push(held.page)
    const isStranger = opening.from === null
    expect(await signingIn(held.page), 'before the script').toBe(isStranger ? 1 : 0)
    await held.takeOver()
    expect(await signingIn(held.page)).toBe(isStranger ? 1 : 0)

    const made = await openRealPage(chromium, house, {
      ...opening,
      prepare: (page) =>
        page.route('**', async (route) => {
          if (route.request().resourceType() !== 'document') return route.fallback()
          const response = await route.fetch()
          const html = await response.text()
          const start = html.indexOf('<div id="app">')
          const end = html.indexOf('<p class="script-failed"')
          const body = `${html.slice(0, start)}<div id="app"></div>${html.slice(end)}`
          await route.fulfill({ response, body })
        }),
    })
    pages.push(made.page)
    await expect.poll(() => frameOf(held.page)).toEqual(await frameOf(made.page))
  },
)
