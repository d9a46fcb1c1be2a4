import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hidePack } from '../../src/operations/moderation.ts'
import { createPack } from '../../src/operations/packs.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import {
  closeWindow,
  evil,
  looks,
  openRealPage,
  overflowOf,
  phone,
  tabTo,
  targetHeights,
} from '../support/real-page.ts'
import { openTournament } from '../support/public-tournament.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let chromium: Chromium
let owner: Browser
let moderator: Browser
let page: Page
let complaints: string[]

type Look = BrowserContextOptions

const open = async (path = '/moderation', from = moderator, look?: Look): Promise<void> => {
  const opening = { from, path, ...(look && { look }) }
  ;({ page, complaints } = await openRealPage(chromium, house, opening))
  await page.locator('.moderated-row, .log, .notice').first().waitFor()
}
const rows = () => page.locator('.moderated-row')
const row = (name: string) => rows().filter({ hasText: name })
const names = () => page.locator('.moderated-name').allTextContents()
const state = (name: string) => row(name).locator('.moderated-state').innerText()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const closed = () => dialog().waitFor({ state: 'detached' })
const refusal = () => page.locator('.moderation-refusal')
const focused = () =>
  page.evaluate(
    `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent`,
  )
const focusIsOn = (name: string) => expect.poll(focused).toBe(name)
const addressIs = (search: string) => page.waitForURL((url) => url.search === search)

/** Saves a pack a second after the one before; gives its slug. */
const save = async (name: string, changes: Parameters<typeof aPack>[0] = {}): Promise<string> => {
  house.clock.advance(1_000)
  const input = aPack({ name, visibility: 'public', ...changes })
  return (await createPack(house.ports, owner.viewer?.id ?? '', input)).slug
}
const decide = (slug: string, verdict: string, reason?: string) =>
  moderator.ask('POST', `/session/moderation/packs/${slug}/${verdict}`, reason ? { reason } : {})
const hide = (slug: string, reason: string) =>
  hidePack(house.ports, slug, { moderatorId: null, reason })
const pinned = async (): Promise<string[]> => {
  const reply = await moderator.ask('GET', '/session/moderation/packs?only=pinned')
  return reply.json.packs.map((pack: { name: string }) => pack.name)
}

/** Saves and pins packs with these names. */
const pin = async (...wanted: string[]): Promise<void> => {
  for (const name of wanted) await decide(await save(name), 'pin')
}

beforeAll(async () => {
  chromium = await launchChromium()
})
afterAll(() => chromium.close())
beforeEach(async () => {
  house = await openSiteHouse({ hasRealPages: true })
  owner = await house.signedIn(7001)
  await house.ports.accounts.setModerator(7003, true, 0)
  moderator = await house.signedIn(7003)
})
afterEach(async () => {
  await closeWindow(page)
  await house.close()
})

describe('who moderates', () => {
  it('is nobody else: they read that it is for moderators', async () => {
    ;({ page } = await openRealPage(chromium, house, { from: owner, path: '/packs' }))
    const reply = await page.goto('/moderation')
    expect(reply?.status()).toBe(403)
    await expect.poll(() => page.locator('h1').textContent()).toBe('Moderators only')
    expect(await page.locator('main').innerText()).toContain('sign in with that account')
  })

  it('and whoever is one no longer reads it when they go on', async () => {
    await save('Harbour Cup')
    await open()
    await house.ports.accounts.setModerator(7003, false, 0)
    await button('Pin Harbour Cup').click()
    await expect.poll(() => refusal().innerText()).toContain('Only moderators can do this.')
    await page.reload()
    await expect.poll(() => page.locator('h1').textContent()).toBe('Moderators only')
  })
})

