import type { Browser as Chromium, BrowserContextOptions, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asOperator } from '../../src/domain/moderation.ts'
import { timestamp } from '../../src/domain/quotas.ts'
import { moderateTournament } from '../../src/operations/tournaments.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, late, looks, openRealPage, overflowOf } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { teach } from './pool-page.ts'

const HOST = 7001
const POOLER = 7002

let house: SiteHouse
let chromium: Chromium
let host: Browser
let pooler: Browser
const opened: Page[] = []
const made: string[] = []

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  // The sheets have pools of one level, about which nothing is asked.
  const ids = [...Array.from({ length: 24 }, (_, at) => 101 + at), 201, 202]
  for (const id of ids) await teach(house, id, { mode: 'osu', stars: 6 })
  host = await house.signedIn(HOST, 'pools')
  pooler = await house.signedIn(POOLER, 'pools')
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(async () => {
  for (const page of opened.splice(0)) await closeWindow(page)
  // A player hosts 20 at most.
  for (const slug of made.splice(0)) await host.ask('DELETE', `/session/tournaments/${slug}`)
})

type Round = { readonly id: string; readonly name: string }
type Input = { readonly name: string; readonly [field: string]: unknown }

const ask = async (method: string, path: string, body: unknown) => {
  const reply = await host.ask(method, `/session/tournaments${path}`, body)
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply.json
}
const tournament = async (...rounds: Input[]) => {
  const { slug } = (await ask('POST', '', { name: 'Harbour Lights Cup' })).tournament
  made.push(slug)
  const added: Round[] = []
  for (const round of rounds) added.push((await ask('POST', `/${slug}/rounds`, round)).round)
  return { slug: slug as string, rounds: added }
}
const join = (slug: string, role: string): Promise<unknown> =>
  ask('PUT', `/${slug}/staff/${POOLER}`, { role })

const removeRound = async (slug: string, id: string): Promise<void> => {
  const path = `/session/tournaments/${slug}/rounds/${id}`
  const tag = (await host.ask('GET', path)).headers.get('etag') ?? ''
  await host.ask('DELETE', path, undefined, { 'if-match': tag })
}

type Look = BrowserContextOptions & { readonly hasHandClock?: boolean }

