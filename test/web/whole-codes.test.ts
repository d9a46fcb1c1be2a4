import type { Browser as Chromium, Page } from 'playwright-core'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Bucket } from '../../src/contract/pools.ts'
import type { RoundInput } from '../../src/contract/rounds.ts'
import { isCode } from '../../src/pool/slots.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { openTournament } from '../support/public-tournament.ts'
import { closeWindow, openRealPage, overflowOf } from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { openPoolHouse, savePack } from './pool-page.ts'

const widths = [360, 390, 768, 1_024, 1_280, 1_440]

/** As long as codes may be, in the widest letters; as hosts write them; and whatever else is a code. */
const fixed = ['WWWWWWWWWWWW', '漢字漢字漢字漢字漢字漢字', 'Reserve', '123456789012']
const codes = fc
  .uniqueArray(
    fc
      .string({
        unit: fc.constantFrom('W', 'm', 'i', 'Ä', '漢', 'ﷺ', '7', '0'),
        minLength: 1,
        maxLength: 12,
      })
      .filter(isCode),
    { selector: (code) => code.toLowerCase(), minLength: 4, maxLength: 4 },
  )
  .filter((drawn) => drawn.every((code) => !fixed.includes(code)))
const drawn = [...fixed, ...fc.sample(codes, { numRuns: 1, seed: 32 })[0]!]

const buckets: readonly Bucket[] = [
  ...['NM', 'HD', 'HR', 'DT', 'FM'].map((code) => ({ code }) as Bucket),
  ...drawn.map((code, color) => ({ code, color })),
  { code: 'TB' },
]
const slots = drawn
  .slice(0, -1)
  .flatMap((mod, at) => [1, 99].map((index) => ({ mod, index, beatmapId: 101 + at })))

let chromium: Chromium
let house: SiteHouse
let owner: Browser
let host: Browser
const paths: Record<string, string> = {}

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openPoolHouse()
  owner = await house.signedIn(7001)
  host = await house.signedIn(7002, 'pools')
  const slug = await savePack(house, owner, { slots, buckets: [...buckets] })
  paths['the page of a pack'] = `/p/${slug}`
  paths['the pack editor'] = `/p/${slug}/edit`
  const { id } = host.viewer!
  const planned = drawn.map((mod) => ({ mod, index: 2, placeholder: 'custom map, due Sunday' }))
  const round = {
    name: 'Finals',
    buckets: [...buckets],
    slots: [...slots, ...planned],
  } as Partial<RoundInput>
  const made = await openTournament(house.ports, id, {}, [round])
  const [{ id: finals } = { id: '' }] = made.rounds
  await releaseRound(house.ports, id, made.slug, finals, { at: 'now', incomplete: true })
  paths['the page of a tournament'] = `/t/${made.slug}`
  paths['the workspace'] = `/t/${made.slug}/edit`
  paths['a version of a draft'] = `/t/${made.slug}/edit?round=${finals}&history&version=1`
})
afterAll(async () => {
  await house.close()
  await chromium.close()
})

/** The texts with a code of which a part is out of sight, with what hides it. */
const cutCodes = (page: Page): Promise<string[]> =>
  page.evaluate((codes) => {
    const isApart = (element: Element): boolean =>
      element.closest('script, option, .sr-only, .edit-unit, [hidden]') !== null
    const of = (text: string): boolean => codes.some((code) => text.includes(code))
    const cut: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const [text, parent] = [node.textContent ?? '', node.parentElement!]
      if (!of(text) || isApart(parent) || !parent.checkVisibility()) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const inner = range.getBoundingClientRect()
      const block = parent.closest<HTMLElement>(':not(b, bdi, a, span, i)') ?? parent
      const holder = parent.clientWidth > 0 ? parent : block
      if (holder.scrollWidth > holder.clientWidth + 1 && holder.clientWidth > 0) {
        cut.push(`${text} in ${holder.className}, ${holder.scrollWidth} > ${holder.clientWidth}`)
      }
      const isOut = ({ left, right }: Pick<DOMRect, 'left' | 'right'>): boolean =>
        inner.left < left - 1 || inner.right > right + 1
      let isCut = false
      let canScroll = false
      for (let each: Element | null = parent; each && !canScroll; each = each.parentElement) {
        const { overflowX } = getComputedStyle(each)
        // What scrolls can be brought into view.
        canScroll = overflowX === 'auto' || overflowX === 'scroll'
        if (overflowX !== 'visible' && !canScroll) isCut ||= isOut(each.getBoundingClientRect())
      }
      if (!canScroll) isCut ||= isOut({ left: 0, right: document.documentElement.clientWidth })
      if (isCut) cut.push(`${text} in ${parent.className}`)
    }
    for (const field of document.querySelectorAll('input')) {
      if (of(field.value) && field.checkVisibility() && field.scrollWidth > field.clientWidth) {
        cut.push(`${field.value} in a field`)
      }
    }
    return cut
  }, drawn)

/** The numbers of slots that lie over what stands next to them. */
const covered = (page: Page): Promise<number> =>
  page.locator('.edit-number').evaluateAll(
    (all) =>
      all.filter((number) => {
        const [a, others] = [number.getBoundingClientRect(), number.parentElement!.children]
        return Array.from(others).some((other) => {
          const b = other.getBoundingClientRect()
          const isBeside = other !== number && b.width > 1 && !other.matches('.drop-mark')
          const overlap = Math.min(a.right, b.right) - Math.max(a.left, b.left)
          return (
            isBeside && overlap > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
          )
        })
      }).length,
  )

describe.each([
  ['the page of a pack', 'packs'],
  ['the pack editor', 'packs'],
  ['the page of a tournament', 'pools'],
  ['the workspace', 'pools'],
  ['a version of a draft', 'pools'],
] as const)('on %s', (what, service) => {
  it('every code is whole, as long as codes may be, whatever the width of the window', async () => {
    const from = service === 'packs' ? owner : host
    const look = { viewport: { width: 1_440, height: 900 } }
    const { page } = await openRealPage(chromium, house, {
      from,
      path: paths[what]!,
      service,
      look,
    })
    await page.getByText(drawn[0]!).first().waitFor({ state: 'attached' })
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      const found = [await cutCodes(page), await covered(page), await overflowOf(page)]
      expect([width, ...found]).toEqual([width, [], 0, 0])
      const below = await page.locator('.plot-code').allTextContents()
      expect(below.filter((code) => code === '' || code.includes('…'))).toEqual([])
    }
    await closeWindow(page)
  })
})

describe.each([
  ['the pack editor', 'packs'],
  ['the workspace', 'pools'],
] as const)('in %s', (what, service) => {
  it('every code is whole in menus, settings and questions', async () => {
    const from = service === 'packs' ? owner : host
    const { page } = await openRealPage(chromium, house, { from, path: paths[what]!, service })
    for (const width of [360, 1_280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByRole('button', { name: `Move ${fixed[0]}1`, exact: true }).click()
      await page.getByRole('menu').waitFor()
      expect(await cutCodes(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: `Bucket ${fixed[0]}`, exact: true }).click()
      await page.getByRole('menuitem', { name: 'Code, colour and mods' }).click()
      await page.getByRole('button', { name: `Remove ${fixed[0]}`, exact: true }).waitFor()
      expect([width, await cutCodes(page), await overflowOf(page)]).toEqual([width, [], 0])
      await page.getByRole('button', { name: `Remove ${fixed[0]}`, exact: true }).click()
      await page.getByRole('dialog').waitFor()
      expect(await cutCodes(page)).toEqual([])
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Done' }).click()
    }
    await closeWindow(page)
  })
})
