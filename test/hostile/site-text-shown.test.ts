import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IndexLoop, startIndexLoop } from '../../src/worker/search-index.ts'
import type { Browser } from '../support/browser.ts'
import { catchUp } from '../support/catch-up.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, desk, openRealPage, overflowOf, phone } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { storeText } from '../support/store-text.ts'
import { teach } from '../web/pool-page.ts'

// Names and titles that would break the page around them. They were stored before D-47 refused some
// of them, or come from the platform: whatever they hold, they stay in their own place.
const RLO = '\u202e'
const hostile = {
  'right to left, never ended': `${RLO}gnihtyna (1) x`,
  'the widest letters without a break': '𒐫﷽'.repeat(21),
  'towers of marks': `Z${'\u0300\u0316'.repeat(30)}o`,
  'one word of 64 letters': 'W'.repeat(64),
  'Arabic, longer than its place': 'بطولة الخريف الكبرى للفرق المتقدمة في كل البلدان 2026',
} as const
const texts = Object.entries(hostile)

let house: SiteHouse
let chromium: Chromium
let owner: Browser
let loop: IndexLoop
const slugs = new Map<string, string>()

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  await house.ports.accounts.setModerator(7003, true, 0)
  owner = await house.signedIn(7003)
  for (const [at, [title, text]] of texts.entries()) {
    const id = 200 + at
    await teach(house, id, { title: text, artist: text, creator: text, version: text, stars: 5 })
    house.clock.nextMinute()
    const name = text.slice(0, 64)
    const description = `${text}\njavascript:alert(1) data:text/html,<b> </script> ]]> &#x0;`
    const slots = [
      { mod: 'NM', index: 1, beatmapId: id },
      { mod: 'DT', index: 1, beatmapId: id },
    ]
    const pack = { description: 'x', visibility: 'public', slots } as const
    slugs.set(title, await house.save(owner, { ...pack, name: title }))
    await storeText(house, slugs.get(title) ?? '', { name, description })
  }
  await house.ports.packs.moderate([...slugs.values()][0] ?? '', (pack) => ({
    ...pack,
    pinnedRank: 1,
  }))
  await catchUp(house.ports)
  const silent = { warn: () => {}, error: () => {} }
  const index = { indexCache: house.indexCache, poolsOwnerName: 'Tournament pools' }
  loop = startIndexLoop(house.ports, index, silent)
  await loop.ready
})
afterAll(async () => {
  await loop.stop()
  await chromium.close()
  await house.close()
})

type Place = { readonly left: number; readonly right: number }

// Runs in the page.
const findText = `(selector, text) => {
  const walker = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const at = walker.currentNode.textContent.lastIndexOf(text)
    if (at < 0) continue
    const range = document.createRange()
    range.setStart(walker.currentNode, at)
    range.setEnd(walker.currentNode, at + text.length)
    return range.getBoundingClientRect().toJSON()
  }
  throw new Error('there is no ' + text)
}`

/** Where a text stands that the element holds, in pixels from the left. */
const placeOf = (page: Page, selector: string, text: string): Promise<Place> =>
  page.evaluate(`(${findText})(${JSON.stringify(selector)}, ${JSON.stringify(text)})`)

const open = (path: string) => openRealPage(chromium, house, { from: owner, path })
const rtl = () => slugs.get('right to left, never ended') ?? ''

describe('D-19: a name may hold anything but controls, and stays in its own place', () => {
  const pages: readonly (readonly [string, (slug: string) => string])[] = [
    ['/p/{slug}', (slug) => `/p/${slug}`],
    ['/p/{slug}/edit', (slug) => `/p/${slug}/edit`],
  ]
  const cases = pages.flatMap(([name, path]) =>
    texts.map(([title]) => [name, title, path] as const),
  )

  test.each(cases)('%s with %s is no wider than the window', async (_name, title, path) => {
    const { page, complaints } = await open(path(slugs.get(title) ?? ''))
    await page.getByText('DT1').first().waitFor()
    for (const size of [desk, phone]) {
      await page.setViewportSize(size)
      expect(await overflowOf(page)).toBe(0)
    }
    expect(complaints).toEqual([])
    await closeWindow(page)
  })

  test.each(['/packs', '/me', '/moderation', '/'])('%s with all of them, too', async (path) => {
    const { page, complaints } = await open(path)
    await page.getByText('W'.repeat(64)).first().waitFor()
    for (const size of [desk, phone]) {
      await page.setViewportSize(size)
      expect(await overflowOf(page)).toBe(0)
    }
    expect(complaints).toEqual([])
    await closeWindow(page)
  })
})

