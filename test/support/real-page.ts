import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from './browser.ts'
import type { SiteHouse } from './site-house.ts'

export const desk = { width: 1280, height: 800 }
export const phone = { width: 360, height: 740 }

/** Both themes on a desk and on a phone. */
export const looks = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { colorScheme, viewport: desk },
  { colorScheme, viewport: phone, hasTouch: true, isMobile: true },
])

type Opening = {
  /** Whose cookies; null: a stranger's browser. */
  readonly from: Browser | null
  readonly path: string
  readonly service?: ServiceName
  readonly look?: BrowserContextOptions
  /** The page's timers go by `page.clock`, which can be wound forward. */
  readonly hasHandClock?: boolean
  /** Before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** A page of the real site in a real Chromium, and what its console complained of. */
export type RealPage = { readonly page: Page; readonly complaints: string[] }

/** Opens a page of the site as somebody who is signed in, or as nobody. Close its context when done. */
export const openRealPage = async (
  chromium: Chromium,
  house: SiteHouse,
  { from, path, service = 'packs', look = {}, hasHandClock = false, prepare }: Opening,
): Promise<RealPage> => {
  const url = house.urls[service]
  const context = await chromium.newContext({
    viewport: desk,
    locale: 'en-GB',
    timezoneId: 'UTC',
    baseURL: url,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...look,
  })
  const cookies = [...(from?.cookies ?? [])].map(([name, value]) => ({ name, value, url }))
  if (cookies.length > 0) await context.addCookies(cookies)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  // What the content security policy stops is told here, too.
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  if (hasHandClock) await page.clock.install()
  await prepare?.(page)
  const [goTo, reload] = [page.goto.bind(page), page.reload.bind(page)]
  const ready = async <T>(response: T): Promise<T> => {
    await whenReady(page)
    return response
  }
  page.goto = async (...args) => ready(await goTo(...args))
  page.reload = async (...args) => ready(await reload(...args))
  await page.goto(path)
  await page.locator('h1').waitFor()
  return { page, complaints }
}

/** Waits until the page's script has taken over: the server's HTML is there before it. */
export const whenReady = async (page: Page): Promise<void> => {
  const needsScript = await page.locator('script[type=module]').count()
  if (needsScript > 0) await page.locator('html[data-ready]').waitFor({ state: 'attached' })
}

/** How many pixels the page is wider than the window; 0 when it fits. */
export const overflowOf = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))

/** Heights of what can be pressed and is to be seen, in pixels. */
export const targetHeights = (page: Page, selector: string): Promise<number[]> =>
  page
    .locator(selector)
    .evaluateAll((targets) =>
      targets.map((target) => target.getBoundingClientRect().height).filter((high) => high > 0),
    )

/** Presses Tab until something with this role and name has the focus. */
export const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(
      `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()`,
    )
    if (focused === name) return
  }
  throw new Error(`Tab leads to no ${name}`)
}

/** Text that would do something if it were not shown as text. */
export const evil = `<img src=x onerror=alert(1)>"'&amp;`
