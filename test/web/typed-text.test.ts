import type { Browser as Chromium, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const [MODERATOR, MEMBER] = [7003, 7002]

let house: SiteHouse
let chromium: Chromium
let page: Page
let people: Readonly<Record<ServiceName, Browser>>
let moderator: Browser
let pack: string
let cup: string

const open = async (path: string, service: ServiceName, from: Browser): Promise<void> => {
  ;({ page } = await openRealPage(chromium, house, { from, path, service }))
}
const button = (name: string) => page.getByRole('button', { name, exact: true }).first()
const dialog = () => page.getByRole('dialog')
/** What can be typed into. */
const fieldsIn = (part: Locator) => part.locator('input:visible, textarea:visible')
const textsIn = (part: Locator) =>
  fieldsIn(part)
    .and(page.getByRole('textbox'))
    .evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value))

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  people = { packs: await house.signedIn(7001), pools: await house.signedIn(7001, 'pools') }
  await house.ports.accounts.setModerator(MODERATOR, true, 0)
  moderator = await house.signedIn(MODERATOR)
  pack = await house.save(people.packs, aPack({ visibility: 'public' }))
  const ask = async (path: string, body: object) =>
    (await people.pools.ask('POST', `/session/tournaments${path}`, body)).json
  cup = (await ask('', { name: 'Harbour Lights Cup' })).tournament.slug
  const slots = [
    { mod: 'NM', index: 1, beatmapId: 75 },
    { mod: 'TB', index: 1, placeholder: 'custom map' },
  ]
  await ask(`/${cup}/rounds`, { name: 'Finals', slots })
  await ask(`/${cup}/rounds`, { name: 'Semifinals', slots })
  await house.signedIn(MEMBER, 'pools')
  const member = `/session/tournaments/${cup}/staff/${MEMBER}`
  await people.pools.ask('PUT', member, { role: 'pooler' })
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(() => closeWindow(page))

describe('what is typed into a dialog', () => {
  it.each<[what: string, path: () => string, service: ServiceName, opener: string]>([
    ['the settings of a tournament', () => `/t/${cup}/edit`, 'pools', 'Settings'],
    ['the reason of a moderator', () => `/p/${pack}`, 'packs', 'Hide …'],
    ['a name that confirms', () => '/account', 'packs', 'Delete my account'],
  ])(
    '%s: one key or press does not lose it, a second one does',
    async (_, path, service, opener) => {
      await open(path(), service, opener === 'Hide …' ? moderator : people[service])
      for (const way of ['Escape', 'Close'] as const) {
        await button(opener).focus()
        await page.keyboard.press('Enter')
        const close = () =>
          way === 'Escape'
            ? page.keyboard.press('Escape')
            : dialog().getByRole('button', { name: 'Close', exact: true }).click()
        const texts = fieldsIn(dialog()).and(page.getByRole('textbox'))
        await texts.first().waitFor()
        const before = await textsIn(dialog())
        for (const field of await texts.all()) await field.fill('12')
        const typed = await textsIn(dialog())
        await close()
        const asked = dialog()
          .getByRole('alert')
          .filter({ hasText: 'What you entered is not saved' })
        await asked.waitFor()
        expect(await textsIn(dialog())).toEqual(typed)
        // Whoever goes on is asked again.
        await texts.first().press('3')
        await asked.waitFor({ state: 'detached' })
        await close()
        await asked.waitFor()
        await close()
        await dialog().waitFor({ state: 'detached' })
        await expect.poll(() => page.locator(':focus').textContent()).toBe(opener)
        await page.keyboard.press('Enter')
        await texts.first().waitFor()
        expect(await textsIn(dialog())).toEqual(before)
        for (const field of await texts.all()) await field.focus()
        await close()
        await dialog().waitFor({ state: 'detached' })
      }
    },
  )
})

/** What can be chosen in the dialog that is open. */
const choices = () =>
  dialog().locator('[type=checkbox], [type=radio], select').locator('visible=true')
