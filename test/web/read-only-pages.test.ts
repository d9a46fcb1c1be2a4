import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setReadOnly } from '../../src/operations/operator.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, looks, openRealPage, overflowOf } from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const REASON = 'We move until 21:00 UTC'
const WHY = `Nothing can be changed at the moment; the operator has made the service read-only for a while: ${REASON}.`

let house: SiteHouse
let chromium: Chromium
let packs: Browser
let pools: Browser
let page: Page
/** How the writes since the page was opened were answered. */
let writes: number[]

const turn = async (isOn: boolean) => {
  await setReadOnly(house.ports, isOn ? { reason: REASON } : null)
  await house.operator.look()
}

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({
    hasRealPages: true,
    onAnswer: ({ method, route, status }) => {
      // Beatmaps are looked up by POST, which changes nothing.
      if (method !== 'GET' && !route.includes('beatmaps')) writes.push(status)
    },
  })
  writes = []
  packs = await house.signedIn(7001)
  pools = await house.signedIn(7001, 'pools')
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(async () => {
  await turn(false)
  await closeWindow(page)
})

const open = async (service: 'packs' | 'pools', path: string, look = {}) => {
  const from = service === 'packs' ? packs : pools
  const opening = { from, path, service, look, hasHandClock: true }
  ;({ page } = await openRealPage(chromium, house, opening))
  writes = []
}
const refused = () => writes.filter((status) => status === 503).length
const made = () => writes.filter((status) => status < 300).length
const button = (name: string) => page.getByRole('button', { name, exact: true })
/** It is looked again whether writes are possible. */
const wait = () => page.clock.runFor(30_500)

describe('the workspace, while the operator lets nothing be changed', () => {
  const slots = [1, 2, 3].map((index) => ({ mod: 'NM', index }))
  let slug: string
  let round: string

  beforeEach(async () => {
    const tournaments = '/session/tournaments'
    const { json } = await pools.ask('POST', tournaments, { name: 'Harbour Lights Cup' })
    slug = json.tournament.slug
    const body = { name: 'Finals', slots }
    round = (await pools.ask('POST', `${tournaments}/${slug}/rounds`, body)).json.round.id
  })
  const openWorkspace = async (look = {}) => {
    await open('pools', `/t/${slug}/edit`, look)
    await page.locator('.lanes').waitFor()
  }
  const field = (label: string) =>
    page.getByRole('textbox', { name: `Beatmap of ${label}`, exact: true })
  const put = async (label: string, text: string) => {
    await field(label).fill(text)
    await field(label).press('Enter')
  }
  const says = (text: string) => page.getByText(text).waitFor()
  const saved = () => expect.poll(() => page.locator('.edit-bar-words').textContent()).toBe('Saved')
  const kept = async (): Promise<unknown[]> => {
    const path = `/session/tournaments/${slug}/rounds/${round}`
    return (await pools.ask('GET', path)).json.round.slots
  }
  const versions = async (): Promise<number> => {
    const path = `/session/tournaments/${slug}/rounds/${round}/history`
    return (await pools.ask('GET', path)).json.total
  }

  it('says why, keeps what is typed and follows, over a reload, and saves all of it once', async () => {
    await openWorkspace()
    const before = await versions()
    await turn(true)
    await put('NM1', '101')
    await says(WHY)
    await put('NM2', 'custom map, due Sunday')
    expect(await page.getByText(/^No connection/).count()).toBe(0)
    await wait()
    await expect.poll(refused).toBe(2)
    await page.reload()
    await expect.poll(() => field('NM1').inputValue()).toBe('101')
    await says(WHY)
    await put('NM3', '103')
    expect(await kept()).toEqual(slots)
    await turn(false)
    await wait()
    await saved()
    expect(await page.getByText(WHY).count()).toBe(0)
    expect(await kept()).toEqual([
      { ...slots[0], beatmapId: 101 },
      { ...slots[1], placeholder: 'custom map, due Sunday' },
      { ...slots[2], beatmapId: 103 },
    ])
    expect([made(), (await versions()) - before]).toEqual([3, 3])
  })

  it('refuses what is pressed with the reason, and what is tried now goes on at once', async () => {
    await turn(true)
    await openWorkspace()
    await says(REASON)
    await put('NM1', '101')
    await says(WHY)
    await turn(false)
    await button('Try now').click()
    await saved()
    expect(await kept()).toMatchObject([{ beatmapId: 101 }, {}, {}])
  })

  it.each(looks)('what it says fits and can be read by everybody: %o', async (look) => {
    await openWorkspace(look)
    await turn(true)
    await put('NM1', '101')
    await says(WHY)
    expect(await axeViolations(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
  })
})

describe('the editor of packs, while the operator lets nothing be changed', () => {
  const name = () => page.getByLabel('Name', { exact: true })
  const notice = () => page.locator('.edit-notice', { hasText: 'Waiting to save' })

  it('says why, keeps what is typed, and saves it as it is then, without leading away', async () => {
    const slug = await house.save(packs, aPack())
    await open('packs', `/p/${slug}/edit`)
    await turn(true)
    await name().fill('First')
    await button('Save').click()
    await notice().getByText(WHY).waitFor()
    await name().fill('Second')
    await wait()
    await expect.poll(refused).toBe(2)
    await notice().getByText(WHY).waitFor()
    await turn(false)
    await wait()
    await page.getByText('No changes').waitFor()
    expect(await name().inputValue()).toBe('Second')
    expect(await notice().count()).toBe(0)
    expect((await packs.ask('GET', `/session/packs/${slug}`)).json.pack.name).toBe('Second')
    expect(made()).toBe(1)
  })

  it('makes one new pack of what was saved meanwhile', async () => {
    await turn(true)
    await open('packs', '/new')
    await name().fill('Only once')
    await page.getByRole('textbox', { name: 'Paste a sheet' }).fill('NM1 75')
    await button('Add 1 beatmap').click()
    await button('Save').click()
    await notice().getByText(WHY).waitFor()
    await wait()
    await expect.poll(refused).toBe(2)
    await turn(false)
    await wait()
    await page.waitForURL('**/edit')
    const { packs: all } = (await packs.ask('GET', '/session/packs')).json
    expect(all.filter((each: { name: string }) => each.name === 'Only once')).toHaveLength(1)
  })

  it.each(looks)('what it says fits and can be read by everybody: %o', async (look) => {
    const slug = await house.save(packs, aPack())
    await open('packs', `/p/${slug}/edit`, look)
    await turn(true)
    await name().fill('First')
    await button('Save').click()
    await notice().getByText(WHY).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
  })
})
