import * as fc from 'fast-check'
import type { Browser as Chromium } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shownText } from '../../src/web/parts/labels.tsx'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, desk } from '../support/real-page.ts'
import { openPlace, openSiteScene, places } from './site-scene.ts'

// Many marks on a letter are drawn over the lines around (D-47).

/** Below and above a letter, and around it. */
const MARKS = ['\u0301', '\u0316', '\u20dd']

describe('text that is shown', () => {
  const letters = fc.array(fc.constantFrom('a', 'ש', 'ส', '\u0e4c', 'व', '\u093f', ' ', ...MARKS))
  const row = /[\p{Mn}\p{Me}]+/gu

  it('has the first four of the marks on a letter, and everything else', () => {
    fc.assert(
      fc.property(letters, (all) => {
        const text = all.join('')
        expect(shownText(text)).toBe(text.replace(row, (marks) => marks.slice(0, 4)))
      }),
    )
  })
})

describe('names with many marks on a letter', () => {
  let scene: Awaited<ReturnType<typeof openSiteScene>>
  let chromium: Chromium

  beforeAll(async () => {
    chromium = await launchChromium()
    scene = await openSiteScene({ after: MARKS.join('').repeat(8) })
  })
  afterAll(async () => {
    await chromium.close()
    await scene.house.close()
  })
  beforeEach(() => scene.house.clock.nextMinute())

  it.each(places)('are no towers on %s of %s, before %s', async (...place) => {
    const page = await openPlace(chromium, scene, place, 'en', { viewport: desk })
    await page.locator('.skeleton-row').first().waitFor({ state: 'detached' })
    // What a row is noted with comes after it.
    if (place[0].endsWith('/edit')) await page.locator('.pooled-note').first().waitFor()
    const towers = await page.evaluate(() => {
      const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      while (all.nextNode()) {
        const { parentElement: parent, data } = all.currentNode as Text
        // A field shows what is in it, and cuts it off.
        if (parent!.closest('script, textarea') || !/[\p{Mn}\p{Me}]{5}/u.test(data)) continue
        found.push(`${data.slice(0, 20)} in ${parent!.outerHTML.slice(0, 60)}`)
      }
      return found
    })
    expect(towers).toEqual([])
    await closeWindow(page)
  })
})
