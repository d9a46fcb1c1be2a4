import type { Browser as Chromium, BrowserContextOptions, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { releaseDue } from '../../src/operations/releases.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, desk, openRealPage, overflowOf } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const HOST = 7001
const MEMBER = 7002

let house: SiteHouse
let chromium: Chromium
let host: Browser
let member: Browser
const opened: Page[] = []
const hosted: string[] = []

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  host = await house.signedIn(HOST, 'pools')
  member = await house.signedIn(MEMBER, 'pools')
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(async () => {
  for (const page of opened.splice(0)) await closeWindow(page)
  // A player hosts 20 at most.
  for (const slug of hosted.splice(0)) await host.ask('DELETE', `/session/tournaments/${slug}`)
})

type Input = { readonly name: string; readonly [field: string]: unknown }
type Round = { readonly id: string }

const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await host.ask(method, `/session/tournaments${path}`, body)
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply.json
}
const tournament = async (...rounds: Input[]) => {
  const { slug } = (await ask('POST', '', { name: 'Harbour Lights Cup' })).tournament
  hosted.push(slug)
  const made: Round[] = []
  for (const round of rounds) made.push((await ask('POST', `/${slug}/rounds`, round)).round)
  return { slug: slug as string, rounds: made, path: `/${slug}/rounds/${made[0]?.id}` }
}
const change = (path: string, ...changes: object[]): Promise<unknown> =>
  ask('PATCH', `${path}/slots`, { changes })
const open = async (from: Browser, path: string, look: BrowserContextOptions = {}) => {
  const { page } = await openRealPage(chromium, house, { from, path, service: 'pools', look })
  opened.push(page)
  return page
}
const workspace = async (from: Browser, slug: string, look?: BrowserContextOptions) => {
  const page = await open(from, `/t/${slug}/edit`, look)
  await page.locator('.lanes').waitFor()
  return page
}
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const field = (page: Page, slot: string) =>
  page.getByRole('textbox', { name: `Beatmap of ${slot}`, exact: true })
const saved = (page: Page) =>
  expect.poll(() => page.locator('.edit-bar-words').textContent()).toBe('Saved')
const dialogOf = (page: Page) => page.getByRole('dialog')
const pressIn = (page: Page, name: string) =>
  dialogOf(page).getByRole('button', { name, exact: true }).click()

const nm = (index: number, held: object = {}) => ({ mod: 'NM', index, ...held })
const planned = {
  mod: 'TB',
  index: 1,
  placeholder: 'custom map',
  details: { artist: 'Camellia', title: 'Tidal Clock', difficulty: 'Expert', mapper: 'Peridot' },
  link: 'https://files.example/tidal-clock.osz',
}

describe('the history of a draft', () => {
  it('says who changed what, compares, and restores a version as one step', async () => {
    const links = { mapPackUrl: 'https://files.example/finals.zip' }
    const slots = [nm(1, { beatmapId: 101 }), nm(2, { beatmapId: 102 })]
    const { slug, path } = await tournament({ name: 'Finals', slots, ...links })
    await change(path, { ...nm(1), from: { beatmapId: 101 }, to: { placeholder: 'soon' } })
    const page = await workspace(host, slug)
    await field(page, 'NM2').fill('75')
    await field(page, 'NM2').press('Enter')
    await saved(page)
    await link(page, 'History').click()
    const versions = page.locator('.version')
    await expect.poll(() => versions.count()).toBe(3)
    expect(await page.locator('.draft-history h2').innerText()).toBe('History of Finals')
    await expect
      .poll(() => versions.first().innerText())
      .toMatch(/Version 3[\s\S]*Current[\s\S]*NM2/)
    // The slot stays, as it is planned.
    const second = versions.nth(1)
    expect(await second.innerText()).toMatch(/NM1 replaced[\s\S]*“soon”/)
    expect(await second.getByText('Removed').count()).toBe(0)
    // A draft's beatmaps have no page (D-74).
    const pages = page.locator('.draft-history a[href*="/maps/"]')
    await second.getByText('Violet Tide').waitFor()
    expect(await pages.count()).toBe(0)

    await button(page, 'Compare').click()
    await page.getByText('1 difference').waitFor()
    await link(page, 'All versions').click()
    await link(page, 'Open version 1').click()
    const had = page.locator('.draft-slots > li')
    await expect.poll(() => had.count()).toBe(2)
    await expect.poll(() => had.first().innerText()).toMatch(/NM1[\s\S]*Violet Tide/)
    expect(await pages.count()).toBe(0)

    await button(page, 'Restore version 1').click()
    await dialogOf(page).getByText('2 differences').waitFor()
    await pressIn(page, 'Restore')
    await page.locator('.lanes').waitFor()
    await page.getByText('Version 1 restored').waitFor()
    await saved(page)
    const now = async () => (await ask('GET', path)).round
    await expect.poll(now).toMatchObject({ slots, ...links })
    // What was done before can be undone, too.
    await button(page, /^Undo/).click()
    await saved(page)
    await button(page, /^Undo/).click()
    await saved(page)
    await expect
      .poll(now)
      .toMatchObject({ slots: [nm(1, { placeholder: 'soon' }), nm(2, { beatmapId: 102 })] })
  })
})

