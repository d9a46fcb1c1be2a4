import { readFile } from 'node:fs/promises'
import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Beatmap } from '../../src/domain/beatmaps.ts'
import { formats } from '../../src/formats/format-table.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { type Difficulty, playedDifficulty } from '../../src/pool/played-values.ts'
import { readCollections, writeCollections } from '../../src/formats/collection/collection-db.ts'
import { formatDifficulty } from '../../src/web/format.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
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
import { aLink } from '../support/site-calls.ts'
import type { SiteHouse } from '../support/site-house.ts'
import {
  cellsOf,
  clipboard,
  everyKind,
  forgetBeatmaps,
  GONE_ID,
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
let owner: Browser
let moderator: Browser
let slug: string
let page: Page
let complaints: string[]

const open = async (opening: Opening = {}, at = slug): Promise<void> => {
  ;({ page, complaints } = await openPool(chromium, house, `/p/${at}`, opening))
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })
/** Waits for words that interrupt screen readers. */
const told = (hasText: RegExp) => page.getByRole('alert').filter({ hasText }).waitFor()
/** On a phone the plot is folded. */
const unfold = async (): Promise<void> => {
  const fold = page.getByRole('button', { name: 'Plot of the stars' })
  if (await fold.isVisible()) await fold.click()
}
const dots = () => page.getByRole('group', { name: 'Stars of each slot' }).getByRole('button')
const focusedName = () => page.evaluate(`document.activeElement?.getAttribute('aria-label') ?? ''`)
const focusedRow = () => page.evaluate('document.activeElement?.id')
/** A pack of whose beatmaps the site knows nothing. */
const unknown = async (): Promise<string> => {
  await forgetBeatmaps(house)
  return fresh()
}
const fresh = (changes: Parameters<typeof savePack>[2] = {}) => savePack(house, owner, changes)

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openPoolHouse()
  owner = await house.signedIn(7001)
  await house.ports.accounts.setModerator(7003, true, 0)
  moderator = await house.signedIn(7003)
  slug = await fresh()
  await settleStats(house)
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
afterEach(() => closeWindow(page))

