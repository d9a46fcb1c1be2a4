import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPack } from '../../src/operations/packs.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { openTournament } from '../support/public-tournament.ts'
import { closeWindow, looks, openRealPage, overflowOf, phone } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { holding, takeOver } from '../support/usage-scene.ts'

const HOST = 7001
/** Beatmaps that the platform knows; the last one is in no pack. */
const [OFTEN, ONCE, NEVER] = [75, 129891, 131564] as const

let house: SiteHouse
let chromium: Chromium
let host: Browser
let onPools: Browser
let hostId: string
let page: Page
let complaints: string[]
let asked: string[]

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  host = await house.signedIn(HOST)
  onPools = await house.signedIn(HOST, 'pools')
  const other = await house.signedIn(7002)
  const otherId = (await house.ports.accounts.findByGameId(7002))!.id
  hostId = (await house.ports.accounts.findByGameId(HOST))!.id
  for (const name of ['First', 'Second']) {
    await createPack(house.ports, otherId, holding(OFTEN, { name }))
    house.clock.advance(1000)
  }
  await house.save(other, holding(ONCE, { name: 'Spring <b>Cup</b>' }))
  house.clock.advance(1000)
  const facts = { name: 'Harbour Lights Cup', year: 2025 }
  const slots = [{ mod: 'HD', index: 1, beatmapId: OFTEN }]
  await openTournament(house.ports, hostId, facts, [
    { name: 'Semifinals', packName: 'HLC Semifinals', slots, at: 'now' },
  ])
  await takeOver(house.ports)
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(() => closeWindow(page))

const open = async (
  path: string,
  {
    look = {},
    service = 'packs',
  }: { look?: BrowserContextOptions; service?: 'packs' | 'pools' } = {},
) => {
  asked = []
  const from = service === 'packs' ? host : onPools
  const prepare = async (opened: Page): Promise<void> => {
    opened.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/session/beatmaps/usage') asked.push(searchParams.get('ids') ?? '')
    })
  }
  ;({ page, complaints } = await openRealPage(chromium, house, {
    from,
    path,
    look,
    service,
    prepare,
  }))
}
const paste = async (text: string) => {
  const isOpen = await page.getByRole('textbox', { name: 'Paste a sheet' }).isVisible()
  if (!isOpen) await page.getByRole('button', { name: 'Paste', exact: true }).click()
  await page.getByRole('textbox', { name: 'Paste a sheet' }).fill(text)
  await page.getByRole('button', { name: /^Add \d+ beatmap/ }).click()
}
const notes = (): Promise<string[]> =>
  page
    .locator('.pooled-note > a > [aria-hidden], .pooled-note > a:not(:has([aria-hidden]))')
    .allInnerTexts()
const notesBecome = (expected: readonly (string | RegExp)[]) =>
  expect
    .poll(async () => (await notes()).map((text) => text.replace(/\s+/g, ' ').trim()))
    .toEqual(
      expected.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))),
    )
const rowBoxes = () =>
  page
    .locator('.edit-slot, .edit-slot .edit-title, .edit-slot .edit-facts, .edit-slot .field')
    .evaluateAll((all) =>
      all.map((each) => {
        const { x, y, height } = each.getBoundingClientRect()
        return [x, y, height]
      }),
    )

