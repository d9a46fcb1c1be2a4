import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { openSiteScene, type Viewer } from './site-scene.ts'

// Links that come back to the page come back to what it shows, whatever it showed when it was opened.

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

const search = () => new URL(page.url()).search
const type = async (): Promise<void> => {
  await page.getByRole('searchbox').first().fill('harbour')
  await expect.poll(search).toMatch('harbour')
}
const choose = async (selector: string): Promise<void> => {
  const before = search()
  await page.locator(selector).click()
  await expect.poll(search).not.toBe(before)
}

type Place = readonly [
  path: string,
  service: ServiceName,
  viewer: Viewer,
  change: () => Promise<void>,
]
const shown: readonly Place[] = [
  ['/packs', 'packs', 'nobody', type],
  ['/', 'pools', 'nobody', type],
  ['/me', 'packs', 'host', type],
  ['/me', 'packs', 'host', () => choose('.my-packs-states button:nth-child(2)')],
  ['/moderation', 'packs', 'moderator', type],
  ['/t/{cup}/edit', 'pools', 'host', () => choose('.rounds-nav li:nth-child(2) > a')],
]
const open = async ([path, service, viewer, change]: Place): Promise<string> => {
  const from = viewers[service][viewer]
  ;({ page } = await openRealPage(chromium, house, { from, service, path: filled(path) }))
  await page.waitForLoadState('networkidle')
  await change()
  return search()
}

describe('another language', () => {
  it.each(shown)('%s of %s, before %s', async (...place) => {
    const before = await open(place)
    await page.locator('.footer a[lang=ko]').click()
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('ko')
    await expect.poll(search).toBe(before)
    await page.locator('.footer a[lang=en]').click()
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('en')
    await expect.poll(search).toBe(before)
  })
})

describe('signing in', () => {
  it.each(shown.filter(([, , viewer]) => viewer === 'nobody'))('%s of %s', async (...place) => {
    const before = await open(place)
    await page.route('**/sign-in?**', (route) => route.fulfill({ body: '' }))
    await page.locator('.header a.account').click()
    await page.waitForURL(/\/sign-in/)
    const back = new URL(page.url()).searchParams.get('return')
    expect(back).toBe(filled(place[0]) + before)
  })
})
