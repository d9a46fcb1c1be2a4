import type { Browser as Chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../support/axe.ts'
import { launchChromium } from '../support/chromium.ts'
import {
  closeWindow,
  desk,
  openRealPage,
  overflowOf,
  phone,
  targetHeights,
} from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let chromium: Chromium

beforeAll(async () => {
  house = await openSiteHouse({ hasRealPages: true })
  chromium = await launchChromium()
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})

const paths = ['/nothing/here', '/moderation', '/sign-in/callback?code=1']

describe('pages that the server writes by itself', () => {
  it.each([
    { viewport: phone, colorScheme: 'light', hasTouch: true, isMobile: true } as const,
    { viewport: desk, colorScheme: 'dark' } as const,
  ])('can be used by everybody, and fit, $viewport.width pixels wide', async (look) => {
    for (const path of paths) {
      const { page } = await openRealPage(chromium, house, { from: null, path, look })
      expect(await axeViolations(page), path).toEqual([])
      expect(await overflowOf(page), path).toBeLessThanOrEqual(0)
      if (look.viewport === phone) {
        const heights = await targetHeights(page, 'nav a, .brand, .account, .field, .button')
        expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
      }
      await closeWindow(page)
    }
  })

  it('lead to what is searched for, without a script of their own', async () => {
    const { page } = await openRealPage(chromium, house, { from: null, path: '/p/AAAAAAAAAA' })
    await page.getByRole('searchbox').fill('finals')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/packs?q=finals')
    await page.getByRole('heading', { name: 'Browse packs' }).waitFor()
    await closeWindow(page)
  })
})
