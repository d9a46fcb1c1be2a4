import { expect, test } from 'vitest'
import { ownTokenForm, type Running, startStandin, tokenOf } from './running.ts'

const ROWS = '/api/v2/beatmaps?ids[]=75&ids[]=300'
const PATIENCE_MS = 150

/** The same request of each kind, as text: a spoilt answer need not be JSON. */
const callers = async (standin: Running) => {
  const token = await standin.token()
  const player = await tokenOf(standin, 7001)
  const headers = { authorization: `Bearer ${token}` }
  const ask = (path: string, init: RequestInit = {}) => fetch(standin.url + path, init)
  return {
    token: () => standin.form('/oauth/token', ownTokenForm),
    me: () => ask('/api/v2/me', { headers: { authorization: `Bearer ${player}` } }),
    beatmaps: (init?: RequestInit) => ask(ROWS, { headers, ...init }),
    attributes: (id = 75) =>
      ask(`/api/v2/beatmaps/${id}/attributes`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{"mods":["DT"],"ruleset":"osu"}',
      }),
  }
}

test.each([
  [{ fault: 'unauthorized' }, 401, { authentication: 'basic' }],
  [{ fault: 'forbidden' }, 403, { error: 'A required scope is missing.' }],
  [{ fault: 'disabled' }, 403, { error: 'This account has been disabled.' }],
  [{ fault: 'missing' }, 404, { error: "Specified beatmap difficulty couldn't be found." }],
  [{ fault: 'refused' }, 422, { error: 'invalid mod for ruleset: ZZ' }],
  [{ fault: 'throttled' }, 429, { error: 'Too Many Attempts.' }],
  [{ fault: 'down' }, 500, { error: null }],
  [{ fault: 'no-attributes' }, 200, { attributes: null }],
  [{ fault: 'uncomputable' }, 200, { attributes: { star_rating: -1, max_combo: 0 } }],
])('%o on demand, for every kind of call (platform: not 200)', async (fault, status, body) => {
  const standin = await startStandin()
  const calls = await callers(standin)
  await standin.order(fault)
  for (const call of [calls.token, calls.me, calls.beatmaps, calls.attributes]) {
    const response = await call()
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBeNull()
    expect(await response.json()).toEqual(body)
  }
})

test.each([7, 'Sat, 03 Oct 2026 18:31:00 GMT'])(
  '429 with Retry-After %s, when the order says so (platform: not 200)',
  async (retryAfter) => {
    const standin = await startStandin()
    const { beatmaps } = await callers(standin)
    await standin.order({ fault: 'throttled', retryAfter })
    expect((await beatmaps()).headers.get('retry-after')).toBe(String(retryAfter))
  },
)

test.each(['throttled', 'html'])(
  '%s with Retry-After 3600, when the order says so',
  async (fault) => {
    const standin = await startStandin()
    const { beatmaps } = await callers(standin)
    await standin.order({ fault, status: 503, retryAfter: 3600 })
    expect((await beatmaps()).headers.get('retry-after')).toBe('3600')
  },
)

