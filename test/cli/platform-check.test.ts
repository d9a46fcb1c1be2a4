import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { takeCall } from '../../src/cli/commands/platform-check.ts'
import { loadConfig } from '../../src/main/config.ts'
import { openPorts } from '../../src/main/wire.ts'
import { CLIENT, type Running, startStandin } from '../standin/running.ts'
import { HandClock } from '../support/hand-clock.ts'
import { MemoryCallBudget } from '../support/memory-call-budget.ts'
import { freshFolder, runCli } from '../support/processes.ts'
import { keepsConnections } from '../support/http.ts'

// `mapcrate-server platform --check` against the stand-in, which answers as the platform does.

const SITE = 'http://127.0.0.1:9'
const CALLBACK = `${SITE}/sign-in/callback`

const openPlatform = () => startStandin({ client: { ...CLIENT, redirectUris: [CALLBACK] } })

type Changed = {
  readonly status?: number
  readonly body: string
  /** null: removed. */
  readonly headers?: Readonly<Record<string, string | null>>
}

/** The stand-in behind a proxy that changes what it answers. */
const behindProxy = async (change: (seen: { sent: string; body: string }) => Changed) => {
  const standin = await openPlatform()
  const server = createServer(keepsConnections, async (request, response) => {
    let sent = ''
    for await (const part of request) sent += String(part)
    const { method = 'GET', url = '/', headers } = request
    const names = ['authorization', 'accept', 'content-type'] as const
    const passed = names.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, value] as [string, string]]
    })
    const answer = await fetch(standin.url + url, {
      method,
      headers: passed,
      ...(sent !== '' && { body: sent }),
    })
    const changed = change({ sent, body: await answer.text() })
    response.statusCode = changed.status ?? answer.status
    for (const [name, value] of answer.headers) {
      if (!/^(?:content-length|connection|keep-alive|date)$/.test(name)) {
        response.setHeader(name, value)
      }
    }
    for (const [name, value] of Object.entries(changed.headers ?? {})) {
      if (value === null) response.removeHeader(name)
      else response.setHeader(name, value)
    }
    response.end(changed.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

type Checked = { number: number; came: string; differences: string[]; means: string | null }

const check = async (
  { url }: Pick<Running, 'url'>,
  env: Record<string, string> = {},
  args: readonly string[] = [],
) => {
  const settings = {
    PLATFORM_URL: url,
    PLATFORM_CLIENT_ID: CLIENT.id,
    PLATFORM_CLIENT_SECRET: CLIENT.secret,
    PACKS_URL: SITE,
  }
  const words = ['platform', '--check', ...args]
  return runCli(await freshFolder(), words, { env: { ...settings, ...env } })
}

/** The calls whose answers differ, with what that means. */
const differing = async (standin: Pick<Running, 'url'>, env: Record<string, string> = {}) => {
  const { code, stdout } = await check(standin, env, ['--json'])
  const { asExpected, calls } = JSON.parse(stdout) as { asExpected: boolean; calls: Checked[] }
  const different = calls.filter(({ differences }) => differences.length > 0)
  expect([code, asExpected]).toEqual(different.length === 0 ? [0, true] : [1, false])
  return different
}

test('all 12 answers of the stand-in are as expected; it says what it will call, and no secret', async () => {
  const standin = await openPlatform()
  const { code, stdout, stderr } = await check(standin)
  expect(stdout).toMatch(/\nall 12 answers are as expected\n$/)
  expect(stdout.match(/: as expected$/gm)).toHaveLength(12)
  expect(stdout).not.toContain('DIFFERENT')
  expect(code).toBe(0)
  expect(stderr).toMatch(/^12 calls to http:\/\/127\.0\.0\.1:\d+, out of the 50 a minute/)
  const planned = stderr.match(/^ *\d+ {2}(GET|POST) .*$/gm) ?? []
  expect(planned).toHaveLength(12)
  for (const line of planned) expect(stdout).toContain(line)
  const { body } = await standin.get('/standin/calls')
  expect(body).toMatchObject({ total: 12, token: 3, me: 1, beatmaps: 2, attributes: 6 })
  for (const secret of [CLIENT.secret, 'eyJ', 'def502'])
    expect(stdout + stderr).not.toContain(secret)
})

test('each redirect address is tried, and one that is not registered is named', async () => {
  const standin = await openPlatform()
  const env = { POOLS_URL: 'http://127.0.0.1:10' }
  const different = await differing(standin, env)
  expect(different).toEqual([
    expect.objectContaining({
      number: 2,
      came: '401, application/json, 60 a minute, invalid_client',
      means: expect.stringContaining('http://127.0.0.1:10/sign-in/callback is not registered'),
    }),
  ])
})

test('a wrong secret: there is no token, so most calls are not made', async () => {
  const standin = await openPlatform()
  const different = await differing(standin, { PLATFORM_CLIENT_SECRET: 'wrong' })
  expect(different.map(({ number }) => number)).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10, 11])
  expect(different[0]?.means).toContain('PLATFORM_CLIENT_SECRET is not the one')
  expect(different[2]?.came).toBe('nothing: the call was not made')
  expect((await standin.get('/standin/calls')).body).toMatchObject({ total: 4 })
})