describe('a pack', () => {
  it('is told by name, owner, visibility, dates, and a description with its line breaks', async () => {
    await open()
    await expect.poll(() => page.locator('h1').innerText()).toBe('Harbour Cup')
    const told = await page.locator('.pack-facts').innerText()
    expect(told).toMatch(/by Peridot/)
    expect(told).toMatch(/Public/)
    expect(told).toMatch(/Updated 3 Oct 2026, 18:31/)
    await expect
      .poll(() => page.locator('.pack-description').innerText())
      .toBe('First line.\nSecond line.')
    await expect.poll(() => page.title()).toBe('Harbour Cup – Mapcrate')
    expect(complaints).toEqual([])
  })

  it('shows its slots bucket by bucket in pool order (D-20)', async () => {
    await open()
    await whenKnown(page)
    const labels = await page.locator('tr .slot-label').allInnerTexts()
    expect(labels.map((label) => label.trim())).toEqual([
      '1',
      'NM1',
      'NM2',
      'HD1',
      'HR1',
      'DT1',
      'DT2',
      'RC1 1',
      'TB',
    ])
    const titles = await page.locator('.bucket-title').allInnerTexts()
    expect(titles.map((title) => title.replaceAll(/\s+/g, ' '))).toEqual([
      'No bucket 1 map',
      'NM No mod 2 maps',
      'HD Hidden 1 map',
      'HR Hard Rock 1 map',
      'DT Double Time 2 maps',
      'RC1 Free mods 1 map',
      'TB Tiebreaker 1 map',
    ])
  })

  it('shows every number with the slot’s mods, and without them on hover (D-32)', async () => {
    await open()
    await whenKnown(page)
    const plain = await cellsOf(page, 'NM1')
    const fast = await cellsOf(page, 'DT1')
    expect(plain.slice(2, 6)).toEqual([
      'Harbour 101 Nine Rivers , difficulty [Insane] , made by arbor',
      '★ 4.25 stars',
      '4:18',
      '222',
    ])
    expect(fast.slice(3, 6)).toEqual(['★ 7.13 stars with DT', '2:52', '333'])
    const known = (await house.ports.beatmapCache.readBeatmaps([105])).get(105)?.beatmap
    const details = known as Beatmap
    const values = (played: Difficulty) =>
      [played.circleSize, played.approachRate, played.overallDifficulty, played.healthDrain].map(
        formatDifficulty,
      )
    const row = page.locator('#slot-DT1')
    expect(fast.slice(6, 10)).toEqual(values(playedDifficulty(details, ['DT'])))
    expect(await row.locator('.slot-ar').getAttribute('title')).toBe(
      `${values(details)[1]} without mods`,
    )
    expect(await row.locator('.slot-bpm').getAttribute('title')).toBe('222 without mods')
    expect(await row.locator('.slot-cs').getAttribute('title')).toBeNull()
    expect((await cellsOf(page, 'DT2')).slice(2, 4)).toEqual([
      `Beatmap ${GONE_ID} Not found on the game platform`,
      '–',
    ])
    const link = page.getByRole('link', { name: 'Harbour 101', exact: true })
    await expect.poll(() => link.getAttribute('href')).toBe('/maps/101')
  })

  it('is read at once, and nothing moves when its beatmaps arrive', async () => {
    const held: (() => void)[] = []
    const prepare = (opened: Page) =>
      opened.route('**/session/beatmaps', async (route) => {
        await new Promise<void>((resolve) => held.push(resolve))
        await route.continue()
      })
    await open({ prepare }, await unknown())
    await page.getByRole('link', { name: 'Beatmap 101', exact: true }).waitFor()
    await expect.poll(() => cellsOf(page, 'NM1')).toContain('Beatmap 101 loading')
    const tops = () =>
      page
        .locator('tr.slot-row')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top))
    const before = await tops()
    await expect.poll(() => held.length).toBe(1)
    held[0]?.()
    await whenKnown(page)
    await expect.poll(() => tops()).toEqual(before)
  })

  it('has its numbers at a glance', async () => {
    await open()
    const glance = await page.getByRole('region', { name: 'At a glance' }).innerText()
    const pack = await readPack(owner, slug)
    expect(pack.stats?.complete).toBe(true)
    expect(glance.replaceAll(/\s+/g, ' ')).toContain('Stars 4.25–7.13 stars ★ 5.42 on average')
    // D-94: stats count HD1 without HD.
    expect(glance).toContain(
      'HD slots count without HD here. In the game: 4.25–7.13 stars, 5.45 on average.',
    )
    expect(glance).toMatch(/2:52–4:18/)
    expect(glance).toMatch(/222–333/)
    expect(glance.replaceAll(/\s+/g, ' ')).toMatch(/Maps 9 Mods NM ?HD ?HR ?DT ?FM ?TB/)
  })

  it('asks for its beatmaps once, and for no key', async () => {
    const bodies: string[] = []
    const prepare = async (opened: Page) =>
      opened.on('request', (request) => {
        if (request.url().endsWith('/session/beatmaps')) bodies.push(request.postData() ?? '')
      })
    const asked = await unknown()
    await open({ prepare }, asked)
    await whenKnown(page)
    expect(bodies).toHaveLength(1)
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ slug: asked })
  })

  it('puts a quiet placeholder where a cover does not load', async () => {
    await open()
    await page.route('**/covers/list.jpg', (route) => route.abort())
    await page.reload()
    await whenKnown(page)
    await page.locator('.slot-cover .mark').nth(8).waitFor()
    await expect.poll(() => page.locator('.slot-cover img').count()).toBe(0)
  })

  it('asks for no cover of a beatmap that is in no set', async () => {
    const inNone = aBeatmap(208, { setId: 0 })
    await house.ports.beatmapCache.keepBeatmaps([inNone], [], house.clock.now())
    await house.ports.beatmapCache.publish([208], [])
    const slots = [101, 208].map((beatmapId, at) => ({ mod: 'NM', index: at + 1, beatmapId }))
    const covers: string[] = []
    const prepare = async (opened: Page) =>
      opened.route('**/covers/**', (route, request) => {
        covers.push(new URL(request.url()).pathname)
        return route.continue()
      })
    await open({ prepare }, await fresh({ slots }))
    await whenKnown(page)
    await page.locator('.slot-cover img').waitFor()
    await dots().last().focus()
    await page.locator('.plot-card .mark').waitFor()
    await expect.poll(() => covers).toContain('/assets/beatmaps/9101/covers/list.jpg')
    expect(covers.filter((path) => path.includes('/0/'))).toEqual([])
    await expect.poll(() => page.locator('.slot-cover .mark').count()).toBe(1)
  })
})

describe('the plot', () => {
  it('has a dot for each slot, which says itself in words', async () => {
    await open()
    await whenKnown(page)
    const names = await dots().evaluateAll((all) =>
      all.map((dot) => dot.getAttribute('aria-label')),
    )
    expect(names).toEqual([
      '1: Nine Rivers – Harbour 108 [Insane], 6.00 stars',
      'NM1: Nine Rivers – Harbour 101 [Insane], 4.25 stars',
      'NM2: Nine Rivers – Harbour 102 [Insane], 4.50 stars',
      'HD1: Nine Rivers – Harbour 103 [Insane], 5.00 stars with HD',
      'HR1: Nine Rivers – Harbour 104 [Insane], 5.50 stars with HR',
      'DT1: Nine Rivers – Harbour 105 [Insane], 7.13 stars with DT',
      `DT2: beatmap ${GONE_ID}, not found`,
      'RC1 1: Nine Rivers – Harbour 106 [Insane], 5.50 stars',
      'TB: Nine Rivers – Harbour 107 [Insane], 5.75 stars',
    ])
  })

  it('is one stop for Tab, walked by arrow keys, and leads to the rows', async () => {
    await open()
    await whenKnown(page)
    await dots().first().focus()
    const card = page.locator('.plot-card')
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key)
    await expect.poll(() => focusedName()).toMatch(/^NM1/)
    await expect.poll(() => card.innerText()).toMatch(/NM1[\s\S]*Harbour 101/)
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    await page.keyboard.press('End')
    await expect.poll(() => focusedName()).toMatch(/^TB/)
    await page.keyboard.press('Tab')
    await expect.poll(() => focusedName()).not.toMatch(/^(NM|HD)/)
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => focusedName()).toMatch(/^TB/)
    await page.keyboard.press('Enter')
    await expect.poll(() => focusedRow()).toBe('slot-TB')
  })

  it('shows the map that one points at, and leads to it by a press', async () => {
    await open()
    await whenKnown(page)
    await dots().nth(5).hover()
    await expect
      .poll(() => page.locator('.plot-card').innerText())
      .toMatch(/DT1[\s\S]*2:52, 333 BPM/)
    await page.mouse.move(5, 5)
    await page.locator('.plot-card').waitFor({ state: 'detached' })
    await dots().nth(5).click()
    await expect.poll(() => focusedRow()).toBe('slot-DT1')
  })

  it('shows a map by a first touch, and leads to it by a second', async () => {
    await open({ look: { viewport: phone, hasTouch: true, isMobile: true } })
    await whenKnown(page)
    await unfold()
    await dots().nth(3).tap()
    await page.locator('.plot-card').getByText('Harbour 103').waitFor()
    await expect.poll(() => focusedRow()).not.toBe('slot-HD1')
    await dots().nth(3).tap()
    await expect.poll(() => focusedRow()).toBe('slot-HD1')
    await page.locator('h1').tap()
    await page.locator('.plot-card').waitFor({ state: 'detached' })
  })
})

