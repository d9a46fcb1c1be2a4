import type { Browser as Chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setNotice, setReadOnly } from '../../src/operations/operator.ts'
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

  it.each(['light', 'dark'] as const)(
    'switch the theme from %s for the whole site, and back to what the system has',
    async (colorScheme) => {
      const look = { viewport: desk, colorScheme }
      const { page } = await openRealPage(chromium, house, { from: null, path: paths[0]!, look })
      const other = colorScheme === 'light' ? 'dark' : 'light'
      const ink = () => page.evaluate('getComputedStyle(document.body).color')
      const before = await ink()
      const press = (to: string) =>
        page.getByRole('button', { name: `Switch to the ${to} theme`, exact: true }).click()
      await press(other)
      expect(await ink()).not.toBe(before)
      await page.goto('/docs')
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe(other)
      await page.goto(paths[1]!)
      expect(await ink()).not.toBe(before)
      await press(colorScheme)
      expect(await ink()).toBe(before)
      expect(await page.evaluate('localStorage.length')).toBe(0)
      await closeWindow(page)
    },
  )

  it('ask for the search in the same words as the pages that search', async () => {
    for (const service of ['packs', 'pools'] as const) {
      const words = []
      for (const path of service === 'packs' ? ['/nothing', '/', '/packs'] : ['/nothing', '/']) {
        const { page } = await openRealPage(chromium, house, { from: null, path, service })
        const field = page.getByRole('searchbox')
        if (path === '/nothing' || (await field.count()) > 0) {
          words.push([
            await field.getAttribute('placeholder'),
            await field.evaluate((each: HTMLInputElement) => each.labels?.[0]?.textContent),
          ])
        }
        await closeWindow(page)
      }
      expect(new Set(words.map((each) => each.join(': '))).size, service).toBe(1)
    }
  })

  it.each([
    { viewport: phone, colorScheme: 'light', hasTouch: true, isMobile: true } as const,
    { viewport: desk, colorScheme: 'dark' } as const,
  ])('what the operator says is above them and fits, $viewport.width pixels wide', async (look) => {
    const text = 'Down for an upgrade on Saturday from 20:00 to 21:00 UTC: https://status.test/x'
    await setNotice(house.ports, text)
    await setReadOnly(house.ports, { reason: `${'Moving'.repeat(30)}.` })
    await house.operator.look()
    for (const path of ['/', '/new', '/nothing/here']) {
      const { page } = await openRealPage(chromium, house, { from: null, path, look })
      const notice = page.getByRole('complementary', { name: 'Notice' })
      expect(await notice.innerText()).toContain(text)
      expect((await notice.boundingBox())?.y, path).toBe(0)
      expect(await axeViolations(page), path).toEqual([])
      expect(await overflowOf(page), path).toBeLessThanOrEqual(0)
      await closeWindow(page)
    }
    await setNotice(house.ports, null)
    await setReadOnly(house.ports, null)
    await house.operator.look()
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
