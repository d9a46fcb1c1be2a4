import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import { kept } from '../../src/web/kept.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const [MINE, OTHER] = [7001, 7002]

let house: SiteHouse
let chromium: Chromium
let page: Page

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(async () => {
  if (page !== undefined) await closeWindow(page)
})

/** Signs in, in this browser, in place of whoever is. */
const become = async (who: number, service: ServiceName): Promise<void> => {
  const url = house.urls[service]
  const { cookies: given } = await house.signedIn(who, service)
  await page.context().clearCookies()
  const cookies = [...given].map(([name, value]) => ({ name, value, url }))
  await page.context().addCookies(cookies)
}
const open = async (who: number, service: ServiceName, path: string): Promise<void> => {
  const from = await house.signedIn(who, service)
  ;({ page } = await openRealPage(chromium, house, { from, service, path }))
}
const packName = () => page.getByLabel('Name', { exact: true })
const rename = async (name: string): Promise<void> => {
  await packName().fill(name)
  const isKept = `Object.values(localStorage).some((draft) => draft.includes('"name":"${name}"'))`
  await expect.poll(() => page.evaluate(isKept)).toBe(true)
}
const slot = (name: string) =>
  page.getByRole('textbox', { name: `Beatmap of ${name}`, exact: true })

/** Keys and names of everything that the browser keeps of this site. */
const everything = async (): Promise<string[]> => {
  const found = await page.evaluate(`(async () => {
    const files = []
    for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name)
    const cookies = document.cookie.split('; ').map((each) => each.split('=')[0])
    const databases = (await indexedDB.databases()).map(({ name }) => name)
    const cached = 'caches' in globalThis ? await caches.keys() : []
    return [Object.keys(localStorage), Object.keys(sessionStorage), files, cookies, databases, cached].flat()
  })()`)
  return (found as string[]).filter((key) => key !== '')
}
/** But for cookies that the server sets. */
const unknown = async (of: Browser): Promise<string[]> =>
  (await everything()).filter(
    (key) => !of.cookies.has(key) && !Object.hasOwn(kept, key.split(':')[0]!),
  )

describe('what the sites keep in a browser', () => {
  it('is kept and read by the table alone', () => {
    const root = fileURLToPath(new URL('../../', import.meta.url))
    const uses =
      /\b(?:localStorage|sessionStorage|indexedDB|caches\.|document\.cookie|getDirectory\(|cookieStore)/
    const files = globSync('src/web/**/*.{ts,tsx}', { cwd: root }).filter((path) =>
      uses.test(readFileSync(root + path, 'utf8')),
    )
    expect(files.toSorted()).toEqual([
      'src/web/kept.ts',
      // The files and the cookies of the table.
      'src/web/maps/set-store.ts',
      'src/web/parts/header.tsx',
      'src/web/theme.ts',
    ])
  })

  it('is in the table, whatever one does', async () => {
    const me = await house.signedIn(MINE, 'packs')
    ;({ page } = await openRealPage(chromium, house, { from: me, path: '/' }))
    await page.getByRole('button', { name: /theme/ }).click()
    await page.getByRole('textbox', { name: /Paste/ }).first().fill('NM1 75')
    await page.getByRole('button', { name: 'Open in the editor' }).click()
    await page.waitForURL('**/new')
    await rename('Kept')
    expect(await unknown(me)).toEqual([])
    const slug = await house.save(me, aPack())
    await page.goto(`/p/${slug}/edit`)
    await rename('Changed')
    await page.goto('/me')
    await page
      .getByRole('button', { name: /^Delete / })
      .first()
      .click()
    await page.locator('.undo-bar').waitFor()
    const names = new Set((await everything()).map((key) => key.split(':')[0]))
    expect([...names]).toEqual(
      expect.arrayContaining(['draft', 'deleting-packs', 'account', 'theme']),
    )
    expect(await unknown(me)).toEqual([])
  })
})

/** Something that is not saved, on a page of its own. */
type Work = {
  readonly name: string
  readonly service: ServiceName
  /** Makes what both may edit; returns where. */
  readonly prepare: (mine: Browser) => Promise<string>
  readonly change: () => Promise<unknown>
  /** Whether the change is on the page. */
  readonly isThere: () => Promise<boolean>
}

const SECRET = 'Pool of the finals'
const works: Work[] = [
  {
    name: 'a new pack',
    service: 'packs',
    prepare: async () => '/new',
    change: () => rename(SECRET),
    isThere: async () =>
      (await packName().inputValue()) === SECRET || (await page.getByText(SECRET).count()) > 0,
  },
  {
    name: 'a saved pack',
    service: 'packs',
    prepare: async (mine) => `/p/${await house.save(mine, aPack({ visibility: 'public' }))}/edit`,
    change: () => rename(SECRET),
    isThere: async () =>
      (await packName().count()) > 0 && (await packName().inputValue()) === SECRET,
  },
  {
    name: 'a round of a tournament',
    service: 'pools',
    prepare: async (mine) => {
      const ask = async (path: string, body: object, who = mine) => {
        const reply = await who.ask('POST', `/session${path}`, body)
        if (reply.status >= 300) throw new Error(reply.text)
        return reply.json
      }
      const { slug } = (await ask('/tournaments', { name: 'Harbour Lights Cup' })).tournament
      const slots = [{ mod: 'NM', index: 1, beatmapId: 101 }]
      await ask(`/tournaments/${slug}/rounds`, { name: 'Finals', slots })
      const { url } = await ask(`/tournaments/${slug}/invitations`, { role: 'host' })
      const token = new URL(url).pathname.split('/').at(-1)
      const other = await house.signedIn(OTHER, 'pools')
      await ask(`/invitations/${token}`, {}, other)
      return `/t/${slug}/edit`
    },
    change: async () => {
      await page.route('**/slots', (route) => route.abort())
      await slot('NM1').fill('75')
      await slot('NM1').press('Enter')
      await page.getByText(/^No connection/).waitFor()
      await page.unroute('**/slots')
    },
    isThere: async () => {
      await slot('NM1').waitFor()
      return (await slot('NM1').inputValue()) === '75'
    },
  },
]

/** How somebody's session ends, and whether what they have not saved is kept for them. */
const endings = [
  ['the session ends', true, async () => {}],
  ['one signs out', false, () => signOut('Sign out')],
  ['one signs out everywhere', false, () => signOut('Sign out everywhere')],
] as const

const signOut = async (name: string): Promise<void> => {
  page.on('dialog', (question) => void question.accept())
  await page.goto('/account')
  await page.locator('main').getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/unsaved changes/).waitFor()
  await dialog.getByRole('button', { name, exact: true }).click()
  await page.waitForURL('**/account**')
  await page.getByText(/^You have signed out/).waitFor()
  page.removeAllListeners('dialog')
}

