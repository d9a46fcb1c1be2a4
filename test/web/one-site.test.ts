import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import { otherService } from '../../src/contract/visitor.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { openTournament } from '../support/public-tournament.ts'
import {
  closeWindow,
  desk,
  onPhone,
  openRealPage,
  overflowOf,
  tabTo,
} from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const services = ['packs', 'pools'] as const

/** Of the platform's sign-in. */
let calls: string[] = []
const note = (path: string): void => {
  if (path.startsWith('/oauth/')) calls.push(path)
}

let house: SiteHouse
let chromium: Chromium
let page: Page
let slug: string
let packSlug: string

beforeAll(async () => {
  house = await openSiteHouse({ hasRealPages: true, onPlatformCall: note })
  chromium = await launchChromium()
  const host = await house.signedIn(7001, 'pools')
  const facts = { name: 'Harbour Lights Cup' }
  ;({ slug } = await openTournament(house.ports, host.viewer!.id, facts, [{ name: 'Finals' }]))
  packSlug = await house.save(await house.signedIn(7002), aPack({ visibility: 'public' }))
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
afterEach(async () => {
  await closeWindow(page)
  // So many sign in here that one minute would be too short for them (D-42).
  house.clock.nextMinute()
})

const open = async (service: ServiceName, path: string, from: Browser | null = null, look = {}) => {
  calls = []
  ;({ page } = await openRealPage(chromium, house, { from, path, service, look }))
}

const linksIn = (selector: string): Promise<(readonly [string, string])[]> =>
  page
    .locator(`${selector} a`)
    .evaluateAll((links) =>
      (links as HTMLAnchorElement[]).map((link) => [link.textContent, link.href] as const),
    )

/** The place of the menu that a button opens, or null. */
const openMenu = (): Promise<string | null> =>
  page.evaluate(
    `document.querySelector('.header [aria-expanded=true]')?.getAttribute('aria-controls') ?? null`,
  )

describe('the header', () => {
  it('has the same links on every page of both sites, and leads to the right one', async () => {
    const expected = [
      ['Browse', `${house.urls.packs}/packs`],
      ['Tournaments', `${house.urls.pools}/`],
      ['Maps', `${house.urls.packs}/maps`],
      ['New', `${house.urls.packs}/new`],
    ]
    const places = [
      ['packs', '/'],
      ['packs', '/maps'],
      ['packs', `/p/${packSlug}`],
      ['packs', '/nothing/here'],
      ['packs', '/moderation'],
      ['packs', '/sign-in/callback?code=1'],
      ['pools', '/'],
      ['pools', '/my'],
      ['pools', `/t/${slug}`],
      ['pools', '/nothing/here'],
      ['pools', '/docs'],
    ] as const
    const footers = new Set<string>()
    for (const [service, path] of places) {
      await open(service, path)
      const own = house.urls[service]
      expect(await linksIn('#nav'), path).toEqual([...expected, ['Docs', `${own}/docs`]])
      footers.add(JSON.stringify(await linksIn('.footer')).replaceAll(house.urls[service], ''))
      expect(await page.locator('.header .account').innerText()).toBe('Sign in')
      expect(await page.getByRole('button', { name: /^Switch to the/ }).count()).toBe(1)
      await closeWindow(page)
    }
    const words = [...footers].map((links) => JSON.parse(links).map(([label]: [string]) => label))
    expect(new Set(words.map((labels) => labels.join())).size).toBe(1)
    await open('packs', '/')
  })

  it.each(services)(
    'of %s has what is one’s own under one’s name, by the keyboard',
    async (service) => {
      const from = await house.signedIn(7001, service)
      for (const path of ['/', '/nothing/here']) {
        await open(service, path, from)
        await tabTo(page, 'Menu of Peridot')
        await page.keyboard.press('Enter')
        const labels = (await linksIn('#own-pages')).map(([label]) => label)
        expect(labels).toEqual(['My packs', 'My tournaments', 'Account'])
        await page.keyboard.press('Tab')
        expect(await page.evaluate('document.activeElement.textContent')).toBe('My packs')
        await page.keyboard.press('Escape')
        expect(await openMenu()).toBeNull()
        expect(await page.evaluate(`document.activeElement.textContent`)).toBe('Menu of Peridot')
        await page.keyboard.press('Enter')
        for (let steps = 0; steps < 5; steps += 1) await page.keyboard.press('Tab')
        await expect.poll(openMenu).toBeNull()
        await closeWindow(page)
      }
      await house.ports.accounts.setModerator(7001, true, 0)
      await open(service, '/account', from)
      await page.getByRole('button', { name: 'Menu of Peridot' }).click()
      const current = page.locator('#own-pages [aria-current=page]')
      expect(await current.innerText()).toBe('Account')
      expect((await linksIn('#own-pages')).map(([label]) => label)).toContain('Moderation')
      await page.locator('h1').click()
      await expect.poll(openMenu).toBeNull()
      await house.ports.accounts.setModerator(7001, false, 0)
    },
  )

  it.each(services)('of %s signs out under one’s name, by the keyboard alone', async (service) => {
    const from = await house.signedIn(7001, service)
    await open(service, '/docs', from)
    await tabTo(page, 'Menu of Peridot')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Sign out')
    // Without a connection, nobody is told to have signed out.
    await page.context().setOffline(true)
    await page.keyboard.press('Enter')
    await page.getByText('You are still signed in').waitFor()
    expect(await from.look()).not.toBeNull()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Sign out' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('You have signed out.').waitFor()
    expect(await from.look()).toBeNull()
    expect(await page.locator('.header .account').innerText()).toBe('Sign in')
    const other = otherService(service)
    const stillThere = page.getByRole('status').getByRole('link')
    expect(await stillThere.getAttribute('href')).toBe(`${house.urls[other]}/account`)
  })

  it.each(services)('of %s signs out whose session has ended elsewhere', async (service) => {
    const from = await house.signedIn(7001, service)
    await open(service, '/docs', from)
    await page.evaluate(`localStorage.setItem('draft:${from.viewer!.id}:new:a', '{}')`)
    await from.ask('POST', '/session/sign-out', {})
    await page.getByRole('button', { name: 'Menu of Peridot' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You have signed out.').waitFor()
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([])
  })

  it('can be used on a phone: everything is within reach, and large enough', async () => {
    const from = await house.signedIn(7001)
    await open('packs', '/nothing/here', from, onPhone)
    for (const [name, menu] of [
      ['Pages', 'nav'],
      ['Menu of Peridot', 'own-pages'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).tap()
      expect(await openMenu()).toBe(menu)
      const targets = page.locator(`#${menu} :is(a, button)`)
      for (const link of await targets.all()) {
        const box = (await link.boundingBox())!
        expect(box.height).toBeGreaterThanOrEqual(44)
        expect(box.x).toBeGreaterThanOrEqual(0)
        expect(box.x + box.width).toBeLessThanOrEqual(onPhone.viewport.width)
      }
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      expect(await axeViolations(page)).toEqual([])
    }
  })

  it('is one line on a phone, whatever the viewer is called', async () => {
    for (const name of ['Al', 'maple_keeper', 'W'.repeat(32)]) {
      await house.rename(7003, name)
      await open('packs', '/docs', await house.signedIn(7003), onPhone)
      const box = (await page.locator('.header').boundingBox())!
      expect(box.height, name).toBeLessThan(2 * 44)
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      await closeWindow(page)
    }
    await house.rename(7003, 'maple_keeper')
    await open('packs', '/docs')
  })

  it('of a site without another one links to none', async () => {
    const alone = await openSiteHouse({ hasRealPages: true, isAlone: true })
    for (const service of services) {
      const from = await alone.signedIn(7001, service)
      for (const path of ['/', '/nothing/here', '/docs']) {
        ;({ page } = await openRealPage(chromium, alone, { from, path, service }))
        const there = alone.urls[otherService(service)]
        const links = page.locator(`:is(.header, .footer, .stories) a[href^="${there}"]`)
        expect(await links.count(), path).toBe(0)
        await closeWindow(page)
      }
    }
    await alone.close()
    await open('packs', '/')
  })
})

describe('the theme', () => {
  it.each(services)(
    'that is chosen on %s is there on the other site before the first paint',
    async (service) => {
      const other = otherService(service)
      await open(service, '/', null, { viewport: desk, colorScheme: 'light' })
      await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
      // No script but the one in the head: what it has set is painted first.
      const early = await page.context().newPage()
      await early.route(/\/assets\/(?!theme)[^/]*\.js$/, (route) => route.abort())
      for (const path of ['/', '/docs', '/nothing/here']) {
        await early.goto(house.urls[other] + path)
        expect(await early.evaluate('document.documentElement.dataset.theme'), path).toBe('dark')
      }
      await early.close()
      await page.goto(`${house.urls[other]}/nothing/here`)
      await page.getByRole('button', { name: 'Switch to the light theme' }).click()
      await page.goto(`${house.urls[service]}/`)
      expect(await page.evaluate('document.documentElement.dataset.theme ?? null')).toBeNull()
      expect(await page.evaluate('document.cookie')).not.toContain('theme')
    },
  )
})

describe('signed in on one site', () => {
  const toWorkspace = async (): Promise<void> => {
    await page.getByRole('link', { name: 'My tournaments' }).click()
    await page.getByRole('link', { name: 'Harbour Lights Cup', exact: true }).click()
    await page.waitForURL(`${house.urls.pools}/t/${slug}/edit`)
    await page.locator('h1').waitFor()
  }

  it.each([
    ['packs', 'packs'],
    ['packs', 'pools'],
    ['pools', 'packs'],
    ['pools', 'pools'],
  ] as const)('%s: two presses lead from the front page of %s to a workspace', async (at, from) => {
    await open(at, '/', await house.signedIn(7001, at))
    await page.goto(`${house.urls[from]}/`)
    calls = []
    await toWorkspace()
    expect(calls).toEqual([])
    expect(page.url()).not.toMatch(/code|state/)
  })

  it('one press on “Sign in” signs in on the other, and its history has no page between', async () => {
    await open('pools', '/', await house.signedIn(7001, 'pools'))
    await page.goto(`${house.urls.packs}/maps?x=1`)
    const before = Number(await page.evaluate('history.length'))
    calls = []
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Menu of Peridot' }).waitFor()
    expect(page.url()).toBe(`${house.urls.packs}/maps?x=1`)
    expect(calls).toEqual([])
    expect(Number(await page.evaluate('history.length'))).toBeLessThanOrEqual(before + 1)
    expect(await page.evaluate('document.referrer')).not.toMatch(/code|state/)
  })
})