describe('copying', () => {
  it.each([
    ['ID: copy ID of HR1', '104'],
    ['!mp: copy !mp lines of HR1', '# HR1\n!mp map 104 0\n!mp mods NF HR'],
    ['!mp: copy !mp lines of RC1 1', '# RC1 1\n!mp map 106 0\n!mp mods freemod'],
  ])('%s is one press', async (name, text) => {
    await open()
    await button(name).click()
    await page.getByText(/copied$/).waitFor()
    await expect.poll(() => clipboard(page)).toBe(text)
  })

  it('takes the pack key, as it is or as a link, and the address of the page', async () => {
    await open()
    const { packKey } = await readPack(owner, slug)
    await button('Copy key').click()
    await expect.poll(() => clipboard(page)).toBe(packKey)
    await button('Copy as link').click()
    await expect.poll(() => clipboard(page)).toBe(`${house.urls.packs}/k#${packKey}`)
    await button('Copy link').click()
    await expect.poll(() => clipboard(page)).toBe(`${house.urls.packs}/p/${slug}`)
    await button('Copy link: In the API').click()
    await expect.poll(() => clipboard(page)).toBe(`${house.urls.packs}/api/v1/packs/${slug}`)
  })
})

describe('downloads', () => {
  const saved = async (press: Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), press])
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
  }
  const download = (name: string) => saved(button(`Download ${name}`).click())

  it.each([
    [
      'Referee lines',
      'Harbour Cup referee.txt',
      /^# 1\n!mp map 108 0\n!mp mods NF\n\n# NM1\n!mp map 101/,
    ],
    [
      'Spreadsheet',
      'Harbour Cup.csv',
      /DT1,105,9105,Nine Rivers,Harbour 105,Insane,arbor,7\.13,172,333,/,
    ],
    ['Spreadsheet cells', 'Harbour Cup.tsv', /NM1\t101\t9101\tNine Rivers/],
    [
      'bracket.json',
      'Harbour Cup bracket.json',
      /"Name": "Harbour Cup"[\s\S]*"ID": 105,\s+"Mods": "DT"/,
    ],
    ['Referee JSON', 'Harbour Cup referee.json', /"code": "RC1"/],
    ['Referee bots', 'Harbour Cup codes.json', /^\[\n {2}\{"code":"1","id":108\},\n/],
    [
      'Stream overlays',
      'Harbour Cup overlay.json',
      /\{"beatmapId":105,"pick":"DT1","mods":"DT"\},\n/,
    ],
    [
      'Wiki Markdown',
      'Harbour Cup wiki.md',
      /^### Harbour Cup\n[^]*- Double Time\n {2}1\. \[Nine Rivers - Harbour 105 \(arbor\) /,
    ],
    [
      'BBCode',
      'Harbour Cup forum.txt',
      /^\[heading\]Harbour Cup\[\/heading\]\n[^]*\[\*\]DT1: \[url=[^\]]+105\]Nine Rivers - /,
    ],
    ['Beatmap ids', 'Harbour Cup ids.txt', /^108\n101\n102\n/],
    ['Links', 'Harbour Cup links.txt', /^https:\/\/osu\.ppy\.sh\/b\/108\n/],
    ['Pack key', 'Harbour Cup key.txt', /^pk3\.[\w-]+\n$/],
    ['JSON', 'Harbour Cup.json', /^\{\n {2}"name": "Harbour Cup",\n {2}"slots": \[/],
  ])('%s', async (format, fileName, content) => {
    await open()
    await whenKnown(page)
    const file = await download(format)
    expect(file.name).toBe(fileName)
    expect(file.bytes.toString()).toMatch(content)
    expect(complaints).toEqual([])
  })

  it('has every format, with what it is for', async () => {
    await open()
    const shown = page.getByRole('region', { name: 'Downloads' }).locator('.side-words')
    const expected = [
      ...Object.values(formats).map(({ label, about }) => label + about),
      'PictureThe pool as a table, to post',
    ]
    expect(await shown.allTextContents()).toEqual(expected)
  })

  it('has collections for both programs, and says what is not in them', async () => {
    await open()
    await whenKnown(page)
    await button('Download collection.db').click()
    const db = await saved(button('Download a new file').click())
    expect(db.bytes.readInt32LE(0)).toBe(20_150_203)
    expect(db.bytes.toString('latin1')).toContain('Harbour Cup')
    await page.getByText('1 slot left out: beatmap details are not available.').waitFor()
    const osdb = await download('Collections (.osdb)')
    expect(osdb.name).toBe('Harbour Cup.osdb')
    expect(osdb.bytes.toString('latin1')).toMatch(/^.o!dm8/)
  })

  it('adds the pool to the collections that a player has, before it offers a file of its own', async () => {
    const mine = { name: 'Mine', hashes: ['a'.repeat(32)] }
    const former = { name: 'Harbour Cup', hashes: ['b'.repeat(32)] }
    await open()
    await whenKnown(page)
    await button('Download collection.db').click()
    const choose = (bytes: Uint8Array) =>
      page
        .locator('input[accept=".db"]')
        .setInputFiles({ name: 'collection.db', mimeType: '', buffer: Buffer.from(bytes) })
    await choose(Uint8Array.of(1, 2, 3))
    await page.getByText('Your file was not changed').waitFor()
    const file = await saved(choose(writeCollections(20210101, [mine, former])))
    expect(file.name).toBe('collection.db')
    const [first, second, ...more] = readCollections(file.bytes).collections
    expect([first, second?.name, more]).toEqual([mine, 'Harbour Cup', []])
    // The checksum of the beatmap that is gone may be among those of before.
    expect(second?.hashes).toHaveLength(8 + 1)
    await page.getByText(/^Saved with the pool in it. 1 slot left out/).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('copies what one would paste', async () => {
    await open()
    await button('Copy Beatmap ids').click()
    await page.getByText('Beatmap ids copied').waitFor()
    await expect.poll(() => clipboard(page)).toMatch(/^108\n101\n102\n103\n/)
  })
})

describe('stats that are not there yet (spec 2.6 rule 4)', () => {
  it('are said to be looked up, and come by themselves', async () => {
    await forgetBeatmaps(house)
    const young = await fresh({ name: 'Young', slots: everyKind.slots.slice(3, 6) })
    const prepare = (opened: Page) => opened.route('**/session/beatmaps', () => {})
    await open({ hasHandClock: true, prepare }, young)
    await page.getByText(/^Loading beatmaps/).waitFor()
    await settleStats(house)
    await page.clock.runFor(3_000)
    await page.getByText(/^Loading beatmaps/).waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('.glance').innerText()).toContain('4.75–7.13')
    await page.unroute('**/session/beatmaps')
  })
})

describe('beatmaps that cannot be looked up', () => {
  it('leave the pack readable, are tried less and less often, and again when asked', async () => {
    const prepare = (opened: Page) => opened.route('**/session/beatmaps', (route) => route.abort())
    await open({ hasHandClock: true, prepare }, await unknown())
    await page.getByText('What is saved is not affected.').waitFor()
    const isStalled = async (): Promise<boolean> => {
      await page.clock.runFor(60_000)
      return button('Try again').isVisible()
    }
    await expect.poll(isStalled).toBe(true)
    await page.getByText('Could not reach the site').waitFor()
    await expect.poll(() => page.locator('tr.slot-row').count()).toBe(9)
    await page.unroute('**/session/beatmaps')
    await button('Try again').click()
    await whenKnown(page)
    await expect.poll(() => page.getByText('What is saved is not affected.').count()).toBe(0)
  })

  it('are not asked for while nobody looks at the page', async () => {
    let asked = 0
    const prepare = (opened: Page) =>
      opened.route('**/session/beatmaps', (route) => {
        asked += 1
        return route.abort()
      })
    await open({ hasHandClock: true, prepare }, await unknown())
    await expect.poll(() => asked).toBeGreaterThan(0)
    await page.getByText('What is saved is not affected.').waitFor()
    const look = (hidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`)
    await look(true)
    // The clock goes on by itself, too: on a busy machine they may have been asked for again.
    const before = asked
    for (let rounds = 0; rounds < 3; rounds += 1) await page.clock.runFor(60_000)
    expect(asked).toBe(before)
    await look(false)
    await expect.poll(() => asked).toBe(before + 1)
  })
})

describe('what one can do', () => {
  it('is little for visitors', async () => {
    await open()
    const names = await page.locator('.pack-header .actions').locator('a, button').allInnerTexts()
    expect(names).toEqual(['Copy link', 'Make a copy', 'Maps and downloads'])
    const copy = page.getByRole('link', { name: 'Make a copy' })
    expect(await copy.getAttribute('href')).toBe(`/sign-in?return=%2Fp%2F${slug}`)
    await expect.poll(() => page.getByRole('heading', { name: 'Moderation' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('heading', { name: 'Magnet links' }).count()).toBe(0)
  })

  it('for owners is to edit and to make a copy', async () => {
    await open({ from: owner })
    const edit = page.getByRole('link', { name: 'Edit' })
    await expect.poll(() => edit.getAttribute('href')).toBe(`/p/${slug}/edit`)
    house.clock.nextMinute()
    await button('Make a copy').click()
    await page.waitForURL((url) => url.pathname !== `/p/${slug}`)
    await expect.poll(() => page.locator('h1').innerText()).toBe('Harbour Cup (copy)')
    await expect.poll(() => page.locator('.pack-facts').innerText()).toContain('Unlisted')
  })

  it('for others who are signed in is to make a copy without the owner’s words', async () => {
    const other = await house.signedIn(7002)
    await open({ from: other })
    await expect.poll(() => page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
    await button('Make a copy').click()
    await page.waitForURL((url) => url.pathname !== `/p/${slug}`)
    await expect.poll(() => page.locator('h1').innerText()).toBe('Harbour Cup')
    await expect.poll(() => page.locator('.pack-description').count()).toBe(0)
  })

  it('says so when there were too many saves in this minute (spec 8)', async () => {
    house.clock.nextMinute()
    for (let times = 0; times < 10; times += 1) {
      await owner.ask('DELETE', '/session/packs/nothing-10')
    }
    await open({ from: owner })
    await button('Make a copy').click()
    await told(/\d+ seconds|minute/)
    house.clock.nextMinute()
  })

  it('is to delete it, once one has been asked', async () => {
    const doomed = await fresh({ name: 'Doomed' })
    await open({ from: owner }, doomed)
    await button('Delete').click()
    await inDialog('Cancel').click()
    await button('Delete').click()
    await expect.poll(() => page.getByRole('dialog').innerText()).toContain('Doomed')
    await inDialog('Delete pack').click()
    await page.waitForURL('**/me')
    expect((await owner.ask('GET', `/session/packs/${doomed}`)).status).toBe(404)
    const toast = page.getByRole('status').filter({ hasText: 'Doomed deleted' })
    await toast.waitFor()
    // Once: not when the page is loaded again.
    await page.reload()
    await page.locator('.my-pack').first().waitFor()
    expect(await toast.count()).toBe(0)
  })
})

describe('magnet links (D-43)', () => {
  const field = () => page.getByLabel('New magnet link')
  const record = async (url: string): Promise<void> => {
    await field().fill(url)
    await button('Add link').click()
  }

  it('are recorded, shown by their names, copied, and removed', async () => {
    const own = await fresh({ name: 'Own' })
    await open({ from: owner }, own)
    await record(`${aLink(1)}&dn=Harbour%20files&tr=udp://tracker.test`)
    const link = page.getByRole('link', { name: 'Harbour files' })
    await expect.poll(() => link.getAttribute('href')).toBe(`${aLink(1)}&dn=Harbour%20files`)
    await expect.poll(() => field().inputValue()).toBe('')
    await button('Copy magnet link Harbour files').click()
    await expect.poll(() => clipboard(page)).toBe(`${aLink(1)}&dn=Harbour%20files`)
    await button('Remove magnet link Harbour files').click()
    await link.waitFor({ state: 'detached' })
    expect((await readPack(owner, own)).exports).toEqual([])
  })

  it('are refused with what to mend', async () => {
    const own = await fresh({ name: 'Own' })
    await open({ from: owner }, own)
    await record('https://files.test/pack.zip')
    await told(/^The link must begin with magnet:\?$/)
    await expect.poll(() => field().getAttribute('aria-invalid')).toBe('true')
    await record(aLink(1))
    await page.getByText('Magnet link added').waitFor()
    await record(aLink(1))
    await told(/already been added/)
  })

  it('are refused for a pack that has changed elsewhere, and when there are too many saves', async () => {
    const own = await fresh({ name: 'Own' })
    await open({ from: owner }, own)
    const { updatedAt } = await readPack(owner, own)
    const changed = { ...everyKind, name: 'Other' }
    await owner.ask('PUT', `/session/packs/${own}`, { pack: changed, basedOn: updatedAt })
    await record(aLink(1))
    await told(/Reload the page/)
    for (let times = 0; times < 10; times += 1) {
      await owner.ask('DELETE', '/session/packs/nothing-10')
    }
    await record(aLink(1))
    await told(/Try again in \d+ seconds/)
    house.clock.nextMinute()
  })

  it('are there for others to open and copy alone', async () => {
    const own = await fresh({ name: 'Own' })
    const { packKey } = await readPack(owner, own)
    await owner.ask('POST', `/session/packs/${own}/magnets`, { url: aLink(2), packKey })
    await open({}, own)
    await page.getByRole('link', { name: '000000000000…' }).waitFor()
    await expect.poll(() => field().count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: /^Remove/ }).count()).toBe(0)
  })
})

