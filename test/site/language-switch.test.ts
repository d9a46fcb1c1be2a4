import type { Browser as Chromium } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Language, languages } from '#texts/languages'
import type { ServiceName } from '../../src/contract/services.ts'
import type { DoorPorts } from '../../src/door/context.ts'
import { StoreUnavailable } from '../../src/ports/store.ts'
import { textsIn } from '../../src/site/language.ts'
import { problems } from '../../src/site/sign-in/problems.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import type { Reply } from '../support/door.ts'
import { openTournament } from '../support/public-tournament.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

// The switch at the end of each page leads to what the page shows in another language, with a script and without (D-106, D-110).

const all = Object.keys(languages) as Language[]
const REASON = 'Advertising <b>in five packs</b>'
const SUSPENDED = 7002

let house: SiteHouse
let chromium: Chromium
let names: Readonly<Record<string, string>>
/** Paths of the calls that the platform has got. */
const calls: string[] = []
/** What a session that begins fails with. */
let fault: Error | null = null

const failing = (ports: DoorPorts): DoorPorts => ({
  ...ports,
  sessions: {
    ...ports.sessions,
    create: async (...session) => {
      if (fault !== null) throw fault
      return ports.sessions.create(...session)
    },
    redeem: async (...handedOver) => {
      if (fault !== null) throw fault
      return ports.sessions.redeem(...handedOver)
    },
  },
})

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({
    hasRealPages: true,
    onPlatformCall: (path) => calls.push(path),
    withPorts: failing,
  })
  await house.ports.accounts.setModerator(7003, true, 0)
  const owner = await house.signedIn(7001)
  await house.signedIn(SUSPENDED)
  const moderator = await house.signedIn(7003)
  const suspend = `/session/moderation/players/${SUSPENDED}/suspend`
  const { status } = await moderator.ask('POST', suspend, { reason: REASON })
  expect(status).toBe(200)
  const host = (await house.signedIn(7001, 'pools')).viewer!.id
  const slots = [{ mod: 'NM', index: 1, beatmapId: 101 }]
  const rounds = [{ name: 'Finals', slots, at: 'now' as const }]
  names = {
    pack: await house.save(owner, aPack({ visibility: 'public' })),
    cup: (await openTournament(house.ports, host, {}, rounds)).slug,
  }
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => {
  house.clock.nextMinute()
  fault = null
})

const one = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''
const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/[\u2066-\u2069]/g, '')

/** Where the switch of a page leads to without a script, by language. */
const switchOf = (text: string, address: string): Map<string, URL> =>
  new Map(
    Array.from(
      text.matchAll(/<a href="([^"]*)" lang="([^"]*)" hreflang="\2"/g),
      ([, href = '', language = '']) => [
        language,
        new URL(unescaped(href), `${house.urls.packs}${address}`),
      ],
    ),
  )

const pathOf = ({ pathname, search }: URL): string => pathname + search
const withoutLanguage = (url: URL): string => {
  const other = new URL(url)
  other.searchParams.delete('lang')
  return pathOf(other)
}

const open = (browser: Browser, path: string, language = 'en'): Promise<Reply> =>
  browser.send('GET', path, { headers: { accept: 'text/html', 'accept-language': language } })

const shownIn = ({ status, text }: Reply) => ({
  status,
  language: one(text, /<html lang="([^"]*)"/),
  title: unescaped(one(text, /<h1[^>]*>(.*?)<\/h1>/)),
  text: unescaped(one(text, /<h1[^>]*>.*?<\/h1>\s*<p[^>]*>(.*?)<\/p>/)),
})

const pages: readonly (readonly [ServiceName, string])[] = [
  ['packs', '/'],
  ['packs', '/packs?q=cup'],
  ['packs', '/p/{pack}'],
  ['packs', '/maps'],
  ['packs', '/docs/api'],
  ['packs', '/nothing/here'],
  ['packs', '//evil.test/path'],
  ['packs', '/p/AAAAAAAAAA/history'],
  ['packs', '/moderation'],
  ['pools', '/?search=cup&year=2026'],
  ['pools', '/t/{cup}'],
  ['pools', '/t/AAAAAAAAAA'],
  ['pools', '/nothing/here'],
]