describe('finding packs', () => {
  it('shows public and unlisted ones, never private ones (D-30)', async () => {
    const slug = await save('For all')
    await save('By link', { visibility: 'unlisted' })
    await save('Alone', { visibility: 'private' })
    await open()
    await expect.poll(() => names()).toEqual(['By link', 'For all'])
    await expect
      .poll(() => page.locator('.moderation-bar [role=status]').textContent())
      .toBe('2 packs')
    const link = row('For all').getByRole('link')
    await expect.poll(() => link.getAttribute('href')).toBe(`/p/${slug}`)
    const cells = await row('By link').getByRole('gridcell').allInnerTexts()
    expect(cells.slice(1, 4).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'by Peridot',
      'unlisted',
      'shown',
    ])
    expect(complaints).toEqual([])
  })

  it('by name, owner and slug while one types, all of it in the address', async () => {
    await save('Harbour Cup')
    const slug = await save('Other')
    await open()
    await page.getByRole('searchbox').fill('harb')
    await expect.poll(names).toEqual(['Harbour Cup'])
    await addressIs('?query=harb')
    await page.reload()
    await expect.poll(names).toEqual(['Harbour Cup'])
    await page.getByRole('searchbox').fill(slug)
    await expect.poll(names).toEqual(['Other'])
    await page.getByRole('searchbox').fill('nobody')
    await button('Show all packs').click()
    await expect.poll(names).toEqual(['Other', 'Harbour Cup'])
  })

  it('by state, each a place to come back to', async () => {
    await hide(await save('Copied Cup'), 'copied')
    await pin('Harbour Cup')
    await open()
    await page.getByText('Hidden', { exact: true }).click()
    await addressIs('?only=hidden')
    await expect.poll(names).toEqual(['Copied Cup'])
    await page.keyboard.press('ArrowRight')
    await addressIs('?only=pinned')
    await expect.poll(names).toEqual(['Harbour Cup'])
    await page.goBack()
    await expect.poll(names).toEqual(['Copied Cup'])
    await page.goBack()
    await expect.poll(names).toEqual(['Harbour Cup', 'Copied Cup'])
  })

  it('page by page', async () => {
    for (let at = 1; at <= 52; at += 1) await save(`Pack ${at}`)
    await open('/moderation?query=pack')
    await expect.poll(() => rows().count()).toBe(50)
    await page.getByRole('link', { name: 'Next' }).click()
    await addressIs('?query=pack&page=2')
    await expect.poll(names).toEqual(['Pack 2', 'Pack 1'])
  })
})

describe('hiding and unhiding', () => {
  it('asks for a reason, and tells who did it and why', async () => {
    const slug = await save('Harbour Cup')
    await open()
    await button('Hide Harbour Cup').click()
    const confirm = dialog().getByRole('button', { name: 'Hide pack' })
    await page.getByLabel('Reason').fill('   ')
    await expect.poll(() => confirm.isDisabled()).toBe(true)
    await page.getByLabel('Reason').fill(' copied from another host ')
    await confirm.click()
    await closed()
    await page.getByText('Harbour Cup hidden').waitFor()
    const told = (await state('Harbour Cup')).replaceAll(/\s+/g, ' ')
    expect(told).toBe('hidden 3 Oct 2026 by maple_keeper copied from another host')
    expect((await house.browser().open(`/p/${slug}`)).status).toBe(404)
    await focusIsOn('Unhide Harbour Cup')

    await page.keyboard.press('Enter')
    await page.getByLabel('Reason').fill('settled')
    await page.keyboard.press('Enter')
    await closed()
    await expect.poll(() => state('Harbour Cup')).toBe('shown')
    expect((await house.browser().open(`/p/${slug}`)).status).toBe(200)
    expect(complaints).toEqual([])
  })

  it('keeps a dialog open that was closed and opened again within a frame', async () => {
    await save('Harbour Cup')
    await open()
    await button('Hide Harbour Cup').click()
    await page.getByLabel('Reason').fill('copied')
    // The browser tells of the closing with the next frame.
    await page.evaluate(`(() => {
      const dialog = document.querySelector('dialog[open]')
      dialog.close()
      dialog.showModal()
    })()`)
    const frames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
    await page.evaluate(frames)
    expect(await page.getByLabel('Reason').inputValue()).toBe('copied')
    await dialog().getByRole('button', { name: 'Hide pack' }).click()
    await page.getByText('Harbour Cup hidden').waitFor()
  })

  it('says what the site refuses, and keeps the reason', async () => {
    const slug = await save('Harbour Cup')
    await open()
    await owner.ask('DELETE', `/session/packs/${slug}`)
    await button('Hide Harbour Cup').click()
    await page.getByLabel('Reason').fill('copied')
    await page.keyboard.press('Enter')
    const alertText = await dialog().getByRole('alert').textContent()
    expect(alertText).toContain('There is no unlisted or public pack with this slug.')
    expect(alertText).toContain('The pack was not hidden.')
    await expect.poll(() => page.getByLabel('Reason').inputValue()).toBe('copied')
  })

  it('shows the reason that another moderator gave meanwhile, and replaces it when told to (D-118)', async () => {
    const slug = await save('Harbour Cup')
    await open()
    await decide(slug, 'hide', 'stolen')
    await button('Hide Harbour Cup').click()
    await page.getByLabel('Reason').fill('copied')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => dialog().getByRole('alert').textContent())
      .toBe('Already hidden, with this reason: stolen.')
    await expect.poll(() => page.getByLabel('Reason').inputValue()).toBe('copied')
    await dialog().getByRole('button', { name: 'Replace the reason' }).click()
    await closed()
    const [pack] = (await moderator.ask('GET', '/session/moderation/packs')).json.packs
    expect(pack).toMatchObject({ slug, hiddenReason: 'copied' })
  })
})