describe('the editor', () => {
  it('says in a row how often its beatmap was pooled and where last, and nothing if it never was', async () => {
    await open('/new')
    await paste(`NM1 ${OFTEN}\nNM2 ${NEVER}\nHD1 ${ONCE}`)
    await notesBecome([
      'pooled 3 ×, last HD1 in HLC Semifinals',
      'pooled 1 ×, NM2 in Spring <b>Cup</b>',
    ])
    const link = page.getByRole('link', { name: 'pooled 3 times, last HD1 in HLC Semifinals' })
    expect(await link.getAttribute('href')).toBe(`/maps/${OFTEN}`)
    expect(await link.getAttribute('title')).toBe('Last in Semifinals of Harbour Lights Cup 2025')
    expect(await axeViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('asks once for what was added at once, and for what is added later alone', async () => {
    await open('/new')
    await paste(`NM1 ${OFTEN}\nNM2 ${NEVER}`)
    await notesBecome([/^pooled 3/])
    await paste(`HD1 ${ONCE}\nHD2 ${OFTEN}`)
    await notesBecome([/^pooled 3/, /^pooled 1/, /^pooled 3/])
    expect(asked).toEqual([`${OFTEN},${NEVER}`, String(ONCE)])
  })

  it.each([{ look: {} }, { look: { viewport: phone, hasTouch: true, isMobile: true } }])(
    'moves nothing when it comes: %j',
    async ({ look }) => {
      await open('/new', { look })
      let answer = (): void => {}
      const held = new Promise<void>((resolve) => (answer = resolve))
      await page.route('**/session/beatmaps/usage?*', async (route) => {
        await held
        await route.continue()
      })
      await paste(`NM1 ${OFTEN}\nNM2 ${NEVER}\nHD1 ${ONCE}`)
      await expect.poll(() => page.locator('.edit-title > b').count()).toBe(3)
      await expect.poll(() => asked.length).toBe(1)
      const before = await rowBoxes()
      answer()
      await notesBecome([/^pooled 3/, /^pooled 1/])
      expect(await rowBoxes()).toEqual(before)
    },
  )

  it.each(looks)('fits, and can be read: %o', async (look) => {
    await open('/new', { look })
    await paste(`NM1 ${OFTEN}\nNM2 ${NEVER}\nHD1 ${ONCE}`)
    await notesBecome([/^pooled 3/, /^pooled 1/])
    expect(await overflowOf(page)).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    const heights = await page
      .locator('.pooled-note > a')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))
    if (look.viewport === phone)
      for (const height of heights) expect(height).toBeGreaterThanOrEqual(44)
  })

  it('says of a row what it says of its beatmap elsewhere, whatever beatmap it had before', async () => {
    const noteOf = { [OFTEN]: /^pooled 3/, [ONCE]: /^pooled 1/, [NEVER]: null }
    const held = [OFTEN, ONCE, NEVER] as number[]
    await open('/new')
    await paste(held.map((id, at) => `NM${at + 1} ${id}`).join('\n'))
    const becomeHeld = () =>
      notesBecome(
        held.map((id) => noteOf[id as keyof typeof noteOf]).filter((each) => each !== null),
      )
    await becomeHeld()
    const isBefore: string[] = []
    for (const [at, to] of [
      [0, ONCE],
      [2, OFTEN],
      [1, NEVER],
      [0, NEVER],
      [1, ONCE],
      [2, ONCE],
    ] as const) {
      const field = page.getByRole('textbox', { name: `Beatmap of NM${at + 1}`, exact: true })
      await field.fill(String(to))
      await field.press('Enter')
      isBefore.push(JSON.stringify(held))
      held[at] = to
      await becomeHeld()
    }
    for (const before of isBefore.toReversed()) {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Undo/ }).first().click()
      held.splice(0, held.length, ...(JSON.parse(before) as number[]))
      await becomeHeld()
    }
  })

  it('does not count the pack itself', async () => {
    const mine = holding(ONCE, {
      name: 'Mine',
      slots: [
        { mod: 'NM', index: 1, beatmapId: ONCE },
        { mod: 'NM', index: 2, beatmapId: NEVER },
      ],
    })
    const slug = await house.save(host, mine)
    await takeOver(house.ports)
    await open(`/p/${slug}/edit`)
    await notesBecome(['pooled 1 ×'])
    await host.ask('DELETE', `/session/packs/${slug}`)
    await takeOver(house.ports)
  })
})

describe('the workspace', () => {
  const draft = (name: string, beatmapIds: readonly number[]) => {
    const slots = beatmapIds.map((beatmapId, at) => ({ mod: 'NM', index: at + 1, beatmapId }))
    return openTournament(house.ports, hostId, { name, visibility: 'private' }, [
      { name: 'Finals', slots },
    ])
  }

  it('says where beatmaps were pooled and in which drafts of one’s own they are, but not in this tournament', async () => {
    const { slug: other } = await draft('Another Cup', [NEVER])
    const { slug } = await draft('Winter Cup', [OFTEN, NEVER])
    await open(`/t/${slug}/edit`, { service: 'pools' })
    await notesBecome([
      'pooled 3 ×, last HD1 in HLC Semifinals',
      'in a draft: NM1 of Finals, Another Cup',
    ])
    const [first, second] = await page.locator('.pooled-note > a').all()
    expect(await first!.getAttribute('href')).toBe(`${house.urls.packs}/maps/${OFTEN}`)
    expect(await second!.getAttribute('href')).toBe(`${house.urls.pools}/t/${other}/edit`)
    expect(asked).toEqual([`${OFTEN},${NEVER}`])
    expect(await axeViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('lists it among the checks after the faults, closed, and leads to the slot', async () => {
    const { slug } = await draft('Summer Cup', [NEVER, OFTEN])
    await open(`/t/${slug}/edit`, { service: 'pools' })
    await page.getByText('Pooled before 1', { exact: true }).click()
    const finding = page.getByRole('button', { name: /^NM2 was pooled 3 times, last as HD1 of/ })
    expect(await finding.innerText()).toContain('Semifinals')
    await finding.click()
    await expect
      .poll(() => page.evaluate(`document.activeElement?.getAttribute('aria-label')`))
      .toBe('Move NM2')
  })
})