test.each(pages)('of %s: %s, it keeps the path without a script', async (service, path) => {
  const address = path.replace(/\{(\w+)\}/, (_, name: string) => names[name] ?? '')
  const english = await open(house.browser(service), address)
  const ways = switchOf(english.text, '/somewhere')
  expect([...ways.keys()]).toEqual(all)
  for (const [language, href] of ways) {
    // As browsers resolve it.
    const relative = unescaped(
      one(english.text, new RegExp(`<a href="([^"]*)" lang="${language}"`)),
    )
    expect(relative).toMatch(/^\?/)
    expect(withoutLanguage(href)).toBe(`/somewhere${new URL(address, 'http://x').search}`)
    house.clock.nextMinute()
    const browser = house.browser(service)
    const [from = ''] = address.split('?')
    const reply = await open(browser, from + relative)
    expect(shownIn(reply)).toMatchObject({ status: english.status, language })
    // From then on, the browser is in it.
    expect(browser.cookies.get('language')).toBe(language)
    expect(reply.headers.get('cache-control')).toMatch(/^private/)
  }
})

type Kind = keyof typeof problems

const broken = new Error('the disk is gone')
const away = new StoreUnavailable('the store is locked')

/** A code that works once, on its way back from the platform. */
const goAndAgree = async (browser: Browser, gameId: number | null): Promise<string> => {
  const { headers } = await browser.open('/sign-in?return=%2Fmaps')
  return house.agree(headers.get('location') ?? '', gameId)
}

/** A code of the other site, where this browser is signed in. */
const goToOther = async (browser: Browser): Promise<string> => {
  const other = await house.signedIn(7001, 'pools')
  const pathIn = ({ headers }: Reply): string =>
    pathOf(new URL(headers.get('location') ?? '', 'http://none.test'))
  const asked = await browser.open('/sign-in?return=%2Fmaps&from=pools')
  return pathIn(await other.open(pathIn(asked)))
}

/** Once it is on its way back, this is what happens here. */
const failWith = async (error: Error, callback: Promise<string>): Promise<string> => {
  const path = await callback
  fault = error
  return path
}

/** How a sign-in ends without one, by what its page says. */
const failures: readonly (readonly [Kind, string, (browser: Browser) => Promise<string>])[] = [
  ['denied', 'the player declines', (browser) => goAndAgree(browser, null)],
  ['suspended', 'the account is suspended', (browser) => goAndAgree(browser, SUSPENDED)],
  [
    'no_pending',
    'another browser began it',
    async (browser) => (await goAndAgree(browser, 7001)).replace(/state=[^&]*/, 'state=x'),
  ],
  [
    'bad_code',
    'the code is wrong',
    async (browser) => (await goAndAgree(browser, 7001)).replace(/code=[^&]*/, 'code=x'),
  ],
  [
    'set_up_wrongly',
    'the platform knows no such scope',
    async () => '/sign-in/callback?error=invalid_scope',
  ],
  ['failed', 'this service fails', (browser) => failWith(broken, goAndAgree(browser, 7001))],
  ['store_away', 'the store is away', (browser) => failWith(away, goAndAgree(browser, 7001))],
  ['failed', 'the hand-over fails', (browser) => failWith(broken, goToOther(browser))],
  ['store_away', 'a hand-over finds no store', (browser) => failWith(away, goToOther(browser))],
]

const worded = (kind: Kind, language: Language, id = '') => {
  const { title, text } = problems[kind].say(textsIn(language), { wait: 0, reason: REASON, id })
  return { title, text: unescaped(text) }
}