describe('what is not saved is of the account that made it', () => {
  for (const work of works) {
    for (const [ending, isKept, end] of endings) {
      it(`${work.name}, when ${ending}`, async () => {
        const { service } = work
        const mine = await house.signedIn(MINE, service)
        const path = await work.prepare(mine)
        ;({ page } = await openRealPage(chromium, house, { from: mine, service, path }))
        await work.change()
        await end()
        // A page is left for the next one as somebody leaves it: without asking.
        page.on('dialog', (question) => void question.accept())
        await become(OTHER, service)
        const sent: string[] = []
        page.on('request', (each) => {
          // Beatmaps are looked up by POST.
          if (each.method() === 'GET' || each.url().endsWith('/session/beatmaps')) return
          sent.push(`${each.method()} ${each.url()}`)
        })
        await page.goto(path)
        expect(await work.isThere()).toBe(false)
        await page.waitForLoadState('networkidle').catch(() => {})
        expect(sent).toEqual([])
        page.removeAllListeners('request')
        await become(MINE, service)
        await page.goto(path)
        if (isKept) await expect.poll(work.isThere).toBe(true)
        else expect(await work.isThere()).toBe(false)
      })
    }
  }

  it('is not shown to the next one by a page that was left open', async () => {
    await open(MINE, 'packs', '/new')
    await rename(SECRET)
    await become(OTHER, 'packs')
    const window = await page.context().newPage()
    await window.goto('/packs')
    await expect.poll(() => packName().inputValue()).toBe('')
    await become(MINE, 'packs')
    await window.goto('/new')
    await window.getByRole('link', { name: SECRET }).waitFor()
  })

  it('is not sent by an open page of a round, which says that it is to be reloaded', async () => {
    const work = works[2]!
    const mine = await house.signedIn(MINE, 'pools')
    const path = await work.prepare(mine)
    ;({ page } = await openRealPage(chromium, house, { from: mine, service: 'pools', path }))
    await slot('NM1').waitFor()
    await become(OTHER, 'pools')
    await slot('NM1').fill('75')
    await slot('NM1').press('Enter')
    await page.getByText(/^You have signed in again/).waitFor()
    await page.getByRole('button', { name: '1 change not saved' }).waitFor()
    page.on('dialog', (question) => void question.accept())
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(work.isThere).toBe(false)
    await become(MINE, 'pools')
    await page.goto(path)
    await expect.poll(work.isThere).toBe(true)
    await expect.poll(() => page.locator('.edit-bar-words').textContent()).toBe('Saved')
  })
})
