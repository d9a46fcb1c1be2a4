import type { Browser as Chromium, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import { completePool } from '../../src/pool/checks.ts'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import {
  closeWindow,
  evil,
  looks,
  overflowOf,
  phone,
  tabTo,
  targetHeights,
} from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import {
  cellsOf,
  clipboard,
  everyKind,
  type Opening,
  openPool,
  openPoolHouse,
  readPack,
  savePack,
  settleStats,
  teach,
  whenKnown,
} from './pool-page.ts'

let house: SiteHouse
let chromium: Chromium
let player: Browser
let key: string
let page: Page
let complaints: string[]

const open = async (hash = '', opening: Opening = {}): Promise<void> => {
  ;({ page, complaints } = await openPool(chromium, house, `/k${hash}`, opening))
}
const keyOf = (name: string, slots = everyKind.slots): string =>
  encodePackKey(completePool({ name, buckets: everyKind.buckets, slots }, 0))
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = () => page.getByLabel('Pack key, or text that contains one')
const title = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const told = (hasText: string | RegExp) => page.getByRole('alert').filter({ hasText }).waitFor()
/** All that a request gives away. */
const wholeOf = (request: Request): string =>
  [request.url(), JSON.stringify(request.headers()), request.postData() ?? ''].join('\n')

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openPoolHouse()
  player = await house.signedIn(7001)
  key = (await readPack(player, await savePack(house, player))).packKey
  await settleStats(house)
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
afterEach(() => closeWindow(page))

describe('a key in the address', () => {
  it('shows its pool as a pack that nobody owns', async () => {
    await open(`#${key}`)
    await title('Harbour Cup')
    await whenKnown(page)
    const labels = await page.locator('tr .slot-label').allInnerTexts()
    expect(labels.map((label) => label.trim()).join()).toBe('1,NM1,NM2,HD1,HR1,DT1,DT2,RC1 1,TB')
    expect((await cellsOf(page, 'NM1')).slice(3, 6)).toEqual(['★ 4.25 stars', '4:18', '222'])
    await expect.poll(() => page.title()).toBe('Harbour Cup – Mapcrate')
    await expect.poll(() => page.locator('.glance').innerText()).toMatch(/2:52–4:18/)
    await button('Copy key').click()
    await expect.poll(() => clipboard(page)).toBe(key)
    expect(complaints).toEqual([])
  })

  it('never leaves the browser; the ids of its beatmaps do', async () => {
    await open()
    const sent: string[] = []
    page.on('request', (request) => void sent.push(wholeOf(request)))
    await page.evaluate(`location.hash = ${JSON.stringify(key)}`)
    await page.reload()
    await title('Harbour Cup')
    await whenKnown(page)
    await button('Download Pack key').click()
    await page.getByRole('link', { name: 'Sign in', exact: true }).first().click()
    await page.waitForURL('**/oauth/authorize**')
    const body = key.slice(key.indexOf('.') + 1)
    expect(sent.filter((request) => request.includes(body.slice(0, 12)))).toEqual([])
    const asked = sent.filter((request) => request.includes('/session/beatmaps'))
    expect(asked.length).toBeGreaterThan(0)
    expect(
      asked.every((request) => /\n\{"beatmaps":\[\{"id":108,"mods":\[\]\},/.test(request)),
    ).toBe(true)
    expect(sent.some((request) => request.includes('Harbour'))).toBe(false)
  })

  it('says that to whoever reads it', async () => {
    await open(`#${key}`)
    await expect
      .poll(() => page.locator('.pack-facts').innerText())
      .toMatch(/only beatmap ids were sent|Only beatmap ids are sent/)
    await page.getByRole('link', { name: 'Open another key' }).click()
    await field().waitFor()
    await expect
      .poll(() => page.locator('.open-key-lead').innerText())
      .toMatch(/only beatmap ids were sent|Only beatmap ids are sent/)
  })

  it('may change while one looks, and the page goes along', async () => {
    await open(`#${key}`)
    await title('Harbour Cup')
    await page.evaluate(
      `location.hash = ${JSON.stringify(keyOf('Second', everyKind.slots.slice(0, 2)))}`,
    )
    await title('Second')
    await expect.poll(() => page.locator('tr.slot-row').count()).toBe(2)
    await page.goBack()
    await title('Harbour Cup')
  })

  it('may hold no beatmaps: a draft', async () => {
    await open(`#${keyOf('Semi-finals', [])}`, { from: player })
    await title('Semi-finals')
    await page.getByText('This draft has no beatmaps').waitFor()
    await expect.poll(() => button('Save as my pack').count()).toBe(0)
    await expect
      .poll(() => page.getByRole('link', { name: 'New pack' }).last().getAttribute('href'))
      .toBe('/new')
    expect(await axeViolations(page)).toEqual([])
  })

  it('stays where it is when one goes to a slot or to a bucket', async () => {
    await open(`#${key}`, { look: { viewport: phone, hasTouch: true, isMobile: true } })
    await whenKnown(page)
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('button', { name: 'HR' })
      .tap()
    // On a phone, the plot is folded.
    await page.getByRole('button', { name: 'Plot of the stars' }).tap()
    const dot = page.getByRole('button', { name: /^HD1:/ })
    await dot.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('slot-HD1')
    expect(new URL(page.url()).hash).toBe(`#${key}`)
  })
})

describe('a key that cannot be opened', () => {
  it.each([
    ['hello', 'No pack key found'],
    ['pk9.AbCdEf', 'This pack key’s version is not supported'],
    ['pk1.A', 'This key is incomplete'],
    ['pk1.AQIDBA', 'This pack key is damaged'],
  ])('%s: %s', async (text, words) => {
    await open(`#${text}`)
    await told(words)
    await field().fill(text)
    await button('Open').click()
    await page.locator('.key-form').getByText(words).waitFor()
    await expect.poll(() => field().getAttribute('aria-invalid')).toBe('true')
  })

  it('is told with what to do, and is replaced by one that can', async () => {
    await open(`#${key.slice(0, -4)}`)
    await told(/Copy the (?:whole )?key again/)
    await field().fill(`look at this: ${key} !`)
    await title('Harbour Cup')
  })
})

describe('pasting', () => {
  it('opens a whole key at once, alone or in a message, and by keyboard', async () => {
    await open()
    await tabTo(page, '')
    await field().focus()
    await page.keyboard.insertText(`Our pool: https://elsewhere.test/k#${key}, have fun`)
    await title('Harbour Cup')
    expect(new URL(page.url()).hash).toBe(`#${key}`)
  })

  it('waits with words until one asks for it', async () => {
    await open()
    await field().pressSequentially('pk1.AQ')
    await expect.poll(() => page.getByRole('alert').filter({ hasText: /key/ }).count()).toBe(0)
    await tabTo(page, 'Open')
    await page.keyboard.press('Enter')
    await told(/pack key/)
  })
})

describe('saving it as a pack of one’s own', () => {
  it('makes an unlisted pack and goes there', async () => {
    house.clock.nextMinute()
    await open(`#${key}`, { from: player })
    await button('Save as my pack').click()
    await page.waitForURL('**/p/*')
    await title('Harbour Cup')
    await expect.poll(() => page.locator('.pack-facts').innerText()).toContain('Unlisted')
    const saved = await readPack(player, new URL(page.url()).pathname.slice(3))
    expect(saved.packKey).toBe(key)
  })

  it('says why a name is refused (D-24), and what to do', async () => {
    house.clock.nextMinute()
    const slur = slurs.find(({ stem }) => /^[a-z]{6,}$/.test(stem))?.stem ?? ''
    await open(`#${keyOf(`The ${slur} cup`)}`, { from: player })
    await button('Save as my pack').click()
    await told(/^Name must not contain a slur\. .*paste it into a new pack/)
  })

  it('leads others to sign in, and back to the same key, which no server has seen', async () => {
    await open(`#${key}`)
    const seen: string[] = []
    page.on('request', (request) => void seen.push(wholeOf(request)))
    await page.getByRole('link', { name: 'Sign in to save' }).click()
    await page.getByRole('button', { name: /Peridot/ }).click()
    await page.waitForURL((url) => url.pathname === '/k')
    await title('Harbour Cup')
    expect(new URL(page.url()).hash).toBe(`#${key}`)
    await button('Save as my pack').waitFor()
    expect(seen.filter((request) => request.includes(key.slice(4, 20)))).toEqual([])
    // What was kept is used up: the page opens empty next time.
    await page.goto('about:blank')
    await page.goto(`${house.urls.packs}/k`)
    await field().waitFor()
  })
})

describe('the text of people', () => {
  it('is shown as text wherever it stands', async () => {
    await teach(house, 150, {
      title: evil,
      artist: evil,
      creator: evil,
      version: evil,
      mode: 'osu',
    })
    await open(`#${keyOf(evil, [{ mod: 'RC1', index: 1, beatmapId: 150 }])}`, { from: player })
    await whenKnown(page)
    await expect.poll(() => page.locator('h1').innerText()).toBe(evil)
    await expect.poll(() => page.locator('.beatmap-title').innerText()).toBe(evil)
    await expect.poll(() => page.title()).toBe(`${evil} – Mapcrate`)
    expect(complaints).toEqual([])
  })

  it('is shown as text in what is wrong with a key', async () => {
    const odd = encodePackKey({
      name: 'x',
      buckets: null,
      slots: [{ mod: 'NM', index: 1, beatmapId: 1 }],
    })
    await open(`#${odd}${encodeURIComponent(evil)}`)
    await page.locator('h1').waitFor()
    await page.evaluate(`location.hash = ${JSON.stringify(encodeURIComponent(evil))}`)
    await told('No pack key found')
    await expect.poll(() => page.locator('main img').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

it('has targets of 44 pixels on a phone', async () => {
  await open('', { look: { viewport: phone, hasTouch: true, isMobile: true } })
  const heights = await targetHeights(page, 'main button:visible, main textarea')
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
})

describe.each(looks)('in both themes, $viewport.width pixels wide', (look) => {
  it.each([
    ['nothing', () => ''],
    ['a damaged key', () => '#pk1.AQIDBA'],
    ['a pool', () => `#${keyOf('Wide'.repeat(16))}`],
    ['a draft', () => `#${keyOf('Semi-finals', [])}`],
  ])('can be used by everybody, and fits, with %s', async (_, hash) => {
    await open(hash(), { look })
    if (hash().length > 100) await whenKnown(page)
    expect(await axeViolations(page)).toEqual([])
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0)
  })
})