const chosen = () =>
  choices().evaluateAll((all) =>
    all.map((each) => {
      const { type, checked, value } = each as HTMLInputElement
      return type.startsWith('select') ? value : checked
    }),
  )
/** Chooses otherwise, at one place. */
const choose = async (at: number): Promise<void> => {
  const choice = choices().nth(at)
  const isList = (await choice.evaluate(({ tagName }) => tagName)) === 'SELECT'
  if (!isList) return choice.focus().then(() => page.keyboard.press('Space'))
  const next = await choice.evaluate((list) => {
    const { options, selectedIndex } = list as HTMLSelectElement
    return [...options].findIndex(({ disabled }, each) => each !== selectedIndex && !disabled)
  })
  await choice.selectOption({ index: next })
}

describe('what is chosen in a dialog', () => {
  it.each<[what: string, path: () => string, service: ServiceName, opener: string | RegExp]>([
    ['the rounds of a member', () => `/t/${cup}/staff`, 'pools', /^Rounds of /],
    ['the settings of a tournament', () => `/t/${cup}/edit`, 'pools', 'Settings'],
  ])(
    '%s: one key or press does not lose it, a second one does',
    async (_, path, service, opener) => {
      await open(path(), service, people[service])
      const opening = page.getByRole('button', { name: opener, disabled: false }).first()
      const show = async (): Promise<void> => {
        await opening.focus()
        await page.keyboard.press('Enter')
        await choices().first().waitFor()
      }
      const cross = () => dialog().getByRole('button', { name: 'Close', exact: true }).click()
      const escape = () => page.keyboard.press('Escape')
      const asked = dialog().getByRole('alert').filter({ hasText: 'not saved' })
      await show()
      const before = await chosen()
      await escape()
      await dialog().waitFor({ state: 'detached' })
      for (const at of before.keys()) {
        for (const close of [escape, cross]) {
          await show()
          expect(await chosen()).toEqual(before)
          await choose(at)
          const after = await chosen()
          const isOther = JSON.stringify(after) !== JSON.stringify(before)
          if (isOther) {
            await close()
            await asked.waitFor()
            expect(await chosen()).toEqual(after)
          }
          await close()
          await dialog().waitFor({ state: 'detached' })
        }
      }
    },
  )
})

describe('what is typed into a field or a form of an editor', () => {
  it('comes back by Ctrl+Z after Escape, until something else is typed', async () => {
    await open(`/p/${pack}/edit`, 'packs', people.packs)
    for (const [name, before] of [
      ['Beatmap of NM1', /^\d+$/],
      ['Number of NM1', /^1$/],
      ['Add beatmap to HD', /^$/],
    ] as const) {
      const field = page.getByRole('textbox', { name, exact: true })
      await field.fill('98')
      await field.press('Escape')
      await expect.poll(() => field.inputValue()).toMatch(before)
      await field.press('Control+Z')
      await expect.poll(() => field.inputValue()).toBe('98')
      await field.press('Escape')
      await field.pressSequentially('7')
      await field.press('Control+Z')
      await expect.poll(() => field.inputValue()).not.toBe('98')
      await field.press('Escape')
    }
  })

  it('is in the form of a planned slot when that is opened again; Cancel discards it (D-77)', async () => {
    await open(`/t/${cup}/edit`, 'pools', people.pools)
    const form = page.getByRole('form', { name: 'Details and link of TB' })
    const show = async (): Promise<void> => {
      await button('Move TB').press('Enter')
      await page.getByRole('menuitem', { name: 'Details and link' }).press('Enter')
      await form.waitFor()
    }
    await show()
    await form.getByLabel('Mapper').fill('Beryl')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await show()
    expect(await form.getByLabel('Mapper').inputValue()).toBe('Beryl')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await show()
    expect(await form.getByLabel('Mapper').inputValue()).toBe('')
  })
})
