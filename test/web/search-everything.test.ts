import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startIndexLoop } from '../../src/worker/search-index.ts'
import { aBeatmap, keepPublic } from '../support/a-beatmap.ts'
import type { Browser } from '../support/browser.ts'
import { catchUp } from '../support/catch-up.ts'
import { launchChromium } from '../support/chromium.ts'
import { freeWork } from '../support/free-work.ts'
import { closeWindow, desk, evil, looks, openRealPage, overflowOf } from '../support/real-page.ts'
import { axeViolations } from '../support/axe.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const dive = aBeatmap(129891, {
  setId: 39804,
  artist: 'xi',
  title: 'FREEDOM DiVE',
  mapper: 'Nakagawa-Kanon',
  difficulty: 'FOUR DIMENSIONS',
})

let house: SiteHouse
let chromium: Chromium
let owner: Browser
let page: Page
let complaints: string[]
/** What the search does from now on, instead of searching; null: it searches. */
let fault: (() => Promise<never>) | null
let searches: number
/** What a request has taken by the time that it asks: more than one search may take, for an answer without packs. In ms. */
let spent: number
let oldest: string

const open = async (path: string, look: BrowserContextOptions = {}): Promise<void> => {
  ;({ page, complaints } = await openRealPage(chromium, house, { from: null, path, look }))
}
/** Opens Browse; from now on its timers go by `page.clock`. */
const openStill = async (): Promise<void> => {
  const opening = { from: null, path: '/packs', hasHandClock: true }
  ;({ page, complaints } = await openRealPage(chromium, house, opening))
  await page.getByLabel('Sort by').waitFor()
  await page.clock.pauseAt(Date.now() + 60_000)
}
const withoutScript = async (path: string): Promise<void> => {
  const context = await chromium.newContext({ javaScriptEnabled: false, viewport: desk })
  page = await context.newPage()
  await page.goto(house.urls.packs + path)
}

const save = (name: string, ids: readonly number[] = [1], more: object = {}): Promise<string> => {
  house.clock.nextMinute()
  const slots = ids.map((beatmapId, at) => ({ mod: 'NM', index: at + 1, beatmapId }))
  return house.save(owner, aPack({ name, visibility: 'public', slots, ...more }))
}

/** Publishes an index of these packs: as small as one that ends before the oldest pack. */
const publishIndex = async (slugs: ReadonlySet<string>): Promise<void> => {
  const { ports, indexCache } = house
  const { publicIndex } = ports
  const part = Object.create(publicIndex) as typeof publicIndex
  part.readPortion = async (after, limit) => {
    const packs = await publicIndex.readPortion(after, limit)
    return packs.filter(({ slug }) => slugs.has(slug))
  }
  const own = { ...ports, publicIndex: part }
  const silent = { warn: () => {}, error: () => {} }
  const loop = startIndexLoop(own, { indexCache, poolsOwnerName: 'Tournament pools' }, silent)
  await loop.ready
  await loop.stop()
}

const rowNames = () => page.locator('.pack-row .row-name a').allTextContents()
const foundNames = () => page.locator('.found .row-name a').allTextContents()
const search = () => page.getByRole('searchbox')
const notSearched = () => page.getByRole('alert').filter({ hasText: 'Could not search the packs' })

beforeAll(async () => {
  chromium = await launchChromium()
})
afterAll(() => chromium.close())
beforeEach(async () => {
  fault = null
  searches = 0
  spent = 0
  house = await openSiteHouse({
    hasRealPages: true,
    work: { ...freeWork, spentMs: () => spent },
    withPorts: (ports) => {
      const find = ports.search.find.bind(ports.search)
      const store = Object.create(ports.search) as typeof ports.search
      store.find = (wanted) => {
        searches += 1
        return fault === null ? find(wanted) : fault()
      }
      return { ...ports, search: store }
    },
  })
  owner = await house.signedIn(7001)
  await keepPublic(house.ports.beatmapCache, [dive], house.clock.now())
  oldest = await save('Harbour Lights Cup', [129891])
  const newer = new Set([await save('Autumn Series', [2, 3]), await save('Winter Series', [4])])
  await catchUp(house.ports)
  await publishIndex(newer)
})
afterEach(async () => {
  await closeWindow(page)
  await house.close()
})

