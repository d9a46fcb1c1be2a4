import * as fc from 'fast-check'
import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PackInput } from '../../src/contract/packs.ts'
import { laterSave } from '../../src/domain/packs.ts'
import { inRow } from '../../src/pool/text.ts'
import { readHistoryAddress } from '../../src/web/history/versions.tsx'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import {
  closeWindow,
  evil,
  looks,
  openRealPage,
  overflowOf,
  phone,
  tabTo,
  targetHeights,
} from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { aLink } from '../support/site-calls.ts'
import {
  cellsOf,
  everyKind,
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
let player: Browser
let page: Page
let complaints: string[]

/** The slots of `everyKind` with another beatmap in NM2. */
const withNm2 = (beatmapId: number): PackInput['slots'] =>
  everyKind.slots.map((slot) =>
    slot.mod === 'NM' && slot.index === 2 ? { ...slot, beatmapId } : slot,
  )

const saveAgain = async (slug: string, changes: Partial<PackInput>): Promise<void> => {
  const { updatedAt } = await readPack(owner, slug)
  house.clock.nextMinute()
  const edit = { pack: { ...everyKind, ...changes }, basedOn: updatedAt }
  const { status, text } = await owner.ask('PUT', `/session/packs/${slug}`, edit)
  expect(status, text).toBe(200)
}

/** A draft, its release, and the release with another beatmap in NM2: versions 1 to 3. */
const threeVersions = async (): Promise<string> => {
  const slug = await savePack(house, owner, { visibility: 'private', name: 'Secret draft' })
  await saveAgain(slug, {})
  await saveAgain(slug, { slots: withNm2(201) })
  await settleStats(house)
  return slug
}

const open = async (
  slug: string,
  from: Browser | null,
  { query = '', look = {} }: { query?: string; look?: object } = {},
): Promise<void> => {
  const path = `/p/${slug}/history${query}`
  ;({ page, complaints } = await openRealPage(chromium, house, { from, path, look }))
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const link = (name: string) => page.getByRole('link', { name, exact: true })
const inDialog = (name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })
const theSwitch = () => page.getByRole('switch')
const headings = async (): Promise<string[]> => page.locator('.version h2').allInnerTexts()
const even = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The differences of a part of the page once all beatmaps are known: what, before and after. */
const differences = async (within: string): Promise<string[]> => {
  await page.locator(`${within} .difference`).first().waitFor()
  await page.locator('.differences .blank').first().waitFor({ state: 'detached' })
  const rows = await page.locator(`${within} .difference`).all()
  const cells = await Promise.all(
    rows.map((row) => row.locator('th, .difference-content').allInnerTexts()),
  )
  return cells.map((texts) => texts.map(even).join(' | '))
}

const version = (number: number): string => `.version:has(h2:text-is("Version ${number}"))`

const replacedNm2 =
  'NM2 replaced | Harbour 102 Nine Rivers , difficulty [Insane] , made by arbor ★ 4.50 stars | ' +
  'Harbour 201 Nine Rivers , difficulty [Extra] , made by arbor ★ 5.67 stars'

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openPoolHouse()
  await teach(house, 201, {
    set: 9_201,
    artist: 'Nine Rivers',
    title: 'Harbour 201',
    creator: 'arbor',
    version: 'Extra',
    mode: 'osu',
    stars: 5.67,
    seconds: 200,
    bpm: 180,
    ratings: { DT: 8.125, HR: 6.25 },
  })
  owner = await house.signedIn(7001)
  player = await house.signedIn(7002)
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
afterEach(() => closeWindow(page))

describe('from a link to what has changed', () => {
  it('finds what a beatmap was, restores it, and opens the history without the draft', async () => {
    const slug = await threeVersions()

    // From the pack to its history: what it was, by whom and when it changed, with stars.
    ;({ page, complaints } = await openRealPage(chromium, house, {
      from: owner,
      path: `/p/${slug}`,
    }))
    await link('History').click()
    expect(await differences(version(3))).toEqual([replacedNm2])
    expect(even(await page.locator(version(3)).locator('.version-head').innerText())).toMatch(
      /^Version 3 3 Oct 2026, \d\d:\d\d by Peridot public Current$/,
    )
    const covers = page.locator(`${version(3)} .cover img`)
    await expect
      .poll(() => covers.evaluateAll((all) => all.map((each) => each.getAttribute('src'))))
      .toEqual([
        expect.stringContaining('/beatmaps/9102/covers/list.jpg'),
        expect.stringContaining('/beatmaps/9201/covers/list.jpg'),
      ])

    // Restore: it says first what it changes.
    await button('Restore version 2').click()
    expect(await differences('dialog')).toEqual([
      replacedNm2
        .replace('Harbour 102', 'X')
        .replace('[Insane]', 'Y')
        .replace('4.50', 'Z')
        .replace('Harbour 201', 'Harbour 102')
        .replace('[Extra]', '[Insane]')
        .replace('5.67', '4.50')
        .replace('X', 'Harbour 201')
        .replace('Y', '[Extra]')
        .replace('Z', '5.67'),
    ])
    await inDialog('Restore').click()
    await page.locator(version(4)).waitFor()
    expect(await headings()).toEqual(['Version 4', 'Version 3', 'Version 2', 'Version 1'])
    const restored = await readPack(owner, slug)
    expect(restored).toMatchObject({ name: 'Harbour Cup', visibility: 'public' })
    expect(restored.slots.find(({ mod, index }) => mod === 'NM' && index === 2)?.beatmapId).toBe(
      102,
    )

    // Open the history.
    expect(await theSwitch().isChecked()).toBe(false)
    await theSwitch().click()
    await page.getByText('The history is open', { exact: true }).waitFor()
    await expect.poll(async () => (await readPack(owner, slug)).historyPublic).toBe(true)
    expect(complaints).toEqual([])
    await closeWindow(page)

    // As somebody else: the release and what came after it, never the draft.
    for (const browser of [null, player]) {
      await open(slug, browser)
      await page.locator(version(4)).waitFor()
      expect(await headings()).toEqual(['Version 4', 'Version 3', 'Version 2'])
      expect(await differences(version(3))).toEqual([replacedNm2])
      expect(await page.locator('main').innerText()).not.toContain('Secret draft')
      expect(await theSwitch().count()).toBe(0)
      expect(await page.getByRole('button', { name: /^Restore/ }).count()).toBe(0)
      expect(complaints).toEqual([])
      if (browser === null) await closeWindow(page)
    }
  })
})

describe('the list of versions', () => {
  it('counts stars with the mods of the slot, and those from before with the mods from before', async () => {
    const slug = await savePack(house, owner)
    const buckets = everyKind.buckets!.map((bucket) =>
      bucket.code === 'RC1' && 'color' in bucket
        ? { ...bucket, mods: { kind: 'forced' as const, set: ['DT' as const] } }
        : bucket,
    )
    await saveAgain(slug, {
      buckets,
      slots: everyKind.slots.map((slot) =>
        slot.mod === 'RC1'
          ? { ...slot, beatmapId: 201 }
          : slot.mod === 'HD'
            ? { mod: 'DT', index: 3, beatmapId: 103 }
            : slot,
      ),
    })
    await settleStats(house)
    await open(slug, owner)
    expect(await differences(version(2))).toEqual([
      'Bucket RC1 | lime, free mods | lime, DT',
      'DT3 moved | HD1 ★ 5.00 stars with HD | DT3 Harbour 103 Nine Rivers , difficulty [Insane] , made by arbor ★ 7.13 stars with DT',
      'RC1 1 replaced | Harbour 106 Nine Rivers , difficulty [Insane] , made by arbor ★ 5.50 stars | Harbour 201 Nine Rivers , difficulty [Extra] , made by arbor ★ 8.13 stars with DT',
    ])
  })

  it('shows texts, visibility, and slots that were filled and emptied', async () => {
    const slug = await savePack(house, owner, { visibility: 'unlisted' })
    const { description: _, ...rest } = everyKind
    const kept = everyKind.slots.filter(({ mod }) => mod !== 'HD')
    await saveAgain(slug, {
      ...rest,
      description: '',
      name: evil.slice(0, 64),
      slots: [...kept, { mod: 'NM', index: 3, beatmapId: 201 }],
    })
    await settleStats(house)
    await open(slug, owner)
    expect(await differences(version(2))).toEqual([
      `Name | Harbour Cup | ${evil}`,
      'Description | First line. Second line. | none',
      'Visibility | unlisted | public',
      'NM3 added | – nothing | Harbour 201 Nine Rivers , difficulty [Extra] , made by arbor ★ 5.67 stars',
      'HD1 removed | Harbour 103 Nine Rivers , difficulty [Insane] , made by arbor ★ 5.00 stars with HD | – nothing',
    ])
    expect(complaints).toEqual([])
  })

  it.each(looks)(
    'says above or beside each side whether it was before or is after: %j',
    async (look) => {
      const slug = await savePack(house, owner)
      const kept = everyKind.slots.filter(({ mod }) => mod !== 'HD')
      await saveAgain(slug, { slots: [...kept, { mod: 'NM', index: 3, beatmapId: 201 }] })
      await open(slug, owner, { look })
      await page.locator(version(2)).waitFor()
      const table = page.locator(version(2)).getByRole('table')
      const heads = table.getByRole('columnheader')
      expect(await heads.allTextContents()).toEqual(['Change', 'Before', 'After'])
      // To be seen: a head above the column, or a word beside the side.
      for (const row of await table.locator('.difference').all()) {
        const cells = row.getByRole('cell')
        for (const [at, name] of ['Before', 'After'].entries()) {
          const cell = (await cells.nth(at).boundingBox())!
          const head = (await heads.nth(at + 1).boundingBox())!
          const isBelow = head.width > 1 && Math.abs(head.x - cell.x) < 1 && head.y < cell.y
          const isSaid = (await cells.nth(at).innerText()).startsWith(name)
          expect([name, isBelow || isSaid]).toEqual([name, true])
        }
      }
    },
  )

  it('isolates what people wrote (D-47), and folds up the last of many changes', async () => {
    const slug = await savePack(house, owner, { name: 'נבחרת' })
    const slots = Array.from({ length: 20 }, (_, at) => ({
      mod: 'NM',
      index: at + 1,
      beatmapId: 101 + (at % 8),
    }))
    await saveAgain(slug, { name: 'Finals', slots })
    await settleStats(house)
    await open(slug, owner)
    await page.locator(version(2)).waitFor()
    const name = page.locator(`${version(2)} .difference-from [dir=auto]`).first()
    expect(await name.innerText()).toBe('נבחרת')
    const more = page.getByText(/^\d+ more changes$/)
    const hidden = Number((await more.innerText()).split(' ')[0])
    expect(await page.locator(`${version(2)} .difference:visible`).count()).toBe(8)
    await more.focus()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.locator(`${version(2)} .difference:visible`).count())
      .toBe(8 + hidden)
  })

  it('has 50 versions a page', async () => {
    const slug = await savePack(house, owner)
    const { ownerId } = (await house.ports.packs.read(slug))!
    for (let at = 0; at < 59; at++) {
      await house.ports.packs.replace(slug, ownerId, (saved) =>
        laterSave(saved, { ...saved, description: `Draft ${at}` }, house.clock.now()),
      )
    }
    await open(slug, owner)
    await page.locator(version(60)).waitFor()
    expect(await headings()).toHaveLength(50)
    expect(await page.locator('.pack-facts').innerText()).toContain('60 versions')
    await link('Next').click()
    await page.locator(version(1)).waitFor()
    expect(await headings()).toEqual(Array.from({ length: 10 }, (_, at) => `Version ${10 - at}`))
    expect(even(await page.locator(version(1)).innerText())).toContain(
      'First version in this history',
    )
    // No restoring of what is the pack already, and of all else.
    expect(await page.getByRole('button', { name: /^Restore/ }).count()).toBe(10)
    await page.goto(`/p/${slug}/history?page=7`)
    await page.getByText('No versions on this page').waitFor()
    await link('Go to the last page').click()
    await page.locator(version(1)).waitFor()
  })

  it('says that it is loading, and what cannot be looked up', async () => {
    const slug = await threeVersions()
    await open(slug, owner, { query: '?page=9' })
    await page.route('**/session/beatmaps', (route) => route.abort())
    const seen = Promise.withResolvers<void>()
    await page.route('**/session/packs/*/history**', async (route) => {
      await seen.promise
      await route.continue()
    })
    await page.goto(`/p/${slug}/history`)
    await page.getByText('Loading the history …').waitFor({ state: 'attached' })
    seen.resolve()
    await page.getByText(/Could not reach the site.*What is saved is not affected/).waitFor()
    await link('Beatmap 201').waitFor()
  })

  it('explains a failure, and tries again', async () => {
    const slug = await threeVersions()
    await open(slug, owner, { query: '?page=9' })
    let fails = true
    await page.route('**/session/packs/*/history**', (route) =>
      fails ? route.abort() : route.continue(),
    )
    await page.goto(`/p/${slug}/history`)
    await page.getByText('Could not load the history').waitFor()
    fails = false
    await button('Try again').click()
    await page.locator(version(3)).waitFor()
  })
})

