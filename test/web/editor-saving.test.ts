import type { Browser as Chromium, BrowserContextOptions, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PackInput, SitePack } from '../../src/contract/packs.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, evil, looks, openRealPage, overflowOf } from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import { aLink } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { teach } from './pool-page.ts'

let house: SiteHouse
let chromium: Chromium
let from: Browser
let page: Page
let complaints: string[]

type Opening = { look?: BrowserContextOptions; who?: Browser | null; hasHandClock?: boolean }

const open = async (
  path: string,
  { look = {}, who = from, hasHandClock = false }: Opening = {},
) => {
  const opening = { from: who, path, look, hasHandClock }
  ;({ page, complaints } = await openRealPage(chromium, house, opening))
}
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const name = () => page.getByLabel('Name', { exact: true })
const saveIt = () => button('Save').click()
/** Presses the button although it says that it cannot yet. */
const tryToSave = () => button('Save').click({ force: true })
const notice = (title: string) => page.locator('.edit-notice', { hasText: title })
const kept = () => page.getByText('Draft saved in this browser').waitFor()
const packNow = async (slug: string): Promise<SitePack> =>
  (await from.ask('GET', `/session/packs/${slug}`)).json.pack

/** In the page: whether the bar covers any of what has the focus. */
const isFocusHidden = `(() => {
  const bar = document.querySelector('.edit-bar').getBoundingClientRect()
  const field = document.activeElement.getBoundingClientRect()
  const isApart = field.bottom <= bar.top || field.top >= bar.bottom
  return !isApart || field.bottom > innerHeight || field.top < 0
})()`

/** A saved pack, and its editor open. */
const edit = async (input: Partial<PackInput> = {}, opening: Opening = {}): Promise<string> => {
  const slug = await house.save(from, aPack(input))
  await open(`/p/${slug}/edit`, opening)
  return slug
}
const keyOf = (slug: string) => `draft:${from.viewer!.id}:${slug}`
/** The pack is saved elsewhere. */
const saveElsewhere = async (slug: string, changes: Partial<PackInput>): Promise<void> => {
  const { updatedAt } = await packNow(slug)
  const body = { pack: aPack(changes), basedOn: updatedAt }
  const reply = await from.ask('PUT', `/session/packs/${slug}`, body)
  if (reply.status !== 200) throw new Error(reply.text)
}
/** Answers the next saves in place of the site. */
const saves = /\/session\/packs/
const answerWith = (answer: (route: Route) => Promise<void>) =>
  page.route(saves, (route) =>
    route.request().method() === 'GET' ? route.fallback() : answer(route),
  )
const refusal = (status: number, code: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error: { code, message: 'so it is' } }),
})

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  from = await house.signedIn(7001)
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
// Ten writes a minute are the account's.
beforeEach(() => house.clock.nextMinute())
afterEach(() => closeWindow(page))