describe('from the front page to a pack that is in no index', () => {
  it.each([
    ['its name', 'harbour lights'],
    ['a song', 'freedom dive'],
    ['a mapper', 'nakagawa'],
    ['a typing error', 'harbuor'],
    ['a link', 'https://osu.ppy.sh/beatmapsets/39804#osu/129891'],
    ['an id', '129891'],
  ])('leads %s', async (_, words) => {
    await open('/')
    await search().fill(words)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/packs' && url.searchParams.get('q') === words)
    await page.locator('.row-name a', { hasText: 'Harbour Lights Cup' }).click()
    await page.waitForURL(`**/p/${oldest}`)
    expect(complaints).toEqual([])
  })

  it('leads a pasted sheet into the editor, once', async () => {
    await open('/')
    await page.getByLabel('Paste your sheet').fill('NM1\t129891\nHD1\t75')
    await page.getByRole('button', { name: 'Open in the editor' }).click()
    await page.waitForURL('**/new')
    await page.getByText('129891').first().waitFor()
    expect(await page.evaluate(`sessionStorage.getItem('pasted-text')`)).toBeNull()
  })
})

describe('the front page', () => {
  it.each([
    ['with', open],
    ['without', withoutScript],
  ])('shows a pack and the newest packs, %s scripts', async (_, show) => {
    await show('/')
    await page.locator('.front-pool').waitFor()
    expect(await page.locator('.front-slots > li').count()).toBe(1)
    expect(await rowNames()).toEqual(['Winter Series', 'Autumn Series', 'Harbour Lights Cup'])
    const all = page.getByRole('link', { name: 'Browse all 3 packs' })
    expect(await all.getAttribute('href')).toBe('/packs')
  })
})

describe('what the server adds as one types', () => {
  it('is all that is shown of words, whole words first, with the maps that match', async () => {
    await open('/packs')
    await search().fill('ser')
    await expect.poll(() => rowNames()).toEqual(['Winter Series', 'Autumn Series'])
    // A part of a word that does not begin it is none for the server.
    await search().fill('eries')
    await page.getByText('These packs have similar words', { exact: false }).waitFor()
    await search().fill('dive')
    await expect.poll(() => foundNames()).toEqual(['Harbour Lights Cup'])
    expect(await page.locator('.row-maps').textContent()).toContain('xi – FREEDOM DiVE')
    await page.getByText('Searched all ', { exact: false }).waitFor()
    await search().fill('')
    await expect.poll(() => rowNames()).toEqual(['Winter Series', 'Autumn Series'])
    expect(complaints).toEqual([])
  })

  it('says that words are only similar, and leads an id to where it was pooled', async () => {
    await open('/packs?q=harbuor')
    await page.getByText('These packs have similar words', { exact: false }).waitFor()
    await search().fill('129891')
    const map = page.getByRole('link', { name: 'Beatmap 129891' })
    await expect.poll(() => map.getAttribute('href')).toBe('/maps/129891')
  })

  it('asks once when one stops typing, and not for each letter', async () => {
    await openStill()
    const asked: (string | null)[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/session/search') asked.push(searchParams.get('q'))
    })
    await search().pressSequentially('harbour')
    await page.clock.runFor(1_000)
    await expect.poll(() => asked).toEqual(['harbour'])
  })

  it('shows no pack of an earlier search when the server fails, and tries again', async () => {
    await open('/packs')
    await search().fill('dive')
    await expect.poll(() => foundNames()).toEqual(['Harbour Lights Cup'])
    fault = () => Promise.reject(new Error('out of order'))
    await search().fill('series')
    const failure = notSearched()
    await failure.waitFor()
    expect(await rowNames()).toEqual([])
    const asked = searches
    await search().fill('freedom')
    await expect.poll(() => rowNames()).toEqual([])
    await expect.poll(() => searches).toBeGreaterThan(asked)
    fault = null
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => foundNames()).toEqual(['Harbour Lights Cup'])
    await failure.waitFor({ state: 'detached' })
  })

  it('is asked for again as soon as the server takes requests again (D-56)', async () => {
    await openStill()
    const ask = () => fetch(`${house.urls.packs}/session/search`)
    while ((await ask()).status !== 429);
    await search().fill('dive')
    await page.clock.runFor(1_000)
    await notSearched().waitFor()
    expect(await foundNames()).toEqual([])
    house.clock.nextMinute()
    await page.clock.runFor(60_000)
    await expect.poll(() => foundNames()).toEqual(['Harbour Lights Cup'])
    await notSearched().waitFor({ state: 'detached' })
  })

  it('goes on by itself where the page came before anything was found (D-75)', async () => {
    spent = 1_000
    await open('/packs?q=harbuor')
    await expect.poll(() => foundNames()).toEqual(['Harbour Lights Cup'])
    await page.getByRole('status').filter({ hasText: '1 pack' }).first().waitFor()
    expect(await page.getByText('No matching packs').count()).toBe(0)
  })

  it('is not waited for when one goes back to what is known', async () => {
    await open('/packs?q=dive')
    await expect.poll(() => rowNames()).toEqual(['Harbour Lights Cup'])
    let release = (): void => {}
    fault = () => new Promise<never>((_, reject) => (release = () => reject(new Error('late'))))
    const asked = searches
    await search().fill('autumn')
    await expect.poll(() => searches).toBeGreaterThan(asked)
    fault = null
    await search().fill('dive')
    release()
    await expect.poll(() => foundNames()).toEqual(['Harbour Lights Cup'])
    await page.getByText('Searching all packs').waitFor({ state: 'detached' })
    expect(await notSearched().count()).toBe(0)
  })

  it('is there again after a look at a pack, by going back', async () => {
    await open('/')
    await search().fill('dive')
    await page.keyboard.press('Enter')
    await page.locator('.row-name a', { hasText: 'Harbour' }).click()
    await page.waitForURL(`**/p/${oldest}`)
    await page.goBack()
    await expect.poll(() => search().inputValue()).toBe('dive')
    await expect.poll(() => rowNames()).toEqual(['Harbour Lights Cup'])
    await page.goBack()
    await page.locator('.front-pool').waitFor()
    await page.goForward()
    await expect.poll(() => rowNames()).toEqual(['Harbour Lights Cup'])
  })
})

