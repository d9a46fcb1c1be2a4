import { readFile } from 'node:fs/promises'
import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { releaseRound } from '../../src/operations/releases.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { openTournament } from '../support/public-tournament.ts'
import { readZip, type ZippedFile } from '../support/read-zip.ts'
import { closeWindow, looks, openRealPage, overflowOf } from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { openPool, openPoolHouse, savePack, settleStats, whenKnown } from './pool-page.ts'

let chromium: Chromium
let house: SiteHouse
let owner: Browser
let slug: string

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openPoolHouse({ mirrors: 'own' })
  owner = await house.signedIn(7001)
  slug = await savePack(house, owner)
  await settleStats(house)
})
afterAll(async () => {
  await house.close()
  await chromium.close()
})
beforeEach(async () => {
  await fetch(`${house.platformUrl}/standin/mirror`, { method: 'DELETE' })
})

const behave = (how: object) =>
  fetch(`${house.platformUrl}/standin/mirror`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(how),
  })
const served = async (): Promise<Readonly<Record<string, number>>> =>
  (await (await fetch(`${house.platformUrl}/standin/mirror`)).json()).served
const ALL = [9_101, 9_102, 9_103, 9_104, 9_105, 9_106, 9_107, 9_108]
const eachOnce = Object.fromEntries(ALL.map((set) => [set, 1]))

/** Where the browser cannot ask for a place, it saves as any download. */
const withoutPicker = (page: Page) => page.addInitScript('delete window.showSaveFilePicker')

const openPack = async (prepare: (page: Page) => Promise<unknown> = withoutPicker) => {
  const opened = await openPool(chromium, house, `/p/${slug}`, { prepare })
  await whenKnown(opened.page)
  return opened
}
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

const saved = async (page: Page, name: string | RegExp): Promise<[string, ZippedFile[]]> => {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, name)])
  return [download.suggestedFilename(), readZip(await readFile(await download.path()))]
}

it('without a mirror, the page says what to do, and asks no other site for anything', async () => {
  const bare = await openPoolHouse()
  const at = await savePack(bare, await bare.signedIn(7001))
  const { page } = await openPool(chromium, bare, `/p/${at}`)
  await whenKnown(page)
  expect(await page.getByRole('button', { name: 'Get the maps' }).count()).toBe(0)
  await page.getByRole('region', { name: 'Maps' }).getByText('from its page').waitFor()
  const { headers, text } = await bare.browser().send('GET', `/p/${at}`)
  expect(headers.get('content-security-policy')).toContain("connect-src 'self';")
  expect(text).not.toContain('"mirrors"')
  await closeWindow(page)
  await bare.close()
})