describe('the pinned row (D-30)', () => {
  it('is filled and emptied', async () => {
    await save('Harbour Cup')
    await open()
    await button('Pin Harbour Cup').click()
    await page.getByText('Harbour Cup pinned').waitFor()
    await expect.poll(() => state('Harbour Cup')).toBe('pinned')
    await expect.poll(() => pinned()).toEqual(['Harbour Cup'])
    await button('Unpin Harbour Cup').click()
    await page.getByText('Harbour Cup unpinned').waitFor()
    await expect.poll(() => pinned()).toEqual([])
  })

  it('is left while the site decides: the list that is shown by then stays whole', async () => {
    await pin('One', 'Two')
    await open('/moderation?only=pinned')
    await expect.poll(names).toEqual(['One', 'Two'])
    const { promise, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/unpin', async (route) => {
      const response = await route.fetch()
      await promise
      await route.fulfill({ response })
    })
    await button('Unpin One').click()
    await expect.poll(pinned).toEqual(['Two'])
    await page.getByText('All', { exact: true }).click()
    await expect.poll(names).toEqual(['Two', 'One'])
    answer()
    await page.getByText('One unpinned').waitFor()
    expect(await names()).toEqual(['Two', 'One'])
    await expect.poll(() => page.locator('main').innerText()).toContain('2 packs')
  })

  it('is told of in English in a browser in Spanish, too, and said to be', async () => {
    await save('Harbour Cup')
    await open('/moderation', moderator, { locale: 'es' })
    await button('Pin Harbour Cup').click()
    const toast = page.locator('.toast')
    await toast.filter({ hasText: 'Harbour Cup pinned' }).waitFor()
    expect(await toast.getAttribute('lang')).toBe('en')
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
  })

  it('takes six, public and not hidden ones; else it says why not', async () => {
    await save('By link', { visibility: 'unlisted' })
    await hide(await save('Copied Cup'), 'copied')
    await pin('One', 'Two', 'Three', 'Four', 'Five', 'Six')
    await save('Seven')
    await open()
    await expect.poll(() => button('Pin By link').count()).toBe(0)
    await expect.poll(() => button('Pin Copied Cup').count()).toBe(0)
    await button('Pin Seven').click()
    const told = () => refusal().innerText()
    await expect.poll(() => told()).toContain('Seven could not be pinned')
    await expect.poll(() => told()).toContain('6 packs are already pinned; unpin one first.')
    await row('By link').getByRole('link').focus()
    await page.keyboard.press('p')
    await expect.poll(told).toContain('Only public packs can be pinned; this pack is unlisted.')
    await row('Copied Cup').getByRole('link').focus()
    await page.keyboard.press('p')
    await expect.poll(told).toContain('A hidden pack cannot be pinned; unhide it first.')
    await refusal().getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => refusal().count()).toBe(0)
  })

  it('is ordered by dragging', async () => {
    await pin('One', 'Two', 'Three', 'Four')
    await open('/moderation?only=pinned')
    const middle = async (name: string): Promise<[number, number]> => {
      const box = await row(name).locator('.pin-handle').boundingBox()
      if (box === null) throw new Error(`${name} has no handle`)
      return [box.x + box.width / 2, box.y + box.height / 2]
    }
    const drag = async (name: string, to: string): Promise<void> => {
      await page.mouse.move(...(await middle(name)))
      await page.mouse.down()
      const [x, y] = await middle(to)
      await page.mouse.move(x, y + 2, { steps: 4 })
    }
    await drag('One', 'Three')
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await expect.poll(() => names()).toEqual(['One', 'Two', 'Three', 'Four'])

    await drag('One', 'Three')
    await page.mouse.up()
    await page.getByText('One moved to position 3 of 4').waitFor()
    await expect.poll(() => names()).toEqual(['Two', 'Three', 'One', 'Four'])
    await expect.poll(pinned).toEqual(['Two', 'Three', 'One', 'Four'])
    expect(complaints).toEqual([])
  })

  it('is ordered by buttons, which stay under the finger', async () => {
    await pin('One', 'Two', 'Three')
    await open('/moderation?only=pinned')
    await button('Move Three up').click()
    await focusIsOn('Move Three up')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect.poll(() => names()).toEqual(['Three', 'One', 'Two'])
    await expect.poll(pinned).toEqual(['Three', 'One', 'Two'])
    await focusIsOn('Move Three up')
  })

  it('is shown as it is when others have changed it meanwhile (409)', async () => {
    await pin('One', 'Two')
    await open('/moderation?only=pinned')
    await pin('Three')
    await button('Move Two up').click()
    await expect.poll(names).toEqual(['One', 'Two', 'Three'])
    await expect.poll(() => refusal().innerText()).toContain('The pinned packs have changed')
    await expect.poll(() => pinned()).toEqual(['One', 'Two', 'Three'])
  })

  it('has no order to change while a part of it is shown', async () => {
    await pin('One', 'Two')
    await open('/moderation?only=pinned&query=one')
    await expect.poll(() => names()).toEqual(['One'])
    await expect.poll(() => page.locator('.pin-place').count()).toBe(0)
  })
})