describe('a mod that is searched for', () => {
  it('is offered as the filter that there is', async () => {
    for (const look of looks) {
      await open('/packs?q=dt', look)
      await page.getByText('No matching packs').waitFor()
      expect(await axeViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Only packs with DT slots' }).click()
      await page.waitForURL((url) => url.search === '?mods=DT')
      await closeWindow(page)
    }
    await open('/packs?q=winter%20hd')
    await page.getByText('No matching packs').waitFor()
    await page.getByRole('button', { name: 'Only packs with HD slots' }).click()
    await page.waitForURL((url) => url.search === '?q=winter&mods=HD')
  })
})

describe('without JavaScript', () => {
  it('Browse answers its address, and its form searches', async () => {
    await withoutScript('/packs?q=dive')
    expect(await rowNames()).toEqual(['Harbour Lights Cup'])
    await search().fill('winter')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/packs?q=winter')
    expect(await rowNames()).toEqual(['Winter Series'])
    expect(await search().inputValue()).toBe('winter')
    await search().fill('zzzzzzzz')
    await page.keyboard.press('Enter')
    await page.getByText('No matching packs').waitFor()
  })

  it('a search that has found nothing so far says so, and leads on (D-75)', async () => {
    spent = 1_000
    await withoutScript('/packs?q=harbuor')
    const status = page.locator('.toolbar [role=status]').last()
    const told = [await status.textContent()]
    while ((await rowNames()).length === 0) {
      expect(await page.getByText('No matching packs').count()).toBe(0)
      await page.getByRole('link', { name: 'Next page' }).click()
      told.push(await status.textContent())
    }
    expect(await rowNames()).toEqual(['Harbour Lights Cup'])
    expect(told.length).toBeGreaterThan(1)
    expect(new Set(told.slice(0, -1))).toEqual(new Set(['No packs found so far']))
    expect(told.at(-1)).toMatch(/^1 pack( and more)?$/)
  })

  it('links lead through all packs, 30 at a time', async () => {
    for (let at = 1; at <= 33; at += 1) await save(`Pack ${at}`)
    await catchUp(house.ports)
    await withoutScript('/packs')
    const first = await rowNames()
    expect(first.length).toBe(30)
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.waitForURL('**/packs?after=*')
    const rest = await rowNames()
    expect(rest).toEqual([
      'Pack 3',
      'Pack 2',
      'Pack 1',
      'Winter Series',
      'Autumn Series',
      'Harbour Lights Cup',
    ])
    expect(await page.getByRole('link', { name: 'Next page' }).count()).toBe(0)
  })

  it('a pack and its owner are links that lead to their pages', async () => {
    await withoutScript('/packs')
    const owned = page.locator('.row-owner a').first()
    expect(await owned.getAttribute('href')).toBe(
      `/u/${encodeURIComponent(owner.viewer!.username)}`,
    )
    // The link of the pack covers the row, except for the owner.
    await page
      .locator('.pack-list > .pack-row')
      .first()
      .click({ position: { x: 600, y: 12 } })
    await page.waitForURL('**/p/*')
  })

  it('what people wrote is text', async () => {
    await save(evil, [129891], { description: evil })
    await catchUp(house.ports)
    await withoutScript(`/packs?${new URLSearchParams({ q: evil })}`)
    expect(await page.locator('main img, img[src=x]').count()).toBe(0)
    expect(await search().inputValue()).toBe(evil)
  })
})

describe.each(looks)('in both themes, $viewport.width pixels wide', (look) => {
  it.each(['/', '/packs?q=dive', '/packs?q=harbuor'])(
    '%s can be used by everybody, and fits',
    async (path) => {
      await open(path, look)
      expect(await axeViolations(page)).toEqual([])
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    },
  )
})
