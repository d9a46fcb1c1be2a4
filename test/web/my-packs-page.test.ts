import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import type { Pack, PackInput, Stats } from '../../src/contract/packs.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { createPack } from '../../src/operations/packs.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import {
  closeWindow,
  desk,
  evil,
  looks,
  openRealPage,
  overflowOf,
  phone,
  tabTo,
  targetHeights,
  stopClock,
} from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let chromium: Chromium
let owner: Browser
let page: Page
let complaints: string[]

type Look = (typeof looks)[number]

const open = async (path = '/me', from: Browser | null = owner, look?: Look): Promise<void> => {
  const opening = { from, path, ...(look && { look }) }
  ;({ page, complaints } = await openRealPage(chromium, house, opening))
  await page.locator('.my-pack a, .notice').first().waitFor()
}
/** A page of the site on which no pack is loaded. */
const openElsewhere = async (): Promise<void> => {
  ;({ page, complaints } = await openRealPage(chromium, house, { from: owner, path: '/k' }))
}
const rows = () => page.locator('.my-packs > ul > li')
const names = () => rows().locator('.row-name a').allTextContents()
const row = (name: string) => rows().filter({ hasText: name })
const count = () => page.locator('h1 + p').textContent()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const focused = () => page.evaluate('document.activeElement?.textContent')

const focusedName = () => page.evaluate(`document.activeElement?.getAttribute('aria-label')`)

/** Saves a pack a minute after the one before; gives its slug. */
const save = (changes: Partial<PackInput>, from = owner): Promise<string> => {
  house.clock.nextMinute()
  return house.save(from, aPack(changes))
}

/** Saves many packs past the quota. */
const saveMany = async (many: number): Promise<void> => {
  const accountId = owner.viewer?.id ?? ''
  for (let at = 1; at <= many; at += 1) {
    house.clock.advance(1_000)
    await createPack(house.ports, accountId, aPack({ name: `Pack ${at}` }))
  }
}

/** Gives every pack these stats. */
const settle = async (): Promise<void> => {
  const now = house.clock.now()
  const stats = examples.stats as Stats
  for (const due of await house.ports.statsWork.takeDue(now, now + 1_000, 100)) {
    await house.ports.statsWork.finish(due, { stats, dueAt: null, attempts: 0 })
  }
}

beforeAll(async () => {
  chromium = await launchChromium()
})
afterAll(() => chromium.close())
beforeEach(async () => {
  house = await openSiteHouse({ hasRealPages: true })
  owner = await house.signedIn(7001)
})
afterEach(async () => {
  await closeWindow(page)
  await house.close()
})

it.each([319, 390, 640])('names are whole, %d pixels wide', async (width) => {
  for (const name of ['W'.repeat(64), 'Harbour Lights Cup '.repeat(3).trim()]) await save({ name })
  await open('/me', owner, { viewport: { width, height: 800 }, hasTouch: true, isMobile: true })
  const cut = await page.locator('.my-pack').evaluateAll((all) =>
    all.flatMap((row) => {
      const name = row.querySelector('.row-name > a')
      if (name === null) return []
      const [box, below, around] = [
        name.getBoundingClientRect(),
        row.querySelector('.row-about')!.getBoundingClientRect(),
        row.getBoundingClientRect(),
      ]
      const isWhole =
        name.scrollWidth <= name.clientWidth &&
        box.bottom <= below.top + 1 &&
        box.right <= around.right
      return isWhole ? [] : [name.textContent]
    }),
  )
  expect(cut).toEqual([])
  expect(await overflowOf(page)).toBe(0)
})

