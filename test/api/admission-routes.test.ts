import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { packsApi } from '../../src/contract/services.ts'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { sendRaw } from './raw.ts'
import { expectStanding } from './standing.ts'

const house = await openHouse()
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const { packs, pools } = house.doors

/** Path → what it takes (spec 4.1, D-12). */
const allowed = {
  '/me': 'GET, HEAD, OPTIONS',
  '/me/packs': 'GET, HEAD, OPTIONS',
  '/packs': 'GET, POST, HEAD, OPTIONS',
  '/packs/AAAAAAAAAA': 'GET, PUT, DELETE, HEAD, OPTIONS',
  '/packs/AAAAAAAAAA/history': 'GET, PUT, HEAD, OPTIONS',
  '/packs/AAAAAAAAAA/history/1': 'GET, HEAD, OPTIONS',
  '/changes': 'GET, HEAD, OPTIONS',
  '/openapi.json': 'GET, HEAD, OPTIONS',
}
const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'MOVE']
const foreign = Object.entries(allowed).flatMap(([path, allow]) =>
  everyMethod
    .filter((method) => !allow.split(', ').includes(method))
    .map((method) => [method, path, allow] as const),
)

it('the paths of these tests are those of the contract', () => {
  const paths = Object.values(packsApi).map(({ path }) =>
    path.replace('{slug}', 'AAAAAAAAAA').replace('{version}', '1'),
  )
  expect(new Set(paths)).toEqual(new Set(Object.keys(allowed)))
})

describe('405 method_not_allowed (D-12)', () => {
  it.each(foreign)('%s %s; Allow: %s', async (method, path, allow) => {
    const host = await house.host()
    for (const body of [undefined, aPack()]) {
      const reply = await host.ask(method, path, { body })
      expectError(reply, 'method_not_allowed', `this path takes ${allow}`)
      expect(reply.headers.get('allow')).toBe(allow)
      expectStanding(reply)
    }
  })

  it('comes after the key, on openapi.json too (D-3)', async () => {
    for (const [method, path] of foreign) {
      house.clock.nextMinute()
      const reply = await packs.ask(method, path)
      expectError(reply, 'unauthorized')
      expect(reply.headers.has('allow')).toBe(false)
    }
  })

  it('is TRACE’s answer, too, which echoes nothing', async () => {
    const { key } = await house.host()
    const head = ['TRACE /api/v1/me HTTP/1.1', `Authorization: Bearer ${key}`]
    const reply = await sendRaw(packs.url, head)
    expectError(reply, 'method_not_allowed')
    expect(reply.text).not.toContain(key)
  })
})

describe('404 not_found (D-12)', () => {
  it.each(
    [
      ['', '/', '/nothing', '/me/', '/Me', '/me/packs/', '/me/packs/x', '/pack'],
      ['/packs/AAAAAAAAAA/', '/packs/AAAAAAAAAA/exports', '/openapi', '/openapi.json/'],
      ['/beatmaps/1/usage', '/beatmaps/usage', '//me', '/%00', '/me%2Fpacks', '/me;x=1', '/%zz'],
    ].flat(),
  )('GET /api/v1%s', async (path) => {
    const reply = await (await house.host()).get(path)
    expectError(
      reply,
      'not_found',
      'there is nothing at this path; /api/v1/openapi.json lists what there is',
    )
    expectStanding(reply)
    expect(reply.headers.has('allow')).toBe(false)
    expect(quotaOf(reply)).toMatchObject({ limit: 60, remaining: 59 })
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'by %s as well',
    async (method) => {
      expectError(await (await house.host()).ask(method, '/nothing'), 'not_found')
    },
  )

  it('comes after the key (D-3)', async () => {
    expectError(await packs.ask('GET', '/nothing'), 'unauthorized')
    expectError(await packs.ask('GET', '/%zz', { key: 'wrong' }), 'invalid_api_key')
  })

  it('is what the pools service says of packs (spec 4.2)', async () => {
    const host = await house.host('pools')
    for (const path of ['/packs', '/me/packs', '/packs/AAAAAAAAAA']) {
      expectError(await host.get(path), 'not_found')
    }
  })

  it('needs no key outside the API, and spends nothing there (D-10)', async () => {
    const response = await fetch(`${packs.url}/favicon.ico`)
    expect(response.status).toBe(404)
    expect(response.headers.get('ratelimit-limit')).toBe('20')
    expect(response.headers.get('ratelimit-remaining')).toBe('20')
  })
})

describe('a path spelled otherwise (D-3)', () => {
  const spellings = [
    '/%61pi/v1/packs',
    '/api/%761/packs',
    '/api/v1/%70acks',
    '/%61%70%69/%76%31/%70%61%63%6b%73',
  ]

  it.each(spellings)('%s needs the key all the same, whatever the method', async (target) => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PATCH']) {
      expect((await fetch(packs.url + target, { method })).status).toBe(401)
    }
  })

  it.each(spellings)('%s is the same endpoint and spends the same quota', async (target) => {
    const { key } = await house.host()
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(packs.url + target, { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('ratelimit-remaining')).toBe('59')
  })

  it.each(['http://127.0.0.1/api/v1/me', 'http://elsewhere.test/%61pi/v1/me'])(
    '%s needs the key all the same',
    async (target) => {
      expectError(await sendRaw(packs.url, [`GET ${target} HTTP/1.1`]), 'unauthorized')
    },
  )

  it.each(['/api', '/api/', '/api?x', '/api/v2/me', '/api/v1', '/%61pi/v3'])(
    '%s is behind the key',
    async (target) => {
      expect((await fetch(packs.url + target)).status).toBe(401)
    },
  )
})

