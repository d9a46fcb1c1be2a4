import { setTimeout } from 'node:timers/promises'
import type {
  Browser as Chromium,
  BrowserContextOptions,
  CDPSession,
  Page,
  Route,
} from 'playwright-core'
import { wholeNumber } from '../../scripts/arguments.ts'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from './browser.ts'
import type { SiteHouse } from './site-house.ts'

export const desk = { width: 1280, height: 800 }
export const phone = { width: 360, height: 740 }

export const onPhone = { viewport: phone, hasTouch: true, isMobile: true }
/** A desk and a phone. Both themes are tried on each: see `axeViolations`. */
export const looks = [{ viewport: desk }, onPhone]

type Look = BrowserContextOptions & {
  /** The page's timers go by `page.clock`, which can be wound forward. */
  readonly hasHandClock?: boolean
}

type Opening = {
  /** Whose cookies; null: a stranger's browser. */
  readonly from: Browser | null
  readonly path: string
  readonly service?: ServiceName
  readonly look?: BrowserContextOptions
  readonly hasHandClock?: boolean
  /** Before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** A page of the real site in a real Chromium, and what its console complained of. */
export type RealPage = { readonly page: Page; readonly complaints: string[] }

/** Opens a page of the site as somebody who is signed in, or as nobody. Close it by `closeWindow`. */
export const openRealPage = async (
  chromium: Chromium,
  { urls }: Pick<SiteHouse, 'urls'>,
  { from, path, service = 'packs', look = {}, hasHandClock = false, prepare }: Opening,
): Promise<RealPage> => {
  const window = await takeWindow(chromium, { viewport: desk, ...look, hasHandClock })
  const { page } = window
  const complaints = await enter(window, urls[service], from)
  await prepare?.(page)
  await page.goto(path)
  await page.locator('h1').waitFor()
  return { page, complaints }
}

/** Stops the clock of a page with `hasHandClock`, which else goes on by itself while a busy machine is slow. */
export const stopClock = async (page: Page): Promise<void> => {
  const now = Number(await page.evaluate('Date.now()'))
  await page.clock.pauseAt(now + 5_000)
}

/**
 * Lets a window come to a site as somebody; gives what its console complains of, which includes what the
 * content security policy stops.
 */
export const enter = async (window: Window, url: string, from: Browser | null) => {
  const { page } = window
  window.url = url
  const cookies = [...(from?.cookies ?? [])].map(([name, value]) => ({ name, value, url }))
  if (cookies.length > 0) await page.context().addCookies(cookies)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    const text = message.text()
    const { url: source } = message.location()
    complaints.push(text.startsWith('Failed to load') ? `${text} (${source})` : text)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

/** A window in a context of its own. */
type Window = {
  readonly page: Page
  readonly devTools: CDPSession
  /** Does not wait until the page's script has taken over, as the page's own does. */
  readonly goTo: Page['goto']
  /** What paths are relative to. */
  url: string
  /** Where its pages came from. */
  readonly origins: Set<string>
  /** Windows of this kind that were closed, and can be opened again. */
  readonly closed: Window[]
  /** What is left of a test in it can be removed. */
  isReusable: boolean
  /** The next page is to be the first of its history. */
  hasOldHistory: boolean
}

const windows = new WeakMap<Page, Window>()
const closedWindows = new WeakMap<Chromium, Map<string, Window[]>>()

/**
 * A window without cookies, storage, history and listeners. To make one takes more than all else that most
 * tests do, so one that was closed is opened again, for another look, too, if a window can change to it.
 */
export const takeWindow = async (
  chromium: Chromium,
  {
    viewport,
    colorScheme = 'light',
    reducedMotion = 'reduce',
    forcedColors = null,
    contrast = null,
    ...rest
  }: Look,
): Promise<Window> => {
  const kind = { hasHandClock: false, ...rest }
  const kinds = closedWindows.get(chromium) ?? new Map<string, Window[]>()
  closedWindows.set(chromium, kinds)
  const key = JSON.stringify(Object.entries(kind).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const closed = kinds.get(key) ?? []
  kinds.set(key, closed)
  const window = closed.pop() ?? (await makeWindow(chromium, kind, closed))
  await window.page.setViewportSize(viewport ?? desk)
  const ofSystem = { colorScheme, reducedMotion, forcedColors, contrast }
  await window.page.emulateMedia({ media: null, ...ofSystem })
  return window
}

/**
 * Milliseconds that each call of a page and each script waits before the site gets it, and the answer to a call before the
 * page does. With it, what a test or a page takes for done too early fails for certain, and not once in a hundred runs.
 */
const slowness = wholeNumber('SLOW_SITE', process.env['SLOW_SITE'] ?? '0', 0)

/** Lets calls of a page come late to the site: writes twice as late as reads, and streams of events later than all else. */
export const late =
  (ms: number) =>
  async (route: Route): Promise<void> => {
    const request = route.request()
    const isStream = request.resourceType() === 'eventsource'
    await setTimeout(ms * (isStream ? 5 : request.method() === 'GET' ? 1 : 2))
    // The page may be gone.
    await route.fallback().catch(() => {})
  }

/** Lets answers come late to a page. */
const delayAnswers = async (devTools: CDPSession, ms: number): Promise<void> => {
  devTools.on('Fetch.requestPaused', async ({ requestId }) => {
    await setTimeout(ms)
    // The page may be gone.
    await devTools.send('Fetch.continueRequest', { requestId }).catch(() => {})
  })
  const patterns = [{ urlPattern: '*/session/*', requestStage: 'Response' as const }]
  await devTools.send('Fetch.enable', { patterns })
}

const makeWindow = async (
  chromium: Chromium,
  { hasHandClock = false, ...options }: Look,
  closed: Window[],
): Promise<Window> => {
  const context = await chromium.newContext({
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: desk,
    ...options,
  })
  // The scripts of a page, too: what is loaded when it is needed comes after the press that needs it.
  if (slowness > 0) await context.route(/\/(session|assets)\//, late(slowness))
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const onSite =
    (goTo: Page['goto']): Page['goto'] =>
    (to, how) =>
      goTo(new URL(to, window.url).href, how)
  const devTools = await context.newCDPSession(page)
  if (slowness > 0) await delayAnswers(devTools, slowness)
  const window: Window = {
    page,
    async goTo(to, how) {
      const response = await goTo(to, how)
      if (window.hasOldHistory) await forgetHistory(window.devTools)
      window.hasOldHistory = false
      return response
    },
    devTools,
    url: '',
    origins: new Set(),
    closed,
    // Clocks stay as long as the window, as scripts do that run before those of each page.
    isReusable: !hasHandClock,
    hasOldHistory: false,
  }
  const goTo = onSite(page.goto.bind(page))
  windows.set(page, window)
  context.on('page', (other) => {
    window.isReusable = false
    other.goto = onSite(other.goto.bind(other))
  })
  page.on('framenavigated', (frame) => window.origins.add(new URL(frame.url()).origin))
  const [reload, addInitScript] = [page.reload.bind(page), page.addInitScript.bind(page)]
  const [goBack, goForward] = [page.goBack.bind(page), page.goForward.bind(page)]
  const ready = async <T>(response: T): Promise<T> => {
    await whenReady(page)
    return response
  }
  page.goto = async (to, how) => ready(await window.goTo(to, how))
  page.reload = async (how) => ready(await reload(how))
  page.goBack = (how) => whenActive(() => goBack(how))
  page.goForward = (how) => whenActive(() => goForward(how))
  page.addInitScript = (...script) => {
    window.isReusable = false
    return addInitScript(...script)
  }
  if (hasHandClock) await page.clock.install()
  else if (options.javaScriptEnabled !== false) {
    const setViewportSize = page.setViewportSize.bind(page)
    page.setViewportSize = async (size) => {
      await setViewportSize(size)
      await whenLaidOut(page)
    }
  }
  return window
}

/** Leaves the page as the first of its history. */
const forgetHistory = (devTools: CDPSession): Promise<unknown> =>
  whenActive(() => devTools.send('Page.resetNavigationHistory'))

/** Asks for a history: a page in a process of its own takes the place of the one before a moment after it was committed. */
const whenActive = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (let left = 100; ; left -= 1) {
    try {
      return await ask()
    } catch (error) {
      if (left === 0 || !String(error).includes('active page')) throw error
      await setTimeout(50)
    }
  }
}

/** Closes the window of a page, with all that is left of it. */
export const closeWindow = async (page: Page): Promise<void> => {
  const window = windows.get(page)
  if (window?.closed.includes(window)) return
  if (window?.isReusable && (await clear(window))) window.closed.push(window)
  else await page.context().close()
}

/** What tests listen to. */
const EVENTS = [
  'console',
  'pageerror',
  'dialog',
  'download',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
]

/** Removes what is left in a window; false when that is not possible. */
const clear = async (window: Window): Promise<boolean> => {
  const { page, origins } = window
  try {
    for (const event of EVENTS) page.removeAllListeners(event)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const origin of [...origins].filter((each) => each !== 'null')) {
      // A page that writes nothing; the one before it may write as it is left.
      await window.goTo(`${origin}/robots.txt`, { waitUntil: 'commit' })
      await page.evaluate(`(async () => {
        localStorage.clear()
        sessionStorage.clear()
        const files = await navigator.storage.getDirectory()
        for await (const name of files.keys()) await files.removeEntry(name, { recursive: true })
      })()`)
    }
    origins.clear()
    window.hasOldHistory = true
    await page.context().clearCookies()
    return true
  } catch {
    // The site is closed already, or the page is out of order.
    return false
  }
}

const READY = 'html[data-ready], html:not(:has(script[type=module]))'

/** Waits until the page's script has taken over: the server's HTML is there before it. */
export const whenReady = (page: Page): Promise<void> =>
  page.locator(READY).waitFor({ state: 'attached' })

/**
 * Waits until the page has answered to its window's size: what observes a size is told of it in the next frame, and
 * what that changes is in the one after. A stopped clock, or a page without scripts, would never come to them.
 */
const whenLaidOut = async (page: Page): Promise<void> => {
  await page.evaluate(`new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))
  })`)
}

/**
 * How many pixels the page is wider than the window; 0 when it fits. `innerWidth` would not do: on an emulated phone it
 * grows with the page.
 */
export const overflowOf = async (page: Page): Promise<number> =>
  Number(
    await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    ),
  )

/** Heights of what can be pressed and is to be seen, in pixels. */
export const targetHeights = (page: Page, selector: string): Promise<number[]> =>
  page
    .locator(selector)
    .evaluateAll((targets) =>
      targets.map((target) => target.getBoundingClientRect().height).filter((high) => high > 0),
    )

/**
 * What can be pressed and is lower than a finger needs, 44 pixels: a line each. Links in a text are as high as its lines,
 * and a label that is pressed may be larger than what it names.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page
    .locator(
      'button, summary, select, textarea, input:not([type=hidden]), a.button, [role=menuitem]',
    )
    .evaluateAll((targets) =>
      targets
        .filter((target) => target.checkVisibility({ visibilityProperty: true }))
        .map((target) => {
          const labels = [...((target as HTMLInputElement).labels ?? [])]
          const heights = [target, ...labels].map((each) => each.getBoundingClientRect().height)
          return [Math.max(...heights), target.outerHTML] as const
        })
        // One pixel is what screen readers alone can see.
        .filter(([height]) => height > 1 && height < 43.5)
        .map(([height, html]) => `${Math.round(height)} px: ${html.slice(0, 160)}`),
    )

/** Buttons that their surroundings stretch: none is higher than two lines of text. */
export const stretchedButtons = (page: Page): Promise<string[]> =>
  page.locator('.button').evaluateAll((buttons) =>
    buttons
      .map((button) => [button.getBoundingClientRect().height, button.outerHTML] as const)
      .filter(([height]) => height > 72)
      .map(([height, html]) => `${Math.round(height)} px: ${html.slice(0, 160)}`),
  )

/** Buttons with more than a line of text that touches, or all but touches, their border. */
export const crampedButtons = (page: Page): Promise<string[]> =>
  page.locator('.button').evaluateAll((buttons) =>
    buttons
      .filter((button) => button.checkVisibility())
      .map((button) => {
        const text = document.createRange()
        text.selectNodeContents(button)
        const tops = new Set([...text.getClientRects()].map(({ top }) => Math.round(top)))
        const [inside, outside] = [text.getBoundingClientRect(), button.getBoundingClientRect()]
        const room = Math.min(inside.top - outside.top, outside.bottom - inside.bottom)
        const isWrapped =
          tops.size > 1 && inside.height > 1.6 * parseFloat(getComputedStyle(button).lineHeight)
        return [isWrapped ? room : Infinity, button.outerHTML] as const
      })
      .filter(([room]) => room < 3.5)
      .map(([room, html]) => `${room.toFixed(1)} px: ${html.slice(0, 160)}`),
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
