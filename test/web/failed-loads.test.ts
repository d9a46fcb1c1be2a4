import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import { createPack } from '../../src/operations/packs.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { openSiteScene, type Viewer } from './site-scene.ts'

// What could not be loaded is not said to be loading, nor how much of it there is.

let house: SiteHouse
let chromium: Chromium
let viewers: Record<ServiceName, Record<Viewer, Browser | null>>
let filled: (path: string) => string
let page: Page

beforeAll(async () => {
  chromium = await launchChromium()
  ;({ house, viewers, filled } = await openSiteScene())
  // More than a page of one's own packs.
  const owner = viewers.packs.moderator!.viewer!.id
  for (let at = 1; at <= 60; at += 1) {
    house.clock.advance(1_000)
    await createPack(house.ports, owner, aPack({ name: `Pack ${at}` }))
  }
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(() => closeWindow(page))

const search = (): Promise<void> => page.getByRole('searchbox').first().fill('harbour')

type Place = readonly [
  path: string,
  service: ServiceName,
  viewer: Viewer,
  fails: RegExp,
  then?: () => Promise<void>,
]
const failing: readonly Place[] = [
  ['/me', 'packs', 'host', /\/session\/packs\?/],
  ['/me', 'packs', 'moderator', /\/session\/packs\?page=2/],
  ['/packs', 'packs', 'nobody', /\/session\/search/, search],
  ['/moderation', 'packs', 'moderator', /\/session\/moderation\/packs/],
  ['/moderation', 'packs', 'moderator', /query=/, search],
  ['/moderation?view=players', 'packs', 'moderator', /\/session\/moderation\/players/],
  ['/moderation?view=log', 'packs', 'moderator', /\/session\/moderation\/log/],
  ['/moderation', 'pools', 'moderator', /\/session\/moderation\/tournaments/],
  ['/account', 'packs', 'host', /\/session\/(?:key|sessions)$/],
  ['/p/{pack}/history', 'packs', 'host', /\/history/],
  ['/p/{pack}/history?a=1&b=2', 'packs', 'host', /\/history/],
  ['/', 'pools', 'nobody', /\/session\/tournaments\?/, search],
  ['/t/{cup}/edit', 'pools', 'host', /\/workspace$/],
  ['/t/{cup}/edit', 'pools', 'host', /\/rounds\/[\w-]+$/],
  ['/t/{cup}/staff', 'pools', 'host', /\/staff$/],
]

it.each(failing)('%s of %s, before %s: %s', async (...place) => {
  const [path, service, viewer, fails, then] = place as unknown as Place
  ;({ page } = await openRealPage(chromium, house, {
    from: viewers[service][viewer],
    service,
    path: filled(path),
    prepare: (opened) =>
      opened.route(
        (url) => fails.test(url.pathname + url.search),
        (route) => (route.request().resourceType() === 'fetch' ? route.abort() : route.fallback()),
      ),
  }))
  await then?.()
  const alert = page.locator('main [role=alert]:not(:empty)')
  await alert.first().waitFor()
  const failureText = () =>
    page
      .locator('main [role=status], main [aria-busy=true]')
      .evaluateAll((all) =>
        all.flatMap((each) =>
          each.getAttribute('aria-busy') === 'true' && each.tagName !== 'BUTTON'
            ? ['busy']
            : /…$|\d+ (?:pack|player|tournament)s?$/.test(each.textContent.trim())
              ? [each.textContent.trim()]
              : [],
        ),
      )
  await expect.poll(failureText).toEqual([])
})

it('what cannot be read again is said to be old: the staff, with a link that is not shown again', async () => {
  ;({ page } = await openRealPage(chromium, house, {
    from: viewers.pools.host,
    service: 'pools',
    path: filled('/t/{cup}/staff'),
  }))
  const link = page.getByRole('textbox', { name: 'Invitation link' })
  await page.route('**/staff', (route) =>
    route.request().resourceType() === 'fetch' ? route.abort() : route.fallback(),
  )
  await page.getByRole('button', { name: 'Make a link', exact: true }).click()
  const alert = page.locator('main [role=alert]', { hasText: 'Could not load the staff' })
  await alert.waitFor()
  expect(await link.inputValue()).toContain('/invite/')
  await page.unroute('**/staff')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await alert.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Open invitations' }).waitFor()
  expect(await link.inputValue()).toContain('/invite/')
})