describe('moderators', () => {
  it('hide with a reason, which the owner reads, and show again', async () => {
    const odd = await fresh({ name: 'Odd' })
    await open({ from: moderator }, odd)
    await button('Hide …').click()
    await expect.poll(() => inDialog('Hide pack').isDisabled()).toBe(true)
    await page.getByLabel('Reason (shown to the owner and other moderators)').fill('copied')
    await inDialog('Hide pack').click()
    await page.getByText('Reason: copied').waitFor()
    await expect.poll(() => button('Pin').count()).toBe(0)
    await closeWindow(page)

    await open({ from: owner }, odd)
    await expect
      .poll(() => page.locator('.hidden-note').innerText())
      .toMatch(/Hidden by a moderator[\s\S]*copied/)
    for (const [path, seenBy] of [
      [`/p/${odd}`, /Public, hidden: Only the owner and moderators can open it/],
      [`/p/${odd}/edit`, /Visibility[\s\S]*Only you and moderators can see it/],
      ['/me', /public, hidden/],
    ] as const) {
      await page.goto(path)
      const shown = page.locator(path === '/me' ? '.my-pack' : 'main', { hasText: 'Odd' })
      await expect.poll(() => shown.first().evaluate((each) => each.textContent)).toMatch(seenBy)
      // Neither by a word nor on hover.
      const means = /Anyone can find it|Everyone/
      expect(await shown.first().evaluate((each) => each.outerHTML)).not.toMatch(means)
    }
    await closeWindow(page)

    await open({ from: moderator }, odd)
    await button('Unhide …').click()
    await page.getByLabel('Reason (shown to the owner and other moderators)').fill('a mistake')
    await inDialog('Unhide pack').click()
    await page.locator('.hidden-note').waitFor({ state: 'detached' })
    expect((await readPack(house.browser(), odd)).hiddenAt).toBeUndefined()
  })

  it('pin and unpin public packs', async () => {
    await open({ from: moderator })
    await button('Pin').click()
    await page.locator('.pack-pinned').waitFor()
    await button('Unpin').click()
    await page.locator('.pack-pinned').waitFor({ state: 'detached' })
    expect((await readPack(owner, slug)).isPinned).toBe(false)
  })

  it('keep what has come to the page while the site decides', async () => {
    const own = await fresh({ name: 'Own' })
    const { promise, resolve: decide } = Promise.withResolvers<void>()
    await open({ from: moderator, hasHandClock: true }, own)
    await page.route('**/pin', async (route) => {
      const response = await route.fetch()
      await promise
      await route.fulfill({ response })
    })
    await button('Pin').click()
    await expect.poll(async () => (await readPack(owner, own)).isPinned).toBe(true)
    await settleStats(house)
    await page.clock.runFor(3_000)
    const glance = page.locator('.glance')
    await expect.poll(() => glance.textContent()).toContain('★')
    const before = await glance.textContent()
    let asked = 0
    await page.route(`**/session/packs/${own}`, (route) => {
      asked += 1
      return route.abort()
    })
    decide()
    await page.locator('.pack-pinned').waitFor()
    expect(await glance.textContent()).toBe(before)
    // Nothing is missing that would be asked for.
    await page.clock.runFor(10_000)
    await page.evaluate('document.title')
    expect(asked).toBe(0)
  })
})

