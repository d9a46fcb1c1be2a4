import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SearchIndex } from '../../src/contract/search-index.ts'
import { axeViolations } from '../support/axe.ts'
import { launchChromium } from '../support/chromium.ts'
import { madeUpIndex } from '../support/made-up-index.ts'
import { openPageTrial } from '../support/page-trial.ts'
import { closeWindow, looks, openRealPage, overflowOf, phone } from '../support/real-page.ts'

const many = madeUpIndex(5_000)
const nothing: SearchIndex = { v: 1, packs: [] }
const pinned = [4, 2, 9].map((at) => many.packs[at]!)

let index: SearchIndex | null = many
/** The server has an order of its own: here the oldest first. */
const find = (words: string) =>
  (index?.packs ?? [])
    .filter(({ n, o, d }) =>
      words.split(' ').every((word) => fold(`${n} ${o} ${d}`).includes(fold(word))),
    )
    .toReversed()
const fold = (text: string) => text.toLowerCase().replaceAll('é', 'e')

let trial: Awaited<ReturnType<typeof openPageTrial>>
let browser: Browser
let page: Page
let complaints: string[]

const open = async (path: string, look: BrowserContextOptions = {}) => {
  ;({ page, complaints } = await openRealPage(
    browser,
    { urls: { packs: trial.url, pools: '' } },
    { from: null, path, look },
  ))
  await page.locator('.pack-row a, .notice').first().waitFor()
}
const rows = () => page.locator('.pack-list > li')
const firstNames = () => rows().locator('.row-name a').allTextContents()
const status = () => page.locator('.toolbar [role=status]').textContent()
const search = () => page.getByRole('searchbox')
const addressHas = (part: string) => page.waitForURL((url) => url.search.includes(part))

beforeAll(async () => {
  const pages = { '/packs': 'browse' }
  trial = await openPageTrial({ pages, data: { pinned }, index: () => index, find })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await trial.close()
})
beforeEach(() => {
  index = many
})
afterEach(async () => {
  await closeWindow(page)
})

describe('the list of packs', () => {
  it('shows the index newest first, and says how many there are', async () => {
    await open('/packs')
    await expect.poll(() => status()).toBe('5,000 packs')
    expect((await firstNames()).slice(0, 10)).toEqual(many.packs.slice(0, 10).map(({ n }) => n))
    await expect
      .poll(() => rows().first().locator('.row-name a').getAttribute('href'))
      .toBe('/p/pack-00000')
    expect(complaints).toEqual([])
  })

  it('keeps only the rows near the window, each knowing its place', async () => {
    await open('/packs')
    await page.evaluate('scrollTo(0, 160_000)')
    await page.locator('[aria-posinset="2500"]').waitFor()
    await expect.poll(() => rows().count()).toBeLessThan(80)
    await expect.poll(() => rows().first().getAttribute('aria-setsize')).toBe('5000')
    const shown = await page.locator('[aria-posinset="2500"] .row-name a').textContent()
    expect(shown).toBe(many.packs[2_499]?.n)
  })

  it('can be walked by Tab and by arrow keys, over the edge of what is there', async () => {
    await open('/packs')
    await rows().first().locator('.row-name a').focus()
    const place = () =>
      page.evaluate(`document.activeElement?.closest('li')?.getAttribute('aria-posinset')`)
    // As fast as the page shows rows, and no faster: a key without a row to go to scrolls.
    const press = async (key: string, to: number) => {
      await page.keyboard.press(key)
      await expect.poll(() => place(), { interval: 5 }).toBe(String(to))
      await page.locator(`[aria-posinset="${to + 1}"]`).waitFor()
    }
    for (let at = 2; at <= 61; at += 1) await press('ArrowDown', at)
    for (let at = 62; at <= 121; at += 1) await press('Tab', at)
    await press('ArrowUp', 120)
    await page.evaluate('scrollTo(0, 0)')
    await page.locator('[aria-posinset="1"]').waitFor()
    await expect.poll(() => place()).toBe('120')
  })

  it('shows the text of people as text', async () => {
    const [first] = many.packs
    const evil = '<img src=x onerror=alert(1)>"\'&amp;'
    index = { v: 1, packs: [{ ...first!, n: evil, o: evil, d: evil }] }
    await open('/packs')
    await expect.poll(() => firstNames()).toEqual([evil])
    await expect.poll(() => page.locator('img').count()).toBe(0)
  })
})

