import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IndexLoop, startIndexLoop } from '../../src/worker/index-loop.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { desk, openRealPage, overflowOf, phone } from '../support/real-page.ts'
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
  const silent = { warn: () => {}, error: () => {} }
  const index = { shelf: house.shelf, poolsOwnerName: 'Tournament pools' }
  loop = startIndexLoop(house.ports, index, silent)
  await loop.ready
}, 60_000)
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
    await page.context().close()
  })

  test.each(['/packs', '/me', '/moderation', '/'])('%s with all of them, too', async (path) => {
    const { page, complaints } = await open(path)
    await page.getByText('W'.repeat(64)).first().waitFor()
    for (const size of [desk, phone]) {
      await page.setViewportSize(size)
      expect(await overflowOf(page)).toBe(0)
    }
    expect(complaints).toEqual([])
    await page.context().close()
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
    await page.context().close()
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
    await page.context().close()
  })

  test('the question before it is deleted reads as it is meant', async () => {
    const { page } = await open(`/p/${rtl()}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const name = await placeOf(page, '[role=dialog] p, dialog p', 'gnihtyna')
    const rest = await placeOf(page, '[role=dialog] p, dialog p', ' and its recorded')
    expect(rest.left).toBeGreaterThanOrEqual(name.right - 1)
    await page.context().close()
  })
})