describe('by keyboard alone', () => {
  it('one finds, walks, hides, pins and orders', async () => {
    await pin('One', 'Two', 'Three')
    await save('Copied Cup')
    await open()
    await tabTo(page, 'Copied Cup')
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key)
    await expect.poll(() => focused()).toBe('Three')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => focused()).toBe('Unpin Three')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused()).toBe('Unpin Two')
    await page.keyboard.press('Home')
    // That one has a Pin button in the same column.
    await expect.poll(() => focused()).toBe('Pin Copied Cup')

    await page.keyboard.press('h')
    await dialog().locator('input:focus').waitFor()
    await page.keyboard.type('copied')
    await page.keyboard.press('Enter')
    await closed()
    await page.getByText('Copied Cup hidden').waitFor()
    await focusIsOn('Copied Cup')

    await page.keyboard.press('/')
    await page.locator('#moderation-search:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowLeft')
    await addressIs('?only=pinned')
    await expect.poll(names).toEqual(['One', 'Two', 'Three'])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => names()).toEqual(['Two', 'Three', 'One'])
    await expect.poll(pinned).toEqual(['Two', 'Three', 'One'])
    await page.keyboard.press('p')
    await page.getByText('One unpinned').waitFor()
    await expect.poll(pinned).toEqual(['Two', 'Three'])
    await focusIsOn('Three')
    expect(complaints).toEqual([])
  })

  it('has one stop for Tab in the table: the row where one was', async () => {
    for (const name of ['One', 'Two', 'Three']) await save(name)
    await open()
    await tabTo(page, 'Three')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await expect.poll(() => focused()).toBe('Pin Two')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect
      .poll(() => page.evaluate(`document.activeElement?.closest('.moderated')`))
      .toBeNull()
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => focused()).toBe('Hide Two')
  })
})