describe('a version that is restored', () => {
  it('is not said to be, where that could not be saved: the tournament is gone, or the site cannot be reached', async () => {
    const { slug, path, rounds } = await tournament({ name: 'Finals', slots: [nm(1)] })
    await change(path, { ...nm(1), from: null, to: { beatmapId: 101 } })
    for (const [end, told] of [
      [(page: Page) => page.route('**/slots', (route) => route.abort()), 'No connection'],
      [() => host.ask('DELETE', `/session/tournaments/${slug}`), 'Not saved'],
    ] as const) {
      const page = await open(host, `/t/${slug}/edit?round=${rounds[0]!.id}&history&version=1`)
      await button(page, 'Restore version 1').click()
      await dialogOf(page).getByText('1 difference').waitFor()
      // All that is announced, however briefly.
      await page.evaluate(`globalThis.said = []
        new MutationObserver(() => said.push(document.querySelector('.toasts').textContent))
          .observe(document.querySelector('.toasts'), { childList: true, subtree: true })`)
      await end(page)
      await pressIn(page, 'Restore')
      await page.locator('main').getByText(told).first().waitFor()
      expect(await page.evaluate('said.join()')).not.toContain('restored')
    }
  })
})

describe('a deleted round (D-82)', () => {
  it('comes back by Undo, or later out of the list', async () => {
    const { slug } = await tournament({ name: 'Finals', slots: [nm(1)] }, { name: 'Semifinals' })
    const page = await workspace(host, slug)
    const names = () => page.locator('.round-name').allTextContents()
    const remove = async (): Promise<void> => {
      await button(page, 'Delete the round').click()
      await pressIn(page, 'Delete round')
      await expect.poll(names).toHaveLength(1)
    }
    expect(await button(page, /^Deleted rounds/).count()).toBe(0)
    await remove()
    await button(page, 'Undo').last().click()
    await expect.poll(names).toEqual(['Semifinals', 'Finals'])
    await page.getByText('Finals restored as a draft').waitFor()
    await remove()
    await button(page, 'Deleted rounds (1)').click()
    const list = dialogOf(page)
    expect(await list.locator('li').innerText()).toMatch(/Finals[\s\S]*1 slot · deleted .* by /)
    await list.getByRole('button', { name: 'Restore Finals' }).click()
    await expect.poll(names).toEqual(['Semifinals', 'Finals'])
  })
})

