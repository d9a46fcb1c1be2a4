import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { openTournament } from '../support/public-tournament.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { openPoolHouse, savePack, settleStats } from './pool-page.ts'

const look = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let chromium: Chromium
let house: SiteHouse
let owner: Browser
let host: Browser
let pack: string
let tournament: string
let draft: string

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openPoolHouse()
  owner = await house.signedIn(7001)
  host = await house.signedIn(7002, 'pools')
  pack = await savePack(house, owner)
  const slots = [101, 102].map((beatmapId, at) => ({ mod: 'DT', index: at + 1, beatmapId }))
  const rounds = [
    { name: 'Semifinals', slots, at: 'now' },
    { name: 'Grand Finals', slots },
  ]
  const opened = await openTournament(house.ports, host.viewer!.id, {}, rounds)
  tournament = opened.slug
  draft = opened.rounds[1]!.id
  await settleStats(house)
})
afterAll(async () => {
  await house.close()
  await chromium.close()
})

const open = async (path: string, service: ServiceName, from: Browser | null): Promise<Page> =>
  (await openRealPage(chromium, house, { path, service, from, look })).page

/**
 * The numbers that are to be seen without a word, a sign or a head that says what they are: in their cell, in the term
 * of a list of facts, or in a head of their column that is to be seen.
 */
const bareNumbers = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const rows = 'tr, li, dl > div, p, label, .edit-facts, .row-about'
    const number = /^[\d.,:]+(?:\s*–\s*[\d.,:]+)?$/
    const seen = (element: Element): string => (element as HTMLElement).innerText ?? ''
    const bare: string[] = []
    const walker = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const [text, parent] = [node.textContent?.trim() ?? '', node.parentElement!]
      if (
        !number.test(text) ||
        parent.closest('svg, .sr-only, .slot-chip') ||
        !parent.checkVisibility()
      )
        continue
      if (parent.getBoundingClientRect().width <= 1) continue
      let cell: Element = parent
      while (cell.parentElement && !cell.parentElement.matches(rows)) cell = cell.parentElement
      const hasUnit = /[\p{L}★#%]/u.test(seen(cell).replaceAll(/\s/g, ''))
      const term = cell.matches('dd') ? seen(cell.parentElement!.querySelector('dt')!) : ''
      const at = cell.matches('td') ? Array.from(cell.parentElement!.children).indexOf(cell) : -1
      const head = cell.closest('table')?.querySelectorAll('thead th')[at]
      const hasHead = head !== undefined && head.getBoundingClientRect().width > 1
      if (!hasUnit && term === '' && !hasHead)
        bare.push(`${text} in ${cell.className || cell.tagName}`)
    }
    return bare
  })

describe('on a phone', () => {
  it.each([
    ['the page of a pack', 'packs', '/p/PACK'],
    ['the pack editor', 'packs', '/p/PACK/edit'],
    ['the history of a pack', 'packs', '/p/PACK/history'],
    ['Browse', 'packs', '/packs'],
    ['the front page', 'packs', '/'],
    ['one’s own packs', 'packs', '/me'],
    ['the page of a beatmap', 'packs', '/maps/101'],
    ['the front page of tournaments', 'pools', '/'],
    ['one’s own tournaments', 'pools', '/my'],
    ['the page of a tournament', 'pools', '/t/CUP'],
    ['the workspace', 'pools', '/t/CUP/edit'],
  ] as const)('every number on %s says what it is', async (_what, service, path) => {
    const page = await open(
      path.replace('PACK', pack).replace('CUP', tournament),
      service,
      service === 'packs' ? owner : host,
    )
    await page.locator('.blank').first().waitFor({ state: 'detached' })
    expect(await bareNumbers(page)).toEqual([])
    await closeWindow(page)
  })
})

describe('a part of a page that a press asks for', () => {
  it.each([
    ['Settings', '/t/CUP/edit'],
    ['Paste a sheet', '/t/CUP/edit'],
    ['Release now', '/t/CUP/edit?round=ROUND'],
  ] as const)(
    'is said to be awaited, and to be missing, where one looks: %s',
    async (name, path) => {
      const named = path.replace('CUP', tournament).replace('ROUND', draft)
      const page = await open(named, 'pools', host)
      let lose = (): void => {}
      const lost = new Promise<void>((resolve) => (lose = resolve))
      await page.route('**/assets/*.js', async (route) => {
        await lost
        await route.abort()
      })
      await page.getByRole('button', { name, exact: true }).first().click()
      for (const said of ['Loading …', 'Check your connection']) {
        const note = page.locator('.part-wait', { hasText: said })
        await note.waitFor()
        const at = (await note.boundingBox())!
        expect([said, at.y >= 0 && at.y + at.height <= look.viewport.height]).toEqual([said, true])
        lose()
      }
      await closeWindow(page)
    },
  )
})

describe('names on the page of the staff', () => {
  const names = [
    'Second Wind Of The Harbour Lights',
    'Peridot',
    'a_very_long_single_word',
    'W'.repeat(60),
  ]

  it('wrap at their spaces, and within a word only where that is longer than the column', async () => {
    for (const from of [host, await house.signedIn(7003, 'pools')]) {
      if (from !== host) {
        const path = `/session/tournaments/${tournament}/staff/7003`
        expect((await host.ask('PUT', path, { role: 'tester' })).status).toBe(200)
      }
      const page = await open(`/t/${tournament}/staff`, 'pools', from)
      for (const width of [360, 390, 768, 1_024, 1_440]) {
        await page.setViewportSize({ width, height: 844 })
        for (const name of names) {
          const broken = await page
            .locator('.staff-name b bdi')
            .first()
            .evaluate((bdi: Element, text: string): number => {
              bdi.textContent = text
              const column: number = bdi.closest<HTMLElement>('.staff-name')!.clientWidth
              return Array.from(text.matchAll(/\S+/g)).filter(({ 0: word, index }) => {
                const range: Range = document.createRange()
                range.setStart(bdi.firstChild!, index)
                range.setEnd(bdi.firstChild!, index + word.length)
                const lines: number = new Set(Array.from(range.getClientRects(), ({ top }) => top))
                  .size
                const ruler: HTMLElement = document.createElement('span')
                ruler.textContent = word
                ruler.style.cssText = 'position: absolute; white-space: nowrap'
                bdi.parentElement!.append(ruler)
                const isWide: boolean = ruler.getBoundingClientRect().width > column
                ruler.remove()
                return lines > 1 && !isWide
              }).length
            }, name)
          expect([width, name, broken]).toEqual([width, name, 0])
          // A phone's width is enough for a name of one word.
          if (name === names[2] && width >= 390) {
            const room = await page
              .locator('.staff-name')
              .first()
              .evaluate((each) => each.clientWidth)
            expect(room).toBeGreaterThanOrEqual(240)
          }
        }
      }
      await closeWindow(page)
    }
  })
})