describe('the maps of a pack', () => {
  it('are one file in three presses, by the browser alone, with names in pool order', async () => {
    await behave({ lacking: [9_104], failing: 0.3 })
    const { page, complaints } = await openPack()
    await press(page, 'Get the maps')
    await press(page, /^Load 8 sets$/)
    await page.getByText('7 of 8 sets are here; 1 could not be loaded').waitFor()
    const missing = page.getByRole('listitem').filter({ hasText: 'No mirror has it' })
    expect(await missing.getByRole('link').getAttribute('href')).toBe(
      'https://osu.ppy.sh/beatmapsets/9104',
    )
    const [name, files] = await saved(page, 'Save 7 of 8')
    expect(name).toBe('Harbour Cup.zip')
    const names = files.map((file) => file.name)
    expect(names).toHaveLength(7)
    expect(names).toEqual(names.toSorted())
    for (const { content } of files) expect(readZip(content)).toHaveLength(1)
    expect(names[0]).toMatch(/^1 .*Nine Rivers - Harbour 108\.osz$/)
    // What failed on the way is no fault of the page.
    expect(complaints.filter((line) => !/Failed to load|ERR_/.test(line))).toEqual([])
    await closeWindow(page)
  })

  it('can be had after a reload where the code for it could not be loaded', async () => {
    const { page } = await openPack()
    const code = /\/assets\/maps-dialog-[^/]*\.js$/
    await page.route(code, (route) => route.abort())
    await press(page, 'Get the maps')
    await page.getByRole('alert').getByText('Check your connection').waitFor()
    await page.unroute(code)
    await Promise.all([page.waitForEvent('load'), press(page, 'Reload')])
    await whenKnown(page)
    await press(page, 'Get the maps')
    await page.getByRole('button', { name: 'Load 8 sets' }).waitFor()
    await closeWindow(page)
  })

  it('are written straight to the file that the reader chooses, where the browser can', async () => {
    const { page, complaints } = await openPack((opened) =>
      opened.addInitScript(`window.showSaveFilePicker = async ({ suggestedName }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })`),
    )
    await press(page, 'Get the maps')
    await press(page, /^Load/)
    await press(page, 'Save as one file')
    await page.getByText('8 sets saved').waitFor()
    const bytes = (await page.evaluate(`(async () => {
      const root = await navigator.storage.getDirectory()
      const file = await (await root.getFileHandle('Harbour Cup.zip')).getFile()
      return [...new Uint8Array(await file.arrayBuffer())]
    })()`)) as number[]
    expect(readZip(Buffer.from(bytes))).toHaveLength(8)
    expect(complaints).toEqual([])
    await closeWindow(page)
  })

  it('that came before the page was left are not loaded again', async () => {
    // Of the three that are loaded at a time, two do not come until the page is left.
    await behave({ delay: 3_600_000, slow: [9_103, 9_106] })
    const { page } = await openPack()
    await press(page, 'Get the maps')
    await press(page, /^Load 8 sets$/)
    await page.getByText(/^Loading: 6 of 8 sets loaded/).waitFor()
    await behave({})
    await page.reload()
    await whenKnown(page)
    await press(page, 'Get the maps')
    await press(page, /^Load 2 sets$/)
    await page.getByText('All 8 sets are here').waitFor()
    expect(await served()).toEqual(eachOnce)
    await closeWindow(page)
  })

  it('that nobody came back for within a week are not kept any longer', async () => {
    const { page } = await openPack()
    await press(page, 'Get the maps')
    await press(page, /^Load 8 sets$/)
    await page.getByText('All 8 sets are here').waitFor()
    const files = () =>
      page.evaluate(`(async () => {
        const root = await navigator.storage.getDirectory()
        const names = []
        for await (const name of (await root.getDirectoryHandle('sets')).keys()) names.push(name)
        return names.length
      })()`)
    expect(await files()).toBe(8)
    for (const [days, left] of [
      [6, 8],
      [8, 0],
    ] as const) {
      await page.addInitScript(`performance.now = () => ${days} * 86_400_000`)
      await page.reload()
      await whenKnown(page)
      await press(page, 'Get the maps')
      const words = left === 8 ? 'All 8 sets are here' : 'each loaded once'
      await page.getByText(words).waitFor()
      expect(await files()).toBe(left)
    }
    await closeWindow(page)
  })

  it('are loaded once by two windows at a time', async () => {
    const { page } = await openPack()
    const other = await page.context().newPage()
    // No set comes before both windows have asked for all.
    const bothAsk = Promise.withResolvers<void>()
    await page.context().route(/\/mirror\/d\//, async (route) => {
      await bothAsk.promise
      await route.continue()
    })
    await other.goto(page.url())
    await whenKnown(other)
    for (const window of [page, other]) {
      await window.bringToFront()
      await press(window, 'Get the maps')
      await press(window, 'Load 8 sets')
    }
    bothAsk.resolve()
    for (const window of [page, other]) {
      await window.bringToFront()
      await window.getByText('All 8 sets are here').waitFor()
    }
    expect(await served()).toEqual(eachOnce)
    // What one removes, the other does not offer to save any more.
    await press(other, 'Remove from this browser')
    await other.getByRole('button', { name: 'Load 8 sets' }).waitFor()
    await page.bringToFront()
    await press(page, 'Save as one file')
    await page.getByText('The file could not be written').waitFor()
    await page.getByRole('button', { name: 'Load 8 sets' }).waitFor()
    await closeWindow(page)
  })

  it('are kept where the reader has cleared the data of the site since the page was opened', async () => {
    const { page } = await openPack()
    await press(page, 'Get the maps')
    await page.getByRole('button', { name: 'Load 8 sets' }).waitFor()
    await page.evaluate(`(async () => {
      const root = await navigator.storage.getDirectory()
      await root.removeEntry('sets', { recursive: true })
    })()`)
    await press(page, 'Load 8 sets')
    await page.getByText('All 8 sets are here').waitFor()
    expect(await served()).toEqual(eachOnce)
    await closeWindow(page)
  })

  it('wait for room where the storage of the browser is full', async () => {
    await behave({ size: 200_000 })
    const { page } = await openPack()
    const devTools = await page.context().newCDPSession(page)
    const allow = (quotaSize: number) =>
      devTools.send('Storage.overrideQuotaForOrigin', { origin: house.urls.packs, quotaSize })
    await allow(900_000)
    await press(page, 'Get the maps')
    await press(page, /^Load 8 sets$/)
    await page.getByText('The storage of your browser is full').waitFor()
    expect(await page.getByRole('button', { name: /^Save [1-7] of 8$/ }).count()).toBe(1)
    await allow(1_000_000_000)
    await press(page, 'Go on')
    await page.getByText('All 8 sets are here').waitFor()
    const [, files] = await saved(page, 'Save as one file')
    expect(files).toHaveLength(8)
    await closeWindow(page)
  })

  it('are kept in memory where the browser keeps no files, and the page says so', async () => {
    const { page, complaints } = await openPack(async (opened) => {
      await withoutPicker(opened)
      await opened.addInitScript(`StorageManager.prototype.getDirectory = async () => {
        throw new DOMException('private', 'SecurityError')
      }`)
    })
    await press(page, 'Get the maps')
    await page.getByText('This browser keeps no files for the site').waitFor()
    await press(page, /^Load 8 sets$/)
    await page.getByText('All 8 sets are here').waitFor()
    // Closing the dialog is not closing the page.
    await press(page, 'Close')
    await press(page, 'Get the maps')
    const [, files] = await saved(page, 'Save as one file')
    expect(files).toHaveLength(8)
    expect(complaints).toEqual([])
    await closeWindow(page)
  })

  it('wait for the connection where it is cut', async () => {
    // Long enough that they are not all there before the connection is cut, on whatever machine.
    await behave({ delay: 3_600_000 })
    const { page } = await openPack()
    await press(page, 'Get the maps')
    await press(page, /^Load 8 sets$/)
    await page.getByText(/^Loading: 0 of 8/).waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline').waitFor()
    await behave({})
    await page.context().setOffline(false)
    await page.getByText('All 8 sets are here').waitFor()
    await closeWindow(page)
  })

  it.each([
    ['that may not be read', { cors: false }],
    ['that lead elsewhere', { moved: 'https://files.example/{set}' }],
  ])('can be had by a press from a mirror that sends answers %s', async (_what, how) => {
    await behave(how)
    const { page } = await openPack()
    await page.clock.install()
    await press(page, 'Get the maps')
    await press(page, /^Load 8 sets$/)
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000)
        return page.getByText('0 of 8 sets are here; 8 could not be loaded').count()
      })
      .toBe(1)
    const links = page.getByRole('listitem').filter({ hasText: 'No mirror could serve it' })
    expect(await links.count()).toBe(8)
    const byHand = links.first().getByRole('link', { name: 'From the mirror' })
    expect(await byHand.getAttribute('href')).toBe(`${house.platformUrl}/mirror/d/9108`)
    await closeWindow(page)
  })

  it('are not asked for again of a mirror that wants to be left alone for long', async () => {
    await behave({ busy: 3_600 })
    const { page } = await openPack()
    await press(page, 'Get the maps')
    await press(page, /^Load 8 sets$/)
    await page.getByText('0 of 8 sets are here; 8 could not be loaded').waitFor()
    const { asked } = await (await fetch(`${house.platformUrl}/standin/mirror`)).json()
    expect(asked).toBeLessThanOrEqual(3)
    await closeWindow(page)
  })

  it('can be asked of the configured mirrors alone, and one by one of the game', async () => {
    const { page } = await openPool(chromium, house, `/p/${slug}`)
    await whenKnown(page)
    const policy = async (path: string): Promise<string> => {
      const { headers } = await owner.send('GET', path)
      return /connect-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? ''
    }
    for (const path of [`/p/${slug}`, '/k']) {
      expect(await policy(path), path).toBe(`'self' ${house.platformUrl}`)
    }
    for (const path of ['/', '/packs', '/nothing', `/p/${slug}/pool.png`, '/session']) {
      expect(await policy(path), path).toBe(`'self'`)
    }
    const inGame = page.getByRole('link', { name: 'Harbour 101 in the game' })
    expect(await inGame.getAttribute('href')).toBe('osu://b/101')
    await closeWindow(page)
  })

  it.each(looks)('can be read and worked in %s', async (_name, look) => {
    await behave({ lacking: [9_104, 9_105] })
    const { page } = await openPool(chromium, house, `/p/${slug}`, { look })
    await whenKnown(page)
    await press(page, 'Get the maps')
    await press(page, /^Load/)
    await page.getByText('6 of 8 sets are here').waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await closeWindow(page)
  })
})