describe('a round that somebody else deletes while it is shown (D-82)', () => {
  const remove = async (path: string): Promise<void> => {
    const tag = (await host.ask('GET', `/session/tournaments${path}`)).headers.get('etag')
    await host.ask('DELETE', `/session/tournaments${path}`, undefined, { 'if-match': tag! })
  }

  it.each(['', '&version=1', '&a=1&b=2'])(
    'leaves no history of another round in its place: history%s',
    async (query) => {
      const { slug, rounds } = await tournament(
        { name: 'Groups', slots: [nm(1, { beatmapId: 101 })] },
        { name: 'Finals', slots: [nm(1, { beatmapId: 102 })] },
      )
      const path = `/${slug}/rounds/${rounds[1]!.id}`
      for (const [from, to] of [[102, 75] as const, [75, 76] as const]) {
        await change(path, { ...nm(1), from: { beatmapId: from }, to: { beatmapId: to } })
      }
      const page = await open(host, `/t/${slug}/edit?round=${rounds[1]!.id}&history${query}`)
      await page.locator('.draft-history h2').getByText('Finals').waitFor()
      await remove(path)
      await page.getByText('This round was deleted by another person').first().waitFor()
      await page.locator('.lanes').waitFor()
      expect(await page.locator('.draft-history').count()).toBe(0)
      expect(await page.locator('[aria-current=page] .round-name').innerText()).toBe('Groups')
    },
  )

  it('keeps what was not saved in it, and leads to it by way of the deleted rounds', async () => {
    const { slug, rounds } = await tournament(
      { name: 'Groups', slots: [nm(1, { beatmapId: 101 })] },
      { name: 'Finals', slots: [nm(1, { beatmapId: 102 })] },
    )
    const path = `/${slug}/rounds/${rounds[1]!.id}`
    const page = await open(host, `/t/${slug}/edit?round=${rounds[1]!.id}`)
    await page.locator('.lanes').waitFor()
    await field(page, 'NM1').fill('75')
    await change(path, { ...nm(1), from: { beatmapId: 102 }, to: { beatmapId: 76 } })
    await page.locator('.edit-title', { hasText: /./ }).first().waitFor()
    await field(page, 'NM1').press('Enter')
    await page.getByRole('alert', { name: /^Not saved/ }).waitFor()
    await remove(path)
    await expect.poll(() => page.locator('.round-name').allTextContents()).toEqual(['Groups'])
    await button(page, '1 change not saved').click()
    const row = dialogOf(page).locator('li')
    await row.getByText('1 change not saved').waitFor()
    await row.getByRole('button', { name: 'Restore Finals' }).click()
    const conflict = page.getByRole('alert', { name: /^Not saved/ })
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await saved(page)
    const now = async () => (await ask('GET', path)).round.slots
    await expect.poll(now).toEqual([nm(1, { beatmapId: 75 })])
  })
})

describe('a release', () => {
  it('says what goes out as planned, what is wrong and who sees it, and wants one more press (D-78)', async () => {
    const slots = [nm(1, { beatmapId: 101 }), nm(2, { beatmapId: 101 }), planned]
    const { slug, path } = await tournament({ name: 'Finals', slots })
    const page = await workspace(host, slug)
    await page.getByText('No beatmap yet: TB. Fill it, or release the round as it is.').waitFor()
    await button(page, 'Release now').click()
    const dialog = dialogOf(page)
    await dialog.getByText('Twice or more: 2').waitFor()
    const words = await dialog.innerText()
    expect(words).toContain('Only the staff can see the page of the tournament')
    expect(words).toMatch(/1 slot without a beatmap[\s\S]*TB “custom map”, Camellia - Tidal Clock/)
    await pressIn(page, 'Release as it is')
    await dialog.getByText('The round has 1 slot without a beatmap.').waitFor()
    expect((await ask('GET', path)).round.packSlug).toBeUndefined()
    await pressIn(page, 'Release anyway')
    await page.getByText('1 slot released without a beatmap.').waitFor()

    await field(page, 'NM2').fill('75')
    await field(page, 'NM2').press('Enter')
    await saved(page)
    await button(page, 'Release again').click()
    await dialog.getByText('1 difference').waitFor()
    expect(await dialog.locator('.difference').innerText()).toMatch(/NM2/)
    await pressIn(page, 'Cancel')
    await button(page, 'Withdraw the pack').click()
    await dialog.getByText('Releasing the round again brings it back under the same link').waitFor()
  })

  it('of a round with all its beatmaps takes one press; a schedule says if it is as it is', async () => {
    const { slug, path } = await tournament({
      name: 'Finals',
      slots: [nm(1, { beatmapId: 101 }), nm(2)],
    })
    await ask('PATCH', `/${slug}`, { visibility: 'public' })
    const page = await workspace(host, slug)
    const time = page.getByLabel('Release at (your time)')
    for (const unfit of ['20991-12-01T18:00', '0001-01-01T00:00']) {
      await time.fill(unfit)
      await page.getByText('Choose a time in the future').waitFor()
      expect(await button(page, 'Schedule').isDisabled()).toBe(true)
      await time.fill('')
    }
    await time.fill('2099-12-01T18:00')
    await button(page, 'Schedule').click()
    await dialogOf(page).getByText('Everyone will see the round').waitFor()
    await pressIn(page, 'Schedule as it is')
    await pressIn(page, 'Schedule anyway')
    await page.getByText('Slots without a beatmap are released with the placeholders').waitFor()
    await button(page, 'Withdraw the schedule').click()
    await change(path, { ...nm(2), from: null, to: { beatmapId: 102 } })
    await expect.poll(() => page.getByText('No beatmap yet').count()).toBe(0)
    await button(page, 'Release now').click()
    await pressIn(page, 'Release now')
    await link(page, 'Open the pack').waitFor()
  })
})

