import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { illegible, setTextSize } from '../support/legible.ts'
import { closeWindow, overflowOf } from '../support/real-page.ts'
import { openPlace, openSiteScene, type Place } from './site-scene.ts'

let scene: Awaited<ReturnType<typeof openSiteScene>>
let chromium: Chromium
let page: Page

beforeAll(async () => {
  chromium = await launchChromium()
  scene = await openSiteScene()
})
afterAll(async () => {
  await chromium.close()
  await scene.house.close()
})
beforeEach(() => scene.house.clock.nextMinute())
afterEach(() => closeWindow(page))

/** A button of a page that asks something, or shows more, in a dialog. */
const opened: readonly (readonly [name: string | RegExp, ...Place])[] = [
  ['Delete', '/p/{pack}', 'packs', 'host'],
  ['Get the maps', '/p/{pack}', 'packs', 'host'],
  ['Download collection.db', '/p/{pack}', 'packs', 'host'],
  ['Hide …', '/p/{pack}', 'packs', 'moderator'],
  ['Restore version 1', '/p/{pack}/history', 'packs', 'host'],
  ['Delete my account', '/account', 'packs', 'host'],
  [/^Hide /, '/moderation', 'packs', 'moderator'],
  [/^Unsuspend /, '/moderation?view=players', 'packs', 'moderator'],
  ['New tournament', '/my', 'pools', 'host'],
  ['Get the maps of Round of 16', '/t/{cup}', 'pools', 'host'],
  ['Hide tournament …', '/t/{cup}', 'pools', 'moderator'],
  ['Settings', '/t/{cup}/edit', 'pools', 'host'],
  ['Paste a sheet', '/t/{cup}/edit', 'pools', 'host'],
  ['Delete the round', '/t/{cup}/edit', 'pools', 'host'],
  ['Release again', '/t/{cup}/edit', 'pools', 'host'],
  ['Withdraw the pack', '/t/{cup}/edit', 'pools', 'host'],
]

/** In the page: where the focus is. */
const inDialog = `document.activeElement.closest('dialog') !== null`
/** Browsers let the keys go on to their own buttons, and come back. */
const isOutside = `document.activeElement !== document.body && !(${inDialog})`

describe.each([16, 32])('on a phone of 320 pixels, with text of %i px', (size) => {
  it.each(opened)('what %s opens on %s can be read and left by keys', async (name, ...place) => {
    page = await openPlace(chromium, scene, place, 'en', { viewport: { width: 320, height: 640 } })
    await setTextSize(page, size)
    const opener = page.locator('main').getByRole('button', { name, exact: true }).first()
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await expect.poll(() => page.evaluate(inDialog)).toBe(true)
    await dialog.locator('.skeleton').waitFor({ state: 'detached' })
    await expect
      .poll(() => dialog.evaluate((it) => [it.scrollWidth - it.clientWidth, it.clientWidth <= 320]))
      .toEqual([0, true])
    expect(await overflowOf(page)).toBe(0)
    expect(await illegible(page)).toEqual([])
    for (let steps = 0; steps < 20; steps += 1) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(isOutside)).toBe(false)
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => opener.evaluate((it) => it === document.activeElement)).toBe(true)
  })
})
