import { setTimeout as pause } from 'node:timers/promises'
import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from './browser.ts'
import { closeWindow, enter, openRealPage, takeWindow, whenReady } from './real-page.ts'
import type { SiteHouse } from './site-house.ts'

type Opening = {
  /** Whose cookies; null: a stranger's browser. */
  readonly from: Browser | null
  readonly path: string
  readonly service?: ServiceName
  readonly look?: BrowserContextOptions
}

type Shift = { readonly value: number; readonly at: number; readonly moved: readonly string[] }

/** The HTML may be painted while it comes: whole, it is laid out as the script will find it. */
const WHOLE = `new Promise((done) =>
  document.readyState === 'loading'
    ? document.addEventListener('readystatechange', done, { once: true })
    : done())`

const watch = (options: object): string => `
  globalThis.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, startTime: at, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect: a, currentRect: b }) =>
        (node?.outerHTML ?? node?.textContent ?? '?').slice(0, 90) +
        \` (\${a.x} \${a.y} \${a.width} \${a.height} → \${b.x} \${b.y} \${b.width} \${b.height})\`)
      globalThis.shifts.push({ value, at, moved })
    }
  }).observe(${JSON.stringify({ type: 'layout-shift', ...options })})`
/** Collects what moves on the page from now on, or from its first paint on. */
const [WATCH, WATCH_ALL] = [watch({}), watch({ buffered: true })]

/** Two frames later, all that was changed has been painted. */
const PAINTED =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))'

/**
 * A page whose scripts come only when the test lets them, as over a slow line: until then it is what the
 * server sent. Close it by `closeWindow`.
 */
export const openHeldPage = async (
  chromium: Chromium,
  house: SiteHouse,
  { from, path, service = 'packs', look = {} }: Opening,
) => {
  const window = await takeWindow(chromium, {
    viewport: { width: 1440, height: 900 },
    // Far from what the server writes: 1 December at home is another day there.
    locale: 'de-DE',
    timezoneId: 'Pacific/Auckland',
    ...look,
  })
  const { page } = window
  const complaints = await enter(window, house.urls[service], from)
  /** The paths of all that the page has loaded. */
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const hasScripts = look.javaScriptEnabled !== false
  if (hasScripts) {
    await page.route(/\/assets\/(?!theme)[^/]*\.js$/, async (route) => {
      await held
      await route.continue().catch(() => {})
    })
  }
  await window.goTo(path, { waitUntil: 'commit' })
  await page.locator('h1:visible, .page-skeleton .skeleton-row').first().waitFor()
  if (hasScripts) await page.evaluate(`${WHOLE}.then(() => ${PAINTED}).then(() => { ${WATCH} })`)

  /** Lets the scripts come, and waits until all that they ask for is there. */
  const takeOver = async (): Promise<void> => {
    letGo()
    await page.waitForLoadState('networkidle')
    await page.evaluate(PAINTED)
  }
  const shifts = (): Promise<Shift[]> => page.evaluate('globalThis.shifts')
  return { page, complaints, loaded, takeOver, shifts }
}

/** Opens a page whose answers come only when it has been painted without them, and returns what moves then. */
export const shiftsOfAnswers = async (
  chromium: Chromium,
  house: SiteHouse,
  answers: RegExp,
  opening: Opening,
) => {
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const { page } = await openRealPage(chromium, house, {
    ...opening,
    prepare: (made) =>
      made.route(answers, async (route) => {
        await held
        await route.continue().catch(() => {})
      }),
  })
  await page.evaluate(`${PAINTED}.then(() => { ${WATCH} })`)
  letGo()
  await page.waitForLoadState('networkidle')
  await page.evaluate(PAINTED)
  const shifts: Shift[] = await page.evaluate('globalThis.shifts')
  await closeWindow(page)
  return shifts
}

/** What is still waited for. */
const AWAITED = `document.querySelector('.skeleton-row, .blank, [aria-busy=true]')?.outerHTML ?? ''`

/** Resolves when everything is there that the page asks for. */
const whenSettled = async (page: Page): Promise<void> => {
  for (let left = 200; ; left -= 1) {
    const awaited = String(await page.evaluate(AWAITED))
    if (awaited === '') return
    if (left === 0) throw new Error(`the page still waits: ${awaited.slice(0, 200)}`)
    await pause(50)
  }
}

/**
 * Opens a page as over a slow line: its scripts come when all that the server sent is painted, and answers and pictures
 * when that is painted, too. Returns what moved while its HTML came, in as many pieces as the parser took it in, and
 * what moved after that, larger shifts first. Close it by `closeWindow`.
 */
export const openSlowPage = async (
  chromium: Chromium,
  house: Pick<SiteHouse, 'urls'>,
  { from, path, service = 'packs', look = {} }: Opening,
) => {
  const window = await takeWindow(chromium, look)
  const { page } = window
  const complaints = await enter(window, house.urls[service], from)
  const asked = Promise.withResolvers<void>()
  const doors = { scripts: Promise.withResolvers<void>(), answers: Promise.withResolvers<void>() }
  await page.route('**', async (route) => {
    const request = route.request()
    if (/fetch|eventsource/.test(request.resourceType())) asked.resolve()
    // Nothing is painted before these.
    const isFirst = request.isNavigationRequest() || /\.css$|\/theme-[^/]*$/.test(request.url())
    if (!isFirst) await doors[request.url().endsWith('.js') ? 'scripts' : 'answers'].promise
    await route.continue().catch(() => {})
  })
  await window.goTo(path, { waitUntil: 'commit' })
  await page.locator('body').waitFor({ state: 'attached' })
  const whole = await page.evaluate<number>(
    `${WATCH_ALL}; ${WHOLE}.then(() => ${PAINTED}).then(() => performance.now())`,
  )
  doors.scripts.resolve()
  // Some pages begin with an answer.
  await Promise.race([whenReady(page), asked.promise])
  await page.evaluate(PAINTED)
  doors.answers.resolve()
  await whenSettled(page)
  await page.evaluate(PAINTED)
  const shifts: Shift[] = await page.evaluate('globalThis.shifts')
  const moved = (which: readonly Shift[]): number =>
    which.reduce((sum, { value }) => sum + value, 0)
  return {
    page,
    complaints,
    shifts: shifts.toSorted((a, b) => b.value - a.value),
    movedAsItCame: moved(shifts.filter(({ at }) => at <= whole)),
    moved: moved(shifts.filter(({ at }) => at > whole)),
  }
}

export type HeldPage = Awaited<ReturnType<typeof openHeldPage>>
