// What Browse costs the reader's device with 5,000 packs. `node bench/web-browse.ts`
import type { CDPSession, Page } from 'playwright-core'
import { launchChromium } from '../test/support/chromium.ts'
import { madeUpIndex } from '../test/support/made-up-index.ts'
import { openPageTrial } from '../test/support/page-trial.ts'
import { FOUND_AT_ONCE, type SearchReply } from '../src/contract/search.ts'
import { atMost, median } from './report.ts'

const ROUNDS = 5
const SLOWDOWN = 4
const QUERY = 'cafe cup finals'

/** Seconds that the page has kept its thread busy. */
const busy = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

const settle = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')

/** The longest task of a page since the index was there, in ms. */
const LONGEST = `new Promise((resolve) => {
  const [{ responseEnd }] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/packs/index.json'))
  new PerformanceObserver((list) => {
    const after = list.getEntries().filter(({ startTime }) => startTime >= responseEnd)
    resolve(Math.max(0, ...after.map(({ duration }) => duration)))
  }).observe({ type: 'longtask', buffered: true })
  setTimeout(resolve, 1000, 0)
})`

const index = madeUpIndex(5_000)
const pinned = index.packs.slice(0, 6)
const found: SearchReply = {
  packs: index.packs.slice(0, FOUND_AT_ONCE).map((entry) => ({ entry, maps: [] })),
  next: null,
  isNear: false,
  beatmapIds: [],
  searched: index.packs.length,
}
const trial = await openPageTrial({
  pages: { '/packs': 'browse' },
  isRendered: true,
  data: { pinned, found, address: '/packs' },
  index: () => index,
})
const browser = await launchChromium()
const first: number[] = []
const longest: number[] = []
const keys: number[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.goto(`${trial.url}/packs`)
  // The list of the server's rows is not as high as all packs.
  await page.locator('.pack-list[style]').waitFor()
  await settle(page)
  first.push((await busy(session)) * 1000)
  longest.push(Number(await page.evaluate(LONGEST)))

  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.getByRole('searchbox').focus()
  for (const key of QUERY) {
    const before = await busy(session)
    await page.keyboard.press(key)
    await settle(page)
    keys.push(((await busy(session)) - before) * 1000)
  }
  await page.close()
}
await browser.close()
await trial.close()

const slowest = first.toSorted((a, b) => a - b).map((took) => took.toFixed(0))
atMost(
  `Browse shown, ms of CPU at ${SLOWDOWN}× slowdown`,
  median(first),
  1000,
  `${ROUNDS} rounds: ${slowest.join(' ')}`,
)
const tasks = longest.map((took) => took.toFixed(0)).join(' ')
atMost(
  `Browse, longest task after the index came, ms at ${SLOWDOWN}× slowdown`,
  median(longest),
  100,
  `none counts below 50: ${tasks}`,
)
const worst = Math.max(...keys)
atMost('Browse, ms of CPU a keystroke', median(keys), 16, `slowest ${worst.toFixed(1)}`)
