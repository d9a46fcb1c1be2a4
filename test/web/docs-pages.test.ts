import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, onPhone, openRealPage } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const guides = [
  '/docs/into-the-game',
  '/docs/api',
  '/docs/client',
  '/docs/cli',
  '/docs/tournaments',
  '/docs/history',
  '/docs/formats',
  '/docs/format-table',
  '/docs/pack-keys',
] as const

let house: SiteHouse
let browser: Browser
let page: Page
let complaints: string[][]

const open = async (
  path: string,
  look: BrowserContextOptions = {},
  service: 'packs' | 'pools' = 'packs',
) => {
  const opened = await openRealPage(browser, house, { from: null, path, look, service })
  page = opened.page
  complaints.push(opened.complaints)
}
const menu = () => page.getByRole('navigation', { name: 'Docs' })
const topOf = (id: string) =>
  page.evaluate(`document.getElementById('${id}').getBoundingClientRect().top`)

beforeAll(async () => {
  house = await openSiteHouse({ hasRealPages: true })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await house.close()
})
beforeEach(() => {
  complaints = []
})
afterEach(async () => {
  await closeWindow(page)
  expect(complaints.flat()).toEqual([])
})

describe('the overview', () => {
  it('leads to the guides and the reference', async () => {
    await open('/docs')
    const ways = page.locator('.docs-ways a')
    const hrefs = await ways.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    const linked = guides.filter((path) => path !== '/docs/format-table')
    expect(hrefs).toEqual([...linked, '/docs/reference'])
  })

  it('tells the addresses of this installation', async () => {
    await open('/docs')
    const addresses = await page.locator('.docs-addresses code').allTextContents()
    const { packs, pools } = house.urls
    expect(addresses).toEqual([
      `${packs}/api/v1`,
      `${packs}/api/v1/openapi.json`,
      `${pools}/api/v1`,
      `${pools}/api/v1/openapi.json`,
      `${packs}/packs/index.json`,
      `${packs}/k#pk1.AQFhAQICrAKFPA`,
    ])
  })
})

describe('a guide', () => {
  it('shows what the repository holds: text, tables, code', async () => {
    await open('/docs/pack-keys')
    await expect.poll(() => page.locator('h1').textContent()).toBe('Pack keys')
    const check = page.locator('#check-values')
    await expect.poll(() => check.textContent()).toBe('Check values')
    await page.getByText('pk2.AgFhBgABAgMEBQH_AQFYnA').waitFor()
    await expect.poll(() => page.getByRole('table').count()).toBeGreaterThan(5)
  })

  it.each(guides)('%s links nowhere where there is nothing, on either site', async (path) => {
    for (const service of ['packs', 'pools'] as const) {
      await open(path, {}, service)
      const hrefs = await page
        .locator('main a')
        .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href))
      const fragments = hrefs.flatMap((href) => (href.startsWith(page.url()) ? href : []))
      for (const href of fragments) {
        const id = decodeURIComponent(new URL(href).hash.slice(1))
        expect([id, await page.locator(`[id="${id}"]`).count()]).toEqual([id, 1])
      }
      for (const href of new Set(hrefs.map((each) => each.split('#')[0] ?? ''))) {
        const { status } = await fetch(href, { headers: { accept: 'text/html' } })
        expect([href, status]).toEqual([href, 200])
      }
      await closeWindow(page)
    }
    await open(path)
  })

  it('names the addresses of this installation in its samples', async () => {
    await open('/docs/api')
    await page.getByText(`https://mapcrate.test`).waitFor({ state: 'detached' })
    const sample = page.locator('.code-block', { hasText: 'curl --compressed' })
    await expect
      .poll(() => sample.locator('code').textContent())
      .toBe(`curl --compressed ${house.urls.packs}/packs/index.json`)
    const pools = page.locator('.code-block', { hasText: '$POOLS_KEY' }).first()
    await expect
      .poll(() => pools.locator('code').textContent())
      .toContain(`${house.urls.pools}/api/v1/me`)
  })

  it('names them in the samples of the client and of the command line, too', async () => {
    await open('/docs/client')
    const client = page.locator('.code-block', { hasText: 'createClient' }).first()
    await expect
      .poll(() => client.locator('code').textContent())
      .toContain(`baseUrl: '${house.urls.packs}/api/v1'`)
    await open('/docs/cli')
    await page.getByText(`${house.urls.packs}/p/`).first().waitFor()
  })

  it('has its pictures in the theme of the page, whatever the system has', async () => {
    await open('/docs/into-the-game', { colorScheme: 'dark' })
    const shown = () =>
      page
        .locator('.docs-picture img')
        .evaluateAll((all) =>
          all
            .filter((image) => image.checkVisibility())
            .map((image) => /-(light|dark)-/.exec(image.getAttribute('src') ?? '')?.[1]),
        )
    const all = (theme: string) => Array.from({ length: 5 }, () => theme)
    expect(await shown()).toEqual(all('dark'))
    await page.getByRole('button', { name: 'Switch to the light theme' }).click()
    await expect.poll(shown).toEqual(all('light'))
    const first = page.locator('.docs-picture .in-light').first()
    await first.scrollIntoViewIfNeeded()
    await expect
      .poll(() => first.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(100)
  })

  it('copies a sample by one press, and says so', async () => {
    await open('/docs/api')
    const sample = page.locator('.code-block', { hasText: 'curl --compressed' })
    await sample.getByRole('button', { name: 'Copy command' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Command copied').waitFor()
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe(`curl --compressed ${house.urls.packs}/packs/index.json`)
  })

  it('opens at the part that its address names', async () => {
    await open('/docs/api#errors')
    await expect.poll(() => topOf('errors')).toBeLessThan(60)
    await expect.poll(() => topOf('errors')).toBeGreaterThanOrEqual(0)
  })

  it('shows in its contents where one is, and goes where one asks, by keyboard', async () => {
    await open('/docs/api')
    await menu().getByRole('link', { name: 'Magnet links' }).focus()
    await page.keyboard.press('Enter')
    await menu().locator('[aria-current=location]', { hasText: 'Magnet links' }).waitFor()
    expect(page.url()).toContain('#magnet-links')
    await expect.poll(() => topOf('magnet-links')).toBeLessThan(60)
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await menu().locator('[aria-current=location]', { hasText: 'Versions' }).waitFor()
  })

  it('gives each heading a link of its own', async () => {
    await open('/docs/api')
    await page.getByRole('link', { name: 'Link to Caching' }).click()
    await page.waitForURL('**/docs/api#caching')
  })
})

describe('on a phone', () => {
  it('keeps the contents folded up above, and folds them when one has chosen', async () => {
    await open('/docs/api', onPhone)
    await menu().locator('summary').click()
    await menu().getByRole('link', { name: 'Limits' }).click()
    await expect.poll(() => menu().locator('details').getAttribute('open')).toBeNull()
    await menu().locator('summary', { hasText: 'Limits' }).waitFor()
    // Below what stays at the top.
    await expect.poll(() => topOf('limits')).toBeGreaterThan(44)
  })

  it('scrolls wide tables and code by themselves, by keyboard too', async () => {
    await open('/docs/api', onPhone)
    const table = page.getByRole('group', { name: 'Table: Errors' })
    await table.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => table.evaluate((box) => box.scrollLeft)).toBeGreaterThan(0)
  })

  it('has targets of 44 pixels', async () => {
    await open('/docs/api', onPhone)
    await menu().locator('summary').click()
    const heights = await page
      .locator('.docs-menu a, .docs-menu summary, .code-block button')
      .evaluateAll((targets) => targets.map((target) => target.getBoundingClientRect().height))
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  })
})