describe('a draft', () => {
  it('comes back after a reload, says so, and can be discarded and brought back', async () => {
    await open('/new')
    await name().fill('Half done')
    await page.getByRole('textbox', { name: 'Paste a sheet' }).fill('NM1 75')
    await button('Add 1 beatmap').click()
    await kept()
    await page.reload()
    await expect.poll(() => name().inputValue()).toBe('Half done')
    await expect.poll(() => page.locator('.edit-slot').count()).toBe(1)
    await notice('Draft restored').getByRole('button', { name: 'Discard draft' }).click()
    await expect.poll(() => name().inputValue()).toBe('')
    await page.keyboard.press('Control+Z')
    await expect.poll(() => name().inputValue()).toBe('Half done')
  })

  it('is kept at once when the page goes', async () => {
    await open('/new')
    await name().fill('Just typed')
    await page.goto('/packs')
    await page.goto('/new')
    await expect.poll(() => name().inputValue()).toBe('Just typed')
  })

  it('is thrown away with a note when it is damaged', async () => {
    const key = keyOf(await edit())
    await page.evaluate(`localStorage.setItem('${key}', '{"v":1,"pack":')`)
    await page.reload()
    await notice('Could not restore your draft').waitFor()
    await expect.poll(() => page.evaluate(`localStorage.getItem('${key}')`)).toBeNull()
    expect(complaints).toEqual([])
  })

  it('asks which one counts when the pack has been saved since', async () => {
    const slug = await edit()
    await name().fill('Mine')
    await kept()
    await saveElsewhere(slug, { name: 'Theirs' })
    await page.reload()
    const conflict = notice('Your draft is older than the saved pack')
    await expect
      .poll(() => conflict.locator('tbody tr').allTextContents())
      .toEqual(['NameMineTheirs'])
    await page.getByRole('button', { name: 'Choose a version first' }).waitFor()
    await conflict.getByRole('button', { name: 'Use the saved version' }).click()
    await expect.poll(() => name().inputValue()).toBe('Theirs')
    await page.keyboard.press('Control+Z')
    await expect.poll(() => name().inputValue()).toBe('Mine')
    await saveIt()
    await page.waitForURL(`**/p/${slug}`)
    expect((await packNow(slug)).name).toBe('Mine')
  })

  it('says when another window edits the same pack', async () => {
    const slug = await edit()
    const other = await page.context().newPage()
    await other.goto(`/p/${slug}/edit`)
    await other.getByLabel('Name', { exact: true }).fill('Over there')
    await notice('This draft is open in another window').waitFor()
    await expect.poll(() => name().inputValue()).toBe('Over there')
  })

  it('is missed when storage is full: leaving is warned of', async () => {
    await open('/new')
    await page.evaluate(`Storage.prototype.setItem = () => { throw new DOMException('full') }`)
    await name().fill('Cup')
    await page.getByText('Drafts cannot be saved in this browser').waitFor()
    const warned = new Promise<string>((resolve) => {
      page.once('dialog', (dialog) => {
        resolve(dialog.type())
        void dialog.accept()
      })
    })
    await page.goto('/packs').catch(() => {})
    await expect.poll(() => warned).toBe('beforeunload')
  })
})

describe('a page of the back/forward cache', () => {
  it('goes on with what has become of its draft in the pages after it', async () => {
    await open('/new')
    await name().fill('Before')
    const isKept = `Object.values(localStorage).some((draft) => draft.includes('"name":"Before"'))`
    await expect.poll(() => page.evaluate(isKept)).toBe(true)
    // As a page after it would change it: no page of the cache is told.
    await page.evaluate(`for (const key of Object.keys(localStorage)) {
      if (!key.startsWith('draft:')) continue
      localStorage[key] = localStorage[key].replace('"name":"Before"', '"name":"After"')
    }`)
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
    await expect.poll(() => name().inputValue()).toBe('After')
  })
})

describe('drafts of new packs', () => {
  const nameIn = (window: Page) => window.getByLabel('Name', { exact: true })
  const newWindow = async (path = '/new'): Promise<Page> => {
    const window = await page.context().newPage()
    await window.goto(path)
    await nameIn(window).waitFor()
    return window
  }
  const keepIn = async (window: Page, text: string) => {
    await nameIn(window).fill(text)
    const isKept = `Object.values(localStorage).some((draft) => draft.includes('"name":"${text}"'))`
    await expect.poll(() => window.evaluate(isKept)).toBe(true)
  }
  const rowsIn = (window: Page) => window.locator('.draft-list li')

  it('are one for each window, and come back to it after a reload', async () => {
    await open('/new')
    const other = await newWindow()
    await keepIn(page, 'Here')
    await keepIn(other, 'There')
    await other.reload()
    await expect.poll(() => nameIn(other).inputValue()).toBe('There')
    await page.reload()
    await expect.poll(() => name().inputValue()).toBe('Here')
    await expect
      .poll(() => rowsIn(page).allTextContents())
      .toEqual([expect.stringMatching(/^There0 beatmaps · .* · open in another window$/)])
    expect(complaints).toEqual([])
  })

  it('are listed in every other window: opened, discarded, and brought back', async () => {
    await open('/new')
    const other = await newWindow()
    await keepIn(other, 'Left behind')
    await other.close()
    await page.reload()
    await page.getByRole('button', { name: 'Discard Left behind' }).click()
    await expect.poll(() => rowsIn(page).allTextContents()).toEqual(['Left behindDiscardedUndo'])
    await page.getByRole('button', { name: 'Undo discarding Left behind' }).click()
    await page.getByRole('link', { name: 'Left behind' }).click()
    await expect.poll(() => name().inputValue()).toBe('Left behind')
    await expect.poll(() => rowsIn(page).count()).toBe(0)
    expect(new URL(page.url()).search).toBe('')
  })

  it('are copied where two windows would have the same one', async () => {
    await open('/new')
    await keepIn(page, 'Twice')
    const key = await page.evaluate(`Object.keys(localStorage).find((n) => n.startsWith('draft:'))`)
    const other = await newWindow(`/new?draft=${encodeURIComponent(String(key))}`)
    await other.getByText('This is a copy of your draft').waitFor()
    await keepIn(other, 'Twice, changed')
    await page.reload()
    await expect.poll(() => name().inputValue()).toBe('Twice')
    await other.reload()
    await expect.poll(() => nameIn(other).inputValue()).toBe('Twice, changed')
  })
})

