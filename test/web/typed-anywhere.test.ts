import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NAME_LENGTH } from '../../src/contract/bounds.ts'
import type { ServiceName } from '../../src/contract/services.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const [HOST, MODERATOR] = [7001, 7003]

let house: SiteHouse
let chromium: Chromium
let page: Page
let pack: string
let cup: string

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true, sendsToDiscord: true })
  await house.ports.accounts.setModerator(MODERATOR, true, 0)
  pack = await house.save(await house.signedIn(HOST), aPack({ visibility: 'public' }))
  const host = await house.signedIn(HOST, 'pools')
  const ask = async (path: string, body: object) =>
    (await host.ask('POST', `/session/tournaments${path}`, body)).json
  cup = (await ask('', { name: 'Harbour Lights Cup' })).tournament.slug
  const slots = [
    { mod: 'NM', index: 1, beatmapId: 75 },
    { mod: 'TB', index: 1, placeholder: 'custom map' },
  ]
  await ask(`/${cup}/rounds`, { name: 'Finals', slots })
  await host.ask('PATCH', `/session/tournaments/${cup}`, { visibility: 'public' })
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(async () => {
  if (page !== undefined) await closeWindow(page)
})

const button = (name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const press = (name: string | RegExp) => button(name).click()

type Form = {
  /** The sources with its fields of text, in `src/web/`. */
  readonly of: readonly string[]
  readonly path: () => string
  readonly service?: ServiceName
  readonly who?: number
  /** What is typed is kept in the address. */
  readonly isInAddress?: boolean
  /** Shows the fields. */
  readonly open?: () => Promise<unknown>
}

const workspace = { path: () => `/t/${cup}/edit`, service: 'pools' } as const

const forms: Readonly<Record<string, Form>> = {
  'a pack': {
    of: ['editor/editor', 'editing/lanes/buckets', 'editing/lanes/lane-view'],
    path: () => `/p/${pack}/edit`,
  },
  'a pasted sheet': {
    of: ['editing/paste/text-field'],
    path: () => '/new',
  },
  'a round': {
    of: [
      'tournament-edit/rounds-nav',
      'tournament-edit/round-head',
      'tournament-edit/round-side',
      'tournament-edit/round-fields',
    ],
    ...workspace,
    open: () => page.locator('.round-fields summary').click(),
  },
  'a remark and a proposal': {
    of: ['tournament-edit/discussion', 'tournament-edit/remarks'],
    ...workspace,
    open: async () => {
      await press(/^Candidates and remarks of NM1/)
      for (const form of ['.propose', '.add-remark']) await page.locator(form).waitFor()
    },
  },
  'a planned slot': {
    of: ['tournament-edit/plan-form'],
    ...workspace,
    open: async () => {
      await button('Move TB').press('Enter')
      await page.getByRole('menuitem', { name: 'Details and link' }).press('Enter')
      await page.getByRole('form', { name: 'Details and link of TB' }).waitFor()
    },
  },
  'the sheet of a tournament': {
    of: ['tournament-edit/sheet-round'],
    ...workspace,
    open: async () => {
      await press(/^Paste/)
      await page.locator('#sheet-text').fill('Semifinals\nNM1 76')
      await page.getByRole('dialog').getByLabel('Name of the round').waitFor()
    },
  },
  'the settings of a tournament': {
    of: ['tournament-edit/settings', 'tournament-edit/announcements'],
    ...workspace,
    open: async () => {
      await press('Settings')
      await page
        .getByLabel('Webhook URL')
        .or(page.getByRole('dialog').getByLabel('Link'))
        .first()
        .waitFor()
    },
  },
  'the staff of a tournament': {
    of: ['tournament-staff/joining'],
    path: () => `/t/${cup}/staff`,
    service: 'pools',
  },
  'a new tournament': {
    of: ['tournaments/my-tournaments-page'],
    path: () => '/my',
    service: 'pools',
    open: () => press(/^New tournament/),
  },
  'finding tournaments': {
    of: ['tournaments/tournaments-page'],
    path: () => '/',
    service: 'pools',
    isInAddress: true,
  },
  'two versions to compare': {
    of: ['history/compare-view'],
    path: () => `/p/${pack}/history?a=1&b=1`,
  },
  'a magnet link': { of: ['pack/magnets'], path: () => `/p/${pack}` },
  'the reason of a moderator': {
    of: ['parts/reason-dialog'],
    path: () => `/p/${pack}`,
    who: MODERATOR,
    open: () => press('Hide …'),
  },
  'the name of an account': {
    of: ['account/account-page'],
    path: () => '/account',
    open: () => press('Delete my account'),
  },
  'a pack key': { of: ['open-key/open-key-page'], path: () => '/k' },
  'a sheet on the front page': { of: ['browse/front-page'], path: () => '/' },
  'a request to the API': { of: ['reference/console'], path: () => '/docs/reference#createPack' },
}

/**
 * What can be typed into, on the page or in the dialog that is open. What is searched for is asked with the next key, a key
 * is forgotten on purpose, and the text of a sheet, which other fields here come from, is that of the editor again.
 */
const fields = () =>
  page
    .locator('dialog[open], body:not(:has(dialog[open])) main')
    .locator('textarea:visible, input:visible')
    .and(
      page.locator(
        ':is(textarea, input):not(:read-only, [type=search], #console-key, #sheet-text, [type=checkbox], [type=radio], [type=range])',
      ),
    )

const asksBeforeLeaving = () =>
  page.evaluate(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)

describe('what is typed', () => {
  it('is tried in every field of text of the site', () => {
    const root = fileURLToPath(new URL('../../src/web/', import.meta.url))
    /** A field with a text of its own. */
    const field =
      /<(?:textarea|TextInput|CommitField)\b|<input\b(?![^/]*?\btype="(?:radio|checkbox|range|file|search)")/
    const components = ['parts/inputs', 'editing/fields']
    const sources = globSync('**/*.tsx', { cwd: root })
      .filter((path) => field.test(readFileSync(root + path, 'utf8').replaceAll('=>', '')))
      .map((path) => path.slice(0, -'.tsx'.length))
    const tried = Object.values(forms).flatMap(({ of }) => of)
    expect(sources.filter((path) => !components.includes(path)).toSorted()).toEqual(
      tried.toSorted(),
    )
  })

  it('is not asked about when it is what the next page is opened with', async () => {
    const dialogs: string[] = []
    const go = async (path: string, service: ServiceName, typed: () => Promise<unknown>) => {
      const from = await house.signedIn(HOST, service)
      ;({ page } = await openRealPage(chromium, house, { from, path, service }))
      page.on('dialog', (dialog) => {
        dialogs.push(path)
        void dialog.accept()
      })
      const was = page.url()
      await typed()
      await page.waitForURL((url) => url.href !== was)
      page.removeAllListeners('dialog')
    }
    await go('/', 'packs', async () => {
      await page.getByRole('textbox', { name: /Paste/ }).pressSequentially('NM1 75')
      await press('Open in the editor')
    })
    await closeWindow(page)
    await go(`/p/${pack}/history?a=1&b=1`, 'packs', async () => {
      await page.locator('.compare-others input').last().pressSequentially('2')
      await page.keyboard.press('Enter')
    })
    await closeWindow(page)
    await go('/my?new=1', 'pools', async () => {
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).pressSequentially('Cup')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/edit')
    })
    expect(dialogs).toEqual([])
  })

  it.each(Object.keys(forms))(
    '%s: outlasts a reload, or the browser asks before the page is left',
    async (name) => {
      const { path, service = 'packs', who = HOST, open, isInAddress = false } = forms[name]!
      const from = await house.signedIn(who, service)
      ;({ page } = await openRealPage(chromium, house, { from, path: path(), service }))
      await open?.()
      await fields().first().waitFor()
      expect(await asksBeforeLeaving(), 'before anything is typed').toBe(false)
      const kept: [at: number, text: string][] = []
      for (const [at, field] of (await fields().all()).entries()) {
        const before = await field.inputValue()
        const isTime = (await field.getAttribute('type')) === 'datetime-local'
        const text = isTime ? '2030-01-01T10:00' : String(2040 + at)
        // A name is shown from its beginning, whichever way it is written.
        if ((await field.getAttribute('maxlength')) === String(NAME_LENGTH)) {
          expect(await field.getAttribute('dir')).toBe('auto')
        }
        await field.fill(text)
        if (!(await asksBeforeLeaving())) kept.push([at, text])
        else {
          await field.fill(before)
          // What was typed before may still be on its way to the site.
          await expect.poll(asksBeforeLeaving, { message: `what is as it was, ${at}` }).toBe(false)
        }
      }
      if (kept.length === 0) return
      // It follows what is typed after a pause: see `typed-address.test.ts`.
      if (isInAddress) await expect.poll(() => page.url()).toContain(kept.at(-1)![1])
      await page.reload()
      await page.locator('h1').waitFor()
      await open?.()
      await fields().first().waitFor()
      for (const [at, text] of kept) {
        await expect.poll(() => fields().nth(at).inputValue()).toBe(text)
      }
    },
  )
})
