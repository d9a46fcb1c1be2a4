import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import { paletteOf } from '../../src/domain/accent.ts'
import { accentViolations, axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { openSlowPage } from '../support/held-page.ts'
import { illegible, setTextSize } from '../support/legible.ts'
import {
  closeWindow,
  crampedButtons,
  desk,
  openRealPage,
  overflowOf,
  smallTargets,
  stretchedButtons,
} from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { openSiteScene, type Place, places, type Viewer } from './site-scene.ts'

/** What a page may move while scripts and answers come, as browsers measure it. */
const STILL = 0.02
/** What it may move while its HTML comes, in pieces over which it has no say: what is called good. */
const GOOD = 0.1

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

/** Where pictures of every page are written, if the variable SCREENSHOTS is set: no test looks at them. */
const pictures = fileURLToPath(new URL('../../build/screenshots', import.meta.url))

const takePictures = async (name: string): Promise<void> => {
  const width = page.viewportSize()?.width
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    const file = `${name.replaceAll(/[^\w-]+/g, '_')}-${colorScheme}-${width}.png`
    await page.screenshot({ path: join(pictures, file), fullPage: true })
  }
}

const looks = [
  { viewport: desk },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
]

describe.each(looks)('at $viewport.width px, over a slow line', (look) => {
  it.each(places)('%s of %s, before %s', async (path, service, viewer) => {
    const opened = await openSlowPage(chromium, house, {
      from: viewers[service][viewer],
      service,
      path: filled(path),
      look,
    })
    page = opened.page
    const shifts = JSON.stringify(opened.shifts, null, 1)
    expect.soft(opened.movedAsItCame, shifts).toBeLessThanOrEqual(GOOD)
    expect.soft(opened.moved, shifts).toBeLessThanOrEqual(STILL)
    expect.soft(await axeViolations(page)).toEqual([])
    expect.soft(await overflowOf(page)).toBe(0)
    expect.soft(await stretchedButtons(page)).toEqual([])
    expect.soft(await covering()).toEqual([])
    expect.soft(await emptyTables()).toEqual([])
    // Browsers complain of a page that is not there.
    expect.soft(opened.complaints.filter((line) => !/40[34] \(/.test(line))).toEqual([])
    if (process.env['SCREENSHOTS']) await takePictures(`${service}-${viewer}${path}`)
    expect.soft(await illegible(page)).toEqual([])
    await setTextSize(page, 32)
    const large = [await overflowOf(page), await illegible(page), await crampedButtons(page)]
    expect.soft(large, 'with text of double size (D-113)').toEqual([0, [], []])
    await setTextSize(page, 16)
    if ('hasTouch' in look) {
      expect.soft(await smallTargets(page)).toEqual([])
      await page.setViewportSize({ width: 320, height: 844 })
      for (const size of [16, 32]) {
        await setTextSize(page, size)
        const narrow = [await overflowOf(page), await illegible(page), await crampedButtons(page)]
        expect.soft(narrow, `320 px wide, with text of ${size} px`).toEqual([0, [], []])
      }
      await setTextSize(page, 16)
      // A window of 1,280 by 1,024 px at 400 %.
      await page.setViewportSize({ width: 320, height: 256 })
      return expect.soft(await covering(), 'at 400 %').toEqual([])
    }
    expect.soft(await misprinted()).toEqual([])
    for (const accent of otherAccents) {
      expect.soft(await accentViolations(page, paletteOf(accent)), accent).toEqual([])
    }
    if (!aboutSoftware.has(path)) expect.soft(await softwareNames()).toEqual([])
  })
})

/** What stays in sight while one scrolls, and covers more than a fifth of the window. */
const covering = (): Promise<string[]> =>
  page
    .locator(
      'body *:not(dialog, dialog *, [popover], [popover] *, [role=menu], :has(details[open]))',
    )
    .evaluateAll((all) =>
      all
        .filter((each) => /fixed|sticky/.test(getComputedStyle(each).position))
        .map((each) => [each.getBoundingClientRect(), each.className] as const)
        .filter(([{ height, width }]) => width > innerWidth * 0.9 && height > innerHeight / 5)
        .map(([{ height }, name]) => `${name}: ${Math.round(height)} of ${innerHeight} px`),
    )

/**
 * What does not belong on paper, which is as wide as A4 between its margins: what is pressed or stays in sight, and what
 * is cut because nobody can scroll it. Of an editor, what is filled in is read.
 */
const misprinted = async (): Promise<string[]> => {
  const before = page.viewportSize()!
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.setViewportSize({ width: 718, height: 1_000 })
  const found = await page.locator('body, body *').evaluateAll((all) =>
    all
      .filter((each) => each.checkVisibility({ visibilityProperty: true }))
      .flatMap((each) => {
        const { position, overflowX } = getComputedStyle(each)
        const isPressed = each.matches('button:not(.lane-button, .edit-link), .button')
        const isEmpty = each.matches(':placeholder-shown')
        const isStuck = /fixed|sticky/.test(position)
        const isCut = /auto|scroll/.test(overflowX) && each.scrollWidth > each.clientWidth + 1
        return isPressed || isEmpty || isStuck || isCut ? [each.outerHTML.slice(0, 160)] : []
      }),
  )
  const tooWide = await overflowOf(page)
  await page.emulateMedia({ media: null, colorScheme: 'light' })
  await page.setViewportSize(before)
  return tooWide > 0 ? [...found, `${tooWide} px too wide`] : found
}

/** Tables without a row, which say nothing but that they are there. */
const emptyTables = (): Promise<string[]> =>
  page
    .locator('table:not(:has(tbody > tr))')
    .evaluateAll((tables) => tables.map(({ outerHTML }) => outerHTML.slice(0, 160)))

/** A dark one and a light one. */
const otherAccents = ['#0b655f', '#ffcc00']

/** The guides to the client and to the commands, which have their names from it. */
const aboutSoftware: ReadonlySet<string> = new Set(['/docs/client', '/docs/cli'])

/** Where a page of an installation or its title names the software, apart from the footer. */
const softwareNames = async (): Promise<string[]> => {
  const text = (await page.evaluate(`document.title + '\\n' + document.body.innerText`)) as string
  return [...text.replace('Powered by Mapcrate.', '').matchAll(/.{0,40}Mapcrate.{0,40}/g)].map(
    ([found]) => found,
  )
}

const button = (name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const press = (name: string | RegExp): Promise<void> => button(name).click()
const isPhone = (): boolean => (page.viewportSize()?.width ?? 0) < desk.width
/** Some parts are folded on phones alone. */
const pressOnPhone = async (name: string): Promise<void> => {
  if (isPhone()) await press(name)
}
const inDialog = () => page.getByRole('dialog').last()

/** What a page looks like once somebody has done something; what other tests bring about is tried for the same there. */
const states: readonly (readonly [what: string, place: Place, act: () => Promise<unknown>])[] = [
  ['the menu of the site', ['/', 'packs', 'nobody'], () => pressOnPhone('Pages')],
  ['filters', ['/packs', 'packs', 'nobody'], () => pressOnPhone('Filters')],
  [
    'the parts of a guide',
    ['/docs/api', 'packs', 'nobody'],
    async () => {
      const folded = page.locator('.docs-menu summary')
      if (await folded.isVisible()) await folded.click()
    },
  ],
  ['what is one’s own', ['/', 'packs', 'moderator'], () => press(/^Menu of/)],
  [
    'the account of a player who is suspended',
    ['/', 'packs', 'nobody'],
    async () => {
      await page.getByRole('link', { name: 'Sign in' }).first().click()
      await press(/second wind/)
      await page.getByRole('heading', { name: 'Your account is suspended' }).waitFor()
    },
  ],
  [
    'the plot of a phone',
    ['/p/{pack}', 'packs', 'nobody'],
    () => pressOnPhone('Plot of the stars'),
  ],
  [
    'the collections of a player',
    ['/p/{pack}', 'packs', 'nobody'],
    async () => {
      await press('Download collection.db')
      await inDialog().getByText('Close the game.').waitFor()
    },
  ],
  [
    'a draft of who is not signed in',
    ['/new', 'packs', 'nobody'],
    async () => {
      await page.getByRole('textbox', { name: 'Name' }).fill('Harbour Cup')
      await page.getByText('Draft saved in this browser').waitFor({ state: 'attached' })
    },
  ],
  [
    'a pool that was pasted',
    ['/new', 'packs', 'host'],
    async () => {
      await page.locator('#edit-paste').fill('NM1 101\nNM2 102')
      await page.getByText('NM2').first().waitFor()
    },
  ],
  ['the question before a pack is deleted', ['/p/{pack}', 'packs', 'host'], () => press('Delete')],
  [
    'a slot that is dragged',
    ['/p/{pack}/edit', 'packs', 'host'],
    async () => {
      // A finger scrolls; there, a menu moves slots.
      if (isPhone()) return press('Move NM1')
      const box = (await button('Move NM1').boundingBox())!
      await page.mouse.move(box.x + 8, box.y + 8)
      await page.mouse.down()
      await page.mouse.move(box.x + 8, box.y + 90, { steps: 5 })
      await page.locator('.drop-mark').waitFor()
    },
  ],
  [
    'a new key',
    ['/account', 'packs', 'host'],
    async () => {
      if (await button('Regenerate').isVisible()) return button('Regenerate').click()
      await button('Create key').click()
      await button('Done').waitFor()
    },
  ],
  ['a new tournament', ['/my', 'pools', 'host'], () => press('New tournament')],
  [
    'a slot that is discussed',
    ['/t/{cup}/edit', 'pools', 'host'],
    async () => {
      await page.locator('.round-name', { hasText: 'Finals' }).last().click()
      await press(/^Candidates and remarks of NM1: 2/)
      await page.getByText('Too long?').waitFor()
    },
  ],
  [
    'a sheet for a tournament',
    ['/t/{cup}/edit', 'pools', 'host'],
    async () => {
      await press(/^Paste a (whole )?sheet/)
      await page.locator('#sheet-text').fill('Finals\nNM1 101\nNM2 102')
      await page.getByText('2 slots').first().waitFor()
    },
  ],
]

describe.each(looks)('at $viewport.width px, with what somebody has opened', (look) => {
  it.each(states)('%s', async (_, [path, service, viewer], act) => {
    const from = viewers[service][viewer]
    const opened = await openRealPage(chromium, house, { from, service, path: filled(path), look })
    page = opened.page
    await page.waitForLoadState('load')
    await page.locator('.skeleton-row').first().waitFor({ state: 'detached' })
    await act()
    expect.soft(await axeViolations(page)).toEqual([])
    expect.soft(await overflowOf(page)).toBe(0)
    expect.soft(await covering()).toEqual([])
    expect.soft(await emptyTables()).toEqual([])
    // Browsers complain of a page that is refused.
    expect.soft(opened.complaints.filter((line) => !/403 \(/.test(line))).toEqual([])
    if ('hasTouch' in look) expect.soft(await smallTargets(page)).toEqual([])
    await setTextSize(page, 32)
    const large = [await overflowOf(page), await illegible(page), await crampedButtons(page)]
    expect.soft(large, 'with text of double size').toEqual([0, [], []])
    await setTextSize(page, 16)
  })

  it.each([
    ['plain', 'undefined'],
    ['danger', `Promise.reject(new DOMException('', 'NotAllowedError'))`],
  ])('a %s toast', async (tone, answer) => {
    const opened = await openRealPage(chromium, house, {
      from: null,
      path: filled('/p/{pack}'),
      look,
      // It stays, however long axe takes.
      prepare: (made) =>
        made.addInitScript(`
          const set = globalThis.setTimeout
          globalThis.setTimeout = (work, ms, ...more) => (ms === 5_000 ? 0 : set(work, ms, ...more))
          navigator.clipboard.writeText = async () => ${answer}`),
    })
    page = opened.page
    const downloads = page.getByRole('region', { name: 'Downloads' })
    await downloads
      .getByRole('button', { name: /^Copy / })
      .first()
      .click()
    await page.locator(`.toast.${tone}`).waitFor()
    expect.soft(await axeViolations(page)).toEqual([])
    expect.soft(await overflowOf(page)).toBe(0)
    expect(await page.locator(`.toast.${tone}`).count()).toBe(1)
  })
})