describe('a release that is confirmed while its checks are read', () => {
  /** Confirms before the checks have come, which come when the last function is called. */
  const confirmEarly = async (slots: object[], action: string) => {
    const { slug, path } = await tournament({ name: 'Finals', slots })
    const page = await workspace(host, slug)
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/checks*', async (route) => {
      await promise
      await route.fallback()
    })
    await button(page, 'Release now').click()
    await dialogOf(page).getByText('Checking').waitFor()
    await pressIn(page, action)
    const confirmed = dialogOf(page).getByRole('button', { name: action })
    await expect.poll(() => confirmed.getAttribute('aria-busy')).toBe('true')
    expect(await confirmed.evaluate((element) => element === document.activeElement)).toBe(true)
    const packSlug = async () => (await ask('GET', path)).round.packSlug
    expect(await packSlug()).toBeUndefined()
    return { page, packSlug, letChecksCome: resolve }
  }

  it('is made when they have come', async () => {
    const { page, letChecksCome } = await confirmEarly([nm(1, { beatmapId: 101 })], 'Release now')
    letChecksCome()
    await link(page, 'Open the pack').waitFor()
  })

  it('asks once more when they are against it (D-78)', async () => {
    const slots = [nm(1, { beatmapId: 101 }), planned]
    const { page, packSlug, letChecksCome } = await confirmEarly(slots, 'Release as it is')
    letChecksCome()
    await dialogOf(page).getByText('The round has 1 slot without a beatmap.').waitFor()
    expect(await packSlug()).toBeUndefined()
    await pressIn(page, 'Release anyway')
    await link(page, 'Open the pack').waitFor()
  })
})