const noFault = { fault: 'delay', delay: 0, times: 1 }
const HARD = 129_891

test.each([
  [
    'a token call that is throttled',
    1,
    [{ fault: 'throttled', kind: 'token', times: 1 }],
    'asks this server to wait',
  ],
  [
    'a challenge of a proxy',
    1,
    [{ fault: 'blocked', kind: 'token', times: 1 }],
    'A proxy in front',
  ],
  [
    'a proxy that refuses a code',
    2,
    [
      { ...noFault, kind: 'token' },
      { fault: 'html', kind: 'token', status: 400, times: 1 },
    ],
    'Something else than the platform',
  ],
  [
    'redirect addresses that are not compared',
    3,
    [
      { ...noFault, kind: 'token', times: 2 },
      { fault: 'missing', kind: 'token', times: 1 },
    ],
    'no longer compares redirect addresses',
  ],
  ['a scope that is missing', 4, [{ fault: 'forbidden', kind: 'me' }], 'lacks a scope'],
  ['maintenance', 5, [{ fault: 'html', status: 503, kind: 'beatmaps', times: 1 }], 'is away'],
  [
    'a redirect',
    5,
    [{ fault: 'moved', kind: 'beatmaps', times: 1 }],
    'PLATFORM_URL leads elsewhere',
  ],
  ['a call that is cut', 5, [{ fault: 'reset', kind: 'beatmaps', times: 1 }], 'Nothing answers'],
  [
    'a rating that cannot be computed',
    6,
    [{ fault: 'uncomputable', kind: 'attributes', times: 1 }],
    'does not rate mods',
  ],
  [
    'no rating at all',
    6,
    [{ fault: 'no-attributes', kind: 'attributes', times: 1 }],
    'does not rate mods',
  ],
  [
    'unknown mods that are gone',
    9,
    [
      { ...noFault, kind: 'attributes', times: 3 },
      { fault: 'missing', kind: 'attributes', times: 1 },
    ],
    'no longer refuses unknown mods',
  ],
  [
    'conversions that fail',
    10,
    [{ fault: 'down', kind: 'attributes', ids: [5_590_715] }],
    'is away for now',
  ],
  [
    'a beatmap that is not gone',
    11,
    [{ fault: 'refused', kind: 'attributes', ids: [2_147_483_647] }],
    'Deleted beatmaps',
  ],
  [
    'a token that is taken',
    12,
    [
      { ...noFault, kind: 'beatmaps' },
      { fault: 'html', kind: 'beatmaps', status: 401 },
    ],
    'Something else than the platform',
  ],
])('%s: call %i differs, with what it means', async (_what, number, faults, means) => {
  const standin = await openPlatform()
  for (const fault of faults) await standin.order(fault)
  const different = await differing(standin)
  const first = different[0]
  expect(first?.number).toBe(number)
  expect(first?.means).toContain(means)
  // The first call brings the token for most others, the fifth the rating without mods.
  if (number !== 1 && number !== 5) expect(different).toHaveLength(1)
})

test.each([
  ['HD is not served', 7, { HD: 7.8058 }, 'slots that force HD show the plain one'],
  ['DT is not rated', 6, { DT: 7.8058 }, 'does not rate mods'],
])('%s: call %i differs, with what it means', async (_what, number, ratings, means) => {
  const standin = await openPlatform()
  await standin.post('/standin/beatmaps', { id: HARD, facts: { ratings } })
  const different = await differing(standin)
  expect(different).toMatchObject([{ number, means: expect.stringContaining(means) }])
})

// 56, 57 and D-93: whether the platform serves what it has stored or computes is its own affair.
test.each([
  [0, 'serves stored ratings'],
  [7.1, 'computes ratings that it has not stored'],
  [-1, '-1 counts as none'],
])('call 8 is as expected with the rating %d, and says which it is', async (stars, note) => {
  const { url } = await behindProxy(({ sent, body }) =>
    sent.includes('"EZ","HR"')
      ? { body: JSON.stringify({ attributes: { star_rating: stars, max_combo: 0 } }) }
      : { body },
  )
  const { code, stdout } = await check({ url })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/all 12 answers are as expected\n$/)])
  expect(stdout).toContain(note)
})

test('call 8 with another status means what the status does', async () => {
  const { url } = await behindProxy(({ sent, body }) =>
    sent.includes('"EZ","HR"') ? { status: 400, body: '{"error":"x"}' } : { body },
  )
  const different = await differing({ url })
  expect(different).toMatchObject([
    { number: 8, means: expect.stringContaining('answers this call in another way') },
  ])
})