const open = async (
  from: Browser | null,
  path: string,
  { hasHandClock = false, ...look }: Look = {},
) => {
  const { page, complaints } = await openRealPage(chromium, house, {
    from,
    path,
    service: 'pools',
    look,
    hasHandClock,
  })
  opened.push(page)
  return { page, complaints }
}
const workspace = async (from: Browser, slug: string, look?: Look) => {
  const shown = await open(from, `/t/${slug}/edit`, look)
  await shown.page.locator('.lanes').waitFor()
  return shown
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const field = (page: Page, slot: string) =>
  page.getByRole('textbox', { name: `Beatmap of ${slot}`, exact: true })
/** `NM1 75`, as the rows are on the page from top to bottom. */
const rows = (page: Page): Promise<string[]> =>
  page
    .locator('.edit-beatmap')
    .evaluateAll((fields) =>
      fields.map((each) =>
        `${each.getAttribute('aria-label')} ${(each as HTMLInputElement).value}`.replace(
          'Beatmap of ',
          '',
        ),
      ),
    )
const rowsBecome = (page: Page, expected: string[]) =>
  expect.poll(() => rows(page)).toEqual(expected)
const saved = (page: Page) =>
  expect.poll(() => page.locator('.edit-bar-words').textContent()).toBe('Saved')
const put = async (page: Page, slot: string, text: string) => {
  await field(page, slot).fill(text)
  await field(page, slot).press('Enter')
}

const names = ['Qualifiers', 'Round of 64', 'Round of 32', 'Round of 16'].concat([
  'Quarterfinals',
  'Semifinals',
  'Finals',
  'Grand Finals',
])
const sheet = [
  'Round\tSlot\tBeatmap',
  ...names.flatMap((name, at) =>
    ['NM1', 'NM2', 'HD1'].map((slot, place) => `${name}\t${slot}\t${101 + 3 * at + place}`),
  ),
  'Grand Finals\tTB\tnot chosen yet',
].join('\n')

const three = [
  { mod: 'NM', index: 1, beatmapId: 101 },
  { mod: 'NM', index: 2, beatmapId: 102 },
  { mod: 'HD', index: 1, beatmapId: 103 },
]

describe('/t/{slug}/edit', () => {
  it('is the main job of two people: a sheet, an invitation, slots, a conflict, a release', async () => {
    const { slug } = await tournament()
    const { page: ada, complaints } = await open(host, `/t/${slug}/edit`)
    // She presses what comes next before what she did is answered.
    await ada.route('**/session/**', late(200))
    await button(ada, 'Paste a whole sheet').click()
    await ada.locator('#sheet-text').fill(sheet)
    await ada.getByText('4 slots').waitFor()
    await button(ada, 'Add the rounds').click()
    const nav = ada.locator('.round-name')
    await expect.poll(() => nav.allTextContents()).toEqual(names)

    await ada.goto(`/t/${slug}/staff`)
    await button(ada, 'Make a link').click()
    const link = await ada.getByRole('textbox', { name: 'Invitation link' }).inputValue()
    const { page: bo } = await open(pooler, new URL(link).pathname)
    await bo.getByText('Harbour Lights Cup').waitFor()
    await button(bo, 'Join the staff').click()
    await bo.locator('.lanes').waitFor()

    await ada.goto(`/t/${slug}/edit`)
    await rowsBecome(ada, ['NM1 101', 'NM2 102', 'HD1 103'])
    await ada.getByTitle(/^Here now: /).waitFor()
    // One fills a slot while the other moves one.
    await put(ada, 'HD1', '75')
    await bo.getByRole('button', { name: 'Move NM1', exact: true }).focus()
    await bo.keyboard.press('Alt+ArrowDown')
    for (const page of [ada, bo]) await rowsBecome(page, ['NM1 102', 'NM2 101', 'HD1 75'])

    // Both want the same slot; one was typing before the other was done.
    await field(ada, 'NM1').fill('129891')
    await put(bo, 'NM1', '131564')
    await saved(bo)
    await ada.locator('.edit-title', { hasText: /./ }).first().waitFor()
    await expect.poll(() => field(ada, 'NM1').inputValue()).toBe('129891')
    await expect
      .poll(async () => (await ask('GET', `/${slug}`, undefined)).tournament.rounds[0].slots[0])
      .toMatchObject({ beatmapId: 131564 })
    await field(ada, 'NM1').press('Enter')
    const conflict = ada.getByRole('alert', { name: /^Not saved/ })
    await conflict.getByText('Theirs, as it is now').waitFor()
    await rowsBecome(bo, ['NM1 131564', 'NM2 101', 'HD1 75'])
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    for (const page of [ada, bo]) await rowsBecome(page, ['NM1 129891', 'NM2 101', 'HD1 75'])
    await conflict.waitFor({ state: 'detached' })
    // Own steps are taken back, over nobody's.
    await ada.getByRole('heading', { name: /^Slots/ }).click()
    await ada.keyboard.press('Control+Z')
    for (const page of [ada, bo]) await rowsBecome(page, ['NM1 131564', 'NM2 101', 'HD1 75'])
    await saved(ada)

    expect(await button(bo, 'Release now').count()).toBe(0)
    await ada.getByLabel('Release at (your time)').fill('2099-12-01T18:00')
    await button(ada, 'Schedule').click()
    await ada.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click()
    for (const page of [ada, bo]) await page.getByText('1 Dec 2099, 18:00 UTC').first().waitFor()
    await button(ada, 'Withdraw the schedule').click()
    await button(ada, 'Release now').click()
    await ada.getByRole('dialog').getByRole('button', { name: 'Release now' }).click()
    const pack = ada.getByRole('link', { name: 'Open the pack' })
    const answer = await house.browser().open(new URL((await pack.getAttribute('href'))!).pathname)
    expect(answer.status).toBe(200)
    // What changes now is a draft again, and is shown as such.
    await put(bo, 'HD1', '76')
    await button(ada, '1 change since the release').click()
    await ada.getByRole('dialog').locator('.difference').waitFor()
    // A browser complains of each answer 409, which conflicts may have.
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
  })

  it('merges a sheet that comes again: what it leaves out and what others did stays, and one undo takes it back (D-83)', async () => {
    const { slug } = await tournament()
    const { page } = await open(host, `/t/${slug}/edit`)
    const paste = async (text: string, way = 'Paste a sheet') => {
      await button(page, way).click()
      await page.locator('#sheet-text').fill(text)
    }
    await paste(sheet, 'Paste a whole sheet')
    await button(page, 'Add the rounds').click()
    await rowsBecome(page, ['NM1 101', 'NM2 102', 'HD1 103'])
    await saved(page)
    await paste(sheet)
    await page
      .getByText(/^There is nothing to change\. 8 rounds already match the sheet: /)
      .waitFor()
    expect(await page.locator('.sheet-round').count()).toBe(0)
    expect(await button(page, 'Add the rounds').isDisabled()).toBe(true)
    await button(page, 'Cancel').click()
    await put(page, 'HD1', '76')
    await saved(page)
    const [first, second] = names
    const rows = [
      'Round\tSlot\tBeatmap',
      `${first}\tNM1\t201`,
      `${first}\tNM2\tTBA`,
      `${first}\tTB\tcustom map`,
      `${second}\tNM1\t202`,
    ]
    await paste(rows.join('\n'))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('NM2 keeps what is there').waitFor()
    expect(await dialog.getByLabel(/^NM1 changed/).count()).toBe(2)
    expect(
      await dialog
        .getByLabel(/^HD1 not in the sheet/)
        .first()
        .isChecked(),
    ).toBe(false)
    await button(page, 'Apply the changes').click()
    await rowsBecome(page, ['NM1 201', 'NM2 102', 'HD1 76', 'TB custom map'])
    const ofSecond = async () => {
      const { tournament: now } = await ask('GET', `/${slug}`, undefined)
      return now.rounds[1].slots[0].beatmapId
    }
    await expect.poll(ofSecond).toBe(202)
    await page.getByRole('heading', { name: /^Slots/ }).click()
    await page.keyboard.press('Control+Z')
    await rowsBecome(page, ['NM1 101', 'NM2 102', 'HD1 76'])
    // Of both rounds.
    await expect.poll(ofSecond).toBe(104)
  })

  it('takes back the tick of a line whose slot somebody changes while it is shown (D-83)', async () => {
    const slots = [...three, { mod: 'HR', index: 2, placeholder: 'later' }]
    const { slug, rounds } = await tournament({ name: 'Finals', slots })
    await join(slug, 'pooler')
    const { page } = await workspace(host, slug)
    await button(page, 'Paste a sheet').click()
    await page.locator('#sheet-text').fill('Round\tSlot\tID\nFinals\tNM1\t801\nFinals\tNM2\t802')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^HR2 not in the sheet/).check()
    const changes = [
      { mod: 'NM', index: 1, from: { beatmapId: 101 }, to: { beatmapId: 902 } },
      { mod: 'HR', index: 2, from: { placeholder: 'later' }, to: { beatmapId: 901 } },
    ]
    const path = `/session/tournaments/${slug}/rounds/${rounds[0]!.id}/slots`
    expect((await pooler.ask('PATCH', path, { changes })).status).toBe(200)
    const [removed, replaced] = [
      dialog.getByLabel(/^HR2 .*changed meanwhile by \[ second wind \]: now 901/),
      dialog.getByLabel(/^NM1 .*changed meanwhile by \[ second wind \]: now 902/),
    ]
    for (const line of [removed, replaced]) {
      await line.waitFor()
      expect(await line.isChecked()).toBe(false)
    }
    await replaced.check()
    await button(page, 'Apply the changes').click()
    await rowsBecome(page, ['NM1 801', 'NM2 802', 'HD1 103', 'HR2 901'])
    await saved(page)
    const now = (await ask('GET', `/${slug}`, undefined)).tournament.rounds[0].slots
    expect(now).toContainEqual({ mod: 'HR', index: 2, beatmapId: 901 })
  })

  it('says whose work a sheet would replace, unless it is one’s own (D-83)', async () => {
    const { slug, rounds } = await tournament({ name: 'Finals', slots: three })
    await join(slug, 'pooler')
    const path = `/session/tournaments/${slug}/rounds/${rounds[0]!.id}/slots`
    const put = (index: number, from: number, to: number) => ({
      changes: [{ mod: 'NM', index, from: { beatmapId: from }, to: { beatmapId: to } }],
    })
    expect((await host.ask('PATCH', path, put(1, 101, 901))).status).toBe(200)
    expect((await pooler.ask('PATCH', path, put(2, 102, 902))).status).toBe(200)
    const { page } = await workspace(host, slug)
    await button(page, 'Paste a sheet').click()
    await page.locator('#sheet-text').fill('Round\tSlot\tID\nFinals\tNM1\t801\nFinals\tNM2\t802')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^NM2 changed .*set by \[ second wind \]$/).waitFor()
    const own = dialog.getByLabel(/^NM1 changed/)
    expect(await own.isChecked()).toBe(true)
    expect(await dialog.getByLabel(/^NM1 .*set by/).count()).toBe(0)
  })

  it('removes what a sheet leaves out by a press of its own, and counts what is taken (D-83)', async () => {
    const { slug } = await tournament(
      { name: 'Finals', slots: three },
      { name: 'Octo', slots: three },
    )
    const { page } = await workspace(host, slug)
    await button(page, 'Paste a sheet').click()
    await page
      .locator('#sheet-text')
      .fill('Round\tSlot\tID\nFinals\tNM1\t801\nFinals\tHR1\t802\nOcto\tNM1\t101')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 slots differ. 2 are not in the sheet.').waitFor()
    await dialog.getByText('Nothing differs. 1 is the same. 2 are not in the sheet.').waitFor()
    const [finals, octo] = [0, 1].map((at) => dialog.locator('.sheet-round').nth(at))
    const ticked = async () => {
      const boxes = finals!.locator('li').getByRole('checkbox')
      return Promise.all((await boxes.all()).map((box) => box.isChecked()))
    }
    const press = (name: string) => finals!.getByRole('button', { name, exact: true }).click()
    await press('Select none')
    expect(await ticked()).toEqual([false, false, false, false])
    // Nothing is taken of either round.
    expect(await button(page, 'Add the rounds').isDisabled()).toBe(true)
    await press('Select all')
    expect(await ticked()).toEqual([true, true, false, false])
    expect(await octo!.getByRole('button', { name: 'Select all' }).count()).toBe(0)
    await press('Remove the 2 that the sheet leaves out')
    expect(await ticked()).toEqual([true, true, true, true])
    await button(page, 'Apply the changes').click()
    await rowsBecome(page, ['NM1 801', 'HR1 802'])
  })

  it('gives the focus back to what opened a dialog when that is closed', async () => {
    const { slug, rounds } = await tournament({ name: 'Finals', slots: three }, { name: 'Octo' })
    const old = rounds[1]!.id
    await removeRound(slug, old)
    const { page } = await workspace(host, slug)
    for (const name of ['Paste a sheet', 'Release now', 'Deleted rounds (1)', 'Settings']) {
      // The second time, its code is there already.
      for (const way of ['Escape', 'Close']) {
        await button(page, name).focus()
        await page.keyboard.press('Enter')
        const dialog = page.getByRole('dialog')
        await dialog.waitFor()
        if (way === 'Escape') await page.keyboard.press('Escape')
        else await dialog.getByRole('button', { name: 'Close', exact: true }).click()
        await dialog.waitFor({ state: 'detached' })
        expect(await page.locator(':focus').textContent(), `${name}, ${way}`).toBe(name)
      }
    }
  })

  it('asks of a sheet what is not certain, and takes no round before it is answered', async () => {
    const { slug } = await tournament()
    const { page } = await open(host, `/t/${slug}/edit`)
    await button(page, 'Paste a whole sheet').click()
    const rounds = {
      Semifinals: [
        { beatmapId: 101, pick: 'NM1' },
        { beatmapId: 102, mods: 'SPEEDY' },
      ],
      Finals: [{ beatmapId: 103, pick: 'NM1' }],
    }
    await page.locator('#sheet-text').fill(JSON.stringify(rounds))
    await button(page, 'Answer 1 question first').waitFor()
    expect(await button(page, 'Add the rounds').isDisabled()).toBe(true)
    // A round that is left out needs no answer.
    await page.getByLabel('Include Semifinals').uncheck()
    await expect.poll(() => button(page, 'Add the round').isEnabled()).toBe(true)
    await page.getByLabel('Include Semifinals').check()
    await button(page, 'Answer 1 question first').click()
    await page.keyboard.press('1')
    await button(page, 'Add the rounds').click()
    await rowsBecome(page, ['NM1 101', 'SPEEDY1 102'])
  })

  it('pastes nothing into a lane that can mean several things', async () => {
    const { slug } = await tournament({ name: 'Finals', slots: [{ mod: 'HR', index: 1 }] })
    const { page } = await workspace(host, slug)
    await page.getByRole('textbox', { name: 'Add beatmap to HR' }).focus()
    await page.evaluate(
      `navigator.clipboard.writeText('75\\nNM2 is open\\nNM3 is open\\nHD1 is open\\nHD2 is open')`,
    )
    await page.keyboard.press('Control+V')
    await page.getByText(/^Not pasted: /).waitFor()
    await rowsBecome(page, ['HR1 '])
  })

  it.each([
    ['fail', (route: Route) => route.abort()],
    ['are held back by a proxy', () => {}],
  ])('shows what others do while events %s', async (_, answer) => {
    const { slug, rounds } = await tournament({ name: 'Finals', slots: three })
    await join(slug, 'tester')
    const { page } = await open(pooler, '/docs')
    await page.route('**/events*', answer)
    await page.goto(`/t/${slug}/edit`)
    const shown = page.locator('a.edit-beatmap')
    await expect.poll(() => shown.allTextContents()).toEqual(['101', '102', '103'])
    const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 101 }, to: { beatmapId: 75 } }]
    await ask('PATCH', `/${slug}/rounds/${rounds[0]!.id}/slots`, { changes })
    await expect
      .poll(() => shown.allTextContents(), { timeout: 30_000 })
      .toEqual(['75', '102', '103'])
  })

  it.each(['pooler', 'referee'])('says to a %s when what others do is not shown', async (role) => {
    const { slug, rounds } = await tournament({ name: 'Finals', slots: three })
    await join(slug, role)
    const from = await house.signedIn(POOLER, 'pools')
    const { page } = await open(from, '/docs')
    // What is open already outlasts the offline mode of this browser.
    await page.route('**/events*', (route) => route.abort())
    await page.goto(`/t/${slug}/edit`)
    await page.locator('.lanes').waitFor()
    const behind = page.getByText('No connection: what others change is not shown')
    expect(await behind.count()).toBe(0)
    await page.context().setOffline(true)
    await behind.waitFor()
    const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 101 }, to: { beatmapId: 75 } }]
    await ask('PATCH', `/${slug}/rounds/${rounds[0]!.id}/slots`, { changes })
    await page.context().setOffline(false)
    await behind.waitFor({ state: 'detached' })
    if (role === 'pooler') await rowsBecome(page, ['NM1 75', 'NM2 102', 'HD1 103'])
    else await page.locator('a.edit-beatmap', { hasText: '75' }).waitFor()
    const { status } = await from.ask('POST', '/session/sign-out', {})
    expect(status).toBe(204)
    await page.getByText('Your session has ended. Sign in to continue.').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
  })

  it('opens the events again after 40 s in which nothing came, as from a connection that is dead', async () => {
    const { slug, rounds } = await tournament({ name: 'Finals', slots: three })
    const { page } = await workspace(host, slug, { hasHandClock: true })
    const streams: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'eventsource') streams.push(request.url())
    })
    await page.clock.fastForward(10_000)
    expect(streams).toEqual([])
    // The first event may come after any of these seconds, and is then what they are counted from.
    await expect
      .poll(async () => {
        await page.clock.fastForward(31_000)
        return streams.length
      })
      .toBeGreaterThan(0)
    const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 101 }, to: { beatmapId: 75 } }]
    await ask('PATCH', `/${slug}/rounds/${rounds[0]!.id}/slots`, { changes })
    await rowsBecome(page, ['NM1 75', 'NM2 102', 'HD1 103'])
  })

  it('leaves a browser its connections: in tabs that nobody looks at it has none, and shows all when it is seen again', async () => {
    const { slug, rounds } = await tournament({ name: 'Finals', slots: three })
    const { page } = await workspace(host, slug, { hasHandClock: true })
    await button(page, /^Candidates and remarks of NM1/).click()
    const see = (tab: Page, isSeen: boolean) =>
      tab.evaluate(`Object.defineProperty(document, 'hidden', { value: ${!isSeen}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`)
    // Browsers have six connections to a site.
    const tabs = [page]
    while (tabs.length < 8) {
      await see(tabs.at(-1)!, false)
      await page.clock.fastForward(31_000)
      const tab = await page.context().newPage()
      await tab.goto(`/t/${slug}/edit`)
      await tab.locator('.lanes').waitFor()
      tabs.push(tab)
    }
    const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 101 }, to: { beatmapId: 75 } }]
    await ask('PATCH', `/${slug}/rounds/${rounds[0]!.id}/slots`, { changes })
    const remark = { mod: 'NM', index: 1, text: 'Too short for a final' }
    await ask('POST', `/${slug}/rounds/${rounds[0]!.id}/remarks`, remark)
    await rowsBecome(tabs.at(-1)!, ['NM1 75', 'NM2 102', 'HD1 103'])
    await rowsBecome(page, ['NM1 101', 'NM2 102', 'HD1 103'])
    await see(page, true)
    await rowsBecome(page, ['NM1 75', 'NM2 102', 'HD1 103'])
    const remarks = page.locator('.remark-text')
    await expect.poll(() => remarks.allTextContents()).toEqual(['Too short for a final'])
    expect(await page.locator('.slot-conflict').count()).toBe(0)
  })

  it('shows what an event brings without reading anything, and reads what it does not, also if that fails at first', async () => {
    const slots = [...three, { mod: 'HR', index: 1 }]
    const { slug, rounds } = await tournament({ name: 'Finals', slots })
    const { page } = await workspace(host, slug)
    await page.getByText('Draft · 3/4').waitFor()
    const isOfRound = new RegExp(`/session/tournaments/${slug}(?:/workspace|/rounds/[\\w-]+)$`)
    const read: string[] = []
    const open = new Set<unknown>()
    page.on('request', (request) => {
      if (!isOfRound.test(request.url())) return
      read.push(request.url())
      open.add(request)
    })
    page.on('requestfinished', (request) => open.delete(request))
    page.on('requestfailed', (request) => open.delete(request))
    const put = (from: object | null, beatmapId: number) => {
      const changes = [{ mod: 'HR', index: 1, from, to: { beatmapId } }]
      return ask('PATCH', `/${slug}/rounds/${rounds[0]!.id}/slots`, { changes })
    }
    const shows = (beatmapId: number) =>
      rowsBecome(page, ['NM1 101', 'NM2 102', 'HD1 103', `HR1 ${beatmapId}`])
    // The first one may come before the page listens; it is read then.
    await put(null, 74)
    await shows(74)
    await page.getByText('Draft · 4/4').waitFor()
    await expect.poll(() => open.size).toBe(0)
    read.length = 0
    await put({ beatmapId: 74 }, 75)
    await shows(75)
    expect(read).toEqual([])
    // As when an earlier event was left out.
    await page.addInitScript(`{
      const Real = EventSource
      window.EventSource = class extends Real {
        addEventListener(name, listener) {
          super.addEventListener(name, ({ data }) => {
            const event = JSON.parse(data ?? 'null')
            listener({ data: JSON.stringify({ ...event, changed: undefined }) })
          })
        }
      }
    }`)
    await page.reload()
    await shows(75)
    let failed = 0
    await page.route(
      /\/rounds\/[\w-]+$/,
      (route) => {
        failed += 1
        return route.abort()
      },
      { times: 1 },
    )
    await put({ beatmapId: 75 }, 76)
    await shows(76)
    expect(failed).toBe(1)
  })

  it('keeps changes while the site cannot be reached, over a reload, and saves them then', async () => {
    const { slug } = await tournament({ name: 'Finals', slots: three })
    const { page } = await workspace(host, slug)
    await page.route('**/slots', (route) => route.abort())
    await put(page, 'NM1', '75')
    await put(page, 'NM2', 'custom map, due Sunday')
    await page.getByText(/^No connection/).waitFor()
    const mine = ['NM1 75', 'NM2 custom map, due Sunday', 'HD1 103']
    await rowsBecome(page, mine)
    await page.unroute('**/slots')
    await page.reload()
    await rowsBecome(page, mine)
    await saved(page)
    const { rounds } = (await ask('GET', `/${slug}`, undefined)).tournament
    expect(rounds[0].slots).toMatchObject([
      { beatmapId: 75 },
      { placeholder: 'custom map, due Sunday' },
      { beatmapId: 103 },
    ])
  })

  it('takes several lines that are pasted into a lane, into empty slots first', async () => {
    const { slug } = await tournament({ name: 'Finals', slots: [{ mod: 'HR', index: 1 }] })
    const { page } = await workspace(host, slug)
    await page.getByRole('textbox', { name: 'Add beatmap to HR' }).focus()
    await page.evaluate(`navigator.clipboard.writeText('75\\n129891')`)
    await page.keyboard.press('Control+V')
    await rowsBecome(page, ['HR1 75', 'HR2 129891'])
    await saved(page)
  })

  it('has candidates, votes and remarks at the slot, and puts a candidate into it', async () => {
    const { slug } = await tournament({ name: 'Finals', slots: [{ mod: 'NM', index: 1 }] })
    const { page } = await workspace(host, slug)
    await button(page, /^Candidates and remarks of NM1/).click()
    const talk = page.getByRole('region', { name: 'Discussion of NM1' })
    await talk.getByLabel('Beatmap to propose for NM1').fill('129891')
    await talk.getByRole('button', { name: 'Propose' }).click()
    await talk.getByRole('button', { name: 'Vote for it' }).click()
    await talk.getByRole('group', { name: 'Votes: 1' }).waitFor()
    await talk.getByLabel('Remark on NM1').fill('Too long?')
    await talk.getByRole('button', { name: 'Add the remark' }).click()
    await button(page, 'Candidates and remarks of NM1: 2 (1 candidate, 1 open remark)').waitFor()
    await talk.getByRole('button', { name: 'Resolve' }).click()
    await button(page, 'Candidates and remarks of NM1: 1 (1 candidate, 0 open remarks)').waitFor()
    await talk.getByRole('button', { name: 'Put into the slot' }).click()
    await rowsBecome(page, ['NM1 129891'])
    await saved(page)
  })

  it('sets what a tournament and a round are, and deletes a tournament by its name', async () => {
    const { slug } = await tournament({ name: 'Finals', slots: three })
    const { page } = await workspace(host, slug)
    await page.locator('.round-fields summary').click()
    await page.getByLabel('Best of').selectOption('13')
    await page.getByLabel('Length, to').fill('5:00')
    await page.keyboard.press('Enter')
    await page.getByText('Best of 13 · up to 5:00').waitFor()
    await page.getByLabel('Name of the round').fill('Grand Finals')
    await page.keyboard.press('Enter')
    await saved(page)
    const facts = { name: 'Grand Finals', bestOf: 13, targets: { length: { max: 300 } } }
    const read = async () => (await ask('GET', `/${slug}`, undefined)).tournament
    await expect.poll(async () => (await read()).rounds[0]).toMatchObject(facts)

    await button(page, 'Settings').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Short name').fill('HLC')
    const description = 'Up to rank 9,999.\nQualifiers decide the seeds.'
    await dialog.getByLabel('Description').fill(description)
    await dialog.getByLabel('Rank from').fill('1000')
    await dialog.getByLabel('Public').check()
    // Whoever selects what they have typed may let go beside the dialog, or press there.
    const typed = (await dialog.getByLabel('Short name').boundingBox())!
    await page.mouse.move(typed.x + 30, typed.y + 5)
    await page.mouse.down()
    await page.mouse.move(5, typed.y + 5, { steps: 3 })
    await page.mouse.up()
    await page.mouse.click(5, 5)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const settings = { shortName: 'HLC', description, rankMin: 1000, visibility: 'public' }
    expect(await read()).toMatchObject(settings)

    await button(page, 'Settings').click()
    await dialog.getByText('Delete the tournament').first().click()
    const remove = dialog.getByRole('button', { name: 'Delete the tournament' })
    expect(await remove.isDisabled()).toBe(true)
    await dialog.getByLabel('Name of the tournament').fill('Harbour Lights Cup')
    await remove.click()
    await page.waitForURL('**/my')
    await page.getByRole('status').filter({ hasText: 'Harbour Lights Cup deleted' }).waitFor()
    expect((await host.ask('GET', `/session/tournaments/${slug}`)).status).toBe(404)
  })

  it('adds, moves and deletes rounds', async () => {
    const { slug } = await tournament({ name: 'Finals' }, { name: 'Semifinals' })
    const { page } = await workspace(host, slug)
    const nav = page.locator('.round-name')
    await page.getByLabel('Name of a new round').fill('finals')
    await page.getByText('Another round has this name.').waitFor()
    await page.getByLabel('Name of a new round').fill('Quarterfinals')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => nav.allTextContents())
      .toEqual(['Finals', 'Semifinals', 'Quarterfinals'])
    await button(page, 'Move Quarterfinals up').click()
    await expect
      .poll(() => nav.allTextContents())
      .toEqual(['Finals', 'Quarterfinals', 'Semifinals'])
    await button(page, 'Delete the round').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete round' }).click()
    await expect.poll(() => nav.allTextContents()).toEqual(['Finals', 'Semifinals'])
  })

  it('says that a moderator has hidden the tournament, and what waits for that (D-76)', async () => {
    const finals = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }
    const { slug, rounds } = await tournament(finals)
    await ask('PATCH', `/${slug}`, { visibility: 'public' })
    const at = timestamp(house.clock.now() + 3_600_000)
    await ask('PUT', `/${slug}/rounds/${rounds[0]!.id}/release`, { at })
    await moderateTournament(house.ports, slug, 'hide', asOperator('advertising'))
    const { page } = await workspace(host, slug)
    await expect.poll(() => page.getByText('Hidden by a moderator').isVisible()).toBe(true)
    const release = page.getByRole('region', { name: 'Release' })
    expect(await release.textContent()).toContain('It waits until the tournament is shown again')
  })

  it('leads from a finding to its slot', async () => {
    const { slug } = await tournament({
      name: 'Finals',
      slots: [...three, { mod: 'TB', index: 1 }],
    })
    const { page } = await workspace(host, slug)
    await button(page, 'TB is empty').click()
    await expect
      .poll(() => page.evaluate(`document.activeElement?.getAttribute('aria-label')`))
      .toBe('Move TB')
    await page.getByText('No beatmap yet: TB.').waitFor()
  })

  it('says how many findings there are of each kind, and folds the kinds where there are many', async () => {
    const slots = Array.from({ length: 6 }, (_, at) => ({ mod: 'HR', index: at + 1 }))
    const finals = { name: 'Finals', slots: [...three, ...slots] }
    const { slug } = await tournament(finals, {
      name: 'Semifinals',
      slots: [...three, { mod: 'TB', index: 1 }],
    })
    const { page } = await workspace(host, slug)
    const checks = page.locator('.checks')
    const summaries = checks.locator('> .checks-kind > summary')
    const kinds = async () =>
      (await summaries.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
    await expect
      .poll(async () => (await kinds()).slice(0, 2))
      .toEqual(['Empty 6', 'Twice or more 3'])
    expect((await kinds()).at(-1)).toMatch(/^\d+ findings in other rounds$/)
    const finding = button(page, 'HR2 is empty')
    expect(await finding.isVisible()).toBe(false)
    await summaries.first().click()
    expect(await finding.isVisible()).toBe(true)
    // What is unfolded stays so when others change something.
    await put(page, 'HR6', '75')
    await expect.poll(async () => (await kinds())[0]).toBe('Empty 5')
    expect(await finding.isVisible()).toBe(true)
    await checks.getByText('in other rounds').click()
    await checks.locator('.checks-kind .checks-kind > summary').first().click()
    await checks.getByText('Semifinals: TB is empty').click()
    await expect.poll(() => page.url()).toContain('#TB')
  })

  it.each([
    ['mania', 1],
    ['base', 0],
  ])('asks for keys where mania is played: %s', async (ruleset, count) => {
    const { slug, rounds } = await tournament({ name: 'Finals', slots: three })
    await ask('PATCH', `/${slug}`, { ruleset })
    const { page } = await workspace(host, slug)
    await page.locator('.round-fields > summary').click()
    const least = page.getByRole('textbox', { name: 'Keys, from' })
    expect(await least.count()).toBe(count)
    if (count === 0) return
    await least.fill('4.5')
    await least.press('Enter')
    await page.getByText('Enter a whole number from 1 to 18.').waitFor()
    await least.fill('7')
    await least.press('Enter')
    await expect
      .poll(async () => (await ask('GET', `/${slug}/rounds/${rounds[0]!.id}`, undefined)).round)
      .toMatchObject({ targets: { keys: { min: 7 } } })
    expect(await page.locator('.round-fields > summary').innerText()).toBe('from 7 keys')
  })

  it('takes a length as it shows it, with hours', async () => {
    const { slug, rounds } = await tournament({
      name: 'Finals',
      slots: three,
      targets: { length: { max: 3_661 } },
    })
    const { page } = await workspace(host, slug)
    await page.locator('.round-fields > summary').click()
    const most = page.getByRole('textbox', { name: 'Length, to' })
    expect(await most.inputValue()).toBe('1:01:01')
    await most.fill('1:01:02')
    await most.press('Enter')
    await expect
      .poll(async () => (await ask('GET', `/${slug}/rounds/${rounds[0]!.id}`, undefined)).round)
      .toMatchObject({ targets: { length: { max: 3_662 } } })
  })

  it('shows a referee everything, and nothing to change (D-61)', async () => {
    const { slug } = await tournament({ name: 'Finals', slots: three })
    await join(slug, 'referee')
    const { page } = await workspace(pooler, slug)
    expect(await page.locator('.lanes input, .lanes .edit-handle, .edit-bar').count()).toBe(0)
    await page.getByText('Only hosts can release rounds.').waitFor()
    await button(page, /^Candidates and remarks of NM1/).click()
    const talk = page.getByRole('region', { name: 'Discussion of NM1' })
    await talk.getByText('None yet.').first().waitFor()
    expect(await talk.locator('input, textarea').count()).toBe(0)
  })

  it('asks who is not signed in to, and is a 404 for strangers (D-60)', async () => {
    const { slug } = await tournament()
    const visitor = await house.browser('pools').open(`/t/${slug}/edit`)
    expect([visitor.status, visitor.text.includes('Harbour')]).toEqual([200, false])
    const missing = await pooler.open('/t/AAAAAAAAAA/edit')
    const stranger = await pooler.open(`/t/${slug}/edit`)
    expect([stranger.status, stranger.text]).toEqual([404, missing.text])
  })

  for (const look of looks) {
    it(`can be read by everybody in both themes, and fits: ${look.viewport.width}`, async () => {
      const slots = [...three, { mod: 'TB', index: 1, placeholder: 'custom map, due Sunday' }]
      const others = ['Semifinals', 'Quarterfinals', 'Round of 16'].map((name) => ({ name }))
      const { slug, rounds } = await tournament({ name: 'Finals', slots, bestOf: 13 }, ...others)
      const { page } = await workspace(host, slug, look)
      await page.locator('.checks .findings').first().waitFor()
      await button(page, /^Candidates and remarks of NM1/).click()
      await page.getByRole('region', { name: 'Discussion of NM1' }).waitFor()
      expect(await axeViolations(page)).toEqual([])
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      // The rounds are a row on a phone, wider than the window.
      await page.goto(`/t/${slug}/edit?round=${rounds.at(-1)!.id}`)
      const here = page.locator('.rounds-nav [aria-current]')
      const { x, width } = (await here.boundingBox())!
      expect([x >= 0, x + width <= look.viewport.width]).toEqual([true, true])
    })
  }
})