describe('what a window knows of the release', () => {
  const going = [nm(1, { beatmapId: 101 }), nm(2), planned]

  it.each(['events come', 'events fail'])(
    'follows fills, releases and withdrawals of others while %s (D-78)',
    async (way) => {
      const { slug, rounds, path } = await tournament({ name: 'Finals', slots: going })
      const page = await open(host, '/docs')
      if (way === 'events fail') await page.route('**/events*', (route) => route.abort())
      await page.goto(`/t/${slug}/edit`)
      await page.locator('.lanes').waitFor()
      const panel = page.locator('.release')
      const says = (text: string) => panel.getByText(text).waitFor()
      const release = (at: string | null) =>
        ask('PUT', `${path}/release`, { at, ...(at !== null && { incomplete: true }) })
      await release('now')
      await says('2 slots released without a beatmap.')
      await says('Nothing has changed since then.')
      // It is released as it is, which nobody is asked for again.
      expect(await panel.innerText()).toMatch(/No beatmap yet: NM2 and TB\.\s*\n/)

      await change(path, { ...nm(2), from: null, to: { beatmapId: 75 } })
      await says('1 change since the release')
      await releaseDue(house.ports, { slug, roundId: rounds[0]!.id })
      await says('1 slot released without a beatmap.')
      await says('Nothing has changed since then.')
      const isAdvised = () =>
        button(page, 'Release again').evaluate((each) => each.matches('.primary'))
      expect(await isAdvised()).toBe(false)

      await change(path, { ...nm(1), from: { beatmapId: 101 }, to: { beatmapId: 76 } })
      await button(page, '1 change since the release').waitFor()
      expect(await isAdvised()).toBe(true)
      await button(page, 'Release again').click()
      await dialogOf(page).getByText('1 difference').waitFor()
      house.clock.advance(1000)
      await release('now')
      await dialogOf(page).getByText('Nothing differs').waitFor()
      await pressIn(page, 'Cancel')
      await says('Nothing has changed since then.')
      await release(null)
      await says('Only the staff can see this draft.')
    },
  )

  it('is read again after a failure that may pass', async () => {
    const { slug, path } = await tournament({ name: 'Finals', slots: going })
    await ask('PUT', `${path}/release`, { at: 'now', incomplete: true })
    const page = await open(host, '/docs')
    let failed = 0
    const fail = (route: Route) => {
      failed += 1
      return failed === 1 ? route.abort() : route.fulfill({ status: 503, body: '' })
    }
    await page.route('**/released', fail, { times: 2 })
    await page.goto(`/t/${slug}/edit`)
    await page.getByText('2 slots released without a beatmap.').waitFor()
    expect(failed).toBe(2)
  })

  it('is what the own window fills, too', async () => {
    const { slug, rounds, path } = await tournament({ name: 'Finals', slots: going })
    await ask('PUT', `${path}/release`, { at: 'now', incomplete: true })
    const page = await workspace(host, slug)
    await page.getByText('2 slots released without a beatmap.').waitFor()
    await field(page, 'TB').fill('75')
    await field(page, 'TB').press('Enter')
    await saved(page)
    // All that has changed of a slot is one change.
    await button(page, '1 change since the release').click()
    await dialogOf(page).getByText('1 difference').waitFor()
    const rows = dialogOf(page).locator('.difference')
    expect(await rows.count()).toBe(1)
    expect(await rows.innerText()).toMatch(/TB replaced\s+“custom map”, Camellia/)
    await page.keyboard.press('Escape')
    await releaseDue(house.ports, { slug, roundId: rounds[0]!.id })
    await page.getByText('1 slot released without a beatmap.').waitFor()
    await page.getByText('Nothing has changed since then.').waitFor()
  })
})