describe('the pinned row (D-30)', () => {
  it('stands above in its order, and gives way to a search', async () => {
    await open('/packs')
    const names = await page.locator('.pinned-name').allTextContents()
    expect(names).toEqual(pinned.map(({ n }) => n))
    await search().fill('cup')
    await page.locator('.pinned').waitFor({ state: 'detached' })
  })
})

describe('names and owners are shown whole', () => {
  const names = [
    'Springfield Community Cup 2026: Quarters',
    'W'.repeat(40),
    '春季地域対抗選手権大会二〇二六年準々決勝第二試合課題曲一覧表改訂版第三稿最終確認用',
    'A short one',
  ]
  const owners = [
    'W'.repeat(40),
    'Northern Lights Map Selection Committee',
    'kumo',
    '一'.repeat(40),
  ]
  const whole = (): SearchIndex => ({
    v: 1,
    packs: many.packs
      .slice(0, 16)
      .map((pack, at) => ({ ...pack, n: names[at % 4] ?? '', o: owners[at >> 2] ?? '' })),
  })
  /** Texts that are wider than their box, or reach out of their row or into the next fact. */
  const cut = () =>
    page.evaluate(`[...document.querySelectorAll('.row-name > a, .row-owner, .pinned-name, .pinned-facts > span')]
      .filter((box) => {
        const row = box.closest('li').getBoundingClientRect()
        const { left, right } = box.getBoundingClientRect()
        const next = box.nextElementSibling?.getBoundingClientRect()
        const meetsNext = next && next.top < box.getBoundingClientRect().bottom - 4 && next.left < right
        return box.scrollWidth > Math.ceil(box.clientWidth || right - left) ||
          left < row.left || right > row.right + 1 || meetsNext
      })
      .map((box) => box.className + box.textContent)`)

  it.each([1024, 1280, 1440, 1920].flatMap((width) => ['/packs'].map((path) => [path, width])))(
    'on %s, %i pixels wide, none of up to 40 characters is cut',
    async (path, width) => {
      index = whole()
      await open(String(path), { viewport: { width: Number(width), height: 1600 } })
      expect(await rows().count()).toBe(16)
      expect(await cut()).toEqual([])
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    },
  )

  it.each([768, 390])('%i pixels wide, a name has a line of its own', async (width) => {
    index = whole()
    await open('/packs', { viewport: { width, height: 844 } })
    const heights = await page.evaluate(`[...document.querySelectorAll('.pack-list > li')]
      .map((row) => row.querySelector('.row-about').getBoundingClientRect().top >=
        row.querySelector('.row-name').getBoundingClientRect().bottom)`)
    expect(new Set(heights as boolean[])).toEqual(new Set([true]))
    const width40 = await rows()
      .first()
      .locator('.row-name > a')
      .evaluate((name) => name.scrollWidth)
    expect(width40).toBeLessThanOrEqual(width - 24)
  })

  it('focus and the pointer show a name that is longer than its line, whole', async () => {
    const [first, second] = many.packs
    const n = 'W'.repeat(64)
    index = { v: 1, packs: [{ ...first!, n }, second!] }
    await open('/packs', { viewport: { width: 1024, height: 800 } })
    const name = rows().first().locator('.row-name > a')
    const isWhole = () => name.evaluate((box) => box.scrollWidth <= box.clientWidth)
    expect(await isWhole()).toBe(false)
    await rows().first().hover()
    await expect.poll(isWhole).toBe(true)
    await page.mouse.move(0, 0)
    await expect.poll(isWhole).toBe(false)
    await page.keyboard.press('Tab')
    await name.focus()
    await expect.poll(isWhole).toBe(true)
    await expect.poll(() => name.getAttribute('title')).toContain(n)
  })
})

describe('rows of Browse', () => {
  it('name the unit of each number on a phone, and say what is not known', async () => {
    const [first, second] = many.packs
    const { r: _, a: __, l: ___, b: ____, m: _____, g: ______, k: _______, ...bare } = second!
    index = { v: 1, packs: [{ ...first!, c: 20, l: [61, 258], b: [120, 240] }, bare] }
    await open('/packs', { viewport: phone })
    const shown = await rows().first().innerText()
    expect(shown).toContain('20 maps')
    expect(shown).toContain('120–240 BPM')
    expect(shown).toContain('1:01–4:18')
    expect(shown).toContain('★')
    await expect.poll(() => rows().nth(1).locator('.row-bpm').textContent()).toContain('–')
    await expect
      .poll(() => rows().nth(1).locator('.row-bpm > span').getAttribute('title'))
      .toBe('BPM not known yet')
  })
})