describe('/invite/{token}', () => {
  it('says which rounds one will work on, and of all of them nothing (D-81)', async () => {
    const { slug, rounds } = await tournament({ name: 'Quarterfinals' }, { name: 'Finals' })
    const invited = async (limit: object) => {
      const { url } = await ask('POST', `/${slug}/invitations`, { role: 'pooler', ...limit })
      const { page } = await open(pooler, new URL(url).pathname)
      await page.getByRole('heading', { name: 'Join as a pooler?' }).waitFor()
      expect(await axeViolations(page)).toEqual([])
      return page.getByRole('main').innerText()
    }
    const [round] = rounds
    const words = `You will work on: ${round!.name}. You can see other rounds once they are released.`
    expect(await invited({ rounds: [round!.id] })).toContain(words)
    expect(await invited({})).not.toContain('You will work on')
  })

  it('offers who is on the staff a higher role and more rounds, and the workspace otherwise (D-81)', async () => {
    const { slug, rounds } = await tournament({ name: 'Quarterfinals' }, { name: 'Finals' })
    const [quarters, finals] = rounds.map(({ id }) => id)
    await ask('PUT', `/${slug}/staff/${POOLER}`, { role: 'tester', rounds: [quarters] })
    const invited = async (body: object) => {
      const { url } = await ask('POST', `/${slug}/invitations`, body)
      const { page } = await open(pooler, new URL(url).pathname)
      await page.getByText('Harbour Lights Cup').waitFor()
      return page
    }
    const same = await invited({ role: 'tester', rounds: [quarters] })
    await same.getByRole('heading', { name: 'You are already on the staff' }).waitFor()
    const higher = await invited({ role: 'pooler' })
    await higher.getByRole('heading', { name: 'Become a pooler?' }).waitFor()
    await higher.getByText('You will work on all rounds.').waitFor()
    const more = await invited({ role: 'tester', rounds: [finals] })
    await more.getByRole('heading', { name: 'Work on more rounds?' }).waitFor()
    expect(await axeViolations(more)).toEqual([])
    await button(more, 'Accept').click()
    await expect
      .poll(() => more.locator('.round-name').allTextContents())
      .toEqual(['Quarterfinals', 'Finals'])
    for (const id of [quarters!, finals!]) await removeRound(slug, id)
    await more.getByText('The rounds you work on were deleted.').waitFor()
  })

  it('says that a link is no longer valid, and joins nobody', async () => {
    const { slug } = await tournament()
    const { url } = await ask('POST', `/${slug}/invitations`, { role: 'tester' })
    const { pathname } = new URL(url)
    const visitor = await open(null, pathname)
    const signIn = visitor.page.getByRole('link', { name: 'Sign in' }).last()
    expect(await signIn.getAttribute('href')).toBe(
      `/sign-in?return=${encodeURIComponent(pathname)}`,
    )
    await house
      .signedIn(7003, 'pools')
      .then((third) => third.ask('POST', `/session${pathname.replace('/invite', '/invitations')}`))
    const { page } = await open(pooler, pathname)
    await page.getByText('This invitation is no longer valid').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })
})

describe('/t/{slug}/staff', () => {
  it('shows the staff, changes a role, and removes somebody', async () => {
    const { slug } = await tournament()
    await join(slug, 'tester')
    const { page } = await open(host, `/t/${slug}/staff`)
    const list = page.getByRole('list', { name: 'Staff' })
    await list.getByRole('combobox').nth(1).selectOption('pooler')
    await page.getByText(/is now a pooler$/).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await list.getByRole('button', { name: /^Remove/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
    expect(await button(page, 'Leave the staff').isDisabled()).toBe(true)
  })
})
