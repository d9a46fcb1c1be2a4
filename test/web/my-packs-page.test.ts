import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import type { PackInput, Stats } from '../../src/contract/packs.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { createPack } from '../../src/operations/packs.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import {
  evil,
  looks,
  openRealPage,
  overflowOf,
  phone,
  tabTo,
  targetHeights,
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
  await page.context().close()
  await house.close()
})

describe('my packs', () => {
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

  it('stand on pages of fifty, which the address names', async () => {
    await saveMany(53)
    await open()
    expect((await names())[0]).toBe('Pack 53')
    await expect.poll(() => rows().count()).toBe(50)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('Page 2 of 2').waitFor()
    expect(new URL(page.url()).search).toBe('?page=2')
    await expect.poll(() => names()).toEqual(['Pack 3', 'Pack 2', 'Pack 1'])
    await page.goBack()
    await page.getByText('Page 1 of 2').waitFor()
    await page.goto('/me?page=9')
    await page.getByRole('link', { name: 'Go to the last page' }).click()
    await row('Pack 1').waitFor()
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
    await page.context().close()
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

describe('deleting one', () => {
  it('is confirmed, offers its pack key, and goes on from the next', async () => {
    for (const name of ['Three', 'Two', 'One']) await save({ name })
    const before = await owner.ask('GET', '/session/packs')
    await open()
    await button('Delete Two').click()
    await dialog().getByRole('button', { name: 'Copy pack key' }).click()
    await page.getByText('Pack key copied').waitFor()
    const key = await page.evaluate('navigator.clipboard.readText()')
    expect(key).toBe(before.json.packs[1].packKey)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(focusedName).toBe('Delete Two')
    await expect.poll(() => rows().count()).toBe(3)

    await button('Delete Two').click()
    await dialog().getByRole('button', { name: 'Delete pack' }).click()
    await page.getByText('Two deleted').waitFor()
    await expect.poll(() => names()).toEqual(['One', 'Three'])
    await expect.poll(() => count()).toBe('2 of 200')
    await expect.poll(focused).toBe('Three')
    const after = await owner.ask('GET', '/session/packs')
    expect(after.json.total).toBe(2)
    expect(complaints).toEqual([])
  })

  it('fills the page from the next one, and says when none is left', async () => {
    await saveMany(51)
    await open()
    await button('Delete Pack 51').click()
    await dialog().getByRole('button', { name: 'Delete pack' }).click()
    await expect.poll(async () => (await names()).at(-1)).toBe('Pack 1')
    await expect.poll(() => rows().count()).toBe(50)
    await page.context().close()

    const alone = await house.signedIn(7002)
    await save({ name: 'Last' }, alone)
    await open('/me', alone)
    await button('Delete Last').click()
    await dialog().getByRole('button', { name: 'Delete pack' }).click()
    await page.getByText('No packs yet').waitFor()
    await expect.poll(focused).toBe('My packs')
  })

  it('says how long to wait once the writes of the minute are used up (spec 8)', async () => {
    for (let at = 0; at < 10; at += 1) await house.save(owner, aPack({ name: `Pack ${at}` }))
    await open()
    await button('Delete Pack 0').click()
    await dialog().getByRole('button', { name: 'Delete pack' }).click()
    const said = await dialog().getByRole('alert').textContent()
    expect(said).toContain('More than 10 writes in this minute')
    expect(said).toContain('Try again in 59 seconds.')
    expect(said).toContain('The pack was not deleted.')
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
    await tabTo(page, 'Delete pack')
    await page.keyboard.press('Enter')
    await page.getByText('One deleted').waitFor()
    await expect.poll(focused).toBe('Two')
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
    await expect.poll(() => dialog().locator('b').textContent()).toBe(evil)
    await expect.poll(() => page.locator('main img').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

describe.each(looks)('with $colorScheme colours, $viewport.width pixels wide', (look) => {
  it('can be used by everybody, and fits', async () => {
    const expectUsable = async () => {
      expect(await axeViolations(page)).toEqual([])
      await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0)
    }
    await open('/me', null, look)
    await expectUsable()
    await page.context().close()
    await open('/me', owner, look)
    await expectUsable()
    await page.context().close()

    const slug = await save({ name: 'x'.repeat(64), visibility: 'public' })
    await save({ name: 'Harbour Cup' })
    await settle()
    await save({ name: 'Without stats', visibility: 'private' })
    await hidePack(house.ports, slug, { moderatorId: null, reason: 'y'.repeat(300) })
    await open('/me', owner, look)
    await page.getByText('“yyy').waitFor()
    await expectUsable()
    await button('Delete Harbour Cup').click()
    await expectUsable()
    if (look.viewport === phone) {
      const heights = await targetHeights(page, 'main button, main .button, dialog button')
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
    }
  })
})