describe('the log', () => {
  it('says who did what when and why, page by page', async () => {
    const slug = await save('Harbour Cup')
    await hide(slug, 'copied')
    for (let at = 0; at < 26; at += 1) {
      house.clock.advance(1_000)
      await decide(slug, 'unhide', 'settled')
      await decide(slug, 'pin')
      await decide(slug, 'hide', 'copied again')
    }
    await open()
    await page.getByRole('link', { name: 'Log' }).click()
    await page.locator('.log').waitFor()
    await expect.poll(() => page.locator('.log-count').textContent()).toBe('79 entries')
    const lines = await page.locator('.log > li').allInnerTexts()
    expect(lines).toHaveLength(50)
    expect(lines.slice(0, 3).map((line) => line.split('\n').filter((part) => part !== ''))).toEqual(
      [
        ['3 Oct 2026, 18:30', 'maple_keeper hid Harbour Cup', 'copied again'],
        ['3 Oct 2026, 18:30', 'maple_keeper pinned Harbour Cup'],
        ['3 Oct 2026, 18:30', 'maple_keeper unhid Harbour Cup', 'settled'],
      ],
    )
    await page.getByRole('link', { name: 'Next' }).click()
    await addressIs('?view=log&page=2')
    await expect
      .poll(async () => (await page.locator('.log > li').last().innerText()).split('\n'))
      .toContain('The operator hid Harbour Cup')
    expect(complaints).toEqual([])
  })

  it('is there before anything was done', async () => {
    await open('/moderation?view=log')
    await expect.poll(() => page.locator('.notice').innerText()).toContain('No entries yet')
  })
})

describe('text of people', () => {
  it('is shown as text wherever it stands', async () => {
    await house.rename(7001, '<b onclick=alert(1)>&amp;')
    owner = await house.signedIn(7001)
    await hide(await save(evil, { description: evil }), evil)
    await open()
    await expect.poll(() => names()).toEqual([evil])
    await expect.poll(() => page.locator('.hidden-reason').textContent()).toBe(evil)
    await expect.poll(() => page.locator('.moderated-owner').textContent()).toContain('<b onclick')
    await page.getByRole('link', { name: evil }).focus()
    await page.keyboard.press('h')
    await expect.poll(() => dialog().locator('p').first().textContent()).toContain(evil)
    await page.goto('/moderation?view=log')
    await expect.poll(() => page.locator('.log a').textContent()).toBe(evil)
    await expect.poll(() => page.locator('.log-reason').textContent()).toBe(evil)
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
    await hide(await save('x'.repeat(64)), 'y'.repeat(300))
    await save('By link', { visibility: 'unlisted' })
    await pin('One', 'z'.repeat(64))
    await open('/moderation', moderator, look)
    await expectUsable()
    await button('Hide One').click()
    await expectUsable()
    await page.goto('/moderation?only=pinned')
    await rows().first().waitFor()
    await expectUsable()
    if (look.viewport === phone) {
      const heights = await targetHeights(
        page,
        'main button, main nav a, .moderated-name a, .moderation-bar .field, .moderation-only',
      )
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
    }
    for (const path of ['/moderation?view=log', '/moderation?query=nobody']) {
      await page.goto(path)
      await page.locator('.log, .notice').waitFor()
      await expectUsable()
    }
  })
})