describe('two versions are compared', () => {
  it('chosen in the list, at an address that can be shared, and the back button works', async () => {
    const slug = await threeVersions()
    await open(slug, owner)
    await page.locator(version(3)).waitFor()
    await page.getByRole('radio', { name: 'From version 1' }).check()
    await page.getByRole('radio', { name: 'To version 3' }).check()
    await button('Compare').click()
    await expect.poll(() => page.url()).toBe(`${house.urls.packs}/p/${slug}/history?a=1&b=3`)
    await expect.poll(() => page.title()).toBe('Versions 1 and 3 of Harbour Cup – Mapcrate')
    const expected = ['Name | Secret draft | Harbour Cup', 'Visibility | private | public']
    expect(await differences('main')).toEqual([...expected, replacedNm2])
    await page.getByRole('heading', { name: '3 differences' }).waitFor()
    await link('Swap').click()
    await expect.poll(() => page.url()).toContain('?a=3&b=1')
    await page.getByRole('heading', { name: 'Versions 3 and 1 of' }).waitFor()
    expect((await differences('main'))[0]).toBe('Name | Harbour Cup | Secret draft')
    await page.goBack()
    await page.getByRole('heading', { name: 'Versions 1 and 3 of' }).waitFor()
    await page.goBack()
    await page.locator(version(3)).waitFor()
    expect(complaints).toEqual([])
  })

  it('by their numbers, which need not be on one page', async () => {
    const slug = await threeVersions()
    await open(slug, owner, { query: '?a=2&b=2' })
    await page.getByRole('heading', { name: 'Nothing differs' }).waitFor()
    await page.getByRole('spinbutton', { name: 'To' }).fill('3')
    await page.keyboard.press('Enter')
    expect(await differences('main')).toEqual([replacedNm2])
    expect(page.url()).toContain('?a=2&b=3')
  })

  it('D-70: one that the reader may not read is as one that is not there', async () => {
    const slug = await threeVersions()
    await owner.ask('PUT', `/session/packs/${slug}/history`, { public: true })
    const texts: string[] = []
    for (const query of ['?a=1&b=3', '?a=9&b=3', '?version=1', '?version=9']) {
      await open(slug, null, { query })
      await page.getByRole('heading', { name: 'There is no such version' }).waitFor()
      texts.push(await page.locator('.notice').innerText())
      if (query !== '?version=9') await closeWindow(page)
    }
    expect(new Set(texts).size).toBe(1)
  })

  it.each([
    ['', { kind: 'list', page: 1 }],
    ['?page=2', { kind: 'list', page: 2 }],
    ['?a=3&b=7', { kind: 'compare', a: 3, b: 7 }],
    ['?version=3', { kind: 'version', version: 3 }],
    ['?a=3', { kind: 'list', page: 1 }],
    ['?a=0&b=1e3', { kind: 'list', page: 1 }],
    ['?version=-1', { kind: 'list', page: 1 }],
  ])('the address %s is understood', (query, view) => {
    expect(readHistoryAddress(query)).toEqual(view)
  })
})

