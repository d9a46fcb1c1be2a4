import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser as Chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { buildPages, builtAssets } from '../support/build-pages.ts'
import { catchUp } from '../support/catch-up.ts'
import { launchChromium } from '../support/chromium.ts'
import { type HeldPage, openHeldPage, shiftsOfAnswers } from '../support/held-page.ts'
import { closeWindow, enter, takeWindow, whenReady } from '../support/real-page.ts'
import { openTournament } from '../support/public-tournament.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { type IndexLoop, startIndexLoop } from '../../src/worker/search-index.ts'
import { everyKind, openPoolHouse, savePack, settleStats } from './pool-page.ts'

let house: SiteHouse
let chromium: Chromium
let player: Record<ServiceName, Browser>
let slug: string
let tournament: string
let held: HeldPage
let loop: IndexLoop

/** What the bundler's helper for `import()` has in it. */
const HELPER = 'vite:preloadError'

const silent = { warn: () => {}, error: () => {} }
const later = (ms: number): string => new Date(Date.now() + ms).toISOString()
const pool = { buckets: everyKind.buckets ?? [], slots: everyKind.slots }

beforeAll(async () => {
  house = await openPoolHouse()
  const { indexCache } = house
  // The pages count down by the clock of the browser.
  house.clock.set(new Date().toISOString())
  chromium = await launchChromium()
  const owner = await house.signedIn(7001)
  const host = await house.signedIn(7001, 'pools')
  player = { packs: await house.signedIn(7002), pools: await house.signedIn(7002, 'pools') }
  slug = await savePack(house, owner)
  // More rows than a window shows.
  for (let at = 1; at < 40; at += 1) await savePack(house, owner, { name: `Harbour Cup ${at}` })
  const facts = { shortName: 'HLC', year: 2026, announceRounds: true, description: 'Two on two.' }
  const opened = await openTournament(house.ports, host.viewer?.id ?? '', facts, [
    { name: 'Qualifiers', bestOf: 9, bans: 1, ...pool, at: 'now' },
    { name: 'Round of 16', ...pool, at: 'now' },
    { name: 'Semifinals', ...pool, at: later(90 * 60_000) },
  ])
  tournament = opened.slug
  await settleStats(house)
  await catchUp(house.ports)
  loop = startIndexLoop(house.ports, { indexCache, poolsOwnerName: 'Tournament pools' }, silent)
  await loop.ready
})
afterAll(async () => {
  await loop.stop()
  await chromium.close()
  await house.close()
})
afterEach(() => held && closeWindow(held.page))

type Place = readonly [name: string, service: ServiceName, path: () => string]

const places: readonly Place[] = [
  ['a pack', 'packs', () => `/p/${slug}`],
  ['the front page', 'packs', () => '/'],
  ['Browse', 'packs', () => '/packs'],
  ['the docs', 'packs', () => '/docs'],
  ['a guide', 'packs', () => '/docs/api'],
  ['a tournament', 'pools', () => `/t/${tournament}`],
  ['the tournaments', 'pools', () => '/'],
  ['the editor, whose script makes it', 'packs', () => '/new'],
]

const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

describe('the browser takes over what the server has rendered', () => {
  for (const [name, service, path] of places) {
    for (const viewport of sizes) {
      for (const isSignedIn of [false, true]) {
        const who = isSignedIn ? 'somebody signed in' : 'a stranger'
        it(`${name}, ${viewport.width} pixels wide, before ${who}: nothing moves`, async () => {
          held = await openHeldPage(chromium, house, {
            from: isSignedIn ? player[service] : null,
            service,
            path: path(),
            look: { viewport },
          })
          await held.takeOver()
          expect((await held.shifts()).flatMap(({ moved }) => moved)).toEqual([])
          expect(held.complaints).toEqual([])
        })
      }
    }
  }
})

describe('a page that asks for what it shows keeps its place', () => {
  for (const [path, service] of [
    ['/account', 'packs'],
    ['/account', 'pools'],
    ['/docs/reference', 'packs'],
    ['/docs/reference', 'pools'],
  ] as const) {
    it.each([390, 1024, 1440])(`${path} of ${service}, %i pixels wide`, async (width) => {
      const look = { viewport: { width, height: 900 } }
      const shifts = await shiftsOfAnswers(chromium, house, /\/session|openapi/, {
        from: player[service],
        service,
        path,
        look,
      })
      // Words that are aligned to the right grow to the left.
      const high = shifts.filter(({ value }) => value > 0.005)
      expect(high).toEqual([])
    })
  }
})

