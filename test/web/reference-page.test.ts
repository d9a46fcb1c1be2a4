import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { API_PREFIX } from '../../src/contract/endpoint.ts'
import { endpointsOf, type ServiceName } from '../../src/contract/services.ts'
import { issueKey } from '../../src/operations/keys.ts'
import { axeViolations } from '../support/axe.ts'
import { launchChromium } from '../support/chromium.ts'
import type { Host } from '../support/house.ts'
import { closeWindow, looks, onPhone, openRealPage, overflowOf } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let browser: Browser
let page: Page
let complaints: string[][]
let host: Host
let poolsKey: string

const open = async (
  path: string,
  look: BrowserContextOptions = {},
  service: ServiceName = 'packs',
) => {
  const opening = { from: null, path: `/docs/reference${path}`, look, service }
  const opened = await openRealPage(browser, house, opening)
  page = opened.page
  complaints.push(opened.complaints)
  await page.locator('.call, .call-list, .notice').waitFor()
}
const tryIt = () => page.locator('.console')
const send = () => tryIt().getByRole('button', { name: 'Send' }).click()
const answer = () => page.locator('.answer')
const statusOf = () => answer().locator('.answer-status').textContent()
const keyField = () => tryIt().getByLabel('API key')
const sample = () => page.locator('.same-call code').textContent()

beforeAll(async () => {
  house = await openSiteHouse({ hasRealPages: true })
  browser = await launchChromium()
  host = await house.hostOf(7001, 'Peridot')
  const wish = { service: 'pools', keyPrefix: 'pools', gameId: 7001, username: 'Peridot' } as const
  poolsKey = await issueKey(house.ports, wish)
})
afterAll(async () => {
  await browser.close()
  await house.close()
})
beforeEach(() => {
  complaints = []
  house.clock.nextMinute()
})
afterEach(async () => {
  await closeWindow(page)
  // Browsers complain of every answer that is no success; here those are wanted.
  const unwanted = complaints.flat().filter((line) => !line.startsWith('Failed to load resource'))
  expect(unwanted).toEqual([])
})

