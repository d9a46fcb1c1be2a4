import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage, stopClock } from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { openSiteScene, type Viewer } from './site-scene.ts'

// Browsers refuse to change an address more than some hundred times in ten seconds: one that follows each key stays behind.

let house: SiteHouse
let chromium: Chromium
let viewers: Record<ServiceName, Record<Viewer, Browser | null>>
let page: Page

beforeAll(async () => {
  chromium = await launchChromium()
  ;({ house, viewers } = await openSiteScene())
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
afterEach(() => closeWindow(page))

it.each([
  ['/packs', 'packs', 'nobody'],
  ['/me', 'packs', 'host'],
  ['/moderation', 'packs', 'moderator'],
  ['/moderation?view=players', 'packs', 'moderator'],
  ['/', 'pools', 'nobody'],
  ['/moderation', 'pools', 'moderator'],
] as const)(
  'the address of %s of %s follows what is typed once nobody types, before %s',
  async (path, service, viewer) => {
    const from = viewers[service][viewer]
    ;({ page } = await openRealPage(chromium, house, { from, service, path, hasHandClock: true }))
    const field = page.getByRole('searchbox').first()
    await field.waitFor()
    await page.waitForLoadState('networkidle')
    await stopClock(page)
    await page.evaluate(`{
      window.changes = 0
      const own = history.replaceState.bind(history)
      history.replaceState = (...all) => {
        window.changes += 1
        own(...all)
      }
    }`)
    const text = 'harbour lights '.repeat(3).trim()
    await field.pressSequentially(text)
    expect(await page.evaluate('window.changes')).toBeLessThanOrEqual(1)
    await page.clock.runFor(2_000)
    await expect.poll(() => [...new URL(page.url()).searchParams.values()]).toContain(text)
  },
)