// Headers say nothing of the secret, the redirect address or the ratings: proxies change them.
test.each([
  ['content-type', 'application/json; charset=utf-16', 'A proxy on the way changes headers'],
  ['cache-control', 'max-age=60', 'A proxy on the way changes headers'],
  ['x-ratelimit-limit', null, 'how many calls are left cannot be read'],
  ['x-ratelimit-remaining', null, 'how many calls are left cannot be read'],
])('where only the header %s differs, that is what is meant', async (name, value, means) => {
  const { url } = await behindProxy(({ body }) => ({ body, headers: { [name]: value } }))
  const different = await differing({ url })
  expect(different.length).toBeGreaterThan(9)
  for (const each of different) {
    // Without the limit, a beatmap that is gone reads as a route that is.
    expect(each.means).toContain(means)
    expect(each.means).not.toMatch(/PLATFORM_CLIENT|not registered|report it/i)
  }
})

test('a body of another form is told from its values', async () => {
  const { url } = await behindProxy(({ sent, body }) => ({
    body: sent.includes('"DT"') ? body.replace('max_combo', 'combo') : body,
  }))
  const different = await differing({ url })
  expect(different).toMatchObject([
    { number: 6, means: expect.stringContaining('has another form') },
  ])
})

test('a short token is left out of what the platform says, and the type stays whole', async () => {
  const { url } = await behindProxy(({ sent, body }) => ({
    body: sent.includes('client_credentials')
      ? JSON.stringify({ ...JSON.parse(body), access_token: 'app' })
      : '{"error":"app applied"}',
  }))
  const { stdout } = await check({ url })
  expect(stdout).toContain('application/json')
  expect(stdout).toContain('… …lied')
})

test('another limit is a difference', async () => {
  const standin = await startStandin({
    client: { ...CLIENT, redirectUris: [CALLBACK] },
    callsPerToken: 60,
  })
  const different = await differing(standin)
  expect(different.map(({ number }) => number)).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
  expect(different[1]?.differences).toEqual(['X-RateLimit-Limit is 60, not 1200'])
  for (const { means } of different) expect(means).toContain('another number of calls a minute')
})

test('a wrong PLATFORM_URL is named at once', async () => {
  const { url } = await startStandin()
  const [first] = await differing({ url: `${url.replace(/:\d+$/, '')}:1` })
  expect(first).toMatchObject({ number: 1, came: expect.stringContaining('no answer') })
  expect(first?.means).toContain('PLATFORM_URL')
})

test('its calls are taken out of those that all processes share, and made while others pause (D-92)', async () => {
  const standin = await openPlatform()
  const folder = await freshFolder()
  const env = {
    PLATFORM_URL: standin.url,
    PLATFORM_CLIENT_ID: CLIENT.id,
    PLATFORM_CLIENT_SECRET: CLIENT.secret,
    PACKS_URL: SITE,
  }
  const ports = await openPorts(loadConfig({ DATA_DIR: folder }), 'make', 'none')
  try {
    const failure = { call: 'GET /api/v2/beatmaps', trouble: 'throttled', reason: '429' } as const
    await ports.callBudget.fail(failure, ports.clock.now(), { calls: 'all', askedUntil: null })
    const { code, stderr } = await runCli(folder, ['platform', '--check'], { env })
    expect([code, stderr.includes('waiting')]).toEqual([0, false])
    expect((await ports.callBudget.report(ports.clock.now())).taken['sign-in']).toBe(12)
  } finally {
    await ports.care.close()
  }
})

test('where no call is left, it waits for one', async () => {
  const [callBudget, clock] = [new MemoryCallBudget(), new HandClock()]
  await callBudget.take('sign-in', clock.now(), 50)
  const waits: number[] = []
  let output = ''
  const stderr = { write: (text: string) => (output += text) }
  clock.advance(20_500)
  const answered = await takeCall({ callBudget, clock }, stderr, async (ms) => {
    waits.push(ms)
    clock.advance(ms)
  })
  expect(waits).toEqual([40_000])
  expect(output).toBe('waiting 40 s for a call of this minute\n')
  expect(callBudget.taken).toHaveLength(51)
  clock.advance(9_000)
  await answered()
  expect(callBudget.taken.at(-1)?.at).toBe(clock.now())
})

test('what comes is printed without secrets and control characters', async () => {
  const text = `\u001b[31m${CLIENT.secret} eyJ-a-token`
  const server = createServer(keepsConnections, (request, response) => {
    response.setHeader('content-type', 'application/json')
    const isToken = request.url === '/oauth/token'
    const token = { token_type: 'Bearer', expires_in: 86_400, access_token: 'eyJ-a-token' }
    if (!isToken) response.statusCode = 400
    response.end(JSON.stringify(isToken ? token : { error: text, hint: text }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const { stdout, stderr } = await check({ url: `http://127.0.0.1:${port}` })
  expect(stdout).toContain('400, application/json, ?[31m… …, ?[31m… …')
  for (const secret of [CLIENT.secret, 'eyJ', '\u001b']) {
    expect(stdout + stderr).not.toContain(secret)
  }
})

test('without an application there is nothing to check; other uses are refused', async () => {
  const folder = await freshFolder()
  const none = await runCli(folder, ['platform', '--check'])
  expect([none.code, none.stdout]).toEqual([1, ''])
  expect(none.stderr).toMatch(/PLATFORM_CLIENT_ID is not set/)
  expect((await runCli(folder, ['platform', '--check', 'now'])).code).toBe(2)
})
