import { readdirSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Endpoint, isWrite } from '../../src/contract/endpoint.ts'
import { sessionEndpointsOf } from '../../src/contract/session-api.ts'
import { serviceNames } from '../../src/contract/services.ts'
import { setNotice, setReadOnly } from '../../src/operations/operator.ts'
import { type Browser, pageDataOf } from '../support/browser.ts'
import { openTournament } from '../support/public-tournament.ts'
import { aPack } from '../support/samples.ts'
import { expectSiteError } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { takeOver } from '../support/usage-scene.ts'

const MODERATOR = 7003

let house: SiteHouse
let browsers: Readonly<Record<'packs' | 'pools', Browser>>
let slug: string
let tournament: string
let round: string

beforeAll(async () => {
  house = await openSiteHouse()
  await house.ports.accounts.setModerator(MODERATOR, true, 0)
  browsers = {
    packs: await house.signedIn(MODERATOR),
    pools: await house.signedIn(MODERATOR, 'pools'),
  }
  slug = await house.save(browsers.packs, aPack({ visibility: 'public' }))
  await takeOver(house.ports)
  await house.publishIndex()
  const made = await openTournament(house.ports, browsers.pools.viewer?.id ?? '', {}, [
    { name: 'Finals', at: 'now' },
  ])
  tournament = made.slug
  round = made.rounds[0]?.id ?? ''
})
afterEach(async () => {
  await setNotice(house.ports, null)
  await turn(null)
})
afterAll(() => house.close())

const turn = async (mode: { reason: string | undefined } | null) => {
  await setReadOnly(house.ports, mode)
  await house.operator.look()
}
const say = async (text: string | null) => {
  await setNotice(house.ports, text)
  await house.operator.look()
}

const writes = serviceNames.flatMap((service) =>
  Object.entries<Endpoint>(sessionEndpointsOf[service]).flatMap(([id, endpoint]) =>
    isWrite(endpoint.method) ? [[service, id, endpoint] as const] : [],
  ),
)
const heldUp = writes.filter(([, , { worksReadOnly }]) => !worksReadOnly)

const call = (service: 'packs' | 'pools', { method, path, body }: Endpoint) => {
  house.clock.nextMinute()
  const real = path
    .replace('{slug}', service === 'packs' ? slug : tournament)
    .replace('{round}', round)
    .replace('{id}', 'A'.repeat(10))
    .replace('{gameId}', '7001')
    .replace('{token}', 'A'.repeat(43))
  return browsers[service].ask(method, real, body && {})
}

/** Not when sessions were seen last. */
const everything = async () => ({
  mine: { ...(await browsers.packs.ask('GET', '/session/my-data')).json, sessions: null },
  tournament: await house.ports.tournaments.read(tournament),
  log: await house.ports.packs.readLog(1, 100),
  key: await house.ports.apiKeys.read(browsers.packs.viewer?.id ?? '', 'packs'),
})

describe('while the operator lets nothing be changed', () => {
  test('what ends sessions works, and what only reads; nothing else', () => {
    const working = writes.flatMap(([, id, { worksReadOnly }]) => (worksReadOnly ? [id] : []))
    expect(new Set(working)).toEqual(
      new Set(['signOut', 'endSession', 'endOtherSessions', 'lookAtBeatmaps']),
    )
  })

  test('each write of both sites is answered 503, and changes nothing', async () => {
    await turn({ reason: 'we move' })
    const before = await everything()
    for (const [service, id, endpoint] of heldUp) {
      const reply = await call(service, endpoint)
      expectSiteError(reply, 'unavailable', /read-only for a while: we move$/)
      expect([id, reply.headers.get('retry-after')]).toEqual([id, '30'])
    }
    expect(await everything()).toEqual(before)
  })

  test('people sign in and out, and read', async () => {
    await turn({ reason: undefined })
    for (const service of serviceNames) {
      const browser = await house.signedIn(7001, service)
      expect((await browser.ask('GET', '/session')).json.viewer).toMatchObject({ gameId: 7001 })
      const out = await browser.ask('POST', '/session/sign-out', {})
      expect(out.status).toBe(204)
      expect(await browser.look()).toBeNull()
    }
    expect((await browsers.packs.ask('GET', `/session/packs/${slug}`)).status).toBe(200)
  })

  test('every page says so, with the reason', async () => {
    await turn({ reason: 'Back at <21:00> UTC' })
    const aside =
      '<aside class="site-notice" aria-label="Notice"><p dir="auto"><strong>Nothing can be changed at the moment.</strong> Back at &lt;21:00&gt; UTC</p></aside>'
    expect((await house.browser().open('/')).text).toContain(aside)
    await turn({ reason: undefined })
    expect((await house.browser().open('/')).text).toContain(
      '<p dir="auto"><strong>Nothing can be changed at the moment.</strong></p>',
    )
    await turn(null)
    expect((await house.browser().open('/')).text).not.toContain('site-notice')
  })
})