describe('searching', () => {
  it('finds while one types what the server finds, in its order, and writes it into the address', async () => {
    await open('/packs')
    await search().pressSequentially('cafe finals')
    await expect.poll(() => status()).toBe('30 packs and more')
    expect(await firstNames()).toEqual(
      find('cafe finals')
        .slice(0, 30)
        .map(({ n }) => n),
    )
    await addressHas('q=cafe+finals')
    await page.reload()
    await expect.poll(() => search().inputValue()).toBe('cafe finals')
    await page.getByText('30 packs and more').waitFor()
  })

  it('sorts what the server finds in any order, and by relevance only with words', async () => {
    await open('/packs')
    const sortBy = page.getByRole('combobox', { name: 'Sort by' })
    const names = () => sortBy.locator('option').allTextContents()
    expect(await names()).not.toContain('Relevance')
    await search().fill('cafe league quarterfinals')
    const found = find('cafe league quarterfinals')
    expect(found.length).toBeGreaterThan(2)
    await expect.poll(() => status()).toBe(`${found.length} packs`)
    expect(await sortBy.inputValue()).toBe('relevance')
    await sortBy.selectOption('stars')
    const highest = found.toSorted((x, y) => (y.a ?? -1) - (x.a ?? -1)).map(({ n }) => n)
    await expect.poll(() => firstNames()).toEqual(highest)
    await page.getByRole('button', { name: 'Highest first' }).click()
    const lowest = found.toSorted((x, y) => (x.a ?? 99) - (y.a ?? 99)).map(({ n }) => n)
    await expect.poll(() => firstNames()).toEqual(lowest)
    // The address follows a moment later.
    await addressHas('reversed=1')
    await page.reload()
    await expect.poll(() => firstNames()).toEqual(lowest)
  })

  it('sorts 300 packs of many that are found, and says that there are more', async () => {
    await open('/packs?q=cup')
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('stars')
    await page.getByText('More packs match, but cannot be sorted', { exact: false }).waitFor()
    expect(await status()).toBe('300 packs and more')
    const highest = find('cup')
      .slice(0, 300)
      .toSorted((x, y) => (y.a ?? -1) - (x.a ?? -1))
    expect((await firstNames())[0]).toBe(highest[0]?.n)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  })

  it.each([
    ['at the upper end', '10-', -120],
    ['at the lower end', '-0', 120],
    ['in the upper half', '7-7', -120],
    ['in the lower half', '3-3', 120],
  ])('has thumbs that a pointer gets apart where they are on each other: %s', async (_, at, by) => {
    await open(`/packs?stars=${at}`)
    const slider = page.getByRole('slider', { name: 'Stars, from' })
    await slider.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await slider.boundingBox())!
    const share = Number(await slider.inputValue()) / 10
    // The thumbs are 20 pixels wide, and stay within.
    const from = [x + 10 + share * (width - 20), y + height / 2] as const
    await page.mouse.move(...from)
    await page.mouse.down()
    await page.mouse.move(from[0] + by, from[1], { steps: 4 })
    await page.mouse.up()
    await page.waitForURL((url) => url.searchParams.get('stars') !== at)
  })

  it('moves the thumbs by keyboard, and they cannot pass each other', async () => {
    await open('/packs?stars=5-5.2')
    await page.getByRole('slider', { name: 'Stars, from' }).focus()
    for (let steps = 0; steps < 5; steps += 1) await page.keyboard.press('ArrowRight')
    await addressHas('stars=5.2-5.2')
    await page.keyboard.press('Home')
    await addressHas('stars=-5.2')
    const slider = page.getByRole('slider', { name: 'Stars, from' })
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('any')
  })

  it('orders, and turns the order around', async () => {
    await open('/packs')
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('stars')
    await page.getByRole('button', { name: 'Highest first' }).click()
    await addressHas('sort=stars&reversed=1')
    const lowest = many.packs.toSorted((x, y) => (x.a ?? 99) - (y.a ?? 99))[0]
    expect((await firstNames())[0]).toBe(lowest?.n)
  })

  it('counts packs without stats, and shows them when asked', async () => {
    await open('/packs?mods=NM,HD')
    const note = page.locator('.unrated')
    const unrated = many.packs.filter(({ m }) => m === undefined).length
    await expect
      .poll(() => note.textContent())
      .toContain(`${unrated} packs without stats are hidden.`)
    await note.getByRole('button', { name: 'Show' }).click()
    await addressHas('unrated=1')
    await expect.poll(() => note.textContent()).toContain('are included.')
  })

  it('offers a way on when nothing matches', async () => {
    await open('/packs?q=zzzz&stars=5-6&sort=name')
    await page.locator('.notice').getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => status()).toBe('5,000 packs')
    await page.waitForURL((url) => url.search === '?sort=name')
  })

  it('brings back what was asked for, and where one was, after a look at a pack', async () => {
    await open('/packs?sort=name')
    await page.evaluate('scrollTo(0, 6_400)')
    await page.locator('[aria-posinset="100"] .row-name a').click()
    await page.goBack()
    await page.locator('[aria-posinset="100"]').waitFor()
    await expect.poll(() => page.evaluate('scrollY')).toBe(6_400)
    expect(page.url()).toContain('sort=name')
  })
})

