import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { Browser } from '../support/browser.ts'
import { aPack } from '../support/samples.ts'
import { bodies, endpoints, pathFor } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { everythingOf } from '../support/site-watch.ts'
import { type RawAnswer, sendRaw } from './raw.ts'

// Over a bare socket: what a browser would tidy up before it sends it.
let house: SiteHouse
let browser: Browser
let slug: string
let valid: Readonly<Record<string, unknown>>
let before: unknown

beforeAll(async () => {
  house = await openSiteHouse()
  await house.ports.accounts.setModerator(7003, true, 0)
  browser = await house.signedIn(7003)
  slug = await house.save(browser, aPack({ visibility: 'public', name: 'The one that stays' }))
  const { packKey, updatedAt } = (await browser.ask('GET', `/session/packs/${slug}`)).json.pack
  valid = bodies(packKey, updatedAt)
  await browser.ask('POST', '/session/key')
  before = await everythingOf(browser)
})
beforeEach(() => house.clock.nextMinute())
// Whatever was tried: nothing came of it.
afterAll(async () => {
  expect(await everythingOf(browser)).toEqual(before)
  await house.close()
})

const session = (): string => `session=${browser.cookies.get('session')}`
const cookie = (): string => `cookie: ${session()}`
const host = (): string => `host: ${new URL(house.urls.packs).host}`
const own = (): string[] => [
  `origin: ${house.urls.packs}`,
  'sec-fetch-site: same-origin',
  `x-csrf-token: ${browser.viewer?.csrf}`,
]

