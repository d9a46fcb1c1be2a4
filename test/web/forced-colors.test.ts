import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, desk } from '../support/real-page.ts'
import { openPlace, openSiteScene, type Place, places } from './site-scene.ts'

// Where people choose the few colours of all pages, browsers draw no backgrounds and shadows of ours.

let scene: Awaited<ReturnType<typeof openSiteScene>>
let chromium: Chromium
beforeAll(async () => {
  chromium = await launchChromium()
  scene = await openSiteScene()
})
afterAll(async () => {
  await chromium.close()
  await scene.house.close()
})
beforeEach(() => scene.house.clock.nextMinute())

const states = '[aria-pressed], [aria-current], [aria-selected], [type=radio], [type=checkbox]'

/** Marks one of each kind of what is on or off, by the part of the page that shows it; returns their names. */
const markStates = (page: Page): Promise<string[]> =>
  page.evaluate((all) => {
    const seen = new Set<string>()
    for (const each of document.querySelectorAll<HTMLElement>(all)) {
      const shown = each.closest('label') ?? each
      const kind = [shown.parentElement, shown, each]
        .map((one) => `${one!.tagName} ${one!.className}`)
        .join(' > ')
      if (seen.has(kind) || !shown.checkVisibility({ visibilityProperty: true })) continue
      seen.add(kind)
      each.dataset['turned'] = kind
      shown.dataset['shown'] = kind
    }
    return [...seen]
  }, states)

const turn = (page: Page, kind: string): Promise<void> =>
  page.evaluate((wanted) => {
    const all = [...document.querySelectorAll<HTMLElement>('[data-turned]')]
    const each = all.find(({ dataset }) => dataset['turned'] === wanted)!
    if (each instanceof HTMLInputElement) each.checked = !each.checked
    for (const name of ['aria-pressed', 'aria-selected']) {
      const value = each.getAttribute(name)
      if (value !== null) each.setAttribute(name, String(value !== 'true'))
    }
    each.removeAttribute('aria-current')
  }, kind)

describe('in forced colours', () => {
  const own: Place[] = places.filter(([path]) => !path.startsWith('/docs/'))
  it.each([...own, ['/docs/api', 'packs', 'nobody'] as const])(
    'what is on looks otherwise than what is off on %s of %s, before %s',
    async (...place) => {
      const page = await openPlace(chromium, scene, place, 'en', { viewport: desk })
      await page.emulateMedia({ forcedColors: 'active' })
      await page.locator('.skeleton-row').first().waitFor({ state: 'detached' })
      const same: string[] = []
      for (const kind of await markStates(page)) {
        const shown = page.locator(`[data-shown=${JSON.stringify(kind)}]`)
        const look = () => shown.screenshot({ animations: 'disabled', caret: 'hide' })
        const before = await look()
        await turn(page, kind)
        if ((await look()).equals(before)) same.push(kind)
      }
      expect(same).toEqual([])
      await closeWindow(page)
    },
  )

  it('no border that is transparent elsewhere touches the text beside it', async () => {
    for (const place of [
      ['/p/{pack}/edit', 'packs', 'host'],
      ['/t/{cup}/edit', 'pools', 'host'],
    ] as const) {
      const page = await openPlace(chromium, scene, place, 'en', { viewport: desk })
      await page.locator('.lane .field').first().waitFor()
      await page.emulateMedia({ forcedColors: 'active' })
      expect(await touching(page)).toEqual([])
      await closeWindow(page)
    }
  })
})

/** Fields of which a border is less than two pixels from a text on the same line. */
const touching = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    for (const field of document.querySelectorAll<HTMLElement>('main .field')) {
      if (!field.checkVisibility()) continue
      const box = field.getBoundingClientRect()
      const around = field.closest('li, label') ?? field.parentElement!
      const texts = document.createTreeWalker(around, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const { currentNode: text } = texts
        if (text.textContent!.trim() === '' || field.contains(text)) continue
        // What is cut off is not seen; one pixel is what screen readers alone can see.
        const clips: DOMRect[] = []
        for (
          let each = text.parentElement;
          each !== null && each !== around;
          each = each.parentElement
        ) {
          if (getComputedStyle(each).overflowX !== 'visible')
            clips.push(each.getBoundingClientRect())
        }
        const range = document.createRange()
        range.selectNodeContents(text)
        for (const each of range.getClientRects()) {
          const isBeside = each.bottom > box.top + 2 && each.top < box.bottom - 2
          const left = Math.max(each.left, ...clips.map((clip) => clip.left))
          const right = Math.min(each.right, ...clips.map((clip) => clip.right))
          const gap = Math.max(left - box.right, box.left - right)
          if (isBeside && right - left > 1 && gap < 2) {
            found.push(
              `${gap.toFixed(1)} px: ${text.textContent} | ${field.outerHTML.slice(0, 80)}`,
            )
          }
        }
      }
    }
    return [...new Set(found)]
  })
