import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, desk, openRealPage, phone } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let chromium: Chromium
let owner: Browser

const open = (from: Browser | null, prepare?: (page: Page) => Promise<unknown>) =>
  openRealPage(chromium, house, { from, path: '/docs', ...(prepare && { prepare }) })

beforeAll(async () => {
  house = await openSiteHouse({ hasRealPages: true })
  chromium = await launchChromium()
  owner = await house.signedIn(7001)
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})

it('a window that is opened again has nothing of before', async () => {
  const first = await open(owner)
  const { page } = first
  await page.route('**/docs/api', (route) => route.abort())
  await page.setViewportSize(phone)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark', reducedMotion: 'no-preference' })
  await page.evaluate(`
    localStorage.setItem('theme', 'dark')
    sessionStorage.setItem('a', 'b')
    addEventListener('pagehide', () => localStorage.setItem('left', 'late'))`)
  await closeWindow(page)

  const second = await open(null)
  expect(second.page).toBe(page)
  expect(await page.context().cookies()).toEqual([])
  const left = '[localStorage.length, sessionStorage.length, history.length, innerWidth]'
  expect(await page.evaluate(left)).toEqual([0, 0, 1, desk.width])
  const asked = '(prefers-color-scheme: dark), (prefers-reduced-motion: no-preference), print'
  expect(await page.evaluate(`matchMedia('${asked}').matches`)).toBe(false)
  expect((await page.goto('/docs/api'))?.status()).toBe(200)
  await page.evaluate(`console.error('one')`)
  await expect.poll(() => second.complaints).toEqual(['one'])
  expect(first.complaints).toEqual([])
  await closeWindow(page)
})

it('a window that is opened again has the look that is asked for', async () => {
  const dark = { viewport: { width: 760, height: 1_000 }, colorScheme: 'dark' } as const
  const looks = [
    [{}, [desk.width, desk.height, ['reduced-motion: reduce']]],
    [dark, [760, 1_000, ['color-scheme: dark', 'reduced-motion: reduce']]],
    [{ reducedMotion: 'no-preference' }, [desk.width, desk.height, []]],
    [{ contrast: 'more' }, [desk.width, desk.height, ['reduced-motion: reduce', 'contrast: more']]],
    [{}, [desk.width, desk.height, ['reduced-motion: reduce']]],
  ] as const
  const pages = new Set<Page>()
  for (const [look, expected] of looks) {
    const { page } = await openRealPage(chromium, house, { from: null, path: '/docs', look })
    pages.add(page)
    const seen = `[innerWidth, innerHeight,
      ['color-scheme: dark', 'reduced-motion: reduce', 'contrast: more']
        .filter((asked) => matchMedia('(prefers-' + asked + ')').matches)]`
    expect(await page.evaluate(seen)).toEqual(expected)
    await closeWindow(page)
  }
  expect(pages.size).toBe(1)
})

it('a page has answered to its new size before a test looks at it', async () => {
  const { page } = await open(null)
  await page.evaluate(`new ResizeObserver(() => {
    requestAnimationFrame(() => { globalThis.seen = innerWidth })
  }).observe(document.documentElement)`)
  for (const width of Array.from({ length: 20 }, (_, at) => 400 + at)) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate('seen')).toBe(width)
  }
  await closeWindow(page)
})

it('a window with a script for every page, or with another beside it, is not opened again', async () => {
  const first = await open(null, (page) => page.addInitScript('globalThis.left = 1'))
  await closeWindow(first.page)
  const second = await open(null)
  expect(second.page).not.toBe(first.page)
  await second.page.context().newPage()
  await closeWindow(second.page)
  const third = await open(null)
  expect(third.page).not.toBe(second.page)
  await closeWindow(third.page)
})

it('axe finds what can be read in one theme alone', async () => {
  const { page } = await open(null)
  for (const [colors, theme] of [
    ['#333, #333', 'dark'],
    ['#eee, #eee', 'light'],
  ]) {
    await page.evaluate(`document.querySelector('h1').style.color = 'light-dark(${colors})'`)
    const found = await axeViolations(page)
    expect(found).toEqual([expect.stringMatching(new RegExp(`^${theme}: color-contrast: <h1`))])
  }
  await closeWindow(page)
})