describe('D-76: players', () => {
  it('are found by name, suspended with a reason, listed, and let in again; the log says so', async () => {
    const slug = await save('Buy followers')
    await open('/moderation?view=players')
    await expect.poll(() => page.locator('.notice').innerText()).toContain('No suspended players')
    await page.getByLabel('Search by name or game id').fill('PERI')
    await button('Suspend Peridot').click()
    await addressIs('?view=players&query=PERI')
    expect(await dialog().innerText()).toContain(
      'Everything they made public is hidden from others.',
    )
    await dialog().getByRole('textbox').fill('advertising')
    await dialog().getByRole('button', { name: 'Suspend player' }).click()
    await closed()
    await expect.poll(() => page.locator('.players').innerText()).toMatch(/suspended since/)
    expect((await house.browser().open(`/p/${slug}`)).status).toBe(404)
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Search by name or game id').fill('')
    // What is found by then has one row as well.
    await addressIs('?view=players')
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    await expect.poll(() => page.locator('.players li').count()).toBe(1)
    expect(await page.locator('.players').innerText()).toContain('advertising')
    await button('Unsuspend Peridot').click()
    await dialog().getByRole('textbox').fill('a mistake')
    await dialog().getByRole('button', { name: 'Unsuspend player' }).click()
    await closed()
    await expect.poll(() => button('Suspend Peridot').count()).toBe(1)
    expect((await house.browser().open(`/p/${slug}`)).status).toBe(200)
    await page.getByRole('link', { name: 'Log' }).click()
    const entries = page.locator('.log > li')
    await expect.poll(() => entries.count()).toBe(2)
    expect(await entries.first().innerText()).toMatch(/lifted the suspension of\s+Peridot/)
    expect(await entries.last().innerText()).toMatch(/suspended\s+Peridot[^]*advertising/)
    expect(complaints).toEqual([])
  })

  it('are not moderators: those are suspended by the operator', async () => {
    await open(`/moderation?view=players&query=maple`)
    await page.locator('.players li').waitFor()
    expect(await page.locator('.players').innerText()).toContain('moderator')
    expect(await page.locator('.players button').count()).toBe(0)
  })
})

describe('D-76: tournaments, on their site', () => {
  it('are found by name, hidden with a reason and shown again; the log says so', async () => {
    const { ports } = house
    const { slug } = await openTournament(ports, owner.viewer!.id, { name: 'Followers Cup' }, [])
    const site = await house.signedIn(7003, 'pools')
    const opening = { from: site, path: '/moderation', service: 'pools' } as const
    ;({ page, complaints } = await openRealPage(chromium, house, opening))
    await page.getByLabel('Search by name or slug').fill('follow')
    await addressIs('?query=follow')
    await button('Hide Followers Cup').click()
    await dialog().getByRole('textbox').fill('advertising')
    await dialog().getByRole('button', { name: 'Hide tournament' }).click()
    await closed()
    const list = page.locator('.tournaments-moderated')
    await expect.poll(() => list.innerText()).toMatch(/hidden[^]*advertising/)
    expect((await house.browser('pools').open(`/t/${slug}`)).status).toBe(404)
    expect(await axeViolations(page)).toEqual([])
    await page.getByText('Hidden', { exact: true }).click()
    await addressIs('?query=follow&only=hidden')
    await button('Unhide Followers Cup').click()
    await dialog().getByRole('textbox').fill('a mistake')
    await dialog().getByRole('button', { name: 'Unhide tournament' }).click()
    await closed()
    await expect.poll(() => button('Hide Followers Cup').count()).toBe(1)
    expect((await house.browser('pools').open(`/t/${slug}`)).status).toBe(200)
    await page.getByRole('link', { name: 'Log' }).click()
    await expect.poll(() => page.locator('.log > li').count()).toBe(2)
    const links = page.getByRole('navigation', { name: 'Moderation' }).getByRole('link')
    expect(await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')))).toEqual([
      `${house.urls.packs}/moderation`,
      '/moderation',
      `${house.urls.packs}/moderation?view=players`,
      '/moderation?view=log',
    ])
    expect(complaints).toEqual([])
    const reply = await house.browser('pools').open('/moderation')
    expect(reply.status).toBe(403)
  })
})
