import type { Browser as Chromium, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type IndexLoop, startIndexLoop } from '../../src/worker/search-index.ts'
import type { Browser } from '../support/browser.ts'
import { catchUp } from '../support/catch-up.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

/** Where a row was painted, by what was looked for then, in pixels from the top of the page. */
type Painted = { readonly asked: string; readonly slug: string; readonly top: number }
declare global {
  var painted: Painted[]
}

let house: SiteHouse
let chromium: Chromium
let owner: Browser
let loop: IndexLoop
let page: Page
/** What holds back each request of the page; it goes on when that has ended. */
let hold: (address: URL) => Promise<void> | void

/** Notes at each frame where rows are, except those that stay until something else is found. */
const noteRows = () => {
  globalThis.painted = []
  const note = (): void => {
    const field = document.querySelector<HTMLInputElement>('input[type=search]')
    const order = document.querySelector<HTMLSelectElement>('.toolbar select')?.value ?? 'created'
    const asked = JSON.stringify([field?.value, order])
    for (const link of document.querySelectorAll(
      '.results:not([aria-busy=true]) .pack-row .row-name a',
    )) {
      const { top, height } = link.getBoundingClientRect()
      if (height === 0) continue
      const slug = link.getAttribute('href') ?? ''
      globalThis.painted.push({ asked, slug, top: Math.round(top + scrollY) })
    }
    requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
}

/** Rows that came to be lower than they were, while the same was looked for. */
const movedDown = async (): Promise<string[]> => {
  const painted = await page.evaluate(() => globalThis.painted)
  const tops = new Map<string, number>()
  const moved = new Set<string>()
  let before = ''
  for (const { asked, slug, top } of painted) {
    if (asked !== before) tops.clear()
    before = asked
    const highest = tops.get(slug) ?? top
    if (top > highest) moved.add(`${asked} ${slug}: from ${highest} to ${top}`)
    tops.set(slug, Math.min(highest, top))
  }
  expect(painted.length).toBeGreaterThan(0)
  return [...moved]
}

const open = async (path: string): Promise<void> => {
  const prepare = async (opened: Page): Promise<void> => {
    await opened.addInitScript(noteRows)
    const passOn = async (route: Route): Promise<void> => {
      await hold(new URL(route.request().url()))
      // The page may have given up meanwhile.
      await route.continue().catch(() => {})
    }
    await opened.route(/session\/search|index\.json/, passOn)
  }
  ;({ page } = await openRealPage(chromium, house, { from: null, path, prepare }))
}

const save = async (name: string): Promise<string> => {
  house.clock.nextMinute()
  const slug = await house.save(owner, aPack({ name, visibility: 'public' }))
  await catchUp(house.ports)
  return slug
}

const search = () => page.getByRole('searchbox')
const names = () => page.locator('.pack-row .row-name a').allTextContents()
const frames = () =>
  page.evaluate(async () => {
    for (let at = 0; at < 3; at += 1) await new Promise(requestAnimationFrame)
  })

beforeAll(async () => {
  chromium = await launchChromium()
})
afterAll(() => chromium.close())
beforeEach(async () => {
  hold = () => {}
  house = await openSiteHouse({ hasRealPages: true })
  owner = await house.signedIn(7001)
  await save('Campus Showdown 1')
  for (let at = 2; at <= 20; at += 1) await save(`Campus Showdown ${at}`)
  for (let at = 1; at <= 15; at += 1) await save(`Harbour Cup ${at}`)
  const silent = { warn: () => {}, error: () => {} }
  const { indexCache, ports } = house
  loop = startIndexLoop(ports, { indexCache, poolsOwnerName: 'Tournament pools' }, silent)
  await loop.ready
})
afterEach(async () => {
  await closeWindow(page)
  await loop.stop()
  await house.close()
})

describe('rows of the list', () => {
  it('come in the order of the server, and what is looked for stays where it is', async () => {
    await open('/packs')
    await search().pressSequentially('campus showdown 1', { delay: 30 })
    await expect.poll(() => names()).toEqual(['Campus Showdown 1'])
    await frames()
    expect(await movedDown()).toEqual([])
  })

  it('stay where they are when answers come late and in another order', async () => {
    await open('/packs')
    const going: { readonly words: string; readonly goOn: () => void }[] = []
    hold = ({ searchParams }) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      going.push({ words: searchParams.get('q') ?? '', goOn: resolve })
      return promise
    }
    const typed = ['harbour', 'campus', 'campus showdown 1', 'harbour cup']
    for (const [at, words] of typed.entries()) {
      await search().fill(words)
      await expect.poll(() => going.length).toBe(at + 1)
    }
    // Until there is an answer, what was there before stays, and says that it is old.
    expect((await names())[0]).toBe('Harbour Cup 15')
    expect(await page.locator('.results').getAttribute('aria-busy')).toBe('true')
    for (const { goOn } of going.toReversed()) {
      goOn()
      await frames()
    }
    await page.locator('.results[aria-busy=false]').waitFor()
    expect((await names())[0]).toBe('Harbour Cup 15')
    expect(await page.locator('.pack-row', { hasText: 'Campus' }).count()).toBe(0)
    expect(await movedDown()).toEqual([])
  })

  it.each(['/packs', '/packs?stars=5-7&unrated=1', '/packs?beatmaps=1-'])(
    '%s: stay where they are when the index comes, with packs that were published meanwhile',
    async (path) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      hold = ({ pathname }) => (pathname.endsWith('index.json') ? promise : undefined)
      await open(path)
      await expect.poll(async () => (await names()).length).toBe(30)
      await frames()
      await save('Brand new')
      const isListed = async () => {
        const reply = await fetch(`${house.urls.packs}/packs/index.json`)
        return (await reply.text()).includes('Brand new')
      }
      await expect.poll(isListed).toBe(true)
      resolve()
      await page.locator('[aria-setsize="36"]').first().waitFor()
      await frames()
      expect(await movedDown()).toEqual([])
      await page.evaluate('scrollTo(0, 10_000)')
      await page.getByRole('link', { name: 'Brand new' }).waitFor()
    },
  )

  it('are none until the index is there, in an order that the server does not have', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    hold = ({ pathname }) => (pathname.endsWith('index.json') ? promise : undefined)
    await open('/packs?sort=name')
    await page.getByText('Loading packs').waitFor()
    await frames()
    expect(await page.evaluate(() => globalThis.painted.length)).toBe(0)
    resolve()
    await expect.poll(async () => (await names())[0]).toBe('Campus Showdown 1')
    await frames()
    expect(await movedDown()).toEqual([])
  })

  it('without scripts, are there in the order of the server', async () => {
    const context = await chromium.newContext({ javaScriptEnabled: false })
    page = await context.newPage()
    await page.goto(`${house.urls.packs}/packs?sort=name`)
    expect(await page.locator('.pack-row:visible .row-name a').count()).toBe(30)
    expect(await page.getByText('Loading packs').isVisible()).toBe(false)
  })

  it('stay where they are through whatever one types, deletes, filters and sorts', async () => {
    await open('/packs')
    // The same waits in every run; some answers overtake others.
    let at = 0
    hold = () => new Promise((resolve) => setTimeout(resolve, [0, 240, 30, 400, 90][(at += 1) % 5]))
    const sortBy = page.getByRole('combobox', { name: 'Sort by' })
    for (const words of ['campus', 'campus 1', '', 'cup', 'harbour cup 1', '1', 'showdown 16']) {
      await search().fill('')
      await search().pressSequentially(words, { delay: 60 })
      if (words === 'cup') await sortBy.selectOption('created')
      if (words === 'harbour cup 1') await sortBy.selectOption('name')
      if (words === '') await sortBy.selectOption('name')
      await page.locator('.results[aria-busy=false]').waitFor()
      const more = page.getByRole('button', { name: 'Show more' })
      if ((await more.count()) > 0) await more.click()
      await frames()
    }
    expect((await names())[0]).toBe('Campus Showdown 16')
    expect(await movedDown()).toEqual([])
  })
})