describe('the list of calls', () => {
  it.each([
    ['packs', 'packs', ''],
    ['pools', 'pools', ''],
    ['packs', 'pools', '?service=pools'],
    ['pools', 'packs', '?service=packs'],
  ] as const)('on the site of %s shows every call of %s', async (site, service, query) => {
    await open(query, {}, site)
    const shown = await page.locator('.call-list .method-line').allTextContents()
    const expected = Object.values(endpointsOf[service]).map(
      ({ method, path }) => `${method} ${API_PREFIX}${path}`,
    )
    expect(new Set(shown)).toEqual(new Set(expected))
    await expect.poll(() => page.locator('.service-switch [aria-current]').count()).toBe(1)
    await page.getByText(`${house.urls[service]}${API_PREFIX}`, { exact: true }).waitFor()
  })

  it('leads to each of them, by keyboard, and tells the heading', async () => {
    await open('')
    await page.locator('.call-list a', { hasText: 'Save a new pack' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/reference#createPack')
    const focused = () => page.evaluate('document.activeElement.textContent')
    await expect.poll(focused).toBe('Save a new pack')
    await expect.poll(() => page.title()).toBe('Save a new pack – API reference – Mapcrate')
    await page.goBack()
    await page.locator('.call-list').waitFor()
  })

  it('says so when it cannot be had, and tries again', async () => {
    await open('')
    await page.route('**/api/v1/openapi.json', (route) => route.abort())
    await page.reload()
    const notice = page.getByRole('alert')
    await expect.poll(() => notice.textContent()).toContain('Could not load the reference')
    await page.unroute('**/api/v1/openapi.json')
    await notice.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.call-list').waitFor()
  })
})

describe('a call to read', () => {
  it('shows what it takes, field by field', async () => {
    await open('#createPack')
    const row = page.getByRole('table', { name: 'Body fields' }).locator('tr')
    const texts = await row.allTextContents()
    expect(texts[0]).toContain('namestring, 1 to 64 characters')
    expect(texts).toContainEqual(expect.stringMatching(/^visibilityoptional.*"unlisted"/))
  })

  it('shows what it can answer, status by status', async () => {
    await open('#getPack')
    const statuses = await page.locator('.reply > summary > .status').allTextContents()
    expect(statuses).toEqual(['200', '304', '401', '404', '429', '500'])
    const refusal = page.locator('.reply', { hasText: 'rate_limited' })
    await refusal.locator('summary').click()
    await refusal.getByText('more than 60 requests in this minute').waitFor()
    await refusal.getByText('Retry-After', { exact: true }).waitFor()
  })

  it('leads over to the other service’s own site to be tried', async () => {
    await open('?service=pools#getMe')
    const way = tryIt().getByRole('link', { name: 'Try it on that service’s site' })
    await expect
      .poll(() => way.getAttribute('href'))
      .toBe(`${house.urls.pools}/docs/reference#getMe`)
    await expect.poll(() => keyField().count()).toBe(0)
    await way.click()
    await keyField().waitFor()
    expect(page.url()).toBe(`${house.urls.pools}/docs/reference#getMe`)
  })
})

describe('a call to try', () => {
  it('is really made: GET /me with a key of one’s own', async () => {
    await open('#getMe')
    await keyField().fill(host.key)
    await send()
    await answer().waitFor()
    await expect.poll(() => statusOf()).toMatch(/^200OKin \d+ ms$/)
    await answer().getByText('"username": "Peridot"').waitFor()
    await expect
      .poll(() => answer().locator('.meter').textContent())
      .toMatch(/^Requests59 of 60 left, resets in/)
    await answer().locator('.answer-headers summary').click()
    await answer()
      .getByText(/^x-request-id$/)
      .waitFor()
  })

  it('works for the tournament-pools service on its own site', async () => {
    await open('#getMe', {}, 'pools')
    await keyField().fill(poolsKey)
    await send()
    await answer().waitFor()
    await expect.poll(() => statusOf()).toMatch(/^200OK/)
    await expect
      .poll(() => sample())
      .toBe(`curl '${house.urls.pools}/api/v1/me' \\\n  -H "Authorization: Bearer $POOLS_KEY"`)
    await keyField().fill(host.key)
    await send()
    await answer().getByText('401').waitFor()
  })

  it('saves a pack, and fills its slug into the calls that follow', async () => {
    await open('#createPack')
    await keyField().fill(` ${host.key}\n`)
    await send()
    await answer().waitFor()
    await expect.poll(() => statusOf()).toMatch(/^201Created/)
    await expect.poll(() => answer().locator('.meter').textContent()).toMatch(/^Writes9 of 10 left/)
    await page.getByRole('navigation', { name: 'Docs' }).getByText('Delete a pack').click()
    const slug = await tryIt().getByLabel('slug').inputValue()
    expect((await host.get(`/packs/${slug}`)).json.pack.name).toBe('Autumn Cup Qualifiers')
    await send()
    await answer().waitFor()
    await expect.poll(() => statusOf()).toMatch(/^204No Content/)
    await answer().getByText('No body.').waitFor()
    expect((await host.get(`/packs/${slug}`)).status).toBe(404)
  })

  it('can be made by keyboard alone', async () => {
    await open('#createPack')
    await keyField().fill(host.key)
    await tryIt().getByLabel('Start with').selectOption({ index: 1 })
    const body = tryIt().getByLabel('Body', { exact: true })
    expect(JSON.parse(await body.inputValue()).name).toBe('Autumn Cup Grand Finals')
    await body.focus()
    await page.keyboard.press('Control+Enter')
    await answer().waitFor()
    await expect.poll(() => statusOf()).toMatch(/^201/)
  })

  it.each([
    ['Control+Enter in a field', true],
    ['Enter on its button', false],
  ])('is made once, however long one holds %s', async (_, isInField) => {
    await open('#createPack')
    let sent = 0
    await page.route('**/api/v1/packs', (route) => {
      sent += 1
      return route.fallback()
    })
    await keyField().fill(host.key)
    const body = tryIt().getByLabel('Body', { exact: true })
    await (isInField ? body : tryIt().getByRole('button', { name: 'Send' })).focus()
    if (isInField) await page.keyboard.down('Control')
    const press = () => page.keyboard.down('Enter')
    for (const times of [1, 2]) {
      await press()
      await expect.poll(() => sent).toBe(times)
      await answer().waitFor()
      for (let held = 0; held < 3; held += 1) await press()
      await page.keyboard.up('Enter')
      expect(sent).toBe(times)
    }
    if (isInField) await page.keyboard.up('Control')
  })

  it('counts as any call does, and an unchanged answer is a 304', async () => {
    const slug = await host.save({ name: 'a', slots: [{ mod: 'NM', index: 1, beatmapId: 1 }] })
    const etag = (await host.get(`/packs/${slug}`)).headers.get('etag') ?? ''
    await open('#getPack')
    await keyField().fill(host.key)
    await tryIt().getByLabel('slug').fill(slug)
    await tryIt().locator('.console-more summary').click()
    await tryIt().getByLabel('If-None-Match').fill(etag)
    await send()
    await answer().waitFor()
    await expect.poll(() => statusOf()).toMatch(/^304Not Modified/)
    await expect.poll(() => answer().locator('.meter').textContent()).toContain('57 of 60 left')
  })
})

describe('a call that is refused', () => {
  const refused = async (status: number, code: string, message: RegExp): Promise<void> => {
    const error = answer().locator('.answer-error', { hasText: code })
    await error.waitFor()
    await expect.poll(() => error.textContent()).toMatch(message)
    await expect.poll(() => statusOf()).toMatch(new RegExp(`^${status}`))
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  }

  it('says why, calmly: no key, and a wrong one', async () => {
    await open('#getMe')
    await send()
    await refused(401, 'unauthorized', /send your API key/)
    await keyField().fill(`${host.key.slice(0, -1)}!`)
    await send()
    await refused(401, 'invalid_api_key', /a character that no key has/)
    await expect
      .poll(() => answer().locator('.meter').textContent())
      .toMatch(/^Failed attempts18 of 20 left/)
  })

  it('says where and what to mend: a body, a slug', async () => {
    await open('#createPack')
    await keyField().fill(host.key)
    await tryIt().getByLabel('Body', { exact: true }).fill('{ "name": "a", "slots": [] }')
    await send()
    await refused(400, 'bad_request', /slots/)
    await tryIt().getByLabel('Body', { exact: true }).fill('{ nonsense')
    await send()
    await refused(400, 'bad_request', /valid JSON/)
    await page.goto(`${house.urls.packs}/docs/reference#getPack`)
    await tryIt().getByLabel('slug').fill('../me')
    await send()
    await refused(404, 'not_found', /no pack/)
  })

  it('says how long to wait when a limit is used up', async () => {
    await open('#deletePack')
    await keyField().fill(host.key)
    await tryIt().getByLabel('slug').fill('AAAAAAAAAA')
    for (let count = 0; count < 10; count += 1) await host.delete('AAAAAAAAAA')
    await send()
    await refused(429, 'rate_limited', /more than 10 writes/)
    await answer().getByText('Wait 60 seconds and try again').waitFor()
  })

  it('is not sent while a field is empty or holds what cannot be sent', async () => {
    await open('#getPack')
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await keyField().fill('packs_…')
    await send()
    await tryIt().getByText('This key contains invalid characters.').waitFor()
    await keyField().fill(host.key)
    await send()
    await tryIt().getByText('Enter the slug.').waitFor()
    await expect.poll(() => tryIt().getByLabel('slug').getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => answer().count()).toBe(0)
    expect(sent).toEqual([])
  })

  it('says so when no answer came', async () => {
    await open('#getMe')
    await page.route('**/api/v1/me', (route) => route.abort())
    await send()
    await page.getByRole('alert').getByText('No response.').waitFor()
  })
})

describe('the key', () => {
  it('is hidden until one asks to see it, and stands in no sample', async () => {
    await open('#getMe')
    await keyField().fill(host.key)
    await expect.poll(() => keyField().getAttribute('type')).toBe('password')
    await tryIt().getByRole('button', { name: 'Show the key' }).click()
    await expect.poll(() => keyField().getAttribute('type')).toBe('text')
    for (const way of ['curl', 'fetch']) {
      await tryIt().getByRole('button', { name: way }).click()
      await expect.poll(() => sample()).toContain('PACKS_KEY')
      await expect.poll(() => sample()).not.toContain(host.key)
    }
  })

  it('is kept nowhere: not in the address, in storage, in a cookie or after a reload', async () => {
    await open('#getMe')
    await keyField().fill(host.key)
    await send()
    await answer().waitFor()
    expect(page.url()).not.toContain(host.key)
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])',
    )
    expect(kept).not.toContain(host.key)
    await page.reload()
    await expect.poll(() => keyField().inputValue()).toBe('')
  })

  it('goes with the call alone, and no cookie with it', async () => {
    await open('#getMe')
    const requests: Record<string, string>[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/me')) void request.allHeaders().then((all) => requests.push(all))
    })
    await page.context().addCookies([{ name: 'session', value: 'x', url: house.urls.packs }])
    await keyField().fill(host.key)
    await send()
    await answer().waitFor()
    await expect.poll(() => requests.length).toBe(1)
    expect(requests[0]?.['authorization']).toBe(`Bearer ${host.key}`)
    expect(requests[0]?.['cookie']).toBeUndefined()
  })
})

