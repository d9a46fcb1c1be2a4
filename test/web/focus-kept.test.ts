import type { Browser as Chromium, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { openSiteScene, type Viewer } from './site-scene.ts'

let house: Awaited<ReturnType<typeof openSiteScene>>['house']
let chromium: Chromium
let viewers: Record<ServiceName, Record<Viewer, Browser | null>>
let filled: (path: string) => string
let page: Page

beforeAll(async () => {
  chromium = await launchChromium()
  ;({ house, viewers, filled } = await openSiteScene())
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
afterEach(() => closeWindow(page))

/** What is done before the buttons of a page are walked. */
const opened: Readonly<Record<string, () => Promise<unknown>>> = {
  '/new': () => page.getByLabel('Name', { exact: true }).fill('Cup'),
  '/p/{pack}/edit': () => page.getByLabel('Name', { exact: true }).fill('Cup'),
}

const walked: readonly (readonly [path: string, service: ServiceName, viewer: Viewer])[] = [
  ['/t/{cup}/staff', 'pools', 'host'],
  ['/t/{cup}/edit', 'pools', 'host'],
  ['/my', 'pools', 'host'],
  ['/p/{pack}/edit', 'packs', 'host'],
  ['/p/{pack}', 'packs', 'host'],
  ['/p/{pack}', 'packs', 'moderator'],
  ['/p/{pack}/history', 'packs', 'host'],
  ['/new', 'packs', 'host'],
  ['/me', 'packs', 'host'],
  ['/account', 'packs', 'host'],
]

/** An answer, which ends a call at once: one that is lost is sent again after pauses. */
const refusal = {
  status: 403,
  json: { error: { code: 'forbidden', message: 'Only hosts can do this.' } },
}

/** Buttons alike, such as those of every slot, are tried once. */
const kindOf = (name: string): string =>
  name.replaceAll(/\b(?:NM|HD|HR|DT|FM|TB|HDHR|EZ|HT|FL)\d*\b|\d+/g, '#').trim()

const buttons = 'main button:not(:disabled):not([aria-disabled=true])'

/** The names of all buttons that can be pressed, in the dialog if one is open. */
const namesNow = async (): Promise<string[]> => {
  const within = (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open] button' : buttons
  return page
    .locator(within)
    .evaluateAll((all) =>
      all
        .filter((each) => each.checkVisibility() && !(each as HTMLButtonElement).disabled)
        .map((each) => each.getAttribute('aria-label') ?? each.textContent ?? ''),
    )
}

/** Requests of the page that are not answered yet, but for those that live updates keep open. */
const pending = new Set<Request>()

const watchRequests = (): void => {
  pending.clear()
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
}

/** Lets everything end that a press has begun. Fails where a button stays at work. */
const settled = async (): Promise<void> => {
  const isIdle = `document.querySelector('.button[aria-busy=true]') === null`
  do {
    await expect.poll(async () => (await page.evaluate(isIdle)) && pending.size === 0).toBe(true)
    await page.evaluate(`new Promise((resolve) => {
      let frames = 6
      const next = () => ((frames -= 1) > 0 ? requestAnimationFrame(next) : setTimeout(resolve))
      next()
    })`)
    // What has come may ask for more.
  } while (pending.size > 0)
}

/** They go on for longer: maps are opened one after the other. */
const lasting: ReadonlySet<string> = new Set(['Open all'])

/** The page went to another one at this moment. */
const isLeft = (error: unknown): boolean => /context was destroyed/.test(String(error))

/**
 * Presses a button by the keyboard. Returns whether, if it led to no other page, the focus is somewhere after it and no
 * button at work.
 */
const press = async (name: string): Promise<boolean> => {
  const button = page.getByRole('button', { name, exact: true }).first()
  if ((await button.count()) === 0 || !(await button.isVisible())) return true
  await page.evaluate('globalThis.stays = true')
  // It may go by itself, as what waits to be saved does.
  const isGone = await button.focus({ timeout: 2_000 }).then(
    () => false,
    () => true,
  )
  if (isGone) return true
  await page.keyboard.press('Enter')
  const isOver =
    lasting.has(name) ||
    (await settled().then(
      () => true,
      async (error: unknown) => {
        if (!isLeft(error)) return false
        await page.waitForLoadState('load')
        await settled()
        return true
      },
    ))
  const isKept = 'globalThis.stays !== true || document.activeElement !== document.body'
  // What an answer has removed gives the focus away some frames later.
  const isHere = await page.waitForFunction(isKept, undefined, { timeout: 30_000 }).then(
    () => true,
    () => false,
  )
  return isOver && isHere
}

describe('the focus is somewhere', () => {
  // First: a walk ends the sessions and deletes rounds.
  it('when others remove what one types into, and the next keys press nothing', async () => {
    const cup = `/session/tournaments/${filled('{cup}')}`
    const host = viewers.pools.host!
    house.clock.nextMinute()
    const { id } = (await host.ask('POST', `${cup}/rounds`, { name: 'Showmatch', slots: [] })).json
      .round
    const slots = `${cup}/rounds/${id}/slots`
    const put = async (from: unknown, to: unknown, index = 9): Promise<void> => {
      const changes = [{ mod: 'NM', index, from, to }]
      expect((await host.ask('PATCH', slots, { changes })).status).toBe(200)
    }
    await put('none', { beatmapId: 101 })
    await put('none', { beatmapId: 101 }, 8)
    ;({ page } = await openRealPage(chromium, house, {
      from: host,
      service: 'pools',
      path: `/t/${filled('{cup}')}/edit?round=${id}`,
    }))
    await page.getByRole('button', { name: /^Candidates and remarks of NM9/ }).click()
    const remark = page.locator('.discussion textarea')
    await remark.fill('Too')
    await put({ beatmapId: 101 }, 'none')
    await remark.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true)
    const rows = page.locator('.edit-slot')
    const before = await rows.count()
    await page.keyboard.type(' long \n')
    await settled()
    expect(await rows.count()).toBe(before)
    expect(await page.locator('dialog[open], [popover]:popover-open').count()).toBe(0)
  })

  it.each(walked)(
    'after every press on %s of %s, before %s: failed, then done',
    async (path, service, viewer) => {
      const from = viewers[service][viewer]
      const lost: string[] = []
      const tried = new Set<string>()
      ;({ page } = await openRealPage(chromium, house, { from, service, path: filled(path) }))
      watchRequests()
      page.on('dialog', (question) => void question.accept())
      const begin = async (): Promise<void> => {
        await page.goto(filled(path))
        await page.waitForLoadState('load')
        // Some buttons come with what the page reads.
        await settled()
        await opened[path]?.()
      }
      const writes = (url: URL) => url.pathname.startsWith('/session/')
      const home = new URL(page.url()).pathname
      await begin()
      // Some that a press brings have names of their own, such as steps to be undone.
      for (let presses = 0; presses < 40; presses += 1) {
        const [next] = (await namesNow()).filter((name) => !tried.has(kindOf(name)))
        if (next === undefined) {
          if ((await page.locator('dialog[open]').count()) === 0) break
          await begin()
          continue
        }
        tried.add(kindOf(next))
        house.clock.nextMinute()
        const isOpened = (await page.locator('dialog[open]').count()) > 0
        await page.route(writes, (route) =>
          route.request().method() === 'GET' ? route.fallback() : route.fulfill(refusal),
        )
        if (!(await press(next))) lost.push(`${next}, failed`)
        await page.unroute(writes)
        if (!(await press(next))) lost.push(`${next}, tried again`)
        const isElsewhere = new URL(page.url()).pathname !== home
        const hasDialog = (await page.locator('dialog[open]').count()) > 0
        if (isElsewhere || (isOpened && !hasDialog)) await begin()
      }
      expect(tried.size).toBeGreaterThan(1)
      expect(lost).toEqual([])
    },
  )
})