describe('the notice of the operator', () => {
  const pagePaths = () => ({
    packs: [
      '/',
      '/packs',
      '/packs?q=finals',
      '/k',
      '/maps',
      '/new',
      '/me',
      '/moderation',
      '/account',
      '/docs',
      '/docs/api',
      '/docs/reference',
      `/p/${slug}`,
      `/p/${slug}/edit`,
      `/p/${slug}/history`,
      `/maps/${aPack().slots[0]?.beatmapId}`,
      `/u/${encodeURIComponent(browsers.packs.viewer?.username ?? '')}`,
      '/nothing/here',
      '/p/AAAAAAAAAA',
      '/sign-in/callback?code=1',
    ],
    pools: [
      '/',
      '/my',
      '/account',
      '/moderation',
      '/docs',
      '/docs/reference',
      `/t/${tournament}`,
      `/t/${tournament}/edit`,
      `/t/${tournament}/staff`,
      '/invite/AAAAAAAAAA',
      '/nothing/here',
    ],
  })

  test('stands above every page of both sites, for those who are signed in and for others', async () => {
    const plain = new Map<string, string>()
    const shown = new Set<string>()
    const walk = async (look: (place: string, text: string) => void) => {
      for (const service of serviceNames) {
        for (const browser of [house.browser(service), browsers[service]]) {
          for (const path of pagePaths()[service]) {
            house.clock.nextMinute()
            const reply = await browser.open(path)
            if (reply.status >= 300 && reply.status < 400) continue
            look(`${service} ${browser.viewer === null} ${path}`, reply.text)
            const data = pageDataOf(reply)
            if (data !== null) shown.add(data.page)
          }
        }
      }
    }
    await walk((place, text) => plain.set(place, text))
    await say('Back at 21:00 UTC')
    const aside =
      '<aside class="site-notice" aria-label="Notice"><p dir="auto">Back at 21:00 UTC</p></aside>\n'
    await walk((place, text) => {
      expect([place, text.split(aside).length]).toEqual([place, 2])
      expect(text).toContain(`<body>\n${aside}<div id="app">`)
    })
    // Each page of the application is among them.
    const pages = readdirSync(new URL('../../src/web/pages/', import.meta.url))
    expect(shown).toEqual(new Set([...pages.map((file) => file.replace(/\.tsx?$/, '')), 'notice']))
    await say(null)
    await walk((place, text) => {
      expect([place, text.includes('site-notice')]).toEqual([place, false])
    })
    expect(plain.size).toBeGreaterThan(40)
  })

  test('renews what is kept: a page that a browser has is not the same any more', async () => {
    const tagOf = async () => (await house.browser().open('/k')).headers.get('etag')
    const before = await tagOf()
    await say('One')
    const during = await tagOf()
    expect(during).not.toBe(before)
    await house.operator.look()
    expect(await tagOf()).toBe(during)
    await say(null)
    expect(await tagOf()).toBe(before)
  })

  test('is text, whatever it looks like', async () => {
    await say(`<b>"Status"</b> & 'more': https://status.test`)
    const { text } = await house.browser().open('/')
    expect(text).toContain(
      '<p dir="auto">&lt;b&gt;&quot;Status&quot;&lt;/b&gt; &amp; &#39;more&#39;: https://status.test</p>',
    )
  })

  test('is in no answer of the API, and in no file', async () => {
    await say('Back at 21:00 UTC')
    const host = await house.hostOf(7002, 'Ben')
    for (const path of ['/me', '/packs', `/packs/${slug}`, '/openapi.json']) {
      house.clock.nextMinute()
      const reply = await host.get(path)
      expect([reply.status, reply.text.includes('21:00')]).toEqual([200, false])
    }
    for (const path of ['/packs.atom', '/docs/api.md', '/robots.txt', '/session']) {
      house.clock.nextMinute()
      const reply = await house.browser().send('GET', path)
      expect([path, reply.text.includes('21:00')]).toEqual([path, false])
    }
  })

  test('is one line with something to see in it, of at most 300 characters (D-47)', async () => {
    const refused: readonly (readonly [string, RegExp])[] = [
      ['  ', /must have 1 to 300 characters/],
      ['x'.repeat(301), /must have 1 to 300 characters/],
      ['a\nb', /one line/],
      ['\u00ad', /visible/],
      ['a\u202eb', /U\+202E/],
    ]
    for (const [text, message] of refused) {
      await expect(setNotice(house.ports, text)).rejects.toThrow(message)
    }
    await say(` ${'x'.repeat(300)} `)
    expect((await house.browser().open('/')).text).toContain(`>${'x'.repeat(300)}</p>`)
  })
})
