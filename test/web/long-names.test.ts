import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkSiteName } from '../../src/domain/installation.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, overflowOf, phone } from '../support/real-page.ts'
import { openPlace, openSiteScene, type Place, places } from './site-scene.ts'

/** As wide as a name may be, and nowhere to be divided. */
const NAME = 'W'.repeat(40)
/** What the names and texts of people end with, wider than a phone. */
const WORD = 'W'.repeat(28)

let scene: Awaited<ReturnType<typeof openSiteScene>>
let chromium: Chromium

beforeAll(async () => {
  expect(checkSiteName(NAME)).toBeNull()
  chromium = await launchChromium()
  scene = await openSiteScene({ isPseudo: true, name: NAME, after: WORD })
})
afterAll(async () => {
  await chromium.close()
  await scene.house.close()
})
beforeEach(() => scene.house.clock.nextMinute())

/** Each page once, by whom most of it is shown. */
const seen = new Map<string, Place>([
  ...places.map((place) => [place.slice(0, 2).join(' '), place] as const),
  ['a failed sign-in', ['/sign-in/callback?error=access_denied', 'packs', 'nobody']],
  ['missing of packs', ['/nothing/here', 'packs', 'nobody']],
  ['missing of pools', ['/nothing/here', 'pools', 'nobody']],
])

/** The parts of a page that cut a name off at the side, and do not say so: an ellipsis is drawn in blocks alone. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>()
    const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (all.nextNode()) {
      const text = all.currentNode as Text
      const within = text.parentElement!
      if (!text.data.includes('WWWW') || !within.checkVisibility({ visibilityProperty: true }))
        continue
      let box: Element | null = within
      while (box !== null && getComputedStyle(box).overflowX === 'visible') box = box.parentElement
      if (box === null || box.matches('.sr-only, textarea, option, select')) continue
      const { overflowX, textOverflow, display } = getComputedStyle(box)
      const isTold = textOverflow === 'ellipsis' && !/flex|grid/.test(display)
      if (isTold || !['hidden', 'clip'].includes(overflowX)) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      const [own, around] = [range.getBoundingClientRect(), box.getBoundingClientRect()]
      // Shown to screen readers alone.
      if (around.width <= 2) continue
      if (own.right <= around.right + 1 && own.left >= around.left - 1) continue
      found.add(`${box.parentElement?.className} > ${box.tagName}.${box.className}`)
    }
    return [...found]
  })

describe.each(['en', 'ar-XB'])(
  'the widest SITE_NAME (D-102) and names without a space, in %s',
  (language) => {
    it('fits a phone in the dialog of a release, and beside the candidates of a slot', async () => {
      const { viewers, filled } = scene
      const { json } = await viewers.pools.host!.ask('GET', filled('/session/tournaments/{cup}'))
      const path = `/t/{cup}/edit?round=${json.tournament.rounds[3].id}`
      const place: Place = [path, 'pools', 'host']
      const page = await openPlace(chromium, scene, place, language, { viewport: phone })
      await page.locator('.discussion-button.has-remarks').first().click()
      await page.locator('.candidate').waitFor()
      expect(await overflowOf(page)).toBe(0)
      await page.locator('.release-controls > .actions > .button').first().click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('.release-dialog').waitFor()
      expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
      await closeWindow(page)
    })

    it.each([...seen.values()])('fits a phone on %s of %s, before %s', async (...place) => {
      const page = await openPlace(chromium, scene, place, language, { viewport: phone })
      expect(await page.evaluate('document.body.textContent')).toContain(NAME)
      for (const width of [phone.width, 768]) {
        await page.setViewportSize({ width, height: 800 })
        expect.soft([width, await overflowOf(page), await cutOff(page)]).toEqual([width, 0, []])
      }
      await closeWindow(page)
    })
  },
)