describe('the maps of a round', () => {
  const mapPackUrl = 'https://files.example/finals.zip'
  const slots = [
    { mod: 'NM', index: 1, beatmapId: 101, link: 'https://files.example/101.osz' },
    { mod: 'NM', index: 2, beatmapId: 102 },
    { mod: 'TB', index: 1, placeholder: 'due Sunday', link: 'https://files.example/tb.osz' },
  ]
  let tournament: string
  let pack: string

  beforeAll(async () => {
    const host = await house.signedIn(7001, 'pools')
    const hostId = host.viewer?.id ?? ''
    const cup = await openTournament(house.ports, hostId, { name: 'Harbour Lights Cup' }, [
      { name: 'Semifinals', slots: slots.slice(1, 2), at: 'now' },
      { name: 'Finals', slots, mapPackUrl },
    ])
    tournament = cup.slug
    const finals = cup.rounds[1]!.id
    const release = { at: 'now', incomplete: true } as const
    const { round } = await releaseRound(house.ports, hostId, tournament, finals, release)
    pack = round.released!.packSlug
    await settleStats(house)
  })

  const open = async (service: 'packs' | 'pools', path: string) => {
    const prepare = withoutPicker
    return openRealPage(chromium, house, { from: null, service, path, prepare })
  }

  it('are one press away where the hosts have a map pack, on both pages, with and without scripts', async () => {
    for (const [service, path] of [
      ['packs', `/p/${pack}`],
      ['pools', `/t/${tournament}`],
    ] as const) {
      const { page } = await open(service, path)
      for (const way of await page.getByRole('link', { name: 'Download the map pack' }).all()) {
        expect(await way.getAttribute('href')).toBe(mapPackUrl)
        expect(await way.getAttribute('rel')).toBe('noreferrer nofollow')
      }
      // It is what one comes to first.
      const order = await page.evaluate(`[...document.querySelectorAll('main a, main button')]
        .map((each) => each.getAttribute('aria-label') ?? each.textContent.trim())`)
      const [first, second] = [/^Download the map pack/, /^Get the maps( of Finals)?$/].map(
        (name) => (order as string[]).findIndex((each) => name.test(each)),
      )
      expect(first).toBeGreaterThanOrEqual(0)
      expect(second).toBeGreaterThan(first!)
      const { text } = await house.browser(service).send('GET', path)
      expect(text).toContain(`href="${mapPackUrl}"`)
      await closeWindow(page)
    }
  })

  it('are one file in three presses from the page of the tournament, each round by itself', async () => {
    const { page, complaints } = await open('pools', `/t/${tournament}`)
    await page.getByText('Harbour 101').first().waitFor()
    await press(page, 'Get the maps of Semifinals')
    await page.getByText('1 set, loaded once').waitFor()
    await press(page, 'Close')
    await press(page, 'Get the maps of Finals')
    await press(page, /^Load 2 sets$/)
    const [name, files] = await saved(page, 'Save as one file')
    expect(name).toBe('Harbour Lights Cup Finals.zip')
    expect(files.map((file) => file.name)).toEqual([
      '1 NM1 9101 Nine Rivers - Harbour 101.osz',
      '2 NM2 9102 Nine Rivers - Harbour 102.osz',
    ])
    expect(complaints).toEqual([])
    await closeWindow(page)
  })

  it('that no mirror has lead to where the hosts have put them (D-77)', async () => {
    await behave({ lacking: [9_101, 9_102] })
    for (const [service, path, button] of [
      ['packs', `/p/${pack}`, 'Get the maps'],
      ['pools', `/t/${tournament}`, 'Get the maps of Finals'],
    ] as const) {
      const { page } = await open(service, path)
      await page.getByText('Harbour 101').first().waitFor()
      await press(page, button)
      const lines = page.getByRole('dialog').getByRole('listitem')
      const planned = lines.filter({ hasText: 'due Sunday' })
      expect(await planned.getByRole('link').getAttribute('href')).toBe(slots[2]!.link)
      await press(page, /^Load 2 sets$/)
      await page.getByText('0 of 2 sets are here').waitFor()
      const own = lines.filter({ hasText: 'Harbour 101' })
      const names = ['From the hosts', 'Its page']
      expect(await own.getByRole('link').allInnerTexts()).toEqual(names)
      const link = own.getByRole('link', { name: 'From the hosts' })
      expect(await link.getAttribute('href')).toBe(slots[0]!.link)
      const other = lines.filter({ hasText: 'Harbour 102' })
      expect(await other.getByRole('link').allInnerTexts()).toEqual(['Its page'])
      expect(await axeViolations(page)).toEqual([])
      await closeWindow(page)
    }
  })
})