describe('my packs', () => {
  it.each([1, 0])(
    'are not those of another account that has signed in since: %i of theirs',
    async (many) => {
      await save({ name: 'Mine' })
      const other = await house.signedIn(7002)
      if (many > 0) await save({ name: 'Theirs' }, other)
      const opening = {
        from: owner,
        path: '/me',
        prepare: (opened: Page) =>
          opened.route(/\/session\/packs\?/, async (route) => {
            const cookies = [...other.cookies].map(([name, value]) => ({ name, value }))
            const url = house.urls.packs
            await opened.context().addCookies(cookies.map((each) => ({ ...each, url })))
            const path = route.request().url().slice(url.length)
            await route.fulfill({ json: (await other.ask('GET', path)).json })
          }),
      }
      ;({ page, complaints } = await openRealPage(chromium, house, opening))
      await page.getByRole('alert').getByText('Your session has ended').waitFor()
      await page.locator('.my-packs').getByRole('link', { name: 'Sign in' }).waitFor()
      expect(await rows().count()).toBe(0)
      expect(await page.getByText('No packs yet').count()).toBe(0)
    },
  )

  it('are all of mine of any visibility, most recent first, and nobody else’s', async () => {
    const slug = await save({ name: 'Alone', visibility: 'private' })
    await save({ name: 'By link', visibility: 'unlisted' })
    await save({ name: 'For all', visibility: 'public' })
    await save({ name: 'Not mine', visibility: 'public' }, await house.signedIn(7002))
    await settle()
    await open()
    await expect.poll(() => names()).toEqual(['For all', 'By link', 'Alone'])
    await expect.poll(() => count()).toBe('3 of 200')
    const seenBy = await rows().locator('.visibility').allTextContents()
    expect(seenBy).toEqual(['public', 'unlisted', 'private'])
    const text = (await row('Alone').innerText()).replaceAll(/\s+/g, ' ')
    for (const fact of ['5.94–7.81', 'NM', '1:35–4:18', '174–333']) expect(text).toContain(fact)
    await expect
      .poll(() => row('Alone').locator('.row-name a').getAttribute('href'))
      .toBe(`/p/${slug}`)
    expect(complaints).toEqual([])
  })

  it('are all there, however many pages the site lists them on; those of the first at once', async () => {
    await saveMany(120)
    const { promise, resolve } = Promise.withResolvers<void>()
    await openElsewhere()
    await page.route('**/session/packs?page=3', async (route) => {
      await promise
      await route.continue()
    })
    await page.goto('/me')
    await expect.poll(() => rows().count()).toBe(100)
    await expect.poll(() => count()).toBe('120 of 200')
    expect((await names())[0]).toBe('Pack 120')
    resolve()
    await expect.poll(() => rows().count()).toBe(120)
    expect((await names()).at(-1)).toBe('Pack 1')
    expect(complaints).toEqual([])
  })

  it('say so when some cannot be loaded, and keep the others', async () => {
    await saveMany(60)
    await openElsewhere()
    await page.route('**/session/packs?page=2', (route) => route.abort())
    await page.goto('/me')
    await page.getByText('Could not load the rest of your packs').waitFor()
    await expect.poll(() => rows().count()).toBe(50)
    await page.unroute('**/session/packs?page=2')
    await button('Try again').click()
    await expect.poll(() => rows().count()).toBe(60)
  })

  it('can be edited, and their links copied', async () => {
    const slug = await save({ name: 'Harbour Cup' })
    await open()
    const edit = page.getByRole('link', { name: 'Edit Harbour Cup' })
    await expect.poll(() => edit.getAttribute('href')).toBe(`/p/${slug}/edit`)
    await button('Copy link to Harbour Cup').click()
    await page.getByText('Link to Harbour Cup copied').waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toBe(`${house.urls.packs}/p/${slug}`)
  })

  it('say when and why a moderator hid one', async () => {
    const slug = await save({ name: 'Harbour Cup', visibility: 'public' })
    await save({ name: 'Other' })
    await hidePack(house.ports, slug, { moderatorId: null, reason: 'copied from another host' })
    await open()
    const note = page.locator('.my-pack-hidden')
    await note.getByText('“copied from another host”').waitFor()
    await expect.poll(() => note.count()).toBe(1)
    await expect
      .poll(() => row('Harbour Cup').innerText())
      .toMatch(/Hidden by a moderator on 3 Oct 2026/)
  })

  it('say what to do while there are none, and when there can be no more', async () => {
    await open()
    const ways = page.locator('.notice a')
    await expect
      .poll(() => ways.evaluateAll((links) => links.map((a) => a.getAttribute('href'))))
      .toEqual(['/new', '/k'])
    await closeWindow(page)
    await saveMany(200)
    await open()
    await expect.poll(() => count()).toBe('200 of 200. Delete a pack to save another.')
  })

  it('ask strangers to sign in, and come back here', async () => {
    await open('/me?page=2', null)
    const way = await page.locator('.notice a').getAttribute('href')
    expect(way).toBe('/sign-in?return=%2Fme%3Fpage%3D2')
  })

  it('say so when they cannot be loaded, and try again when asked', async () => {
    await save({ name: 'Harbour Cup' })
    await open()
    await page.route('**/session/packs?page=1', (route) => route.abort())
    await page.reload()
    await page.getByRole('alert').getByText('Could not reach the site').waitFor()
    await page.unroute('**/session/packs?page=1')
    await button('Try again').click()
    await row('Harbour Cup').waitFor()
  })
})