describe('when the index or the server cannot be had', () => {
  it('says so and tries again when asked', async () => {
    index = null
    await open('/packs')
    const notice = page.getByRole('alert')
    await expect.poll(() => notice.textContent()).toContain('Could not load packs')
    index = many
    await notice.getByRole('button', { name: 'Try again' }).click()
    await rows().first().waitFor()

    await page.route(/\/session\/search/, (route) => route.abort())
    await search().fill('cup')
    await expect.poll(() => notice.textContent()).toContain('Could not search the packs')
    // Nobody knows how many there are.
    expect(await status()).toBe('')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await notice.getByRole('button', { name: 'Try again' }).click()
    await rows().first().waitFor()
  })

  it('keeps the layout while it is under way', async () => {
    await open('/packs')
    await page.route('**/packs/index.json', () => {})
    await page.route(/\/session\/search/, () => {})
    await page.reload()
    await page.getByText('Loading packs …').waitFor()
    await search().fill('cup')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('says what to do while there is no pack at all', async () => {
    index = nothing
    await open('/packs')
    await expect.poll(() => page.locator('.notice a').getAttribute('href')).toBe('/new')
  })
})

describe('on a phone', () => {
  it('keeps the filters in a sheet that gives the focus back', async () => {
    await open('/packs', { viewport: phone, hasTouch: true, isMobile: true })
    const button = page.getByRole('button', { name: 'Filters' })
    await button.click()
    await page.getByRole('checkbox', { name: 'HD' }).check()
    await page.getByRole('button', { name: /^Show [\d,]+ packs$/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate('document.activeElement?.textContent'))
      .toBe('Filters (1)')
  })

  it('has targets of 44 pixels', async () => {
    await open('/packs', { viewport: phone, hasTouch: true, isMobile: true })
    const heights = await page
      .locator('header a, header button:visible, .toolbar button, .toolbar select, .rail button')
      .evaluateAll((targets) =>
        targets.map((target) => target.getBoundingClientRect().height).filter((high) => high > 0),
      )
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  })
})

describe('the theme', () => {
  it('follows the system until one chooses, and the choice stays', async () => {
    await open('/packs', { colorScheme: 'dark' })
    const ground = () => page.evaluate('getComputedStyle(document.documentElement).background')
    const dark = await ground()
    await page.getByRole('button', { name: 'Switch to the light theme' }).click()
    await expect.poll(() => ground()).not.toBe(dark)
    await page.reload()
    await expect.poll(() => ground()).not.toBe(dark)
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
    await expect.poll(() => page.evaluate('document.cookie')).not.toContain('theme=')
  })
})

describe.each(looks)('in both themes, $viewport.width pixels wide', (look) => {
  it.each([
    ['/packs?stars=4.5-6.5&mods=HD', many],
    ['/packs?q=zzzz', many],
    ['/packs', nothing],
    ['/packs', null],
  ])('%s can be used by everybody, and fits', async (path, served) => {
    index = served
    await open(path, look)
    expect(await axeViolations(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
  })
})