describe('a planned slot (D-77)', () => {
  it('shows what is known of it, which is changed by keyboard; its link stays with the beatmap', async () => {
    const { slug, path } = await tournament({ name: 'Finals', slots: [nm(1), planned] })
    const page = await workspace(host, slug)
    const row = page.locator('.edit-slot', { has: field(page, 'TB') })
    await row.getByText('Camellia - Tidal Clock [Expert] by Peridot').waitFor()
    const file = row.getByRole('link', { name: 'files.example' })
    expect(await file.getAttribute('rel')).toContain('noopener noreferrer')
    await page.getByRole('button', { name: 'Move TB', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Details and link' }).press('Enter')
    const form = page.getByRole('form', { name: 'Details and link of TB' })
    await expect
      .poll(() => form.getByLabel('Artist').evaluate((field) => field === document.activeElement))
      .toBe(true)
    await form.getByLabel('Mapper').fill('Beryl')
    await form.getByLabel('Link to the file').fill('http://files.example/')
    await form.getByText('Enter a link that begins with https://').waitFor()
    await form.getByLabel('Link to the file').fill('https://files.example/v2.osz')
    await page.keyboard.press('Enter')
    await row.getByText('[Expert] by Beryl').waitFor()
    await field(page, 'TB').fill('75')
    await field(page, 'TB').press('Enter')
    // A link of a file host is no beatmap.
    await field(page, 'NM1').fill('https://files.example/nm1.osz')
    await field(page, 'NM1').press('Enter')
    await saved(page)
    await expect
      .poll(async () => (await ask('GET', path)).round.slots)
      .toMatchObject([
        { mod: 'NM', link: 'https://files.example/nm1.osz' },
        { mod: 'TB', beatmapId: 75, link: 'https://files.example/v2.osz' },
      ])
    expect(await file.count()).toBe(1)
  })
})

describe('map pack and showcase (D-85)', () => {
  it('are set by hosts, and are links for others', async () => {
    const { slug, path } = await tournament({ name: 'Finals', slots: [nm(1)] })
    await ask('PUT', `/${slug}/staff/${MEMBER}`, { role: 'pooler' })
    const page = await workspace(host, slug)
    await page.locator('.round-fields > summary').click()
    await page.getByLabel('Map pack').fill('files.example')
    await page.getByText('Enter a link that begins with https://').waitFor()
    await page.getByLabel('Map pack').fill('https://files.example/finals.zip')
    await page.keyboard.press('Enter')
    await saved(page)
    await expect
      .poll(async () => (await ask('GET', path)).round.mapPackUrl)
      .toBe('https://files.example/finals.zip')
    const theirs = await workspace(member, slug)
    await theirs.locator('.round-links').getByRole('link', { name: 'files.example' }).waitFor()
    await theirs.locator('.round-fields > summary').click()
    expect(await theirs.getByLabel('Map pack').count()).toBe(0)
  })
})

describe('what is said', () => {
  it('has links, stays when its slot goes, and is not lost when it cannot be sent', async () => {
    const { slug, path } = await tournament({ name: 'Finals', slots: [nm(1), nm(2)] })
    const discussion = { ...nm(2), text: 'See https://files.example/x. <b>Hm</b>' }
    await ask('POST', `${path}/remarks`, discussion)
    await ask('POST', `${path}/candidates`, { ...nm(2), beatmapId: 101 })
    await change(path, { ...nm(2), from: null, to: 'none' })
    const page = await workspace(host, slug)
    const left = page.getByRole('region', { name: 'From slots that are gone' })
    const address = left.getByRole('link', { name: 'https://files.example/x', exact: true })
    expect(await address.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    expect(await left.locator('.remark-text').innerText()).toBe(discussion.text)
    expect(await left.getByRole('button', { name: 'Put into the slot' }).count()).toBe(0)
    await left.getByRole('button', { name: 'Remove the candidate' }).click()
    await left.getByRole('button', { name: 'Remove the remark' }).click()
    await expect.poll(() => left.count()).toBe(0)

    await button(page, /^Candidates and remarks of NM1/).click()
    await page.route('**/candidates', (route) => route.abort())
    const proposal = page.getByLabel('Beatmap to propose for NM1')
    await proposal.fill('129891')
    await button(page, 'Propose').click()
    await page.locator('.propose .failure-line', { hasText: /./ }).waitFor()
    expect(await proposal.inputValue()).toBe('129891')
    await page.unroute('**/candidates')
    await button(page, 'Propose').click()
    await expect.poll(() => proposal.inputValue()).toBe('')
    const remark = page.getByRole('textbox', { name: 'Remark on NM1' })
    await remark.fill('Half a sentence')
    await button(page, /^Candidates and remarks of NM1/).click()
    await remark.waitFor({ state: 'detached' })
    await page.reload()
    await button(page, /^Candidates and remarks of NM1/).click()
    await expect.poll(() => remark.inputValue()).toBe('Half a sentence')
    await button(page, 'Move NM1').click()
    await page.getByRole('menuitem', { name: 'Details and link' }).click()
    await page.getByLabel('Title').fill('Half a title')
    await page.reload()
    await button(page, 'Move NM1').click()
    await page.getByRole('menuitem', { name: 'Details and link' }).click()
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Half a title')
  })
})

describe('what was said of a slot that is gone (D-83)', () => {
  const open = async () => {
    const { slug, path } = await tournament({ name: 'Finals', slots: [nm(1), nm(2), nm(3)] })
    await ask('POST', `${path}/remarks`, { ...nm(3), text: 'Too long' })
    const { candidate } = await ask('POST', `${path}/candidates`, { ...nm(3), beatmapId: 101 })
    await ask('PUT', `${path}/candidates/${candidate.id}/vote`, { vote: 1 })
    await change(path, { ...nm(3), from: null, to: 'none' })
    const page = await workspace(host, slug)
    return { path, page, left: page.getByRole('region', { name: 'From slots that are gone' }) }
  }

  it('is moved to another slot by one press, with its votes', async () => {
    const { page, left, path } = await open()
    await left.getByLabel('Slot for the candidates and remarks of NM3').selectOption('NM2')
    await left.getByRole('button', { name: 'Move to NM2' }).click()
    await expect.poll(() => left.count()).toBe(0)
    await button(page, /^Candidates and remarks of NM2/).click()
    const discussion = page.getByRole('region', { name: 'Discussion of NM2' })
    await discussion.getByText('Too long').waitFor()
    await discussion.getByRole('group', { name: 'Votes: 1' }).waitFor()
    const { candidates } = await ask('GET', `${path}/discussion`)
    expect(candidates).toMatchObject([{ ...nm(2), beatmapId: 101, score: 1 }])
  })

  it('stays where the other slot has no room for it, and says why', async () => {
    const { left, path } = await open()
    await ask('POST', `${path}/candidates`, { ...nm(1), beatmapId: 101 })
    await left.getByRole('button', { name: 'Move to NM1' }).click()
    await left.getByText('is a candidate for NM1 already').waitFor()
    expect(await left.locator('.remark').count()).toBe(0)
    expect(await left.locator('.candidate').count()).toBe(1)
  })
})

describe('settings that two hosts change', () => {
  it('say what the other has made of a field, and replace it when saved again', async () => {
    const { slug } = await tournament({ name: 'Finals' })
    const page = await workspace(host, slug)
    await button(page, 'Settings').click()
    await dialogOf(page).getByLabel('Short name').fill('MINE')
    await dialogOf(page).getByLabel('Rank from').fill('5')
    await ask('PATCH', `/${slug}`, { shortName: 'THEIRS', year: 2030, rankMin: 5 })
    await pressIn(page, 'Save')
    await dialogOf(page).getByText('changed this meanwhile (Short name: THEIRS)').waitFor()
    const read = async () => (await ask('GET', `/${slug}`)).tournament
    expect(await read()).toMatchObject({ shortName: 'THEIRS', year: 2030 })
    await pressIn(page, 'Save')
    await dialogOf(page).waitFor({ state: 'detached' })
    expect(await read()).toMatchObject({ shortName: 'MINE', year: 2030, rankMin: 5 })
  })
})

describe('a member who is limited to rounds (D-81)', () => {
  it.each([
    ['removed', null],
    ['limited', { role: 'pooler', rounds: true }],
  ] as const)(
    'that was %s meanwhile is left so by a page from before, which says it',
    async (_, to) => {
      const { slug, rounds } = await tournament({ name: 'Qualifiers', slots: [nm(1)] })
      const path = `/${slug}/staff/${MEMBER}`
      const read = async () => (await ask('GET', `/${slug}/staff`)).staff.slice(1)
      const told = 'Another host has changed this meanwhile'
      for (const way of ['role', 'rounds']) {
        await ask('PUT', path, { role: 'pooler' })
        const staff = await open(host, `/t/${slug}/staff`)
        const member = staff.locator('.staff-member').nth(1)
        await member.waitFor()
        if (way === 'rounds') await member.getByRole('button', { name: /^Rounds of / }).click()
        if (to === null) await host.ask('DELETE', `/session/tournaments${path}`)
        else await ask('PUT', path, { ...to, rounds: [rounds[0]!.id] })
        const now = await read()
        if (way === 'rounds') await pressIn(staff, 'Save')
        else await member.getByRole('combobox').selectOption('Tester')
        await staff.getByText(told).waitFor()
        expect(await read()).toEqual(now)
        await expect.poll(() => staff.locator('.staff-member').count()).toBe(1 + now.length)
      }
    },
  )

  it('is limited on the staff page, and sees these rounds alone in the workspace', async () => {
    const { slug } = await tournament({ name: 'Qualifiers', slots: [nm(1)] }, { name: 'Finals' })
    await ask('PUT', `/${slug}/staff/${MEMBER}`, { role: 'pooler' })
    const staff = await open(host, `/t/${slug}/staff`)
    await button(staff, /^Rounds of /)
      .last()
      .click()
    await dialogOf(staff).getByLabel('These rounds').check()
    expect(await dialogOf(staff).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await dialogOf(staff).getByLabel('Qualifiers').check()
    await pressIn(staff, 'Save')
    await staff.locator('.staff-limit', { hasText: 'Qualifiers' }).waitFor()
    // Another role keeps the rounds.
    await staff
      .getByRole('list', { name: 'Staff' })
      .getByRole('combobox')
      .nth(1)
      .selectOption('tester')
    await staff.getByText(/is now a tester$/).waitFor()
    const read = async () => (await ask('GET', `/${slug}/staff`)).staff[1]
    expect(await read()).toMatchObject({ role: 'tester', rounds: [expect.any(String)] })
    await ask('PUT', `/${slug}/staff/${MEMBER}`, { role: 'pooler', rounds: (await read()).rounds })

    await staff.getByLabel('These rounds').first().check()
    await staff.getByLabel('Finals').first().check()
    await button(staff, 'Make a link').click()
    await staff.locator('.side-card .staff-limit', { hasText: 'Finals' }).waitFor()
    expect(await axeViolations(staff)).toEqual([])

    const page = await workspace(member, slug)
    expect(await page.locator('.round-name').allTextContents()).toEqual(['Qualifiers'])
    for (const name of ['Add round', 'Paste a sheet']) {
      expect(await button(page, name).count()).toBe(0)
    }
    await field(page, 'NM1').fill('75')
    await field(page, 'NM1').press('Enter')
    await saved(page)
  })
})

const widths = [
  { viewport: desk },
  { viewport: { width: 768, height: 900 } },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
]

describe.each(widths)('at $viewport.width px', (look) => {
  it('everything fits, and everybody can use it in both themes', async () => {
    const slots = [
      nm(1, { beatmapId: 101 }),
      nm(2, { beatmapId: 101 }),
      nm(3, { beatmapId: 102 }),
      nm(4),
      planned,
    ]
    const links = { mapPackUrl: 'https://files.example/finals.zip' }
    const names = ['Semifinals of the upper bracket', 'Round of 16', 'Qualifiers', 'Finals 2']
    const { slug, path } = await tournament(
      { name: 'Finals', slots, ...links },
      ...names.map((name) => ({ name })),
    )
    await ask('POST', `${path}/remarks`, { ...nm(4), text: 'Left over' })
    await change(path, { ...nm(4), from: null, to: 'none' })
    await change(path, { ...nm(3), from: { beatmapId: 102 }, to: { beatmapId: 75 } })
    const page = await workspace(host, slug, look)
    const check = async (what: string): Promise<void> => {
      expect(await axeViolations(page), what).toEqual([])
      expect(await overflowOf(page), what).toBe(0)
    }
    await page.getByRole('button', { name: 'Move TB', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Details and link' }).click()
    await page.getByRole('form', { name: 'Details and link of TB' }).waitFor()
    await page.locator('.round-fields > summary').click()
    await page.getByRole('region', { name: 'From slots that are gone' }).waitFor()
    await page.locator('.checks-kind').first().waitFor()
    await check('round')
    await button(page, 'Release now').click()
    await dialogOf(page).getByText('Twice or more: 2').waitFor()
    await check('release dialog')
    await pressIn(page, 'Cancel')
    await link(page, 'History').click()
    await page.locator('.version .difference').first().waitFor()
    await check('history')
    await button(page, 'Restore version 1').click()
    await dialogOf(page).locator('.difference').first().waitFor()
    await check('restore dialog')
  })
})