describe('the maps of a pool in the game', () => {
  it('are not opened where no set of them is known, and the page says so', async () => {
    const none = await fresh({ name: 'None', slots: [{ mod: 'NM', index: 1, beatmapId: GONE_ID }] })
    await open({}, none)
    await whenKnown(page)
    await button('Open all').click()
    await page.getByRole('status').filter({ hasText: 'Nothing is known of these maps' }).waitFor()
  })
})

describe('the text of people', () => {
  it('is shown as text wherever it stands', async () => {
    const id = 150
    await teach(house, id, { title: evil, artist: evil, creator: evil, version: evil, stars: 5 })
    await house.rename(7002, evil.slice(0, 40))
    const other = await house.signedIn(7002)
    const bad = await savePack(house, other, {
      name: evil,
      description: evil,
      buckets: [{ code: 'constructor', color: 1 }],
      slots: [{ mod: 'constructor', index: 1, beatmapId: id }],
    })
    const { packKey } = await readPack(other, bad)
    const url = `${aLink(3)}&dn=${encodeURIComponent(evil)}`
    await other.ask('POST', `/session/packs/${bad}/magnets`, { url, packKey })
    await hidePack(house.ports, bad, { moderatorId: null, reason: evil })
    await open({ from: other }, bad)
    await whenKnown(page)
    await expect.poll(() => page.locator('h1').innerText()).toBe(evil)
    await expect.poll(() => page.locator('.pack-description').innerText()).toBe(evil)
    await expect.poll(() => page.locator('.pack-facts b').innerText()).toBe(evil.slice(0, 40))
    await expect.poll(() => page.locator('.beatmap-title').innerText()).toBe(evil)
    await expect.poll(() => page.locator('.side-link').innerText()).toBe(evil)
    await expect.poll(() => page.locator('.hidden-note').innerText()).toContain(`Reason: ${evil}`)
    await dots().first().focus()
    await expect.poll(() => page.locator('.plot-card-title').innerText()).toBe(evil)
    await expect.poll(() => page.locator('#app img:not(.cover img)').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

describe('on a phone', () => {
  const look = { viewport: phone, hasTouch: true, isMobile: true }

  it('leads from bucket to bucket', async () => {
    await open({ look })
    await whenKnown(page)
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('button', { name: 'DT' })
      .tap()
    await expect.poll(() => focusedRow()).toBe('bucket-DT')
    await expect
      .poll(() => page.locator('#bucket-DT').evaluate((title) => title.getBoundingClientRect().top))
      .toBeLessThan(120)
  })

  it('has targets of 44 pixels', async () => {
    await open({ look, from: owner })
    await whenKnown(page)
    const heights = await targetHeights(page, 'main button:visible, main input')
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  })
})

describe('by keyboard', () => {
  it('everything can be reached', async () => {
    await open({ from: owner })
    await whenKnown(page)
    for (const name of [
      'Make a copy',
      'Harbour 101',
      '!mp: copy !mp lines of TB',
      'Copy key',
      'Add link',
    ]) {
      await tabTo(page, name)
    }
  })
})

describe('a pack whose beatmaps are looked up', () => {
  it.each([
    ['no-preference', expect.arrayContaining(['breathe'])],
    ['reduce', []],
  ] as const)('says so by motion, for those who prefer it: %s', async (reducedMotion, names) => {
    const prepare = (opened: Page) => opened.route('**/session/beatmaps', () => {})
    await open({ look: { reducedMotion }, prepare }, await unknown())
    await page.locator('.pool .blank').first().waitFor({ state: 'attached' })
    const moving = 'document.getAnimations().map(({ animationName }) => animationName)'
    expect(await page.evaluate(moving)).toEqual(names)
    await page.unroute('**/session/beatmaps')
  })
})

describe('the layout of the pack page', () => {
  const codes = ['EZ', 'RC', 'STREAM1', 'FMX', 'HDDT', 'AIM', 'TECH', 'WWWWWWWWWWWW']
  const wide = {
    buckets: [
      ...(['NM', 'HD', 'HR', 'DT', 'FM'] as const).map((code) => ({ code })),
      ...codes.map((code, color) => ({ code, color })),
      { code: 'TB' as const },
    ],
    slots: Array.from({ length: 64 }, (_, at) => ({
      mod: ['NM', 'HD', 'HR', 'DT', 'FM', ...codes, 'TB'][at % 14] ?? null,
      index: 1 + Math.floor(at / 14),
      beatmapId: 101 + (at % 8),
    })),
  }
  type Box = { left: number; right: number; top: number; bottom: number }
  const boxes = (selector: string): Promise<Box[]> =>
    page.locator(selector).evaluateAll((all) =>
      all
        .filter((each) => each.textContent !== '')
        .map((each) => {
          const { left, right, top, bottom } = each.getBoundingClientRect()
          return { left, right, top, bottom }
        }),
    )

  it('numbers of a slot are whole, whatever they are, in windows of all widths', async () => {
    const extremes = { seconds: 45_296, bpm: 12_345.6, stars: 12.34, ratings: { DT: 123.45 } }
    const id = 109
    await teach(house, id, { set: 9_109, artist: 'Tide', title: 'Long', creator: 'a', ...extremes })
    const slots = [
      { mod: 'NM', index: 1, beatmapId: id },
      { mod: 'DT', index: 1, beatmapId: id },
      { mod: 'NM', index: 2, beatmapId: 101 },
    ]
    const at = await fresh({ slots })
    await settleStats(house)
    await open({ look: { viewport: { width: 960, height: 801 } } }, at)
    await whenKnown(page)
    expect((await cellsOf(page, 'NM1')).slice(4, 6)).toEqual(['12:34:56', '12346'])
    const cutAt = async (width: number): Promise<string[]> => {
      await page.setViewportSize({ width, height: 801 })
      const cells = page.locator('.slot-row > :is(.slot-number, .slot-stars, .slot-copies)')
      const found = await cells.evaluateAll((all) =>
        all
          .filter((cell) => cell.scrollWidth > cell.clientWidth)
          .map((cell) => `${cell.className} ${cell.textContent}`),
      )
      return found.map((cell) => `${width}: ${cell}`)
    }
    const cut: string[] = []
    for (const width of [360, 390, 768, 1100]) cut.push(...(await cutAt(width)))
    for (let width = 960; width <= 1920; width += 60) cut.push(...(await cutAt(width)))
    expect(cut).toEqual([])
  })

  it.each([360, 390, 768, 1280])('bucket codes do not overlap, %i pixels wide', async (width) => {
    await open({ look: { viewport: { width, height: 800 } } }, await fresh(wide))
    await unfold()
    const all = await boxes('.plot-code')
    const [field] = await boxes('.plot-field')
    expect(all.length).toBeGreaterThanOrEqual(width < 700 ? 8 : 14)
    for (const [at, one] of all.entries()) {
      expect(one.left).toBeGreaterThanOrEqual(field?.left ?? 0)
      expect(one.right).toBeLessThanOrEqual(field?.right ?? 0)
      for (const other of all.slice(at + 1)) {
        const isApart = one.right <= other.left || other.right <= one.left
        // Boxes of text are higher than its letters.
        const isBelow = Math.abs(one.bottom - other.bottom) >= 13
        expect(isApart || isBelow, `${width}: ${at}`).toBe(true)
      }
    }
  })

  it.each(['reduce', 'no-preference'] as const)(
    'on a phone the pack key and the downloads are one press away, from the top and the list; motion: %s',
    async (reducedMotion) => {
      const look = { viewport: phone, isMobile: true, hasTouch: true, reducedMotion }
      await open({ look }, await fresh(wide))
      const heading = page.getByRole('heading', { name: 'Pack key' })
      const downloads = page.getByRole('heading', { name: 'Downloads' })
      const isInView = (element: typeof heading) =>
        element.evaluate((each) => {
          const { top, bottom } = each.getBoundingClientRect()
          return top >= 0 && bottom <= 740
        })
      const first = page.getByRole('button', { name: 'Maps and downloads' }).first()
      expect((await first.boundingBox())?.y).toBeLessThan(phone.height)
      await first.tap()
      await expect.poll(() => isInView(heading)).toBe(true)
      await page.locator('.slot-row').nth(30).scrollIntoViewIfNeeded()
      const sticky = page.locator('.bucket-nav-side')
      expect((await sticky.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      const right = await sticky.evaluate((each) => each.getBoundingClientRect().right)
      expect(right).toBeLessThanOrEqual(phone.width)
      await sticky.tap()
      await expect.poll(() => isInView(heading)).toBe(true)
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('pack-side')
      // Nothing but the key comes before the downloads.
      const [key, files] = [await heading.boundingBox(), await downloads.boundingBox()]
      expect((files?.y ?? 0) - (key?.y ?? 0)).toBeLessThan(400)
    },
  )

  it('on a phone the first beatmap is on the first screen, and the plot one press away', async () => {
    const look = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
    await open({ look }, await fresh({ description: '' }))
    await whenKnown(page)
    const [first] = await boxes('tr.slot-row')
    expect(first?.top).toBeLessThanOrEqual(600)
    expect(await dots().first().isVisible()).toBe(false)
    await unfold()
    expect(await dots().first().isVisible()).toBe(true)
  })

  it('prints as clean tables, black on white, in the dark theme too', async () => {
    await open({ look: { colorScheme: 'dark', viewport: { width: 760, height: 1000 } } })
    await whenKnown(page)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const hidden of ['.header', '.footer', '.pack-side', '.plot', '.actions']) {
      await expect.poll(() => page.locator(hidden).first().isVisible()).toBe(false)
    }
    const last = page.locator('.slot-head, tr.slot-row').locator('.slot-copies')
    const printed = last.evaluateAll((cells) =>
      cells.map((cell) => getComputedStyle(cell, '::before').content),
    )
    const ids = [108, 101, 102, 103, 104, 105, GONE_ID, 106, 107]
    expect(await printed).toEqual(['ID', ...ids].map((text) => JSON.stringify(String(text))))
    const styles = await page.evaluate(`
      ['html', 'h1', '.slot-chip', '.beatmap-title', '.slot-bpm'].map((selector) => {
        const { color, backgroundColor } = getComputedStyle(document.querySelector(selector))
        return [color, backgroundColor].join(' ')
      })`)
    expect((styles as string[])[0]).toBe('rgb(0, 0, 0) rgb(255, 255, 255)')
    for (const style of (styles as string[]).slice(1))
      expect(style).toMatch(/^rgb\(0, 0, 0\) rgba\(0, 0, 0, 0\)$/)
    // One line of columns for each slot, all of it on the paper.
    const rows = await page.locator('tr.slot-row').evaluateAll((all) =>
      all.map((row) => {
        const cells = [...row.querySelectorAll('.slot-number')].map((cell) =>
          cell.getBoundingClientRect(),
        )
        return {
          tops: new Set(cells.map(({ top }) => Math.round(top))).size,
          width: row.scrollWidth,
        }
      }),
    )
    expect(rows.every(({ tops, width }) => tops === 1 && width <= 760)).toBe(true)
  })

  it('FM and the first custom colour can be told apart, in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await open({ look: { colorScheme } }, await fresh(wide))
      const looksOf = (title: string) =>
        page.evaluate<string[]>(`
          (({ backgroundColor, boxShadow }) => [backgroundColor, boxShadow])(
            getComputedStyle(document.querySelector('.slot-chip[title="${title}"]')))`)
      const [builtin, custom] = [await looksOf('FM1'), await looksOf('EZ1')]
      expect(custom[0]).not.toBe(builtin[0])
      expect([builtin[1], custom[1]]).toEqual(['none', expect.stringContaining('inset')])
      await expect
        .poll(() =>
          page
            .locator('.plot-dot[data-mod=FM] > *')
            .first()
            .evaluate((dot) => dot.tagName),
        )
        .toBe('circle')
      await expect
        .poll(() =>
          page
            .locator('.plot-dot[data-color="0"] > *')
            .first()
            .evaluate((dot) => dot.tagName),
        )
        .toBe('rect')
      if (colorScheme === 'light') await closeWindow(page)
    }
  })

  it('a BPM that the platform does not have is a dash with its reason', async () => {
    await teach(house, 207, { bpm: null })
    await open({}, await fresh({ slots: [{ mod: 'NM', index: 1, beatmapId: 207 }] }))
    await whenKnown(page)
    const missing = page.locator('tr .slot-bpm .slot-missing')
    await expect.poll(() => missing.getAttribute('title')).toBe('BPM unknown')
    await expect.poll(() => missing.locator('[aria-hidden]').innerText()).toBe('–')
  })
})

describe.each(looks)('in both themes, $viewport.width pixels wide', (look) => {
  it('can be used by everybody, and fits', async () => {
    const name = 'Wide'.repeat(16)
    const own = await fresh({ name })
    const { packKey } = await readPack(owner, own)
    await owner.ask('POST', `/session/packs/${own}/magnets`, { url: aLink(2), packKey })
    await hidePack(house.ports, own, { moderatorId: null, reason: 'copied from another host' })
    await open({ look, from: owner }, own)
    await whenKnown(page)
    expect(await axeViolations(page)).toEqual([])
    await unfold()
    await dots().nth(2).focus()
    expect(await axeViolations(page)).toEqual([])
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0)
  })

  it('can be used by everybody, and fits, while nothing is known and for moderators', async () => {
    const prepare = (opened: Page) => opened.route('**/session/beatmaps', () => {})
    await open({ look, from: moderator, prepare }, await unknown())
    await page.getByRole('link', { name: 'Beatmap 101', exact: true }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0)
    await button('Hide …').click()
    expect(await axeViolations(page)).toEqual([])
    await page.unroute('**/session/beatmaps')
  })
})
