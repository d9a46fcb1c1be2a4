import type { Browser as Chromium, BrowserContextOptions, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import {
  closeWindow,
  looks,
  openRealPage,
  overflowOf,
  phone,
  targetHeights,
} from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { GONE_ID } from './pool-page.ts'

let house: SiteHouse
let chromium: Chromium
let from: Browser
let host: Browser
let page: Page
let complaints: string[]

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  from = await house.signedIn(7001)
  host = await house.signedIn(7001, 'pools')
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(async () => {
  await page.unroute('**/session/beatmaps')
  await closeWindow(page)
  await fetch(`${house.platformUrl}/standin/faults`, { method: 'DELETE' })
})

type Opening = { readonly look?: BrowserContextOptions; readonly hasHandClock?: boolean }
const open = async (more: Opening = {}) => {
  ;({ page, complaints } = await openRealPage(chromium, house, { from, path: '/new', ...more }))
}
const box = () => page.getByRole('textbox', { name: 'Paste a sheet' })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const isFocused = (name: string) =>
  expect.poll(() => button(name).evaluate((each) => each.matches(':focus'))).toBe(true)
const summary = () => page.locator('.paste-summary').innerText()
const ids = () =>
  page
    .locator('.edit-beatmap')
    .evaluateAll((all) => all.map((each) => Number((each as unknown as { value: string }).value)))

/** Questions about beatmaps wait until they are let go. */
const holdLooks = async () => {
  const held: Route[] = []
  await page.route('**/session/beatmaps', (route) => void held.push(route))
  const letGo = async (): Promise<void> => {
    await Promise.all(held.splice(0).map((route) => route.continue()))
    await page.unroute('**/session/beatmaps')
  }
  return { held, letGo }
}

describe('what is pasted is looked up before it is taken (D-90)', () => {
  it('asks about a beatmap that the platform does not have, and takes it as the answer says', async () => {
    await open()
    await box().fill(`NM1 75\nNM2 ${GONE_ID}`)
    const asked = page.getByRole('group', { name: /has no beatmap 10000001/ })
    await asked.waitFor()
    expect(await button('Add 1 beatmap').isDisabled()).toBe(true)
    await button('Answer 1 question first').click()
    await page.keyboard.press('1')
    await button('Add 1 beatmap').waitFor()
    await expect.poll(summary).toMatch(/^1 beatmap found; NM2 has no beatmap yet: left out/)
    await asked.getByRole('radio').nth(1).press('2')
    await button('Add 2 beatmaps').click()
    await expect.poll(ids).toEqual([75, GONE_ID])
    expect(complaints).toEqual([])
  })

  it('says that it looks up, and takes nothing before, by key neither', async () => {
    await open()
    const { held, letGo } = await holdLooks()
    await box().fill('NM1 75\nNM2 76')
    await expect.poll(summary).toMatch(/^2 beatmaps found\. Looking up 2 beatmaps …/)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    expect(await button('Add 2 beatmaps').isDisabled()).toBe(true)
    await box().press('Control+Enter')
    expect(await ids()).toEqual([])
    await letGo()
    // The key press is remembered.
    await expect.poll(ids).toEqual([75, 76])
  })

  it('takes by a key pressed before only what was there then, and nothing that was decided after it', async () => {
    await open()
    const { held, letGo } = await holdLooks()
    await box().fill('[{"beatmapId":75,"pick":"NM1"},\n{"beatmapId":76,"mods":"SPEEDY"}]')
    const asked = page.getByRole('group', { name: /SPEEDY/ })
    await expect.poll(() => held.length).toBeGreaterThan(0)
    await box().press('Control+Enter')
    // What is open is not waited for.
    expect(
      await asked
        .getByRole('radio')
        .first()
        .evaluate((each) => each.matches(':focus')),
    ).toBe(true)
    await page.keyboard.press('1')
    await expect.poll(summary).toMatch(/^2 beatmaps found\. Looking up 1 beatmap …/)
    await box().press('Control+Enter')
    await asked.getByRole('radio').nth(1).press('2')
    await letGo()
    await button('Add 2 beatmaps').click({ trial: true })
    expect(await ids()).toEqual([])
    await box().press('Control+Enter')
    await expect.poll(ids).toEqual([76, 75])
  })

  it('waits no longer than five seconds, and says what it could not look up', async () => {
    await open({ hasHandClock: true })
    await holdLooks()
    await box().fill('NM1 75\nNM2 76')
    await expect
      .poll(async () => {
        await page.clock.fastForward(1_000)
        return button('Add 2 beatmaps').isEnabled()
      })
      .toBe(true)
    expect(await summary()).toMatch(/2 of 2 beatmaps could not be looked up\.$/)
    await button('Add 2 beatmaps').click()
    await expect.poll(ids).toEqual([75, 76])
  })

  it('does not doubt what the platform is silent about', async () => {
    await open()
    await house.order({ fault: 'down', kind: 'beatmaps' })
    await box().fill(`NM1 800001\nNM2 ${GONE_ID + 7}`)
    await button('Add 2 beatmaps').click()
    await expect.poll(ids).toEqual([800_001, GONE_ID + 7])
  })

  it('asks for each beatmap once, whatever is typed after', async () => {
    await open()
    const asked: number[][] = []
    await page.route('**/session/beatmaps', (route) => {
      const { beatmaps } = route.request().postDataJSON() as { beatmaps: { id: number }[] }
      asked.push(beatmaps.map(({ id }) => id))
      return route.continue()
    })
    await box().fill('NM1 75\nNM2 76')
    await button('Add 2 beatmaps').click({ trial: true })
    await box().press('End')
    await box().pressSequentially('\nHD1 77')
    await button('Add 3 beatmaps').click({ trial: true })
    expect(asked.flat().filter((id) => id === 75)).toHaveLength(1)
    expect(asked.flat()).toContain(77)
  })
})

describe('a part of what is pasted (D-90)', () => {
  const part = 'NM1 75\nNM2 76\nNM3 is open'

  it('is taken only after one more press, which says how much it is', async () => {
    await open()
    await box().fill(part)
    await expect.poll(summary).toMatch(/^2 of 3 lines read: 2 beatmaps found\./)
    await button('Use what was read').waitFor()
    expect(await button('Add 2 beatmaps').isDisabled()).toBe(true)
    await box().press('Control+Enter')
    await isFocused('Use what was read')
    expect(await ids()).toEqual([])
    await page.keyboard.press('Enter')
    await isFocused('Add 2 beatmaps')
    await page.keyboard.press('Enter')
    await expect.poll(ids).toEqual([75, 76])
    expect(await box().inputValue()).toBe('NM3 is open')
  })

  it('can be wanted while it is looked up: the focus stays, and a press is remembered', async () => {
    await open()
    const { held, letGo } = await holdLooks()
    await box().fill(part)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    await button('Use what was read').press('Enter')
    await isFocused('Add 2 beatmaps')
    expect(await button('Add 2 beatmaps').isDisabled()).toBe(true)
    await page.keyboard.press('Enter')
    expect(await ids()).toEqual([])
    await letGo()
    await expect.poll(ids).toEqual([75, 76])
    expect(await box().inputValue()).toBe('NM3 is open')
  })

  it('is asked about again once the text is another', async () => {
    await open()
    await box().fill(part)
    await button('Use what was read').click()
    await button('Add 2 beatmaps').click({ trial: true })
    await box().fill(`${part}\nHD1 77`)
    await button('Use what was read').waitFor()
    expect(await button('Add 3 beatmaps').isDisabled()).toBe(true)
  })

  it('of a file, too', async () => {
    await open()
    const content = JSON.stringify({
      Rounds: [
        {
          Name: 'Finals',
          Beatmaps: [
            { ID: 75, Mods: 'TB' },
            { ID: 9_999_999_999, Mods: 'HD' },
          ],
        },
      ],
    })
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.json', mimeType: 'text/plain', buffer: Buffer.from(content) })
    await button('Use what was read').click()
    await button('Add 1 beatmap').click()
    await expect.poll(ids).toEqual([75])
  })
})

it('a whole sheet is looked up, and a part of it taken only after one more press (D-90)', async () => {
  const made = await host.ask('POST', '/session/tournaments', { name: 'Harbour Lights Cup' })
  const { slug } = made.json.tournament
  const path = `/t/${slug}/edit`
  const opening = { from: host, path, service: 'pools' } as const
  ;({ page } = await openRealPage(chromium, house, opening))
  await button('Paste a whole sheet').click()
  await page.locator('#sheet-text').fill(`Finals\nNM1 75\nNM2 ${GONE_ID}\nNM3 is open`)
  await page.getByRole('group', { name: /has no beatmap 10000001/ }).waitFor()
  expect(await button('Add the round').isDisabled()).toBe(true)
  await page.getByRole('radio').nth(1).press('2')
  await expect.poll(summary).toMatch(/^2 of 3 lines read: 1 round, 2 slots\./)
  expect(await button('Add the round').isDisabled()).toBe(true)
  await button('Use what was read').click()
  await button('Add the round').click()
  await expect.poll(ids).toEqual([75, GONE_ID])
})

it('a part of a whole sheet can be wanted while it is looked up: the focus stays, and what is pressed is taken then (D-90)', async () => {
  const made = await host.ask('POST', '/session/tournaments', { name: 'Lantern Cup' })
  const path = `/t/${made.json.tournament.slug}/edit`
  ;({ page } = await openRealPage(chromium, house, { from: host, path, service: 'pools' }))
  await button('Paste a whole sheet').click()
  const { held, letGo } = await holdLooks()
  await page.locator('#sheet-text').fill('Finals\nNM1 75\nNM2 76\nNM3 is open')
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await button('Use what was read').press('Enter')
  await isFocused('Add the round')
  await page.keyboard.press('Enter')
  expect(await page.locator('#sheet-text').isVisible()).toBe(true)
  expect(await ids()).toEqual([])
  await letGo()
  await expect.poll(ids).toEqual([75, 76])
})

describe.each(looks)('in both themes, $viewport.width pixels wide', (look) => {
  it('the press for a part can be used by everybody, and fits', async () => {
    await open({ look })
    await box().fill('NM1 75\nNM2 76\nNM3 is open')
    await button('Use what was read').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0)
    if (look.viewport.width === phone.width) {
      const heights = await targetHeights(page, '.paste-obstacle button')
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
    }
  })
})