describe('HEAD (D-12)', () => {
  it('is GET without the body, its errors included', async () => {
    const host = await house.host()
    const asked = [
      ['/packs', 200],
      ['/me/packs?page=0', 400],
      ['/packs/AAAAAAAAAA', 404],
      ['/nothing', 404],
    ] as const
    for (const [path, status] of asked) {
      const [get, head] = [await host.get(path), await host.ask('HEAD', path)]
      expect(head).toMatchObject({ status, text: '' })
      expect(get.status).toBe(status)
      for (const name of ['content-type', 'content-length', 'link', 'etag']) {
        expect(head.headers.get(name), name).toBe(get.headers.get(name))
      }
      expectStanding(head)
    }
  })

  it('gives 304 as GET does (D-13)', async () => {
    const host = await house.host()
    const headers = { 'If-None-Match': (await host.get('/packs')).headers.get('etag') ?? '' }
    expect((await host.ask('HEAD', '/packs', { headers })).status).toBe(304)
  })
})

describe('OPTIONS (D-12)', () => {
  it.each(Object.entries(allowed))('of %s: 204 and Allow: %s', async (path, allow) => {
    const reply = await (await house.host()).ask('OPTIONS', path)
    expect(reply).toMatchObject({ status: 204, text: '' })
    expect(reply.headers.get('allow')).toBe(allow)
    expectStanding(reply)
    expect(quotaOf(reply)).toMatchObject({ limit: 60, remaining: 59 })
  })

  it('needs a key', async () => {
    expectError(await packs.ask('OPTIONS', '/packs'), 'unauthorized')
  })

  it('says of an impossible slug what GET says', async () => {
    expectError(await (await house.host()).ask('OPTIONS', '/packs/short'), 'not_found')
  })
})

describe('CORS (spec 5 rule 7)', () => {
  const origin = { origin: 'https://page.test' }
  const preflight = {
    ...origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, content-type',
  }

  it('is never allowed, whatever is asked and however it ends', async () => {
    const host = await house.host()
    const slug = await host.save(aPack())
    const replies: Reply[] = [
      await host.get('/me', origin),
      await host.get(`/packs/${slug}`, origin),
      await host.ask('POST', '/packs', { body: aPack(), headers: origin }),
      await host.ask('DELETE', `/packs/${slug}`, { headers: origin }),
      await host.get('/nothing', origin),
      await host.ask('PATCH', '/packs', { headers: origin }),
      await host.ask('OPTIONS', '/packs', { headers: preflight }),
      await packs.ask('OPTIONS', '/packs', { headers: preflight }),
      await packs.ask('GET', '/me', { headers: origin }),
      await packs.ask('GET', '/openapi.json', { headers: origin }),
      await pools.ask('GET', '/openapi.json', { headers: origin }),
    ]
    const statuses = replies.map(({ status }) => status)
    expect(statuses.join(' ')).toBe('200 200 201 204 404 405 204 401 401 200 200')
    for (const { headers } of replies) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(headers.has('cross-origin-resource-policy')).toBe(false)
    }
  })
})

describe('what belongs to no account (D-10)', () => {
  it.each([
    ['malformed', ['no request at all'], 400],
    ['two Host headers', ['GET /api/v1/me HTTP/1.1', 'Host: other.test'], 400],
    ['headers of 20 KB', ['GET /api/v1/me HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`], 431],
    ['an Expect we do not know', ['GET /api/v1/me HTTP/1.1', 'Expect: a-miracle'], 417],
  ])('%s: tells the failed attempts of the address, spends none', async (_, lines, status) => {
    await packs.ask('GET', '/me')
    for (let time = 0; time < 2; time += 1) {
      const reply = await sendRaw(packs.url, lines)
      expect(reply.status).toBe(status)
      expect(reply.json.error.code).toBe('bad_request')
      expect(quotaOf(reply)).toMatchObject({ limit: 20, remaining: 19 })
      expectStanding(reply)
    }
  })
})

describe('X-Request-Id (D-13)', () => {
  it('is ours and never the caller’s', async () => {
    const host = await house.host()
    const headers = { 'x-request-id': 'mine', 'request-id': 'mine', traceparent: 'mine' }
    for (const method of ['GET', 'OPTIONS', 'PATCH']) {
      const reply = await host.ask(method, '/me', { headers })
      expect(reply.headers.get('x-request-id')).not.toContain('mine')
    }
  })

  it('is another for each of many at once, on both services', async () => {
    const [host, onPools] = [await house.host(), await house.host('pools')]
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) => (at % 2 ? host : onPools).get('/me')),
    )
    const ids = new Set(replies.map(({ headers }) => headers.get('x-request-id')))
    expect(ids.size).toBe(50)
  })
})