describe('nothing comes between the HTML and the first paint', () => {
  const open = (path: string, service: ServiceName, javaScriptEnabled = true) =>
    openHeldPage(chromium, house, { from: null, service, path, look: { javaScriptEnabled } })
  const LAYOUT = `getComputedStyle(document.querySelector('.header > .column')).display`
  const isBlocking = (path: string): boolean => /\.css$|\/theme-/.test(path)

  for (const [name, service, path] of places) {
    it(`${name} has its styles and its early script in it, with and without JavaScript`, async () => {
      for (const isScripted of [false, true]) {
        held = await open(path(), service, isScripted)
        if (isScripted) {
          expect(await held.page.evaluate('document.documentElement.className')).toBe('scripted')
          await held.takeOver()
        }
        expect(await held.page.evaluate(LAYOUT)).toBe('flex')
        expect(held.loaded).toContain(path())
        expect(held.loaded.filter(isBlocking)).toEqual([])
        expect(held.complaints).toEqual([])
        if (!isScripted) await closeWindow(held.page)
      }
    })
  }

  it('styles that a script imports later are loaded, and those that are there are not', async () => {
    held = await open('/packs', 'packs')
    await held.takeOver()
    const { entries } = await builtAssets()
    const there = entries?.get('browse')?.styles ?? []
    const others = entries?.get('history')?.styles.filter((file) => !there.includes(file)) ?? []
    const styles = [...there, ...others]
    const folder = buildPages()
    const helper = readdirSync(join(folder, 'assets'))
      .map((file) => `assets/${file}`)
      .find(
        (file) => file.endsWith('.js') && readFileSync(join(folder, file), 'utf8').includes(HELPER),
      )
    // What the bundler writes for `import()`: it loads what the imported file needs.
    await held.page.evaluate(`import('/${helper}').then((all) => Object.values(all)
      .find((one) => String(one).includes('${HELPER}'))(() => Promise.resolve(), ${JSON.stringify(styles)}))`)
    expect(others).not.toEqual([])
    expect(held.loaded.filter(isBlocking)).toEqual(others.map((file) => `/${file}`))
    expect(held.complaints).toEqual([])
  })
})

/** Writes the page's own HTML tag by tag, and returns where the icon of its search has been. */
const WRITE_IN_PARTS = `(async () => {
  const reply = await fetch(location.href)
  const html = (await reply.text()).replaceAll(/<script[^>]*type="?module.*?<\\/script>/g, '')
  const body = html.indexOf('<body')
  document.open()
  document.write(html.slice(0, body))
  const places = new Set()
  for (const part of html.slice(body).split(/(?=<)/)) {
    document.write(part)
    const { x, y, height = 0 } = document.querySelector('.search-field > .icon')?.getBoundingClientRect() ?? {}
    if (height > 0) places.add(Math.round(x) + ' ' + Math.round(y))
  }
  document.close()
  return [...places]
})()`

describe('HTML that comes in parts, as over a slow line', () => {
  for (const [name, service, path] of [
    ['the front page', 'packs', '/'],
    ['Browse', 'packs', '/packs'],
    ['the tournaments', 'pools', '/'],
  ] as const) {
    it(`${name} shows the icon of its search where it stays, whatever of it is there`, async () => {
      const look = { viewport: sizes[0]!, bypassCSP: true }
      held = await openHeldPage(chromium, house, { from: null, service, path, look })
      expect(await held.page.evaluate(WRITE_IN_PARTS)).toHaveLength(1)
    })
  }
})

const button = (name: string) => held.page.getByRole('button', { name, exact: true })
const focused = () => held.page.evaluate(`document.activeElement?.textContent ?? ''`)