describe('finding some of 120', () => {
  const states = ['private', 'unlisted', 'public'] as const

  beforeEach(async () => {
    const accountId = owner.viewer?.id ?? ''
    for (let at = 1; at <= 120; at += 1) {
      house.clock.advance(1_000)
      const description = at === 7 ? 'Für das Frühjahr' : ''
      const changes = { name: `Pack ${at}`, visibility: states[at % 3]!, description }
      await createPack(house.ports, accountId, aPack(changes))
    }
  })
  const filter = (name: string) =>
    page.getByRole('button', { name: new RegExp(`^${name} \\d`, 'i') })
  const search = () => page.getByRole('searchbox')
  const address = () => new URL(page.url()).search
  const firstName = async () => (await names())[0]

  it('searches name and description without marks and case, and says how many there are', async () => {
    await open()
    await search().fill('PACK 11')
    await expect.poll(() => rows().count()).toBe(11)
    await page.getByText('11 of 120 packs').waitFor()
    await expect.poll(() => filter('all').textContent()).toBe('all 11')
    await search().fill('fruhjahr')
    await expect.poll(() => names()).toEqual(['Pack 7'])
    await expect.poll(address).toBe('?q=fruhjahr')
    await search().fill('nothing of the kind')
    await page.getByText('No matching packs').waitFor()
    await button('Show all packs').click()
    await expect.poll(() => rows().count()).toBe(120)
  })

  it('counts by visibility, and shows one of them, as the address says', async () => {
    const slug = (await owner.ask('GET', '/session/packs')).json.packs[1].slug
    await hidePack(house.ports, slug, { moderatorId: null, reason: 'a copy' })
    await open()
    await expect.poll(() => rows().count()).toBe(120)
    for (const [state, many] of [
      ['public', 40],
      ['unlisted', 40],
      ['private', 40],
      ['hidden', 1],
    ] as const) {
      await expect.poll(() => filter(state).textContent()).toBe(`${state} ${many}`)
      await filter(state).click()
      await expect.poll(() => rows().count()).toBe(many)
      expect(address()).toBe(`?visibility=${state}`)
    }
  })

  it('sorts in both directions; going back and forward shows each view again', async () => {
    await open('/me?visibility=public')
    await page.getByLabel('Sort by').selectOption('name')
    await expect.poll(firstName).toBe('Pack 2')
    await button('A to Z').click()
    await expect.poll(firstName).toBe('Pack 119')
    expect(address()).toBe('?visibility=public&sort=name&reversed=1')
    await filter('private').click()
    await expect.poll(firstName).toBe('Pack 120')
    await page.goBack()
    await expect.poll(firstName).toBe('Pack 119')
    await page.goBack()
    await page.goBack()
    await expect.poll(() => page.getByLabel('Sort by').inputValue()).toBe('updated')
    await page.goForward()
    await expect.poll(firstName).toBe('Pack 2')
    await page.reload()
    await expect.poll(firstName).toBe('Pack 2')
    await row('Pack 119').getByRole('link', { name: 'Pack 119', exact: true }).click()
    await page.getByRole('heading', { name: 'Pack 119' }).waitFor()
    await page.goBack()
    await expect
      .poll(async () => (await row('Pack 119').boundingBox())?.y)
      .toBeLessThan(desk.height)
  })

  it('chooses ranges by Shift, and all that are shown', async () => {
    await open()
    await expect.poll(() => rows().count()).toBe(120)
    await rows().nth(2).getByRole('checkbox').click()
    await rows()
      .nth(6)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await selected('5 selected').waitFor()
    await rows().nth(5).getByRole('checkbox').click()
    await rows()
      .nth(4)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await selected('3 selected').waitFor()
    await rows().nth(0).getByRole('checkbox').click()
    await search().fill('Pack 11')
    await page.getByLabel('Select all 11 packs').click()
    await selected('11 selected').waitFor()
    await expect.poll(() => statusText()).toContain('11 packs selected')
    // What is not shown is not changed, but is still chosen when it is shown again.
    await search().fill('')
    await selected('12 selected').waitFor()
    await button('Clear selection').click()
    await expect.poll(() => page.locator('.chosen-bar').count()).toBe(0)
  })

  it('makes 30 private: waits for the quota (spec 8), stops at a conflict, and keeps all else', async () => {
    const before = await owner.ask('GET', '/session/packs')
    const stale = before.json.packs[25]
    const chosenSlugs = before.json.packs
      .slice(0, 45)
      .filter(({ visibility }: Pack) => visibility !== 'private')
      .map(({ slug }: Pack) => slug)
    expect(chosenSlugs).toHaveLength(30)
    await openWithClock()
    await rows().nth(0).getByRole('checkbox').click()
    await rows()
      .nth(44)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await setVisibility('Private', 'Change 30 packs')
    const waitsAfter = async (done: number) => {
      await page.getByText(`${done} of 30 packs private now`).first().waitFor()
      await page.locator('.run-bar .countdown').waitFor()
    }
    await waitsAfter(10)

    // Another window saves a pack that is still to come.
    house.clock.nextMinute()
    await owner.ask('PUT', `/session/packs/${stale.slug}`, {
      pack: aPack({ name: 'Changed elsewhere', visibility: 'public' }),
      basedOn: stale.updatedAt,
    })
    await page.clock.runFor(61_000)
    const alert = page.getByRole('alert').filter({ hasText: 'was not made private' })
    await alert.getByText(stale.name).waitFor()
    await expect.poll(() => alert.textContent()).toContain('It was changed elsewhere')
    await button('Continue with the new version').click()
    // In this minute there were a save elsewhere, six of these, a refused one, and two.
    for (const done of [18, 28]) {
      await waitsAfter(done)
      house.clock.nextMinute()
      await page.clock.runFor(61_000)
    }
    await page.getByText('30 packs are private now').waitFor()

    const pages = [1, 2, 3].map((at) => owner.ask('GET', `/session/packs?page=${at}`))
    const after = new Map<string, Pack>(
      (await Promise.all(pages)).flatMap(({ json }) =>
        json.packs.map((pack: Pack): [string, Pack] => [pack.slug, pack]),
      ),
    )
    for (const pack of before.json.packs) {
      const { updatedAt: _, visibility, ...rest } = after.get(pack.slug)!
      const isChosen = chosenSlugs.includes(pack.slug)
      expect(visibility).toBe(isChosen ? 'private' : pack.visibility)
      if (pack.slug === stale.slug) expect(rest.name).toBe('Changed elsewhere')
      else expect(rest).toEqual({ ...pack, updatedAt: undefined, visibility: undefined })
    }
    expect(complaints.filter((text) => !/409|429/.test(text))).toEqual([])
  })
})