describe('a text that turns the direction turns nothing around it', () => {
  test('/p/{slug}: brackets, and who made a beatmap', async () => {
    const { page } = await open(`/p/${rtl()}`)
    await page.locator('.beatmap-mapper').first().waitFor()
    const by = await placeOf(page, '.beatmap-mapper', 'by ')
    const name = await placeOf(page, '.beatmap-mapper', 'gnihtyna')
    expect(name.left).toBeGreaterThanOrEqual(by.right - 1)
    const inner = await placeOf(page, '.beatmap-difficulty', 'gnihtyna')
    const bracket = await placeOf(page, '.beatmap-difficulty', ']')
    expect(bracket.left).toBeGreaterThanOrEqual(inner.right - 1)
    await closeWindow(page)
  })

  test('/p/{slug}/edit: title, difficulty and artist, in this order', async () => {
    const { page } = await open(`/p/${rtl()}/edit`)
    await page.locator('.edit-title b').first().waitFor()
    const boxes = await Promise.all(
      ['b', 'span', 'span + span'].map((part) =>
        page.locator(`.edit-title > ${part}`).first().boundingBox(),
      ),
    )
    const lefts = boxes.map((box) => box?.x ?? 0)
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
    await closeWindow(page)
  })

  test('the question before it is deleted reads as it is meant', async () => {
    const { page } = await open(`/p/${rtl()}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const name = await placeOf(page, '[role=dialog] p, dialog p', 'gnihtyna')
    const rest = await placeOf(page, '[role=dialog] p, dialog p', 'and its magnet')
    expect(rest.left).toBeGreaterThanOrEqual(name.right - 1)
    await closeWindow(page)
  })
})

describe('text that runs right to left is isolated and cut at its own end (D-47)', () => {
  // Runs in the page: the boxes of the first and the last letter of a text, and of what holds it.
  const boxes = `(selector, text) => {
    const all = [...document.querySelectorAll(selector)]
    const element = all.find(({ textContent }) => textContent.includes(text))
    const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
    const boxOf = (from, to) => {
      const range = document.createRange()
      range.setStart(node, from)
      range.setEnd(node, to)
      return range.getBoundingClientRect().toJSON()
    }
    const { length } = node.textContent
    return {
      isCut: element.scrollWidth > element.clientWidth,
      own: element.getBoundingClientRect().toJSON(),
      first: boxOf(0, 1),
      last: boxOf(length - 1, length),
    }
  }`
  type Boxes = Readonly<Record<'own' | 'first' | 'last', Place>> & { readonly isCut: boolean }
  const measure = (page: Page, selector: string, text = ''): Promise<Boxes> =>
    page.evaluate(`(${boxes})(${JSON.stringify(selector)}, ${JSON.stringify(text)})`)

  test.each([
    ['/packs', '.pack-list'],
    ['/moderation', '[role=row]'],
  ])('%s keeps its beginning', async (path, list) => {
    const { page } = await open(path)
    await page.setViewportSize(phone)
    const slug = slugs.get('Arabic, longer than its place')
    const link = page.locator(`${list} a[href="/p/${slug}"]`).first()
    await link.waitFor()
    const { isCut, own, first, last } = await measure(page, `${list} a[href="/p/${slug}"]`)
    expect(first.right).toBeLessThanOrEqual(own.right + 1)
    expect(first.left).toBeGreaterThan(last.left)
    if (isCut) expect(last.left).toBeLessThan(own.left)
    await closeWindow(page)
  })

  test('a text of before turns nothing: it is shown as it was stored, letter by letter', async () => {
    for (const path of ['/packs', `/p/${rtl()}`, '/me', '/moderation']) {
      const { page } = await open(path)
      const shown = page.getByText('gnihtyna').first()
      await shown.waitFor()
      expect(await page.locator('main').innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
      const { first, last } = await measure(page, 'main a, main h1 bdi', 'gnihtyna')
      expect(first.left).toBeLessThan(last.left)
      await closeWindow(page)
    }
  })

  test('the head of a page, which has no elements, isolates with characters', async () => {
    const slug = slugs.get('Arabic, longer than its place') ?? ''
    const { text } = await owner.open(`/p/${slug}`)
    expect(text).toMatch(/<title>\u2068بطولة[^\u2069]*\u2069 – Mapcrate<\/title>/)
    const before = (await owner.open(`/p/${rtl()}`)).text
    const head = before.slice(0, before.indexOf('</head>'))
    expect(head).not.toMatch(/[\u202a-\u202e]/)
    expect(head).toContain('gnihtyna')
  })
})
