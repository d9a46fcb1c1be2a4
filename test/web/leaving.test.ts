import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const PLAYER = 7001

let house: SiteHouse
let chromium: Chromium
let page: Page
let players: Record<ServiceName, Browser>

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  players = {
    packs: await house.signedIn(PLAYER),
    pools: await house.signedIn(PLAYER, 'pools'),
  }
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(() => closeWindow(page))

const open = async (path: string, service: ServiceName = 'packs') => {
  const opening = { from: players[service], path, service }
  ;({ page } = await openRealPage(chromium, house, opening))
}
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).last()
const pack = () => house.save(players.packs, aPack())

type Way = { readonly press: string; readonly prepare: () => Promise<unknown> }

/** What leads to another page once the site has done it. */
const ways: Readonly<Record<string, Way>> = {
  'a copy of a pack': {
    press: 'Make a copy',
    prepare: async () => open(`/p/${await pack()}`),
  },
  'a pack that is deleted': {
    press: 'Delete pack',
    prepare: async () => {
      await open(`/p/${await pack()}`)
      await button('Delete').click()
    },
  },
  'a new tournament': {
    press: 'Create and open',
    prepare: async () => {
      await open('/my', 'pools')
      await button('New tournament').click()
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Cup')
    },
  },
  'a version that is restored': {
    press: 'Restore',
    prepare: async () => {
      const slug = await pack()
      const { json } = await players.packs.ask('GET', `/session/packs/${slug}`)
      house.clock.nextMinute()
      const edit = { pack: aPack({ name: 'Again' }), basedOn: json.pack.updatedAt }
      await players.packs.ask('PUT', `/session/packs/${slug}`, edit)
      await open(`/p/${slug}/history`)
      await button('Restore version 1').click()
      await page.locator('dialog .difference').first().waitFor()
    },
  },
}

describe.each(Object.entries(ways))('what leads away: %s', (_, { press, prepare }) => {
  it('is done once, however often it is pressed until the page is left', async () => {
    await prepare()
    const writes: string[] = []
    let isLeaving = false
    await page.route('**/*', async (route) => {
      const request = route.request()
      if (request.isNavigationRequest()) {
        isLeaving = true
        // The page stays, as while the next one takes long.
        return route.fulfill({ status: 204 })
      }
      if (request.method() !== 'GET' && !request.url().endsWith('/beatmaps')) {
        writes.push(`${request.method()} ${new URL(request.url()).pathname}`)
      }
      await route.fallback()
    })
    await button(press).click()
    await expect.poll(() => isLeaving).toBe(true)
    const again = button(press)
    expect(await again.getAttribute('aria-busy')).toBe('true')
    await again.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    // Whoever comes back to the page finds that it is over.
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
    await expect.poll(() => again.getAttribute('aria-busy')).toBe('false')
    expect(writes).toHaveLength(1)
  })
})