describe('a whole version', () => {
  it('is shown as a pack is', async () => {
    const slug = await threeVersions()
    await open(slug, owner)
    await link('Open version 2').click()
    await page.getByRole('heading', { name: 'Version 2 of Harbour Cup' }).waitFor()
    await whenKnown(page)
    expect((await cellsOf(page, 'NM2')).slice(2, 4)).toEqual([
      'Harbour 102 Nine Rivers , difficulty [Insane] , made by arbor',
      '★ 4.50 stars',
    ])
    await expect.poll(() => page.title()).toBe('Version 2 of Harbour Cup – Mapcrate')
    expect(await page.locator('.pack-description').innerText()).toBe('First line.\nSecond line.')
    await button('Copy key').waitFor()
    expect(await differences('.version-changes')).toEqual([
      'Name | Secret draft | Harbour Cup',
      'Visibility | private | public',
    ])
    expect(page.url()).toContain('?version=2')
    expect(complaints).toEqual([])
    await link('All versions').click()
    await page.locator(version(3)).waitFor()
  })
})

describe('restoring', () => {
  it('takes texts and buckets with it, leaves the visibility, and says what happens to magnets', async () => {
    const slug = await threeVersions()
    const { packKey } = await readPack(owner, slug)
    await owner.ask('POST', `/session/packs/${slug}/magnets`, { url: aLink(1), packKey })
    await open(slug, owner, { query: '?version=1' })
    await button('Restore version 1').click()
    expect((await differences('dialog')).map((text) => text.split(' ')[0])).toEqual(['Name', 'NM2'])
    await page.getByText('Magnet links are removed if').waitFor()
    await inDialog('Restore').click()
    await page.locator(version(4)).waitFor()
    expect(await readPack(owner, slug)).toMatchObject({
      name: 'Secret draft',
      visibility: 'public',
      exports: [],
    })
  })

  it('explains a conflict, loses nothing, and shows anew what it changes', async () => {
    const slug = await threeVersions()
    await open(slug, owner)
    await button('Restore version 2').click()
    await differences('dialog')
    await saveAgain(slug, { name: 'Saved elsewhere', slots: withNm2(201) })
    await inDialog('Restore').click()
    await page.getByText(/was saved again after you opened this\. Nothing was changed/).waitFor()
    expect((await readPack(owner, slug)).name).toBe('Saved elsewhere')
    await inDialog('Look again').click()
    await expect.poll(() => differences('dialog')).toContain('Name | Saved elsewhere | Harbour Cup')
    await inDialog('Restore').click()
    await page.locator(version(5)).waitFor()
    expect(await differences(version(4))).toEqual(['Name | Harbour Cup | Saved elsewhere'])
    expect((await readPack(owner, slug)).name).toBe('Harbour Cup')
  })

  it('of what the pack already is does nothing', async () => {
    const slug = await threeVersions()
    await saveAgain(slug, {})
    await open(slug, owner)
    await button('Restore version 2').click()
    await page.getByText('There is nothing to restore').waitFor()
    expect(await inDialog('Restore').isDisabled()).toBe(true)
    await inDialog('Cancel').click()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await expect
      .poll(() => page.evaluate(`document.activeElement?.getAttribute('aria-label')`))
      .toBe('Restore version 2')
  })

  it('is offered of a version that is not what the pack is already, in each view', async () => {
    const slug = await threeVersions()
    for (const [query, offered] of [
      ['?a=1&b=3', ['1']],
      ['?a=3&b=2', ['2']],
      ['?a=3&b=3', []],
      ['?version=3', []],
      ['?version=2', ['2']],
      ['', ['2', '1']],
    ] as const) {
      await open(slug, owner, { query })
      await page
        .getByText('Current', { exact: true })
        .or(button('Restore version 2'))
        .first()
        .waitFor()
      const names = await page.getByRole('button', { name: /^Restore version/ }).all()
      const told = await Promise.all(names.map((each) => each.getAttribute('aria-label')))
      expect([query, told]).toEqual([query, offered.map((each) => `Restore version ${each}`)])
      await closeWindow(page)
    }
  })

  it('that is refused or finds no site says so, and can be tried again', async () => {
    const slug = await threeVersions()
    await open(slug, owner)
    let answer: 'refuse' | 'lose' | 'pass' = 'refuse'
    await page.route(`**/session/packs/${slug}`, async (route) => {
      if (route.request().method() !== 'PUT' || answer === 'pass') return route.continue()
      if (answer === 'lose') {
        await route.fetch()
        return route.abort()
      }
      const error = { code: 'bad_request', message: 'name must not contain U+202E; remove it' }
      return route.fulfill({ status: 400, json: { error } })
    })
    await button('Restore version 2').click()
    await differences('dialog')
    await inDialog('Restore').click()
    await page.getByText('Name must not contain U+202E; remove it. Nothing was changed.').waitFor()
    answer = 'lose'
    await inDialog('Restore').click()
    // It was saved, and the page finds that out.
    await page.waitForURL(`**/p/${slug}/history`)
  })
})