test('a challenge of the proxy, and a redirect, whatever the token (platform: in front)', async () => {
  const standin = await startStandin()
  const { token } = await callers(standin)
  const ask = () => fetch(`${standin.url}${ROWS}`, { redirect: 'manual' })
  await standin.order({ fault: 'blocked', times: 2 })
  for (const call of [token, ask]) {
    const { status, headers } = await call()
    expect([status, headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect([headers.get('server'), headers.get('cf-mitigated')]).toEqual([
      'cloudflare',
      'challenge',
    ])
    expect(headers.get('cf-ray')).toMatch(/^[0-9a-f]{16}-AMS$/)
    expect(headers.get('x-ratelimit-limit')).toBeNull()
  }
  for (const status of [301, 308]) {
    await standin.order({ fault: 'moved', status, times: 1 })
    const moved = await ask()
    expect(moved.status).toBe(status)
    expect(moved.headers.get('location')).toBe(`https://moved.invalid${ROWS}`)
  }
})

test('what the application itself answers comes after the token and with the limit', async () => {
  const standin = await startStandin()
  const { beatmaps } = await callers(standin)
  await standin.order({ fault: 'down', times: 1 })
  expect((await fetch(standin.url + ROWS)).status).toBe(401)
  const down = await beatmaps()
  expect([down.status, down.headers.get('x-ratelimit-limit')]).toEqual([500, '1200'])
  expect((await beatmaps()).status).toBe(200)
})

test('half the JSON in a whole answer', async () => {
  const standin = await startStandin()
  const { beatmaps } = await callers(standin)
  const whole = await (await beatmaps()).text()
  await standin.order({ fault: 'truncated' })
  const response = await beatmaps()
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(whole.startsWith(text)).toBe(true)
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
})

test('wrong types in every field, for each kind of call', async () => {
  const standin = await startStandin()
  const calls = await callers(standin)
  await standin.order({ fault: 'wrong-types' })
  expect(await (await calls.beatmaps()).json()).toMatchObject({
    beatmaps: [{ id: '75', difficulty_rating: '2.55', version: expect.any(Number) }, { id: '300' }],
  })
  expect(await (await calls.attributes()).json()).toMatchObject({
    attributes: { star_rating: '3.61' },
  })
  expect(await (await calls.token()).json()).toMatchObject({ access_token: expect.any(Number) })
  expect(await (await calls.me()).json()).toMatchObject({ id: '7001', is_deleted: 'false' })
})

test('wrong types in one row among good ones', async () => {
  const standin = await startStandin()
  const { beatmaps } = await callers(standin)
  await standin.order({ fault: 'wrong-types', ids: [75] })
  expect(await (await beatmaps()).json()).toMatchObject({ beatmaps: [{ id: '75' }, { id: 300 }] })
})

test('JSON under a wrong content type, and a page of HTML with any status', async () => {
  const standin = await startStandin()
  const { beatmaps } = await callers(standin)
  await standin.order({ fault: 'wrong-content-type', times: 1 })
  await standin.order({ fault: 'html', times: 1 })
  await standin.order({ fault: 'html', status: 503 })
  const mislabelled = await beatmaps()
  expect(mislabelled.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await mislabelled.json()).toMatchObject({ beatmaps: [{ id: 75 }, { id: 300 }] })
  for (const status of [200, 503]) {
    const page = await beatmaps()
    expect(page.status).toBe(status)
    expect(await page.text()).toContain('Maintenance')
  }
})

test('a reset connection, before the answer or in the midst of it', async () => {
  const standin = await startStandin()
  const { beatmaps } = await callers(standin)
  await standin.order({ fault: 'reset', times: 1 })
  await expect(beatmaps()).rejects.toThrow('fetch failed')
  await standin.order({ fault: 'cut', times: 1 })
  const response = await beatmaps()
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow('terminated')
  expect((await beatmaps()).status).toBe(200)
})

test('no answer, or half of one, for as long as one waits', async () => {
  const standin = await startStandin()
  const { beatmaps } = await callers(standin)
  const impatient = () => beatmaps({ signal: AbortSignal.timeout(PATIENCE_MS) })
  await standin.order({ fault: 'silence', times: 1 })
  await expect(impatient()).rejects.toThrow('timeout')
  await standin.order({ fault: 'stall', times: 1 })
  const stalled = await impatient()
  expect(stalled.status).toBe(200)
  await expect(stalled.text()).rejects.toThrow('timeout')
})

test('closing the stand-in ends the calls that wait', async () => {
  const standin = await startStandin()
  const { beatmaps } = await callers(standin)
  await standin.order({ fault: 'silence' })
  const waiting = expect(beatmaps()).rejects.toThrow('fetch failed')
  while (standin.app.server.listening) {
    const { body } = await standin.get('/standin/faults')
    if ((body as { faults: Array<{ met: number }> }).faults[0]?.met === 1) break
  }
  await standin.app.close()
  await waiting
})

test('a late answer, alone or before another fault', async () => {
  const standin = await startStandin()
  const { beatmaps } = await callers(standin)
  await standin.order({ fault: 'delay', delay: 60, times: 1 })
  await standin.order({ fault: 'down', delay: 60 })
  for (const status of [200, 500]) {
    const start = performance.now()
    expect((await beatmaps()).status).toBe(status)
    expect(performance.now() - start).toBeGreaterThan(55)
  }
})

test('a fault meets the calls that it is meant for: kind, ids, times, until cleared', async () => {
  const standin = await startStandin()
  const { beatmaps, attributes } = await callers(standin)
  await standin.order({ fault: 'down', kind: 'attributes', ids: [75], times: 2 })
  await standin.order({ fault: 'missing', kind: 'beatmaps' })
  const statuses = async (calls: Array<() => Promise<Response>>) => {
    const seen: number[] = []
    for (const call of calls) seen.push((await call()).status)
    return seen
  }
  expect(
    await statuses([attributes, () => attributes(300), attributes, attributes, beatmaps, beatmaps]),
  ).toEqual([500, 200, 500, 200, 404, 404])
  expect((await standin.get('/standin/faults')).body).toMatchObject({
    faults: [
      { fault: 'down', met: 2 },
      { fault: 'missing', met: 2 },
    ],
  })
  await fetch(`${standin.url}/standin/faults`, { method: 'DELETE' })
  expect(await statuses([beatmaps])).toEqual([200])
})

test.each([
  { fault: 'nonsense' },
  { fault: 'down', kind: 'rows' },
  { fault: 'down', kinds: ['beatmaps'] },
  { fault: 'down', times: '2' },
  {},
])('an order that is not understood is refused: %o', async (order) => {
  const standin = await startStandin()
  expect((await standin.post('/standin/faults', order)).status).toBe(400)
  expect((await standin.get('/standin/faults')).body).toEqual({ faults: [] })
})