/** Sends these lines and this body; a length and the end of the connection are added. */
const raw = async (lines: readonly string[], body = ''): Promise<RawAnswer> => {
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`]
  const head = [...lines, ...length, 'connection: close', '', ''].join('\r\n')
  const [answer] = await sendRaw(house.urls.packs, head, body)
  if (answer === undefined) throw new Error('no answer')
  return answer
}

const codeOf = ({ body }: RawAnswer): unknown => JSON.parse(body).error.code
const viewerOf = ({ body }: RawAnswer): unknown => JSON.parse(body).viewer

const get = (path: string, ...lines: readonly string[]): Promise<RawAnswer> =>
  raw([`GET ${path} HTTP/1.1`, host(), ...lines])

test('* is of the server as a whole: no page, and what it can do for OPTIONS (RFC 9112, 3.2.4)', async () => {
  for (const method of ['GET', 'HEAD', 'POST']) {
    expect((await raw([`${method} * HTTP/1.1`, host(), cookie()])).status).toBe(400)
  }
  const answer = await raw(['OPTIONS * HTTP/1.1', host()])
  expect([answer.status, answer.headers['allow']]).toEqual([
    204,
    'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  ])
})

describe('GET /session: who is signed in is never guessed (spec 5)', () => {
  test('two Cookie headers with two sessions: nobody is', async () => {
    const other = `cookie: session=${'A'.repeat(43)}`
    for (const lines of [
      [cookie(), other],
      [other, cookie()],
      [cookie(), cookie()],
    ]) {
      expect(viewerOf(await get('/session', ...lines))).toBeNull()
    }
  })

  test('one session among other cookies, in two headers: that one', async () => {
    const answer = await get('/session', 'cookie: a=b; sessions=x; xsession=y', cookie())
    expect(viewerOf(answer)).toEqual(browser.viewer)
  })

  test('a flood of 1,500 cookies around it: that one', async () => {
    const flood = Array.from({ length: 750 }, (_, at) => `c${at}=1`).join('; ')
    const answer = await get('/session', `cookie: ${flood}; ${session()}; ${flood}`)
    expect(viewerOf(answer)).toEqual(browser.viewer)
  })

  test.each([
    ['nothing', 'session='],
    ['a name alone', 'session'],
    ['12 KB', `session=${'A'.repeat(12_000)}`],
    ['another case of the name', `Session=${'A'.repeat(43)}`],
    ['quotes', `session="${'A'.repeat(43)}"`],
    ['bytes beyond ASCII', `session=${'é'.repeat(43)}`],
    ['what a query language would read', "session=' or 1=1 --"],
  ])('%s: nobody is', async (_title, text) => {
    const answer = await get('/session', `cookie: ${text}`)
    expect([answer.status, viewerOf(answer)]).toEqual([200, null])
  })

  test('quotes and percent signs around the real token: nobody is', async () => {
    const token = browser.cookies.get('session') ?? ''
    for (const text of [`"${token}"`, `%${token}`, `${token}=`, `${token},`, ` ${token} x`]) {
      expect(viewerOf(await get('/session', `cookie: session=${text}`))).toBeNull()
    }
  })

  test('431: more than 16 KB of cookies', async () => {
    const answer = await get('/session', `cookie: a=${'x'.repeat(20_000)}`)
    expect(answer.status).toBe(431)
    expect(codeOf(answer)).toBe('bad_request')
  })

  test('HTTP/1.0 without a Host header', async () => {
    const answer = await raw(['GET /session HTTP/1.0', cookie()])
    expect([answer.status, viewerOf(answer)]).toEqual([200, browser.viewer])
  })
})

describe('400 bad_request: two Host headers (D-10), on pages and endpoints alike', () => {
  test.each(['/', '/session', '/sign-in', '/packs/index.json', '/assets/x.js', '/nothing'])(
    'GET %s',
    async (path) => {
      const answer = await get(path, 'host: evil.test', cookie())
      expect([answer.status, codeOf(answer)]).toEqual([400, 'bad_request'])
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(answer.headers).toMatchObject({ 'ratelimit-limit': '20', connection: 'close' })
    },
  )
})

describe('what was sent after an answer that closes is not executed, on the site', () => {
  const save = (): string => {
    const text = JSON.stringify(aPack({ name: 'Never saved' }))
    const lines = [`POST /session/packs HTTP/1.1`, host(), cookie(), ...own(), json]
    return [...lines, `content-length: ${Buffer.byteLength(text)}`, '', text].join('\r\n')
  }

  test.each([
    ['two Host headers', 400, ['GET /session HTTP/1.1', 'host: x', 'host: y']],
    ['no Host header', 400, ['GET /session HTTP/1.1']],
    ['an expectation that nobody knows', 417, ['GET /session HTTP/1.1', 'host: x', 'expect: x']],
    ['HTTP/1.0', 200, ['GET /session HTTP/1.0']],
    ['no HTTP', 400, ['nonsense']],
  ])('%s', async (_title, status, lines) => {
    const text = [...lines, '', ''].join('\r\n') + save().repeat(3)
    const answers = await sendRaw(house.urls.packs, text)
    // What was saved would be found in the end.
    expect(answers.map((answer) => answer.status)).toEqual([status])
  })

  test('a JSON syntax error keeps the connection', async () => {
    const lines = ['POST /session/packs HTTP/1.1', host(), cookie(), ...own(), json]
    const bad = [...lines, 'content-length: 2', '', '{x'].join('\r\n')
    const next = ['GET /session HTTP/1.1', host(), 'connection: close', '', ''].join('\r\n')
    const answers = await sendRaw(house.urls.packs, bad + next)
    expect(answers.map((answer) => answer.status)).toEqual([400, 200])
    expect(answers[0]?.headers['connection']).toBe('keep-alive')
  })
})

describe('what differs by Accept says so, and a path without its slug is unknown', () => {
  test.each(['/nothing', '/p/AAAAAAAAAA', '/p/', '/assets/none.js'])('GET %s', async (path) => {
    const answers = [await get(path), await get(path, 'accept: text/html')]
    expect(answers.map((answer) => answer.status)).toEqual([404, 404])
    for (const { headers } of answers) expect(headers['vary']?.split(', ')).toContain('Accept')
    expect(answers[0]?.headers['content-type']).toContain('application/json')
    expect(answers[1]?.headers['content-type']).toContain('text/html')
  })

  test('GET /session/packs/ is no pack', async () => {
    const answer = await get('/session/packs/', cookie())
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.body).error.message).toBe('there is nothing at this path')
  })

  test('HEAD with If-None-Match: 304 without a length', async () => {
    const whole = await get('/')
    const head = ['HEAD / HTTP/1.1', host(), `if-none-match: ${whole.headers['etag']}`]
    const answer = await raw(head)
    expect(answer.status).toBe(304)
    expect(answer.headers).not.toHaveProperty('content-length')
  })
})

describe('another name in Host gains nothing', () => {
  test('links, redirects and the sign-in address stay ours', async () => {
    for (const name of [
      'evil.test',
      'evil.test:80',
      'localhost.evil.test',
      '127.0.0.1@evil.test',
    ]) {
      for (const path of ['/', `/p/${slug}`, '/sign-in', '/robots.txt', '/account']) {
        const answer = await raw([`GET ${path} HTTP/1.1`, `host: ${name}`])
        expect(JSON.stringify(answer)).not.toContain('evil')
      }
    }
  })

  test('X-Forwarded-Host neither', async () => {
    for (const path of ['/', `/p/${slug}`, '/sign-in']) {
      const answer = await get(path, 'x-forwarded-host: evil.test', 'forwarded: host=evil.test')
      expect(JSON.stringify(answer)).not.toContain('evil')
    }
  })
})

const changing = endpoints.filter(([, { proof }]) => proof === 'token')
type Named = readonly [string, Endpoint]

const start = ({ method }: Endpoint, path: string): string[] => [
  `${method} ${path} HTTP/1.1`,
  host(),
]
const json = 'content-type: application/json'
const bodyOf = (name: string): string => JSON.stringify(valid[name] ?? {})

describe('403 forbidden: proof that stands twice is none (spec 8)', () => {
  test.each(changing)('%s', async (...[name, endpoint]: Named) => {
    for (const again of own()) {
      // Of two Origins none counts; without one, Sec-Fetch-Site does, and two of those do not.
      const isPlace = again.startsWith('sec-fetch-site')
      const proof = isPlace ? own().filter((line) => !line.startsWith('origin')) : own()
      const lines = [...start(endpoint, pathFor(endpoint, slug)), cookie(), ...proof, again, json]
      const answer = await raw(lines, bodyOf(name))
      expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden'])
    }
  })
})

describe('other spellings of an endpoint ask for the same proof, and are kept by nobody', () => {
  const spell = (path: string): string => path.replace('session', '%73ession')

  test.each(changing)('%s', async (...[name, endpoint]: Named) => {
    for (const path of [pathFor(endpoint, slug), `${pathFor(endpoint, slug)}?_method=GET`]) {
      const lines = [...start(endpoint, spell(path)), cookie(), json]
      const answer = await raw(lines, bodyOf(name))
      expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden'])
      expect(answer.headers['cache-control']).toBe('private, no-store')
    }
  })

  test('GET /%73ession is GET /session', async () => {
    const answer = await get('/%73ession', cookie())
    expect(viewerOf(answer)).toEqual(browser.viewer)
    expect(answer.headers['cache-control']).toBe('private, no-store')
  })

  test.each([
    '//session',
    '/session/',
    '/Session',
    '/session;x',
    '/session%2Fkey',
    '/session/./key',
    '/x/../session',
    '/session%00',
    '/session/packs/',
    '/session//packs',
    '/p/',
    '/p',
    '/assets/',
    '/assets/..%2fmanifest.json',
    '/assets/../manifest.json',
    '/assets/%2e%2e/manifest.json',
    '/manifest.json',
    '/assets/shared-0a1b.js/',
    '/assets/shared-0a1b.js%00.css',
    '/%zz',
    '/%',
    '/%C0%AF',
    '/\\evil.test',
  ])('404 not_found: GET %s', async (path) => {
    const answer = await get(path, cookie())
    expect([path, answer.status]).toEqual([path, 404])
    expect(codeOf(answer)).toBe('not_found')
  })
})

describe('D-12: methods', () => {
  const paths = [...new Set(endpoints.map(([, { path }]) => path))]
  const methodsOf = (path: string): readonly string[] =>
    endpoints.filter(([, endpoint]) => endpoint.path === path).map(([, { method }]) => method)

  test.each(paths)(
    '%s: 405 with Allow for every other method, whatever it carries',
    async (path) => {
      const known = methodsOf(path)
      const all = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY', 'SEARCH']
      for (const method of all.filter((name) => !known.includes(name))) {
        const lines = [`${method} ${path.replace('{slug}', slug)} HTTP/1.1`, host(), cookie()]
        const answer = await raw([...lines, ...own(), json], '{}')
        expect([method, answer.status]).toEqual([method, 405])
        expect(codeOf(answer)).toBe('method_not_allowed')
        const allow = answer.headers['allow']?.split(', ') ?? []
        expect(allow).toEqual(expect.arrayContaining([...known, 'OPTIONS']))
        expect(allow).not.toContain(method)
      }
    },
  )

  test.each(paths)(
    '%s: OPTIONS is 204, changes nothing and opens nothing to others',
    async (path) => {
      const answer = await raw([
        `OPTIONS ${path.replace('{slug}', slug)} HTTP/1.1`,
        host(),
        'origin: https://evil.test',
        'access-control-request-method: POST',
        'access-control-request-headers: x-csrf-token',
      ])
      expect(answer.status).toBe(204)
      expect(Object.keys(answer.headers).join()).not.toContain('access-control')
    },
  )

  test('a method in a header, a query or a field is none', async () => {
    for (const path of [`/session/packs/${slug}`, `/session/packs/${slug}?_method=DELETE`]) {
      const answer = await get(path, cookie(), ...own(), 'x-http-method-override: DELETE')
      expect(answer.status).toBe(200)
    }
  })

  test('HEAD /sign-in/callback would use the code up: 405', async () => {
    const answer = await raw(['HEAD /sign-in/callback?code=x&state=y HTTP/1.1', host()])
    expect(answer.status).toBe(405)
  })
})