describe('saving', () => {
  it('leads to the pack, and back goes on with it', async () => {
    const slug = await edit({ description: 'Old words' })
    await page.getByLabel('Description').fill('New words')
    await page.getByText('Public').click()
    await saveIt()
    await page.waitForURL(`**/p/${slug}`)
    expect(await packNow(slug)).toMatchObject({ description: 'New words', visibility: 'public' })
    await expect.poll(() => page.evaluate(`localStorage.getItem('${keyOf(slug)}')`)).toBeNull()
    await page.goBack()
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('New words')
    expect(complaints).toEqual([])
  })

  it('says what is missing, and leads there', async () => {
    await open('/new')
    await tryToSave()
    await expect.poll(() => page.locator('#edit-name:focus').count()).toBe(1)
    await page.locator('#edit-name-problem', { hasText: 'Add a name.' }).waitFor()
    await name().fill('Cup')
    await page.keyboard.press('Control+S')
    await expect.poll(() => page.locator('#edit-paste:focus').count()).toBe(1)
  })

  it.each(looks)('leads to a field that no bar hides: %j', async (look) => {
    // Of one level, so that nothing is asked about them.
    for (let id = 75; id < 95; id += 1) await teach(house, id, { mode: 'osu', stars: 6 })
    await open('/new', { look })
    await page
      .getByRole('textbox', { name: 'Paste a sheet' })
      .fill(Array.from({ length: 20 }, (_, at) => `NM${at + 1} ${at + 75}`).join('\n'))
    await button('Add 20 beatmaps').click()
    await page.getByRole('textbox', { name: 'Beatmap of NM1', exact: true }).focus()
    for (const edge of ['top', 'bottom']) {
      await page.evaluate(`{
        const field = document.querySelector('#edit-name').getBoundingClientRect()
        scrollBy(0, '${edge}' === 'top' ? field.top - 4 : field.bottom - innerHeight + 4)
      }`)
      await page.keyboard.press('Control+S')
      await expect.poll(() => page.locator('#edit-name:focus').count()).toBe(1)
      await expect.poll(() => page.evaluate(isFocusHidden)).toBe(false)
      await page.evaluate(`document.querySelector('.edit-beatmap').focus({ preventScroll: true })`)
    }
  })

  it('counts what is half typed', async () => {
    const slug = await edit()
    await page.getByRole('textbox', { name: 'Beatmap of NM1' }).fill('75')
    await page.keyboard.press('Control+S')
    await page.waitForURL(`**/p/${slug}`)
    expect((await packNow(slug)).slots[0]?.beatmapId).toBe(75)
  })

  it('takes what is typed to be added too, and leads to what was not understood or not added', async () => {
    const slug = await edit()
    const beatmap = page.getByRole('textbox', { name: 'Beatmap of NM1' })
    const mistyped = 'https://osu.ppy.sh/b/'
    await beatmap.fill(mistyped)
    await page.getByRole('textbox', { name: 'Add beatmap to HD' }).fill('76')
    await page.getByLabel('Custom bucket').fill('RC')
    await saveIt()
    await page.locator('.toast', { hasText: 'Not saved: This link does not lead' }).waitFor()
    expect(await beatmap.inputValue()).toBe(mistyped)
    await expect.poll(() => page.locator('.edit-beatmap:focus').count()).toBe(1)
    await page.keyboard.press('Escape')

    await button('Paste').click()
    const box = page.locator('#edit-paste')
    await box.fill('HR1 77')
    await button('Add 1 beatmap').waitFor()
    await page.reload()
    await expect.poll(() => box.inputValue()).toBe('HR1 77')
    await tryToSave()
    await page.getByText('Add what you pasted, or close the box').waitFor()
    await expect.poll(() => page.locator('#import-take:focus').count()).toBe(1)
    await page.keyboard.press('Enter')
    await box.waitFor({ state: 'detached' })
    await saveIt()
    await page.waitForURL(`**/p/${slug}`)
    const saved = (await packNow(slug)).slots.map(({ mod, beatmapId }) => `${mod} ${beatmapId}`)
    expect(saved).toEqual(expect.arrayContaining(['HD 76', 'HR 77']))
    expect((await packNow(slug)).buckets?.map(({ code }) => code)).toContain('RC')
    expect(await page.evaluate('Object.keys(sessionStorage).join()')).not.toContain('typed')
  })

  it('takes a bucket that is typed and nothing else, and leads to one that cannot be added', async () => {
    const codes = Array.from({ length: 7 }, (_, at) => `B${String.fromCharCode(65 + at)}`)
    const slug = await edit({ buckets: codes.map((code, color) => ({ code, color })) })
    const code = page.getByLabel('Custom bucket')
    for (const [typed, why] of [
      ['N M', 'Use 1 to 12 letters or digits'],
      ['ba', 'Bucket BA already exists'],
    ] as const) {
      await code.fill(typed)
      await saveIt()
      await page.locator('.toast', { hasText: why }).waitFor()
      await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true)
    }
    await code.fill('RC')
    await code.press('Enter')
    await code.waitFor()
    expect(await code.getAttribute('readonly')).not.toBeNull()
    await page.locator('.edit-bar').getByRole('button', { name: /^Undo/ }).click()
    await code.fill('QQ')
    await saveIt()
    await page.waitForURL(`**/p/${slug}`)
    const saved = (await packNow(slug)).buckets ?? []
    expect(saved.flatMap((each) => ('color' in each ? each.code : []))).toEqual([...codes, 'QQ'])
  })

  it('shows what the site refuses at its field, and lets go when it is mended (D-24)', async () => {
    await edit()
    await answerWith(async (route) => {
      const answer = refusal(400, 'bad_request')
      const { error } = JSON.parse(answer.body) as { error: object }
      const problems = [{ place: 'name', what: 'slur' }]
      await route.fulfill({ ...answer, body: JSON.stringify({ error: { ...error, problems } }) })
    })
    await name().fill('Something')
    await saveIt()
    const problem = page.locator('#edit-name-problem')
    await expect.poll(() => problem.textContent()).toBe('Name must not contain a slur.')
    await expect.poll(() => name().getAttribute('aria-invalid')).toBe('true')
    await name().fill('Something else')
    await expect.poll(() => problem.textContent()).toBe('')
  })

  it('waits where the limit is reached, and goes on by itself (spec 8)', async () => {
    const slug = await edit({}, { hasHandClock: true })
    await answerWith((route) =>
      route.fulfill(refusal(429, 'rate_limited', { 'retry-after': '23' })),
    )
    await name().fill('StoreTimeout')
    await saveIt()
    await notice('Waiting to save').getByText('23 seconds').waitFor()
    await page.unroute(saves)
    await page.clock.runFor(23_500)
    await page.waitForURL(`**/p/${slug}`)
    expect((await packNow(slug)).name).toBe('StoreTimeout')
  })

  it('says in words that there are 200 packs', async () => {
    await open('/new')
    await name().fill('One more')
    await page.getByRole('textbox', { name: 'Paste a sheet' }).fill('NM1 75')
    await button('Add 1 beatmap').click()
    await answerWith((route) => route.fulfill(refusal(409, 'conflict')))
    await saveIt()
    await notice('You have reached the limit of 200 packs')
      .getByRole('link', { name: 'My packs' })
      .waitFor()
  })

  it.each([
    ['the site fails', (route: Route) => route.fulfill(refusal(500, 'internal_error'))],
    ['there is no connection', (route: Route) => route.abort()],
  ])('keeps everything and tries again when asked: %s', async (_, answer) => {
    const slug = await edit()
    await answerWith(answer)
    await name().fill('Stubborn')
    await saveIt()
    await notice('Perhaps not saved').getByText('are kept in this browser').waitFor()
    await page.unroute(saves)
    await notice('Perhaps not saved').getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL(`**/p/${slug}`)
    expect((await packNow(slug)).name).toBe('Stubborn')
  })

  it('saves a new pack once, though the answer to the first attempt was lost', async () => {
    await open('/new')
    await name().fill('Only once')
    await page.getByRole('textbox', { name: 'Paste a sheet' }).fill('NM1 75')
    await button('Add 1 beatmap').click()
    const before = (await from.ask('GET', '/session/packs')).json.total
    await answerWith(async (route) => {
      await route.fetch()
      await route.abort()
    })
    await saveIt()
    await notice('Perhaps not saved').waitFor()
    await page.unroute(saves)
    await notice('Perhaps not saved').getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL(/\/p\/[^/]{10}$/)
    expect((await from.ask('GET', '/session/packs')).json.total).toBe(before + 1)
  })

  it('says before that magnet links will go (D-27)', async () => {
    const slug = await house.save(from, aPack())
    const { packKey } = await packNow(slug)
    await from.ask('POST', `/session/packs/${slug}/magnets`, { url: aLink(1), packKey })
    await open(`/p/${slug}/edit`)
    await page.getByLabel('Description').fill('This alone changes no key')
    await expect.poll(() => page.getByText('removes 1 magnet link').count()).toBe(0)
    await name().fill('Renamed')
    await page.getByText('Saving removes 1 magnet link').first().waitFor()
    await saveIt()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect((await packNow(slug)).exports.length).toBe(1)
    await saveIt()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**/p/${slug}`)
    expect((await packNow(slug)).exports).toEqual([])
  })

  it('makes a new pack of one that was deleted elsewhere', async () => {
    const slug = await edit()
    await from.ask('DELETE', `/session/packs/${slug}`)
    await name().fill('Phoenix')
    await saveIt()
    await notice('This pack was deleted elsewhere').getByRole('button').click()
    await page.waitForURL(/\/p\/[^/]{10}$/)
    expect(page.url()).not.toContain(slug)
    expect((await packNow(page.url().slice(-10))).name).toBe('Phoenix')
  })
})

/** Another page of the same owner: `isShared` is a window of this browser, else it is another device. */
const openOther = async (path: string, isShared: boolean): Promise<Page> => {
  if (!isShared) return (await openRealPage(chromium, house, { from, path })).page
  const window = await page.context().newPage()
  await window.goto(path)
  return window
}
const fieldIn = (window: Page, slot: string) =>
  window.getByRole('textbox', { name: `Beatmap of ${slot}`, exact: true })
const put = async (window: Page, slot: string, id: string) => {
  await fieldIn(window, slot).fill(id)
  await fieldIn(window, slot).press('Enter')
}

describe('two windows', () => {
  it('of two devices merge what they change in different slots, and say so', async () => {
    const slug = await edit()
    const other = await openOther(`/p/${slug}/edit`, false)
    await put(page, 'NM1', '75')
    await put(other, 'DT1', '76')
    await page.getByLabel('Description').fill('Mine')
    await saveIt()
    await page.waitForURL(`**/p/${slug}`)
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    const merged = other.locator('.edit-notice', {
      hasText: 'merged with changes made elsewhere',
    })
    await merged.getByText('these were merged in: NM1 and Description.').waitFor()
    await expect.poll(() => fieldIn(other, 'NM1').inputValue()).toBe('75')
    expect(await merged.innerText()).toMatch(/^Saved and merged/)
    const { slots, description } = await packNow(slug)
    expect(slots.map(({ beatmapId }) => beatmapId)).toEqual([75, 76, 4393066])
    expect(description).toBe('Mine')
    // An undo takes back what was done in this window alone.
    await other.getByRole('heading', { name: /^Beatmaps/ }).click()
    await other.keyboard.press('Control+Z')
    await expect.poll(() => fieldIn(other, 'DT1').inputValue()).toBe('4392966')
    expect(await fieldIn(other, 'NM1').inputValue()).toBe('75')
    await merged.getByRole('button', { name: 'Close' }).click()
    await merged.waitFor({ state: 'detached' })
    await closeWindow(other)
  })

  it.each([
    [500, {}, /^Perhaps not saved/],
    [429, { 'retry-after': '60' }, /^Waiting to save/],
    [401, {}, /^Your session has ended/],
    [0, {}, /^(Not|Perhaps not) saved/],
  ])(
    'say of a merge that it is not saved, when saving it ends with %i',
    async (status, headers, why) => {
      const slug = await edit()
      await name().fill('Mine')
      await saveElsewhere(slug, { description: 'Theirs' })
      let answer = (): void => {}
      const isSent = new Promise<void>((sent) => {
        void page.route(`**/session/packs/${slug}`, async (route) => {
          if (route.request().method() !== 'PUT') return route.continue()
          // The first one is refused by the site, and merged.
          if (!route.request().postData()?.includes('Theirs')) return route.continue()
          await new Promise<void>((go) => {
            answer = go
            sent()
          })
          const code = { 500: 'internal_error', 429: 'rate_limited' }[status] ?? 'not_signed_in'
          const body = JSON.stringify({ error: { code, message: 'x' } })
          await (status === 0 ? route.abort() : route.fulfill({ status, headers, body }))
        })
      })
      await button('Save').click()
      await isSent
      const merged = notice('erged with changes made elsewhere')
      expect(await merged.count()).toBe(0)
      answer()
      await merged
        .getByText('Your changes are kept, and these were merged in: Description.')
        .waitFor()
      expect(await merged.innerText()).toMatch(/^Merged/)
      await page.locator('.edit-notice h2', { hasText: why }).waitFor()
      expect((await packNow(slug)).name).not.toBe('Mine')
    },
  )

  it.each(['while it is saved', 'before the save comes to the site'])(
    'are not told of where a page is loaded again %s, and one has typed on',
    async (when) => {
      const slug = await edit()
      const arrived = Promise.withResolvers<void>()
      const isSent = new Promise<void>((sent) => {
        void page.route(`**/session/packs/${slug}`, async (route) => {
          const request = route.request()
          if (request.method() !== 'PUT') return route.continue()
          if (when === 'while it is saved') await route.fetch()
          sent()
          await arrived.promise
          const { pack, basedOn } = request.postDataJSON() as { pack: PackInput; basedOn: string }
          await from.ask('PUT', `/session/packs/${slug}`, { pack, basedOn })
          await route.abort().catch(() => {})
        })
      })
      await name().fill('Mine')
      await saveIt()
      await isSent
      await name().fill('Mine, too')
      await page.reload()
      await expect.poll(() => name().inputValue()).toBe('Mine, too')
      arrived.resolve()
      await expect.poll(async () => (await packNow(slug)).name).toBe('Mine')
      await page.unrouteAll()
      expect(await notice('Your draft is older').count()).toBe(0)
      await saveIt()
      await page.waitForURL(`**/p/${slug}`)
      expect((await packNow(slug)).name).toBe('Mine, too')
    },
  )

  it('of one browser share a draft: each has what was changed in the other', async () => {
    const slug = await edit()
    const other = await openOther(`/p/${slug}/edit`, true)
    await put(page, 'NM1', '75')
    await expect.poll(() => fieldIn(other, 'NM1').inputValue()).toBe('75')
    await put(other, 'DT1', '76')
    await expect.poll(() => fieldIn(page, 'DT1').inputValue()).toBe('76')
    await page.getByRole('heading', { name: /^Beatmaps/ }).click()
    await page.keyboard.press('Control+Z')
    await expect.poll(() => fieldIn(other, 'NM1').inputValue()).toBe('4392947')
    await page.keyboard.press('Control+Shift+Z')
    await saveIt()
    await page.waitForURL(`**/p/${slug}`)
    const { slots } = await packNow(slug)
    expect(slots.map(({ beatmapId }) => beatmapId)).toEqual([75, 76, 4393066])
    // What the one has saved is nothing to save in the other.
    await expect.poll(() => other.locator('#save-words').textContent()).toBe('No changes')
    expect(await fieldIn(other, 'NM1').inputValue()).toBe('75')
  })

  it('of one browser are not told of what one of them has sent before it was closed', async () => {
    const slug = await edit()
    const other = await openOther(`/p/${slug}/edit`, true)
    const nameIn = other.getByLabel('Name', { exact: true })
    const sent = new Promise<object>((resolve) => {
      void other.route(`**/session/packs/${slug}`, async (route) => {
        const request = route.request()
        if (request.method() === 'PUT') resolve(request.postDataJSON() as object)
        else await route.continue()
      })
    })
    await nameIn.fill('Sent')
    await expect.poll(() => name().inputValue()).toBe('Sent')
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    const body = await sent
    const isKept = `JSON.parse(localStorage.getItem('${keyOf(slug)}')).sent.length === 1`
    await expect.poll(() => page.evaluate(isKept)).toBe(true)
    await name().fill('Sent, too')
    await expect.poll(() => nameIn.inputValue()).toBe('Sent, too')
    await other.close()
    await from.ask('PUT', `/session/packs/${slug}`, body)
    expect((await packNow(slug)).name).toBe('Sent')
    await page.reload()
    await expect.poll(() => name().inputValue()).toBe('Sent, too')
    expect(await notice('Your draft is older').count()).toBe(0)
    await saveIt()
    await page.waitForURL(`**/p/${slug}`)
    expect((await packNow(slug)).name).toBe('Sent, too')
  })

  it('have nothing to save when the only one with a change takes it back', async () => {
    const slug = await edit()
    const other = await openOther(`/p/${slug}/edit`, true)
    await name().fill('Changed')
    await expect.poll(() => other.getByLabel('Name', { exact: true }).inputValue()).toBe('Changed')
    await button('Undo: change ‘Name’').click()
    await expect
      .poll(() => other.getByLabel('Name', { exact: true }).inputValue())
      .toBe('Grand Finals')
    await expect.poll(() => other.locator('#save-words').textContent()).toBe('No changes')
  })

  it('are asked where a draft and what was saved have changed the same slot', async () => {
    const slug = await edit()
    await put(page, 'NM1', '75')
    await name().fill('Mine')
    await kept()
    const slots = aPack().slots.map((slot, at) => ({ ...slot, beatmapId: 70 + at }))
    await saveElsewhere(slug, { slots })
    await page.reload()
    const conflict = notice('Your draft is older than the saved pack')
    await expect
      .poll(() => conflict.locator('tbody tr').allTextContents())
      .toEqual([expect.stringMatching(/^NM1.*Amber Harbour.*Midnight Lantern/)])
    await conflict.getByRole('button', { name: 'Keep my version' }).click()
    await expect.poll(() => fieldIn(page, 'NM1').inputValue()).toBe('75')
    expect(await fieldIn(page, 'DT1').inputValue()).toBe('71')
    expect(await name().inputValue()).toBe('Mine')
  })
})

describe('a conflict', () => {
  const slots = aPack().slots
  const conflicting = async () => {
    const slug = await edit()
    await name().fill('Mine')
    await page.getByLabel('Description').fill('My words')
    await page.getByRole('button', { name: 'Remove DT1' }).click()
    const changed = [{ ...slots[0]!, index: 4 }, { ...slots[1]!, beatmapId: 75 }, slots[2]!]
    await saveElsewhere(slug, { name: 'Theirs', slots: changed, description: evil })
    await saveIt()
    await notice('This pack was changed elsewhere').waitFor()
    return slug
  }

  it('shows what both have changed, and overwrites nothing', async () => {
    const slug = await conflicting()
    const cells = await page.locator('.edit-conflict-table tbody tr').allTextContents()
    expect(cells).toEqual([
      'NameMineTheirs',
      `DescriptionMy words${evil}`,
      expect.stringMatching(/^DT1none./),
    ])
    await notice('Merged with changes made elsewhere')
      .getByText(/: NM1 and NM4\.$/)
      .waitFor()
    expect((await packNow(slug)).name).toBe('Theirs')
    await expect.poll(() => page.locator('.edit-conflict img').count()).toBe(0)
    await expect.poll(() => page.locator('#conflict-title:focus').count()).toBe(1)
  })

  it('lets mine go over theirs', async () => {
    const slug = await conflicting()
    await button('Keep my version').click()
    await page.waitForURL(`**/p/${slug}`)
    const pack = await packNow(slug)
    expect([pack.name, pack.description]).toEqual(['Mine', 'My words'])
    expect(pack.slots).toEqual([{ ...slots[0]!, index: 4 }, slots[2]!])
  })

  it('takes theirs, and an undo brings mine back', async () => {
    await conflicting()
    await button('Use the saved version').click()
    await expect.poll(() => name().inputValue()).toBe('Theirs')
    await expect.poll(() => page.locator('.edit-notice').count()).toBe(0)
    await page.keyboard.press('Control+Z')
    await expect.poll(() => name().inputValue()).toBe('Mine')
  })
})

describe('whoever is not signed in', () => {
  it('builds a pack and copies its key; what is there comes back after signing in', async () => {
    await open('/new', { who: null })
    await name().fill('Visitor')
    await page.getByRole('textbox', { name: 'Paste a sheet' }).fill('NM1 75')
    await button('Add 1 beatmap').click()
    await button('Copy key').click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^pk1\./)
    const link = page.getByRole('link', { name: 'Sign in to save' })
    await expect.poll(() => link.getAttribute('href')).toBe('/sign-in?return=%2Fnew')
    const cookies = [...from.cookies].map(([key, value]) => ({ name: key, value }))
    const url = house.urls.packs
    await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url })))
    await page.goto('/new')
    await saveIt()
    await page.waitForURL(/\/p\/[^/]{10}$/)
  })

  it('is told when the session ends meanwhile, and loses nothing', async () => {
    const own = await house.signedIn(7002)
    const slug = await house.save(own, aPack())
    await open(`/p/${slug}/edit`, { who: own })
    await name().fill('Interrupted')
    await own.ask('POST', '/session/sign-out', { everywhere: true })
    await saveIt()
    const link = notice('Your session has ended').getByRole('link', { name: 'Sign in' })
    await expect.poll(() => link.getAttribute('href')).toBe(`/sign-in?return=%2Fp%2F${slug}%2Fedit`)
    await kept()
    await house.signIn(own, 7002)
    const cookies = [...own.cookies].map(([key, value]) => ({ name: key, value }))
    const url = house.urls.packs
    await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url })))
    await page.reload()
    await expect.poll(() => name().inputValue()).toBe('Interrupted')
    await saveIt()
    await page.waitForURL(`**/p/${slug}`)
  })
})

describe('a refusal in another language than English', () => {
  it('is told as what it is, without the file of its words', async () => {
    const own = await house.signedIn(7002)
    const slug = await house.save(own, aPack())
    await open(`/p/${slug}/edit?lang=es`, { who: own })
    await page.route('**/assets/refusals-*', (route) => route.abort())
    await page.locator('#edit-name').fill('Interrumpido')
    await page.context().clearCookies()
    await button('Guardar').click()
    await notice('Tu sesión ha terminado').waitFor()
  })
})

describe.each(looks)('in both themes, $viewport.width pixels wide', (look) => {
  it('what is told of saving can be read by everybody, and fits', async () => {
    const slug = await edit({}, { look })
    await name().fill('Mine')
    await saveElsewhere(slug, { name: 'Theirs', description: 'x'.repeat(300) })
    await saveIt()
    await notice('This pack was changed elsewhere').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0)
    await page.route(saves, (route) => route.abort())
    await button('Keep my version').click()
    await notice('Perhaps not saved').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0)
  })
})
