import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPages } from '../support/build-pages.ts'
import { launchChromium } from '../support/chromium.ts'
import { freshFolder, runCli, startServer } from '../support/processes.ts'
import { desk, whenReady } from '../support/real-page.ts'
import { until } from '../support/until.ts'

const MODERATOR = 7003
const sheet = `Slot\tBeatmap ID\tTitle
NM1\t129891\tFreedom Dive
NM2\thttps://osu.ppy.sh/beatmapsets/989460#osu/2069833\tHollow
DT1\t75\tDisco Prince
XX9\tnot a beatmap\t`
const magnet = `magnet:?xt=urn:btih:${'0123456789abcdef'.repeat(3).slice(0, 40)}&dn=pool&tr=http://t.example`

let chromium: Browser

beforeAll(async () => {
  buildPages()
  chromium = await launchChromium()
})
afterAll(() => chromium.close())

/** Somebody at a browser of their own, before a running server. */
class Visitor {
  readonly page: Page
  readonly complaints: string[] = []
  readonly #url: string
  readonly #context: BrowserContext

  private constructor(page: Page, url: string) {
    this.page = page
    this.#url = url
    this.#context = page.context()
    page.setDefaultTimeout(60_000)
    page.on('console', (line) => line.type() === 'error' && this.complaints.push(line.text()))
    page.on('pageerror', (error) => this.complaints.push(String(error)))
  }

  static async comes(url: string, look = {}): Promise<Visitor> {
    const context = await chromium.newContext({
      viewport: desk,
      locale: 'en-GB',
      baseURL: url,
      permissions: ['clipboard-read', 'clipboard-write'],
      ...look,
    })
    return new Visitor(await context.newPage(), url)
  }

  async opens(path: string): Promise<void> {
    await this.page.goto(path)
    await whenReady(this.page)
    await this.page.locator('h1').waitFor()
  }

  /** Over the platform's own page, by a press on the player's name. */
  async signsIn(username: string): Promise<void> {
    await this.opens('/')
    await this.page.getByRole('link', { name: 'Sign in' }).click()
    await this.page.getByRole('button', { name: username }).click()
    await this.page.waitForURL(`${this.#url}/`)
  }

  presses(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click()
  }

  sees(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor()
  }

  leaves(): Promise<void> {
    return this.#context.close()
  }
}

describe('the whole journey', () => {
  test('sign in, key, API, paste, save, stats, Browse, key in the browser, magnet, hidden', async () => {
    const folder = await freshFolder()
    const server = await startServer(folder)
    const { url } = server.packs
    const host = await Visitor.comes(url)
    const { page } = host

    // Sign-in, then a key, then the API with it.
    await host.signsIn('Peridot')
    await page.getByRole('button', { name: 'Menu of Peridot' }).click()
    await page.getByRole('link', { name: 'Account' }).click()
    await host.presses('Create key')
    await host.presses('Copy key')
    const key = String(await page.evaluate('navigator.clipboard.readText()'))
    await host.presses('Done')
    const me = await server.packs.ask('GET', '/me', { key })
    expect(me.json.user).toMatchObject({ gameId: 7001, username: 'Peridot' })

    // A pack by paste and keyboard alone.
    await host.opens('/new')
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.type('Autumn Cup Finals')
    await page.getByRole('radio', { name: 'Public' }).press('Space')
    if ((await page.locator('#edit-paste').count()) === 0) {
      await page.getByRole('button', { name: 'Paste', exact: true }).press('Enter')
    }
    await page.locator('#edit-paste').focus()
    await page.keyboard.insertText(sheet)
    await host.sees('3 beatmaps')
    await page.keyboard.press('Control+Enter')
    // Once they have been looked up (D-90).
    await page.locator('.edit-slot').nth(2).waitFor()
    await page.locator('#edit-add-TB').focus()
    await page.keyboard.type('1872396')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    await page.waitForURL(/\/p\/[A-Za-z0-9_-]{10}$/)
    await page.getByRole('heading', { name: 'Autumn Cup Finals' }).waitFor()
    const slug = page.url().slice(-10)

    // The same pack through the API; stats appear on the page by themselves.
    const saved = (await server.packs.ask('GET', `/packs/${slug}`, { key })).json.pack
    expect(saved).toMatchObject({ visibility: 'public', ownerName: 'Peridot' })
    expect(saved.slots).toEqual([
      { mod: 'NM', index: 1, beatmapId: 129891 },
      { mod: 'NM', index: 2, beatmapId: 2069833 },
      { mod: 'DT', index: 1, beatmapId: 75 },
      { mod: 'TB', index: 1, beatmapId: 1872396 },
    ])
    await host.sees('FREEDOM DiVE')
    await page.getByRole('region', { name: 'At a glance' }).getByText('8.77').first().waitFor()

    // Somebody else finds it.
    const stranger = await Visitor.comes(url)
    await until(async () => (await (await fetch(`${url}/packs/index.json`)).text()).includes(slug))
    await stranger.opens('/packs')
    await stranger.page.getByRole('searchbox').fill('autumn')
    await stranger.sees('1 pack')
    await stranger.page.getByRole('link', { name: 'Autumn Cup Finals' }).click()
    await stranger.page.waitForURL(`**/p/${slug}`)
    await stranger.sees('FREEDOM DiVE')

    // Its key opens in the browser, and no request carries it.
    const asked: string[] = []
    stranger.page.on('request', (request) => {
      asked.push(request.url() + (request.postData() ?? ''))
    })
    await stranger.opens(`/k#${saved.packKey}`)
    await stranger.page.getByRole('heading', { name: 'Autumn Cup Finals' }).waitFor()
    await stranger.sees('FREEDOM DiVE')
    const secret = saved.packKey.slice(4)
    expect(asked.filter((text) => text.split('#')[0]?.includes(secret))).toEqual([])

    // A magnet link, stored without its trackers (D-43).
    await page.getByLabel('New magnet link').fill(magnet)
    await host.presses('Add link')
    await until(async () => {
      const { pack } = (await server.packs.ask('GET', `/packs/${slug}`, { key })).json
      return pack.exports.length === 1 && !pack.exports[0].url.includes('tr=')
    })

    // A moderator hides it: it is gone for others, and its owner reads why.
    const named = await runCli(folder, ['moderator', '--game-id', String(MODERATOR)])
    expect(named.code).toBe(0)
    const moderator = await Visitor.comes(url)
    await moderator.signsIn('maple_keeper')
    await moderator.opens(`/p/${slug}`)
    await moderator.presses('Hide …')
    await moderator.page.getByLabel(/^Reason/).fill('Taken from another tournament')
    await moderator.presses('Hide pack')
    await moderator.sees('Taken from another tournament')

    await stranger.page.goto(`/p/${slug}`)
    await stranger.page.getByRole('heading', { name: /not|nothing/i }).waitFor()
    const words = 'key --service packs --game-id 7002 --username Ada'
    const other = await runCli(folder, words.split(' '))
    const refused = await server.packs.ask('GET', `/packs/${slug}`, { key: other.stdout.trim() })
    expect(refused.status).toBe(404)
    await until(async () => {
      await stranger.opens('/packs')
      return (await stranger.page.getByText('Autumn Cup Finals').count()) === 0
    })
    await host.opens(`/p/${slug}`)
    await host.sees('Taken from another tournament')

    // The one refused request is the page that was gone.
    expect(host.complaints).toEqual([])
    expect(moderator.complaints).toEqual([])
    expect(stranger.complaints.filter((text) => !text.includes('404'))).toEqual([])
    for (const visitor of [host, stranger, moderator]) await visitor.leaves()
  })
})
