import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { Door } from '../support/door.ts'
import {
  closeWindow,
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
let from: Browser
let page: Page
let complaints: string[]

type Opening = {
  service?: ServiceName
  look?: BrowserContextOptions
  path?: string
  hasHandClock?: boolean
}

const open = async (
  who: Browser | null = from,
  { path = '/account', ...rest }: Opening = {},
): Promise<void> => {
  ;({ page, complaints } = await openRealPage(chromium, house, { from: who, path, ...rest }))
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
/** Where one types one's own name, once it has the focus. */
const typingField = () => page.locator('.account-name input:focus')
const copyHasFocus = () => page.locator('#new-key-copy:focus')
const closed = () => dialog().waitFor({ state: 'detached' })
const newKey = () => page.locator('.account-new-key').innerText()
const statusWith = async (key: string, service: ServiceName = 'packs'): Promise<number> =>
  (await new Door(house.urls[service]).ask('GET', '/me', { key })).status

/** Makes a first key in the page; gives it, with its dialog closed. */
const makeKey = async (): Promise<string> => {
  await button('Create key').click()
  const key = await newKey()
  await inDialog('Copy key').click()
  await inDialog('Done').click()
  await closed()
  return key
}

beforeAll(async () => {
  chromium = await launchChromium()
})
afterAll(() => chromium.close())
beforeEach(async () => {
  house = await openSiteHouse({ hasRealPages: true })
  from = await house.signedIn(7001)
})
afterEach(async () => {
  await closeWindow(page)
  await house.close()
})

describe('the API key (spec 5, D-40)', () => {
  it('is shown this once, copied, works, and is told by its beginning from then on', async () => {
    await open()
    await button('Create key').click()
    const key = await newKey()
    expect(key).toMatch(/^packs_[A-Za-z0-9_-]{43}$/)
    await inDialog('Copy key').click()
    await page.getByText('API key copied').waitFor()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(key)
    await inDialog('Done').click()
    await closed()
    expect(await statusWith(key)).toBe(200)

    await page.reload()
    const shown = page.locator('.account-shown')
    await shown.getByText(`${key.slice(0, 10)}…`).waitFor()
    await expect.poll(() => page.content()).not.toContain(key)
    const facts = await page.locator('.account-facts').innerText()
    expect(facts).toContain('3 Oct 2026, 18:30')
    // The API has noted its use in the meantime.
    expect(facts).toMatch(/Last used\n3 Oct 2026$/)
    expect(complaints).toEqual([])
  })

  it('is not lost by a slip: whatever closes it asks first', async () => {
    await open()
    await button('Create key').click()
    const key = await newKey()
    await copyHasFocus().waitFor()
    const asks = dialog().getByText('You have not copied the key yet.')
    // Twice in a row: a browser then closes the dialog whatever the page says.
    for (const press of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(press)
    await asks.waitFor()
    await expect.poll(() => newKey()).toBe(key)
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Go back')
    await page.keyboard.press('Enter')
    await asks.waitFor({ state: 'detached' })

    await inDialog('Close').click()
    await asks.waitFor()
    await inDialog('Go back').click()
    await page.mouse.click(5, 5)
    await asks.waitFor()
    await inDialog('Go back').click()
    await inDialog('Done').dblclick()
    await asks.waitFor()
    await expect.poll(() => newKey()).toBe(key)

    await inDialog('Close anyway').click()
    await closed()
    await expect.poll(() => page.content()).not.toContain(key)
  })

  it('is not lost by leaving the page: the browser asks', async () => {
    await open()
    await button('Create key').click()
    const key = await newKey()
    let asked = 0
    page.on('dialog', (question) => {
      asked += 1
      void question.dismiss()
    })
    await page.evaluate(`location.assign('/packs')`)
    await expect.poll(() => asked).toBe(1)
    await expect.poll(() => newKey()).toBe(key)
    await inDialog('Copy key').click()
    await inDialog('Done').click()
    await closed()
    await page.goto('/packs')
    expect(asked).toBe(1)
  })

  it('regenerated when that is confirmed, the one before stops at once', async () => {
    await open()
    const first = await makeKey()
    await button('Regenerate').click()
    await expect
      .poll(() => dialog().innerText())
      .toContain(`${first.slice(0, 10)}… stops working immediately.`)
    await inDialog('Cancel').click()
    await closed()
    expect(await statusWith(first)).toBe(200)

    await button('Regenerate').click()
    await inDialog('Regenerate').click()
    const second = await newKey()
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200])
    await page.getByText('8 of 10 new keys left this hour').waitFor()
  })

  it('revoked when that is confirmed, there is none', async () => {
    await open()
    const key = await makeKey()
    await button('Revoke').click()
    await inDialog('Revoke').click()
    await closed()
    expect(await statusWith(key)).toBe(401)
    await button('Create key').waitFor()
    await expect.poll(() => page.locator('.account-state').textContent()).toBe('No key')
  })

  it('D-41: says when the next can be made once ten were made in the hour', async () => {
    await open()
    await makeKey()
    let shown = ''
    for (let made = 1; made < 10; made += 1) {
      shown = (await from.ask('POST', '/session/key')).json.shown
    }
    const regenerate = async () => {
      await button('Regenerate').click()
      await inDialog('Regenerate').click()
    }
    await regenerate()
    await page.getByText(`Another key was created elsewhere meanwhile: packs_${shown}…`).waitFor()
    await regenerate()
    const said = () => dialog().getByRole('alert').textContent()
    await expect.poll(said).toContain('You can create 10 keys per hour')
    expect(await said()).toContain('Try again in 30 minutes.')
    await expect.poll(said).toContain(`packs_${shown}… still works.`)
    await inDialog('Cancel').click()
    await page.getByText('No new keys left this hour. You can create one at ').waitFor()
    await expect.poll(() => button('Regenerate').isDisabled()).toBe(true)
  })

  it('D-41: says the same time while it is waited for', async () => {
    for (let made = 0; made < 10; made += 1) await from.ask('POST', '/session/key')
    await open(from, { hasHandClock: true })
    const left = page.locator('#new-keys')
    await left.getByText('You can create one at ').waitFor()
    await stopClock(page)
    const said = await left.innerText()
    // Nothing sets the clock of the page right.
    await page.route('**/session', (route) => route.abort())
    for (let minutes = 0; minutes < 20; minutes += 5) {
      await page.clock.fastForward('05:00')
      await page.clock.runFor(2_000)
      expect(await left.innerText()).toBe(said)
    }
  })
})

describe('the quota of this minute (spec 8)', () => {
  const meter = (label: string) => page.getByRole('meter', { name: label })
  const left = async (label: string) => Number(await meter(label).getAttribute('value'))

  it('is told, and told anew by itself after a while', async () => {
    await house.save(from, aPack())
    await open(from, { hasHandClock: true })
    await expect.poll(() => left('Writes')).toBe(9)
    await expect.poll(() => left('Requests')).toBe(59)
    await stopClock(page)
    await house.save(from, aPack())
    const after = async (ms: number): Promise<number> => {
      await page.clock.runFor(ms)
      return left('Writes')
    }
    await expect.poll(() => after(1_000)).toBe(8)
    await page.getByText(/Resets in 5\d s/).waitFor()
    expect(complaints).toEqual([])
  })

  it('rests while nobody looks', async () => {
    await open()
    await meter('Writes').waitFor()
    let looks = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/session')) looks += 1
    })
    const see = (hidden: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`)
    await see(true)
    await house.save(from, aPack())
    expect(looks).toBe(0)
    await see(false)
    await expect.poll(() => left('Writes')).toBe(9)
  })
})

describe('sessions', () => {
  it('end here, and the page says so once', async () => {
    const elsewhere = await house.signedIn(7001)
    await open()
    await button('Sign out').click()
    await page.getByText('You have signed out.').waitFor()
    expect(page.url()).toBe(`${house.urls.packs}/account`)
    await expect.poll(() => from.look()).toBeNull()
    await expect.poll(() => elsewhere.look()).not.toBeNull()
    await page.reload()
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    await expect.poll(() => page.getByText('You have signed out.').count()).toBe(0)
  })

  it('end everywhere', async () => {
    const elsewhere = await house.signedIn(7001)
    await open()
    await button('Sign out everywhere').click()
    await page.getByText('You have signed out everywhere.').waitFor()
    expect(await page.getByRole('status').getByRole('link').count()).toBe(0)
    expect([await from.look(), await elsewhere.look()]).toEqual([null, null])
  })

  it('are listed, and end one by one or all others at once', async () => {
    const others = [await house.signedIn(7001), await house.signedIn(7001, 'pools')]
    others.push(await house.signedIn(7001))
    await open()
    const rows = page.locator('.account-sessions li')
    await expect.poll(() => rows.count()).toBe(4)
    expect(await rows.filter({ hasText: 'This session' }).count()).toBe(1)
    const pools = rows.filter({ hasText: 'Tournament pools' })
    await pools.getByRole('button', { name: /^End session/ }).click()
    await expect.poll(() => rows.count()).toBe(3)
    expect(await others[1]?.look()).toBeNull()
    await button('End all other sessions').click()
    await expect.poll(() => rows.count()).toBe(1)
    for (const other of others) expect(await other.look()).toBeNull()
    expect(await from.look()).not.toBeNull()
    await expect.poll(() => button('End all other sessions').count()).toBe(0)
  })

  it('that ended elsewhere are noticed, and lead back', async () => {
    await open(from, { hasHandClock: true })
    // What the page reads first is answered.
    await expect.poll(() => button('Create key').isEnabled()).toBe(true)
    await from.ask('POST', '/session/sign-out', {})
    await button('Create key').click()
    const said = page.locator('.account-key .failure-line')
    await expect.poll(() => said.textContent()).toContain('Your session has ended.')
    const way = said.getByRole('link', { name: 'Sign in', exact: true })
    expect(await way.getAttribute('href')).toBe('/sign-in?return=%2Faccount')
    await page.clock.runFor(6_000)
    await page.locator('.account-ended').waitFor()
    const back = await page.locator('.account-ended a').getAttribute('href')
    expect(back).toBe('/sign-in?return=%2Faccount')
  })
})

describe('the data', () => {
  it('can be downloaded', async () => {
    await house.save(from, aPack({ name: 'Harbour Cup' }))
    await open()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all my data' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('my-data.json')
  })

  it('is deleted with the account, once the own name is typed', async () => {
    const slug = await house.save(from, aPack({ visibility: 'public' }))
    await open()
    await button('Delete my account').click()
    await expect.poll(() => dialog().innerText()).toContain('This permanently deletes your packs')
    await expect.poll(() => inDialog('Delete account').isDisabled()).toBe(true)
    await typingField().waitFor()
    await page.keyboard.type('peridot')
    await expect.poll(() => inDialog('Delete account').isDisabled()).toBe(true)
    await page.getByRole('textbox').fill('Peridot')
    await inDialog('Delete account').click()
    await page.getByText('Your account and your packs have been deleted.').waitFor()
    await expect.poll(() => from.look()).toBeNull()
    expect((await house.browser().open(`/p/${slug}`)).status).toBe(404)
  })
})

describe('by keyboard alone', () => {
  it('a key is made, copied, regenerated and revoked', async () => {
    await open()
    await expect.poll(() => button('Create key').isEnabled()).toBe(true)
    await tabTo(page, 'Create key')
    await page.keyboard.press('Enter')
    const key = await newKey()
    await copyHasFocus().waitFor()
    await page.keyboard.press('Enter')
    await inDialog('Copy again').waitFor()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(key)
    await tabTo(page, 'Done')
    await page.keyboard.press('Enter')
    await closed()
    await tabTo(page, 'Regenerate')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Regenerate')
    await page.keyboard.press('Enter')
    await expect.poll(() => newKey()).not.toBe(key)
    await copyHasFocus().waitFor()
    await page.keyboard.press('Enter')
    await inDialog('Copy again').waitFor()
    await tabTo(page, 'Done')
    await page.keyboard.press('Enter')
    await closed()
    await tabTo(page, 'Revoke')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Revoke')
    await page.keyboard.press('Enter')
    await closed()
    await button('Create key').waitFor()
  })
})

describe('on the tournament-pools service', () => {
  it('/account has that service’s own key, and no more', async () => {
    const there = await house.signedIn(7001, 'pools')
    await open(there, { service: 'pools' })
    const key = await makeKey()
    expect(key).toMatch(/^pools_/)
    expect([await statusWith(key, 'pools'), await statusWith(key)]).toEqual([200, 401])
    await expect
      .poll(() => page.locator('.account-address code').innerText())
      .toBe(`${house.urls.pools}/api/v1`)
    const other = page.getByRole('link', { name: 'the account page of the packs site' })
    await expect.poll(() => other.getAttribute('href')).toBe(`${house.urls.packs}/account`)
    await expect.poll(() => button('Delete my account').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('says to strangers what it is', async () => {
    await open(null, { service: 'pools' })
    await page.getByText('your API key for the tournament-pools service').waitFor()
    const way = page.locator('main a')
    await expect.poll(() => way.getAttribute('href')).toBe('/sign-in?return=%2Faccount')
  })
})

describe('names of people', () => {
  it('are shown as text, and typed as they are', async () => {
    const name = `<b onclick=alert(1)>&amp;`
    await house.rename(7002, name)
    from = await house.signedIn(7002)
    await open()
    await expect.poll(() => page.locator('.account-who strong').textContent()).toBe(name)
    await button('Delete my account').click()
    await expect.poll(() => page.locator('.account-name strong').textContent()).toBe(name)
    await typingField().waitFor()
    await page.keyboard.type(name)
    await inDialog('Delete account').click()
    await page.getByText('Your account and your packs have been deleted').waitFor()
    expect(complaints).toEqual([])
  })
})

describe.each(looks)('in both themes, $viewport.width pixels wide', (look) => {
  const expectUsable = async () => {
    expect(await axeViolations(page)).toEqual([])
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0)
  }

  it('it can be used by everybody, and fits', async () => {
    await open(null, { look, path: '/account?left=deleted' })
    await expectUsable()
    await closeWindow(page)

    await open(from, { look })
    await button('Create key').click()
    await newKey()
    await expectUsable()
    await page.keyboard.press('Escape')
    await inDialog('Close anyway').waitFor()
    await expectUsable()
    await inDialog('Close anyway').click()
    await closed()
    await expectUsable()
    await button('Delete my account').click()
    await expectUsable()
    if (look.viewport === phone) {
      const heights = await targetHeights(page, 'main button, main .button, dialog button')
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
    }
  })
})