describe.each(failures)('of a failed sign-in, %s since %s,', (kind, _why, fail) => {
  test('it shows the same in each language, and uses the code no second time', async () => {
    const browser = house.browser()
    const callback = await fail(browser)
    const first = await open(browser, callback)
    const id = first.headers.get('x-request-id')!
    const { status } = problems[kind]
    expect(shownIn(first)).toEqual({ status, language: 'en', ...worded(kind, 'en', id) })
    // By now it would go well.
    fault = null
    const before = calls.length
    for (const [language, href] of switchOf(first.text, callback)) {
      house.clock.nextMinute()
      expect(href.href).not.toMatch(/code=|state=/)
      for (const reader of [browser.another(), browser]) {
        const reply = await open(reader, pathOf(href))
        expect(shownIn(reply)).toEqual({
          status,
          language,
          ...worded(kind, language as Language, id),
        })
        expect(reply.headers.get('cache-control')).toBe('private, no-store')
        // And from there to each other one.
        const again = switchOf(reply.text, pathOf(href))
        expect([...again.values()].map(withoutLanguage)).toEqual(
          all.map(() => withoutLanguage(href)),
        )
      }
    }
    expect(calls.slice(before)).toEqual([])
  })

  test('its way to sign in again leads to where it would have led', async () => {
    const browser = house.browser()
    const callback = await fail(browser)
    const first = await open(browser, callback)
    const way = one(first.text, /href="([^"]*\/sign-in\?return=[^"]*)"/)
    const korean = switchOf(first.text, callback).get('ko')!
    const reply = await open(browser, pathOf(korean))
    expect(one(reply.text, /href="([^"]*\/sign-in\?return=[^"]*)"/)).toBe(way)
  })

  test('a script changes nothing about that', async () => {
    const from = house.browser()
    const callback = await fail(from)
    const { page } = await openRealPage(chromium, house, { from, path: callback })
    const paragraph = await page.locator('main p').first().textContent()
    const id = /request id: ([^.]*)/.exec(paragraph ?? '')?.[1]
    const before = calls.length
    await page.getByRole('link', { name: languages.es }).click()
    const { title, text } = worded(kind, 'es', id)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    const shown = await page.locator('main p').first().textContent()
    expect(unescaped(shown ?? '')).toBe(text)
    expect(calls.slice(before)).toEqual([])
    await closeWindow(page)
  })
})

test('of a sign-in that waits, it leads to the same address, where the code is still good', async () => {
  const TEN_MINUTES = 600_000
  house.clock.advance(TEN_MINUTES - (house.clock.now() % TEN_MINUTES))
  const browser = house.browser()
  let callback = ''
  // Codes that come to nothing, as many as one address may try.
  for (let tries = 0; tries < 20; tries += 1) {
    const other = house.browser()
    const back = await goAndAgree(other, 7001)
    const { status } = await open(other, back.replace(/code=[^&]*/, 'code=x'))
    expect(status).toBe(400)
    if (tries % 4 === 3) house.clock.advance(60_000)
    if (tries === 18) callback = await goAndAgree(browser, 7001)
  }
  const refused = await open(browser, callback)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('vary')).toMatch(/Accept-Language.*Cookie/)
  const korean = switchOf(refused.text, callback).get('ko')!
  expect(withoutLanguage(korean)).toBe(callback)
  expect(shownIn(await open(browser, pathOf(korean)))).toMatchObject({
    status: 429,
    language: 'ko',
  })
  house.clock.advance(Number(refused.headers.get('retry-after')) * 1_000)
  const reply = await open(browser, pathOf(korean))
  expect([reply.status, reply.headers.get('location')]).toEqual([302, '/maps'])
  expect(browser.cookies.get('language')).toBe('ko')
})

test('GET /sign-in/failure says nothing that this site has not said', async () => {
  const browser = house.browser()
  const callback = await goAndAgree(browser, SUSPENDED)
  const { text } = await open(browser, callback)
  const sealed = switchOf(text, callback).get('en')!.searchParams.get('of')!
  const [body = '', signature = ''] = sealed.split('.')
  const failure = JSON.parse(Buffer.from(body, 'base64url').toString()) as object
  expect(failure).toMatchObject({ problem: 'suspended', reason: REASON })
  const forged = Buffer.from(JSON.stringify({ ...failure, reason: 'Pay here' })).toString(
    'base64url',
  )
  const nothing = { status: 400, ...worded('no_pending', 'en') }
  for (const of of [
    `${forged}.${signature}`,
    `${forged}.`,
    forged,
    body,
    '',
    '.',
    `${body}.${signature}x`,
    `${sealed}&of=${sealed}`,
  ]) {
    house.clock.nextMinute()
    const reply = await open(browser, `/sign-in/failure?of=${of}`)
    expect([of, shownIn(reply)]).toEqual([of, expect.objectContaining(nothing)])
  }
  const { status } = await open(browser, '/sign-in/failure')
  expect(status).toBe(400)
})