describe('texts of people in an answer', () => {
  it('stay text', async () => {
    const name = '<img src=x onerror=alert(1)>'
    await host.save({ name, slots: [{ mod: 'NM', index: 1, beatmapId: 1 }] })
    await open('#listMyPacks')
    await keyField().fill(host.key)
    await send()
    await answer().getByText(name).waitFor()
    await expect.poll(() => page.locator('img').count()).toBe(0)
  })
})

describe('on a phone', () => {
  it('leads down to the console, and has targets of 44 pixels', async () => {
    await open('#createPack', onPhone)
    await page.getByRole('button', { name: 'Try it' }).click()
    const top = await page.evaluate(
      `document.getElementById('console-title').getBoundingClientRect().top`,
    )
    expect(top).toBeGreaterThan(44)
    expect(top).toBeLessThan(200)
    const heights = await page
      .locator('.console button, .console input, .console select, .console summary, .reply summary')
      .evaluateAll((targets) => targets.map((target) => target.getBoundingClientRect().height))
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  })
})

describe.each(looks)('in both themes, $viewport.width pixels wide', (look) => {
  const isFine = async (): Promise<void> => {
    // What stays at the top covers what is scrolled below it.
    await page.evaluate('scrollTo(0, 0)')
    expect(await axeViolations(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
  }

  it.each(['', '#createPack', '?service=pools', '?service=pools#getMe'])(
    '/docs/reference%s can be used by everybody, and fits',
    async (path) => {
      await open(path, look)
      await isFine()
    },
  )

  it('so can an answer, and a refusal', async () => {
    await open('#getPack', look)
    await send()
    await tryIt().getByText('Enter the slug.').waitFor()
    await isFine()
    const slug = await host.save({ name: 'a', slots: [{ mod: 'NM', index: 1, beatmapId: 1 }] })
    await tryIt().getByLabel('slug').fill(slug)
    await keyField().fill(host.key)
    await send()
    await answer().waitFor()
    await answer().locator('.answer-headers summary').click()
    await page.evaluate(`document.querySelectorAll('.reply').forEach((each) => (each.open = true))`)
    await isFine()
    await keyField().fill('wrong')
    await send()
    await answer().getByText('401').waitFor()
    await isFine()
  })
})