const selected = (text: string) => page.locator('.chosen-bar').getByText(text, { exact: true })
/** What a screen reader hears from the foot of the page. */
const statusText = () => page.locator('.my-packs-foot > [role=status]').last().textContent()

const openWithClock = async (look?: Look): Promise<void> => {
  const opening = { from: owner, path: '/me', hasHandClock: true, ...(look && { look }) }
  ;({ page, complaints } = await openRealPage(chromium, house, opening))
  await rows().first().waitFor()
  await page.locator('.my-packs[aria-busy=false]').waitFor()
}
const setVisibility = async (to: string, confirm: string): Promise<void> => {
  await button('Visibility').click()
  await dialog()
    .getByLabel(new RegExp(`^${to}`))
    .click()
  await dialog().getByRole('button', { name: confirm }).click()
}
const total = async (): Promise<number> => (await owner.ask('GET', '/session/packs')).json.total

describe('setting the visibility of some', () => {
  it('keeps description, buckets and magnet links, and shows what others may see now', async () => {
    const slug = await save({
      name: 'Harbour Cup',
      description: 'For all',
      visibility: 'public',
      buckets: [{ code: 'RC', color: 3, mods: { kind: 'free' } }],
    })
    await save({ name: 'Other', visibility: 'private' })
    const { json } = await owner.ask('GET', `/session/packs/${slug}`)
    await owner.ask('POST', `/session/packs/${slug}/magnets`, {
      url: `magnet:?xt=urn:btih:${'a'.repeat(40)}`,
      packKey: json.pack.packKey,
    })
    await open()
    for (const name of ['Harbour Cup', 'Other']) await page.getByLabel(`Select ${name}`).click()
    await button('Visibility').click()
    await dialog().getByText('Only you · 1 already').waitFor()
    await page.keyboard.press('Escape')
    await setVisibility('Unlisted', 'Change 2 packs')
    await page.getByText('2 packs are unlisted now').waitFor()
    await expect
      .poll(() => rows().locator('.visibility').allTextContents())
      .toEqual(['unlisted', 'unlisted'])
    const { pack } = (await owner.ask('GET', `/session/packs/${slug}`)).json
    expect(pack).toMatchObject({ visibility: 'unlisted', description: 'For all' })
    expect(pack.buckets).toEqual(json.pack.buckets)
    expect(pack.buckets).toContainEqual({ code: 'RC', color: 3, mods: { kind: 'free' } })
    expect(pack.exports).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  it('can be stopped while it waits: what was done is said, the rest stays selected', async () => {
    await saveMany(15)
    await openWithClock()
    await page.getByLabel('Select all 15 packs').click()
    await setVisibility('Public', 'Change 15 packs')
    await page.getByText('All saves of this minute are used up').waitFor()
    await button('Stop').click()
    await page.getByText('10 of 15 packs are public now. The others stay as they were.').waitFor()
    await selected('5 selected').waitFor()
  })

  it('says which pack is not there any more', async () => {
    await saveMany(3)
    await open()
    const { packs } = (await owner.ask('GET', '/session/packs')).json
    await owner.ask('DELETE', `/session/packs/${packs[1].slug}`)
    await page.getByLabel('Select all 3 packs').click()
    await setVisibility('Public', 'Change 3 packs')
    await page.getByRole('alert').getByText('Pack 2 was not made public').waitFor()
    await button('Try again').click()
    await expect.poll(() => names()).toEqual(['Pack 3', 'Pack 1'])
  })
})

describe('deleting', () => {
  it('takes one from the list at once, and from the site when it cannot be undone any more', async () => {
    for (const name of ['Three', 'Two', 'One']) await save({ name })
    await openWithClock()
    await stopClock(page)
    await button('Delete Two').click()
    await page.clock.runFor(500)
    await page.locator('.undo-bar').getByText('Two will be deleted').waitFor()
    await expect.poll(() => names()).toEqual(['One', 'Three'])
    await expect.poll(() => count()).toBe('2 of 200')
    await expect.poll(focused).toBe('Three')
    await page.clock.runFor(9_000)
    expect(await total()).toBe(3)
    await page.mouse.move(0, 0)
    await page.clock.runFor(2_000)
    await expect.poll(total).toBe(2)
    await page.locator('.undo-bar').waitFor({ state: 'detached' })
    await expect.poll(() => names()).toEqual(['One', 'Three'])
    expect(complaints).toEqual([])
  })

  it('can be undone by its button and by a key; nothing is sent then', async () => {
    for (const name of ['Three', 'Two', 'One']) await save({ name })
    await openWithClock()
    await stopClock(page)
    await page.getByLabel('Select all 3 packs').click()
    await page.locator('.chosen-bar').getByRole('button', { name: 'Delete' }).click()
    await page.clock.runFor(500)
    await page.getByText('No packs yet').waitFor()
    await button('Undo').click()
    await page.clock.runFor(500)
    await page.getByText('3 packs kept').waitFor()
    await expect.poll(focused).toBe('One')
    await button('Delete One').click()
    await page.clock.runFor(500)
    await page.keyboard.press('Control+z')
    await page.clock.runFor(500)
    await expect.poll(() => names()).toEqual(['One', 'Two', 'Three'])
    await page.clock.runFor(30_000)
    expect(await total()).toBe(3)
    await expect.poll(focused).toBe('One')
  })

  it('of some, one after the other, is undone together, and leaves selected what is', async () => {
    await saveMany(4)
    await openWithClock()
    await stopClock(page)
    await page.getByLabel('Select Pack 1').click()
    await button('Delete Pack 4').click()
    await page.clock.runFor(9_000)
    await button('Delete Pack 3').click()
    await page.clock.runFor(500)
    await page.locator('.undo-bar').getByText('2 packs will be deleted').waitFor()
    await page.clock.runFor(8_500)
    expect(await total()).toBe(4)
    await selected('1 selected').waitFor()
    await button('Undo').click()
    await page.clock.runFor(500)
    await expect.poll(() => rows().count()).toBe(4)
  })

  it('waits with Undo while the pointer or the focus is on it', async () => {
    await save({ name: 'One' })
    await openWithClock()
    await button('Delete One').click()
    await button('Undo').focus()
    await page.clock.runFor(60_000)
    await button('Undo').press('Enter')
    await expect.poll(() => names()).toEqual(['One'])
  })

  it('waits with Undo for the focus although the pointer passes, and for the pointer although the focus goes', async () => {
    await save({ name: 'One' })
    await openWithClock()
    await stopClock(page)
    await button('Delete One').click()
    await page.clock.runFor(500)
    await button('Undo').focus()
    await page.locator('.undo-bar').hover()
    await page.mouse.move(0, 0)
    await page.clock.runFor(60_000)
    expect(await button('Undo').count()).toBe(1)
    await page.locator('.undo-bar').hover()
    await page.locator('h1').focus()
    await page.clock.runFor(60_000)
    expect(await button('Undo').count()).toBe(1)
    // As with Caps Lock.
    await page.keyboard.press('Control+Z')
    await page.clock.runFor(500)
    await expect.poll(() => names()).toEqual(['One'])
  })

  it('of many waits for the quota, and can be cancelled for the rest (spec 8)', async () => {
    await saveMany(25)
    await openWithClock()
    await page.getByLabel('Select all 25 packs').click()
    await page.locator('.chosen-bar').getByRole('button', { name: 'Delete' }).click()
    await page.clock.runFor(11_000)
    await page.getByText('10 of 25 packs deleted').first().waitFor()
    await page.getByText('All saves of this minute are used up').waitFor()
    house.clock.nextMinute()
    await page.clock.runFor(61_000)
    await page.getByText('20 of 25 packs deleted').first().waitFor()
    await button('Keep the other 5').click()
    await page.getByText('20 of 25 packs are deleted. The others stay as they were.').waitFor()
    await expect.poll(() => rows().count()).toBe(5)
    await expect.poll(() => count()).toBe('5 of 200')
    expect(await total()).toBe(5)
  })

  it('says when none is left', async () => {
    await save({ name: 'Last' })
    await open()
    await button('Delete Last').click()
    await page.getByText('No packs yet').waitFor()
    await expect.poll(focused).toBe('My packs')
  })
})

describe('leaving the page while packs are to be deleted', () => {
  it('deletes as many as the site takes at once; what was undone stays', async () => {
    for (const name of ['Three', 'Two', 'One']) await save({ name })
    await open()
    await button('Delete One').click()
    await button('Undo').click()
    await button('Delete Two').click()
    await page.locator('.undo-bar').waitFor()
    await page.goto('/k')
    await expect.poll(total).toBe(2)
    await page.goto('/me')
    await expect.poll(() => names()).toEqual(['One', 'Three'])
    await expect.poll(() => page.locator('.my-packs-unfinished').count()).toBe(0)
  })

  it('asks first if they are more; the next visit asks what is to become of the rest', async () => {
    await saveMany(14)
    await open()
    await page.getByLabel('Select all 14 packs').click()
    await page.locator('.chosen-bar').getByRole('button', { name: 'Delete' }).click()
    await page.locator('.undo-bar').waitFor()
    const asked: string[] = []
    page.on('dialog', (question) => {
      asked.push(question.type())
      void (asked.length === 1 ? question.dismiss() : question.accept())
    })
    await page.goto('/k').catch(() => {})
    await page.locator('.undo-bar').waitFor()
    expect(await total()).toBe(14)
    await page.goto('/k')
    expect(asked).toEqual(['beforeunload', 'beforeunload'])
    await expect.poll(total).toBe(4)

    house.clock.nextMinute()
    await page.goto('/me')
    const note = page.locator('.my-packs-unfinished')
    await note.getByText('4 packs that you deleted are still here.').waitFor()
    await expect.poll(() => rows().count()).toBe(4)
    await button('Keep them').click()
    await page.reload()
    await expect.poll(() => rows().count()).toBe(4)
    await expect.poll(() => note.count()).toBe(0)
  })

  it('deletes the rest on the next visit if one says so', async () => {
    await saveMany(12)
    await open()
    await page.getByLabel('Select all 12 packs').click()
    await page.locator('.chosen-bar').getByRole('button', { name: 'Delete' }).click()
    await page.locator('.undo-bar').waitFor()
    page.on('dialog', (question) => void question.accept())
    await page.goto('/k')
    await expect.poll(total).toBe(2)
    house.clock.nextMinute()
    await page.goto('/me')
    await button('Delete 2 packs').click()
    await page.locator('.undo-bar').getByText('2 packs will be deleted').waitFor()
    await expect.poll(() => page.locator('.my-packs-unfinished').count()).toBe(0)
    await page.goto('/k')
    await expect.poll(total).toBe(0)
    await page.goto('/me')
    await page.getByText('No packs yet').waitFor()
    await expect.poll(() => page.locator('.my-packs-unfinished').count()).toBe(0)
  })

  it('forgets what was decided about a pack that was saved since', async () => {
    await saveMany(11)
    await open()
    await page.getByLabel('Select all 11 packs').click()
    await page.locator('.chosen-bar').getByRole('button', { name: 'Delete' }).click()
    await page.locator('.undo-bar').waitFor()
    page.on('dialog', (question) => void question.accept())
    await page.goto('/k')
    await expect.poll(total).toBe(1)
    house.clock.nextMinute()
    const [left] = (await owner.ask('GET', '/session/packs')).json.packs
    const edit = { pack: aPack({ name: 'Still wanted' }), basedOn: left.updatedAt }
    await owner.ask('PUT', `/session/packs/${left.slug}`, edit)
    await page.goto('/me')
    await row('Still wanted').waitFor()
    await page.locator('.my-packs[aria-busy=false]').waitFor()
    const journal = `Object.keys(localStorage).filter((key) => key.startsWith('deleting-packs:'))`
    await expect.poll(() => page.evaluate(journal)).toEqual([])
    await expect.poll(() => page.locator('.my-packs-unfinished').count()).toBe(0)
  })

  it('asks, too, while visibility is being set', async () => {
    await saveMany(15)
    await open()
    await page.getByLabel('Select all 15 packs').click()
    await setVisibility('Public', 'Change 15 packs')
    await page.getByText('All saves of this minute are used up').waitFor()
    const asked: string[] = []
    page.on('dialog', (question) => {
      asked.push(question.type())
      void question.accept()
    })
    await page.goto('/k')
    expect(asked).toEqual(['beforeunload'])
  })

  it('in another window does not ask there', async () => {
    await saveMany(2)
    await open()
    await button('Delete Pack 1').click()
    await page.locator('.undo-bar').waitFor()
    const other = await page.context().newPage()
    await other.goto('/me')
    await other.locator('.my-packs[aria-busy=false] .my-pack a').first().waitFor()
    await expect.poll(() => other.locator('.my-packs-unfinished').count()).toBe(0)
  })
})

describe('when the site refuses', () => {
  it('a deletion, says which pack, and puts it back into the list when one skips it', async () => {
    await saveMany(3)
    await openWithClock()
    const error = { code: 'forbidden', message: 'not now' }
    await page.route('**/session/packs/*', (route) =>
      route.fulfill({ status: 403, json: { error } }),
    )
    await page.getByLabel('Select all 3 packs').click()
    await page.locator('.chosen-bar').getByRole('button', { name: 'Delete' }).click()
    await page.clock.runFor(11_000)
    const alert = page.getByRole('alert')
    await alert.getByText('Pack 3 was not deleted').waitFor()
    await expect.poll(() => alert.textContent()).toContain('0 of 3 packs deleted, 2 not tried yet.')
    await page.unroute('**/session/packs/*')
    await button('Skip it').click()
    await page.getByText('2 of 3 packs are deleted. The others stay as they were.').waitFor()
    await expect.poll(() => names()).toEqual(['Pack 3'])
    expect(await total()).toBe(1)
  })

  it('a deletion, and does not delete it after all as the page is left: the next visit asks', async () => {
    await saveMany(2)
    await openWithClock()
    const error = { code: 'forbidden', message: 'not now' }
    await page.route('**/session/packs/*', (route) =>
      route.fulfill({ status: 403, json: { error } }),
    )
    await button('Delete Pack 1').click()
    await page.clock.runFor(11_000)
    await page.getByRole('alert').getByText('Pack 1 was not deleted').waitFor()
    await page.unroute('**/session/packs/*')
    page.on('dialog', (question) => void question.accept())
    await page.goto('/k')
    await page.goto('/me')
    await page.locator('.my-packs-unfinished').waitFor()
    expect(await total()).toBe(2)
  })

  it('because the session has ended, leads to signing in', async () => {
    await saveMany(2)
    await open()
    await owner.ask('POST', '/session/sign-out', {})
    await page.getByLabel('Select all 2 packs').click()
    await setVisibility('Public', 'Change 2 packs')
    const way = page.getByRole('link', { name: 'Sign in' }).last()
    await expect.poll(() => way.getAttribute('href')).toBe('/sign-in?return=%2Fme')
  })
})

describe('downloading some', () => {
  it('gives one file for all of them, in each format', async () => {
    await save({ name: 'Cup' })
    await save({ name: 'cup' })
    await open()
    await page.getByLabel('Select all 2 packs').click()
    await button('Download').click()
    const take = async (name: string) => {
      const coming = page.waitForEvent('download')
      await button(`Download ${name}`).click()
      const file = await coming
      const parts: Buffer[] = []
      for await (const part of await file.createReadStream()) parts.push(part as Buffer)
      return { name: file.suggestedFilename(), text: Buffer.concat(parts).toString() }
    }
    const table = await take('Spreadsheet')
    expect(table.name).toBe('2 packs.csv')
    const lines = table.text.trim().split('\r\n')
    expect(lines[0]).toMatch(/^Pack,Slot,Beatmap ID,/)
    expect(new Set(lines.slice(1).map((line) => line.split(',')[0]))).toEqual(
      new Set(['cup', 'Cup (2)']),
    )
    const { json } = await owner.ask('GET', '/session/packs')
    expect(JSON.parse((await take('JSON')).text)).toEqual({ packs: json.packs })
    const keys = json.packs.map(({ packKey }: Pack) => `${packKey}\n`).join('')
    expect(await take('Pack key')).toEqual({ name: '2 packs key.txt', text: keys })
    for (const name of ['Collections (.osdb)', 'bracket.json', 'Referee lines']) {
      expect((await take(name)).text).not.toBe('')
    }
    await button('Download collection.db').click()
    const [collections] = await Promise.all([
      page.waitForEvent('download'),
      button('Download a new file').click(),
    ])
    expect(collections.suggestedFilename()).toBe('2 packs collection.db')
    expect(complaints).toEqual([])
  })
})

describe('by keyboard alone', () => {
  it('one walks the list, and deletes', async () => {
    for (const name of ['Three', 'Two', 'One']) await save({ name })
    await open()
    await tabTo(page, 'One')
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    await expect.poll(() => focused()).toBe('Three')
    await page.keyboard.press('Home')
    await tabTo(page, 'Delete One')
    await page.keyboard.press('Enter')
    await page.getByText('One will be deleted').waitFor()
    await expect.poll(focused).toBe('Two')
  })

  it('one selects some, a range and all, and does something with them', async () => {
    await saveMany(6)
    await open()
    await tabTo(page, 'Select Pack 6')
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focusedName).toBe('Select Pack 4')
    await page.keyboard.press('Shift+Space')
    await selected('3 selected').waitFor()
    await page.keyboard.press('Shift+ArrowDown')
    await selected('4 selected').waitFor()
    await expect.poll(focusedName).toBe('Select Pack 3')
    await page.keyboard.press('Control+a')
    await selected('6 selected').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.chosen-bar').count()).toBe(0)
    await page.keyboard.press('Space')
    await page.keyboard.press('Delete')
    await page.getByText('Pack 3 will be deleted').waitFor()
    await expect.poll(focused).toBe('Pack 2')
    await tabTo(page, 'Undo')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Pack 3')
  })
})

describe('text of people', () => {
  it('is shown as text wherever it stands', async () => {
    const slug = await save({ name: evil, description: evil, visibility: 'public' })
    await hidePack(house.ports, slug, { moderatorId: null, reason: evil })
    await open()
    await expect.poll(() => names()).toEqual([evil])
    await page.locator('.my-pack-hidden').getByText(`“${evil}”`).waitFor()
    await button(`Delete ${evil}`).click()
    await page.locator('.undo-bar').getByText(`${evil} will be deleted`).waitFor()
    await expect.poll(() => page.locator('main img').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

describe.each(looks)('in both themes, $viewport.width pixels wide', (look) => {
  it('can be used by everybody, and fits', async () => {
    const expectUsable = async () => {
      expect(await axeViolations(page)).toEqual([])
      await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0)
    }
    await open('/me', null, look)
    await expectUsable()
    await closeWindow(page)
    await open('/me', owner, look)
    await expectUsable()
    await closeWindow(page)

    const slug = await save({ name: 'x'.repeat(64), visibility: 'public' })
    await save({ name: 'Harbour Cup' })
    await settle()
    await save({ name: 'Without stats', visibility: 'private' })
    await hidePack(house.ports, slug, { moderatorId: null, reason: 'y'.repeat(300) })
    await open('/me', owner, look)
    await page.getByText('“yyy').waitFor()
    await expectUsable()
    const expectTargets = async () => {
      if (look.viewport !== phone) return
      const targets = 'main button, main .button, main label:has(input), dialog button'
      expect(Math.min(...(await targetHeights(page, targets)))).toBeGreaterThanOrEqual(44)
    }
    await expectTargets()
    await page.getByLabel('Select Harbour Cup').click()
    await expectUsable()
    await expectTargets()
    await button('Visibility').click()
    await dialog()
      .getByLabel(/^Public/)
      .click()
    await expectUsable()
    await expectTargets()
    await page.keyboard.press('Escape')
    await button('Download').click()
    await dialog().getByText('Pack key').waitFor()
    await expectUsable()
    await page.keyboard.press('Escape')
    await page.locator('.chosen-bar').getByRole('button', { name: 'Delete' }).click()
    await page.locator('.undo-bar').waitFor()
    await page.getByLabel('Select Without stats').click()
    await expectUsable()
    await expectTargets()
    await page.getByRole('searchbox').fill('nothing')
    await page.getByText('No matching packs').waitFor()
    await expectUsable()
  })
})