describe('restoring while the pack is read again', () => {
  it('counts after an answer that was lost', async () => {
    const slug = await threeVersions()
    await open(slug, owner)
    let isLost = false
    let reads = 0
    const { promise: never } = Promise.withResolvers<void>()
    await page.route(`**/session/packs/${slug}`, async (route) => {
      if (route.request().method() === 'PUT') {
        if (isLost) return route.fallback()
        isLost = true
        return route.abort()
      }
      // The first is that of the dialog; the second asks whether it was done.
      if (isLost && ++reads === 1) await never
      return route.fallback()
    })
    await button('Restore version 2').click()
    await differences('dialog')
    await inDialog('Restore').click()
    await page.getByText(/So far, this has not been done/).waitFor()
    expect(reads).toBe(2)
    expect(await inDialog('Restore').evaluate((each) => each === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.locator(version(4)).waitFor()
  })
})

describe('the switch', () => {
  it('shows its state, works by keyboard, and says what it means', async () => {
    const slug = await threeVersions()
    await open(slug, owner)
    await page
      .getByText(
        'Anyone who can open this pack can read its history, except what was saved while it was private or hidden',
      )
      .waitFor()
    await page.getByText('Only you can read the history now.').waitFor()
    await theSwitch().focus()
    await page.keyboard.press('Space')
    await page.getByText('The history is open.').waitFor()
    await expect.poll(async () => (await readPack(owner, slug)).historyPublic).toBe(true)
    await page.reload()
    await expect.poll(() => theSwitch().isChecked()).toBe(true)
    await theSwitch().focus()
    await page.keyboard.press('Space')
    await page.getByText('Only you can read the history now.').waitFor()
    await expect.poll(async () => (await readPack(owner, slug)).historyPublic).toBeUndefined()
    await saveAgain(slug, { visibility: 'private' })
    await owner.ask('PUT', `/session/packs/${slug}/history`, { public: true })
    await page.reload()
    await page.getByText('No one else can open the pack while it is private.').waitFor()
  })

  it('shows at once what will be, and if that fails what is', async () => {
    const slug = await threeVersions()
    await open(slug, owner)
    const held: (() => void)[] = []
    let isLost = false
    await page.route('**/session/packs/*/history', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      await new Promise<void>((resolve) => held.push(resolve))
      if (isLost) await route.fetch()
      return route.abort()
    })
    const press = async (): Promise<void> => {
      held.length = 0
      await theSwitch().click()
      await expect.poll(() => held.length).toBe(1)
    }
    await press()
    expect(await theSwitch().isChecked()).toBe(true)
    // Another press meanwhile does nothing.
    await theSwitch().click()
    expect(await theSwitch().isChecked()).toBe(true)
    held[0]!()
    await page.getByText(/So far, this has not been done/).waitFor()
    await expect.poll(() => theSwitch().isChecked()).toBe(false)
    expect(held).toHaveLength(1)
    // The response is lost, but the change was made.
    isLost = true
    await press()
    held[0]!()
    await page.getByText('The history is open').waitFor()
    await expect.poll(() => theSwitch().isChecked()).toBe(true)
    expect(await page.getByText(/answer was lost/).count()).toBe(0)
    expect((await readPack(owner, slug)).historyPublic).toBe(true)
  })
})

describe('the line on the page of the pack', () => {
  const facts = async (slug: string, from: Browser | null): Promise<string> => {
    ;({ page } = await openRealPage(chromium, house, { from, path: `/p/${slug}` }))
    const text = even(await page.locator('.pack-facts').innerText())
    if (from !== player) await closeWindow(page)
    return text
  }

  it('leads those who may know to the history, and others nowhere', async () => {
    const slug = await savePack(house, owner)
    expect(await facts(slug, owner)).toMatch(/ History$/)
    for (const name of ['One', 'Two', 'Three']) await saveAgain(slug, { name })
    expect(await facts(slug, owner)).toMatch(/ History$/)
    expect(await facts(slug, null)).not.toMatch(/Changed|History/)
    await owner.ask('PUT', `/session/packs/${slug}/history`, { public: true })
    expect(await facts(slug, null)).toMatch(/ History$/)
    await facts(slug, player)
    await link('History').click()
    await page.locator(version(4)).waitFor()
  })
})

describe('everybody can use it', () => {
  it.each(looks)('axe finds nothing, and it fits: %j', async (look) => {
    const slug = await threeVersions()
    await saveAgain(slug, { name: 'W'.repeat(64), slots: withNm2(10_000_001) })
    for (const query of ['', '?a=1&b=4', '?version=2', '?version=9']) {
      await open(slug, owner, { query, look })
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      await page.locator('.difference, .slots, .notice').first().waitFor()
      expect([query, await axeViolations(page)]).toEqual([query, []])
      expect([query, await overflowOf(page)]).toEqual([query, 0])
      if (query === '') {
        await button('Restore version 2').click()
        await differences('dialog')
        expect(await axeViolations(page)).toEqual([])
        await inDialog('Cancel').click()
      }
      if (query !== '?version=9') await closeWindow(page)
    }
  })

  it('on a phone of 320 pixels, with targets of at least 44', async () => {
    const slug = await threeVersions()
    const look = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }
    for (const query of ['', '?a=1&b=3']) {
      await open(slug, owner, { query, look })
      await differences('main')
      expect(await overflowOf(page)).toBe(0)
      const heights = await targetHeights(
        page,
        'main .button, main .version-choice, main .history-switch label, main .field',
      )
      expect(heights.length).toBeGreaterThan(4)
      for (const height of heights) expect(height).toBeGreaterThanOrEqual(44)
      if (query === '') await closeWindow(page)
    }
    expect(phone.width).toBeGreaterThan(320)
  })

  it('compares by keyboard alone', async () => {
    const slug = await threeVersions()
    await open(slug, owner)
    await page.locator(version(3)).waitFor()
    await tabTo(page, 'Compare')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('?a=2&b=3')
    expect(await differences('main')).toEqual([replacedNm2])
  })
})

it('shows an order of buckets from left to right, whichever way codes are written (D-47)', async () => {
  const slug = await savePack(house, owner)
  await open(slug, owner)
  const anyCodes = fc.uniqueArray(fc.constantFrom('NM', 'TB', 'אב', 'גד', 'نص', '7', '日本'), {
    minLength: 2,
  })
  const rows = [...fc.sample(anyCodes, 60), ['NM', 'אב', 'גד', 'TB'], ['אב', '7', 'גד']]
  const shown = await page.evaluate(
    (texts) =>
      texts.map(([text, codes]) => {
        const span = document.createElement('span')
        span.dir = 'auto'
        span.style.whiteSpace = 'nowrap'
        span.textContent = text
        document.body.append(span)
        const leftOf = (code: string): number => {
          const range = document.createRange()
          range.setStart(span.firstChild!, text.indexOf(code))
          range.setEnd(span.firstChild!, text.indexOf(code) + code.length)
          return range.getBoundingClientRect().left
        }
        return codes.toSorted((a, b) => leftOf(a) - leftOf(b))
      }),
    rows.map((codes) => [inRow(codes), codes] as const),
  )
  expect(shown).toEqual(rows)
})