describe('what a reader does before the script comes', () => {
  const open = (path: string, service: ServiceName = 'packs') =>
    openHeldPage(chromium, house, { from: null, service, path })

  it('is kept: the focus, on a link and in a field, and what is typed', async () => {
    held = await open(`/p/${slug}`)
    await held.page.locator('.beatmap-title').filter({ hasText: 'Harbour 103' }).focus()
    await held.takeOver()
    expect(await focused()).toBe('Harbour 103')
    await closeWindow(held.page)

    held = await open('/', 'pools')
    await held.page.getByRole('searchbox').fill('nothing like it')
    await held.takeOver()
    await held.page.getByRole('heading', { name: 'No tournament matches' }).waitFor()
    expect(await held.page.getByRole('searchbox').inputValue()).toBe('nothing like it')
    expect(await held.page.evaluate('document.activeElement?.type')).toBe('search')
    expect(held.complaints).toEqual([])
  })

  it.each([
    ['/', 'packs'],
    ['/packs', 'packs'],
    ['/maps', 'packs'],
    ['/', 'pools'],
  ] as const)(
    'is kept of whatever can be filled in on %s of %s, and nothing else is shown when one comes back',
    async (path, service) => {
      held = await open(path, service)
      const { page } = held
      page.on('dialog', (dialog) => void dialog.accept())
      const fill = (value: string) =>
        page.evaluate((text) => {
          const shown = [
            ...document.querySelectorAll<HTMLInputElement>('main :is(input, textarea, select)'),
          ].filter((each) => each.checkVisibility() && each.type !== 'range')
          for (const each of shown.filter(({ type }) => type === 'checkbox').slice(0, 1)) {
            each.click()
          }
          for (const each of shown.filter(({ type }) => type !== 'checkbox')) {
            const last = (each as unknown as HTMLSelectElement).options?.[1]?.value
            each.focus()
            // Half a year is none yet, and is typed all the same.
            each.value = last ?? (each.inputMode === 'numeric' ? '20' : text)
            each.dispatchEvent(new Event('input', { bubbles: true }))
            each.dispatchEvent(new Event('change', { bubbles: true }))
          }
        }, value)
      const shown = () =>
        page
          .locator('main :is(input:not([type=range]), textarea, select):visible')
          .evaluateAll((all) => (all as HTMLInputElement[]).map((e) => [e.checked, e.value]))
      const idle = () => page.locator('main button[type=submit]:visible:disabled').count()
      await fill('harbour')
      const filled = await shown()
      await held.takeOver()
      await expect.poll(shown).toEqual(filled)
      await expect.poll(idle, { message: 'what can be sent' }).toBe(0)
      expect(held.complaints).toEqual([])
      const text = page.getByRole('searchbox').first()
      // Longer than an address or an entry of the history waits to follow what is typed.
      await expect
        .poll(() => page.evaluate(`location.search + JSON.stringify(history.state)`))
        .toContain('harbour')
      await page.reload()
      expect(await text.inputValue()).toBe('harbour')
      // Of what is pasted, the browser asked.
      if ((await page.locator('textarea:visible').count()) === 0) {
        await expect.poll(shown).toEqual(filled)
      }
      await page.goto('/docs')
      await page.goBack()
      await whenReady(page)
      await expect.poll(() => text.inputValue()).toBe('harbour')
      for (const pasted of await page.locator('#front-paste').all()) {
        const isEmpty = (await pasted.inputValue()) === ''
        expect(await button('Open in the editor').isDisabled()).toBe(isEmpty)
      }
    },
  )

  it('is kept of a list to choose from', async () => {
    held = await open(`/t/${tournament}`, 'pools')
    const rounds = held.page.getByRole('combobox', { name: 'Rounds' })
    await rounds.selectOption('Qualifiers')
    await held.takeOver()
    expect(await rounds.locator('option:checked').textContent()).toBe('Qualifiers')
    // The picture of a pool is of one round.
    await held.page.getByRole('link', { name: 'Download the picture' }).waitFor()
    expect(held.complaints).toEqual([])
  })

  it('works where it is a link', async () => {
    held = await open(`/t/${tournament}`, 'pools')
    await held.page.getByRole('link', { name: 'Open pack of Qualifiers' }).click()
    await held.page.getByRole('heading', { name: 'Qualifiers' }).waitFor()
  })
})

describe('a page says that it is not complete', () => {
  it.each([
    ['its script', '/new', /\/assets\/editor-/],
    ['what its script imports', '/new', /\/assets\/(?!editor-|theme)[^/]*\.js$/],
    ['the script of what the server has rendered', '/docs', /\/assets\/docs-/],
  ])('when a file does not come: %s', async (_, path, missing) => {
    const window = await takeWindow(chromium, {})
    await enter(window, house.urls.packs, player.packs)
    await window.page.route(missing, (route) => route.abort())
    await window.goTo(path)
    await window.page.getByRole('alert').getByText('reload the page').waitFor()
    await closeWindow(window.page)
  })
})

describe('without JavaScript', () => {
  const open = (path: string, service: ServiceName = 'packs') =>
    openHeldPage(chromium, house, {
      from: null,
      service,
      path,
      look: { viewport: { width: 390, height: 844 }, javaScriptEnabled: false },
    })
  const shown = (name: string) => held.page.getByText(name).first().isVisible()

  it('a pack is read whole, and shows no button that would do nothing', async () => {
    held = await open(`/p/${slug}`)
    for (const text of ['Harbour 101', 'Not found on the game platform', 'Pack key']) {
      expect(await shown(text), text).toBe(true)
    }
    expect(await shown('Turn on JavaScript to copy or download the pool.')).toBe(true)
    expect(await held.page.locator('button:visible').count()).toBe(0)
    expect(held.complaints).toEqual([])
  })

  it('pages lead to each other', async () => {
    held = await open('/', 'pools')
    const rows = held.page.locator('.tournament-row a')
    await rows.filter({ hasText: 'Harbour Lights Cup' }).click()
    await held.page.getByRole('heading', { name: 'Round of 16' }).waitFor()
    await held.page.getByRole('link', { name: 'Docs' }).click()
    await held.page.waitForURL('**/docs')
    await held.page.getByRole('main').getByRole('link', { name: 'API guide' }).first().click()
    await held.page.getByRole('heading', { name: 'The API' }).waitFor()
    expect(held.complaints).toEqual([])
  })
})
