import type { Browser as Chromium, CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

// Who writes Korean, Chinese or Japanese composes words by an input method: Enter takes one over there, and Escape drops
// it. Neither is a press on the page.

let house: SiteHouse
let chromium: Chromium
let people: Readonly<Record<ServiceName, Browser>>
let cup: string
let page: Page
let devTools: CDPSession

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  people = { packs: await house.signedIn(7001), pools: await house.signedIn(7001, 'pools') }
  const ask = async (path: string, body: object) =>
    (await people.pools.ask('POST', `/session/tournaments${path}`, body)).json
  cup = (await ask('', { name: 'Harbour Lights Cup' })).tournament.slug
  const slots = [
    { mod: 'NM', index: 1, placeholder: 'custom map' },
    { mod: 'NM', index: 2 },
  ]
  await ask(`/${cup}/rounds`, { name: 'Finals', slots })
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(() => closeWindow(page))

const compose = (text: string) =>
  devTools.send('Input.imeSetComposition', {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  })

const field = (name: string) => page.getByRole('textbox', { name, exact: true })

type Way = readonly [name: string, prepare?: () => Promise<unknown>]

const ways: Readonly<Record<string, readonly [ServiceName, () => string, ...Way]>> = {
  'the name of a round': ['pools', () => `/t/${cup}/edit`, 'Name of the round'],
  'what is planned for a slot': ['pools', () => `/t/${cup}/edit`, 'Beatmap of NM1'],
  'details of a slot': [
    'pools',
    () => `/t/${cup}/edit`,
    'Artist',
    async () => {
      await page.getByRole('button', { name: 'Move NM1', exact: true }).press('Enter')
      await page.getByRole('menuitem', { name: 'Details and link' }).press('Enter')
    },
  ],
  'a pasted text': ['packs', () => '/new', 'Paste your pool here'],
}

it.each(
  Object.keys(ways).flatMap((what) => ['Enter', 'Escape'].map((key) => [key, what] as const)),
)('%s while a word is composed is not one of the page: %s', async (key, what) => {
  const [service, path, name, prepare] = ways[what]!
  ;({ page } = await openRealPage(chromium, house, {
    from: people[service],
    service,
    path: path(),
  }))
  devTools = await page.context().newCDPSession(page)
  await prepare?.()
  const typed = name.startsWith('Paste') ? page.locator('#edit-paste') : field(name)
  await typed.focus()
  await page.keyboard.press('End')
  const before = await typed.inputValue()
  const sent: string[] = []
  page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method())) sent.push(request.url())
  })
  await compose('하')
  await compose('한')
  // As the keys of an input method come: they enter no text themselves.
  const code = { Enter: 13, Escape: 27 }[key] ?? 0
  for (const type of ['rawKeyDown', 'keyUp'] as const) {
    await devTools.send('Input.dispatchKeyEvent', {
      type,
      key,
      code: key,
      windowsVirtualKeyCode: code,
    })
  }
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
  expect(await typed.and(page.locator(':focus')).count()).toBe(1)
  await devTools.send('Input.insertText', { text: '한글' })
  await expect.poll(() => typed.inputValue()).toBe(`${before}한글`)
  expect(sent.filter((url) => !url.includes('/beatmaps'))).toEqual([])
  await devTools.detach()
})
