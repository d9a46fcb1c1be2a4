import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Expectation,
  expectations,
  type Meaning,
  type SeenAnswer,
} from '../../src/adapters/platform/expectations.ts'
import { createPlatform } from '../../src/adapters/platform/platform.ts'
import { PlatformError } from '../../src/domain/platform.ts'
import type { Platform } from '../../src/ports/platform.ts'
import { provocations, startFullStandin } from '../standin/provoked.ts'
import type { Running } from '../standin/running.ts'
import { HandClock } from '../support/hand-clock.ts'
import { MemoryCallBudget } from '../support/memory-call-budget.ts'
import { keepsConnections } from '../support/http.ts'

// What the service makes of each answer of the platform (D-42, D-91): the stand-in gives it, and the adapter
// gets the same bytes in answer to its own call.

let standin: Running
let stop: () => Promise<undefined>
/** What each call is answered; null: cut off. */
let replay: (route: Expectation['route']) => SeenAnswer | null | undefined
const routes: Expectation['route'][] = []
const server = createServer(keepsConnections, (request, response) => void serve(request, response))
let url: string

beforeAll(async () => {
  standin = await startFullStandin((end) => {
    stop = end
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await stop()
})
beforeEach(async () => {
  for (const path of ['faults', 'beatmaps', 'visitor']) {
    await fetch(`${standin.url}/standin/${path}`, { method: 'DELETE' })
  }
  standin.time.now += 3_600_000
  routes.length = 0
})

const good: Readonly<Record<Expectation['route'], object>> = {
  authorize: {},
  code: { token_type: 'Bearer', expires_in: 86_400, access_token: 'player', refresh_token: 'r' },
  token: { token_type: 'Bearer', expires_in: 86_400, access_token: 'own' },
  me: { id: 7, username: 'Ada', is_restricted: false, is_deleted: false, is_bot: false },
  beatmaps: { beatmaps: [] },
  attributes: { attributes: { star_rating: 5, max_combo: 9 } },
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const route = routeOf(request.url ?? '', body)
  routes.push(route)
  const answer = replay(route)
  if (answer === null) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 999 })
    response.write('{"beatmaps":[')
    setTimeout(() => response.destroy(), 20)
  } else if (answer === undefined) {
    response.setHeader('content-type', 'application/json')
    response.setHeader('x-ratelimit-limit', '1200')
    response.end(JSON.stringify(good[route]))
  } else {
    const headers = Object.fromEntries(answer.headers)
    for (const name of ['content-length', 'transfer-encoding', 'connection', 'keep-alive']) {
      delete headers[name]
    }
    response.writeHead(answer.status, headers)
    response.end(answer.text)
  }
}

function routeOf(path: string, body: string): Expectation['route'] {
  if (path === '/oauth/token') return body.includes('authorization_code') ? 'code' : 'token'
  if (path.endsWith('/me')) return 'me'
  return path.endsWith('/attributes') ? 'attributes' : 'beatmaps'
}

/** The ids of the rows that came. */
function idsIn(answer: SeenAnswer | null): number[] {
  const rows = /"beatmaps":/.test(answer?.text ?? '')
    ? (JSON.parse(answer!.text) as { beatmaps: { id: number }[] }).beatmaps
    : []
  return rows.length === 0 ? [75] : rows.map(({ id }) => id)
}

async function ask(platform: Platform, route: Expectation['route'], ids: number[]) {
  if (route === 'code' || route === 'me') {
    return platform.readPlayer('code', 'https://own.example/sign-in/callback')
  }
  if (route === 'attributes' || route === 'token') {
    return platform.readRating({ beatmapId: 75, ruleset: 'base', mods: ['DT'] }, 'background')
  }
  return platform.readBeatmaps(ids, 'background')
}

const meaningOf = async (question: ReturnType<typeof ask>): Promise<Meaning> => {
  try {
    const answer = await question
    if (answer === null) return 'code-refused'
    if (answer === 'gone') return 'gone'
    if (answer === 'refused') return 'no-rating'
    if (answer === 'disabled') return 'account'
    // 0 is no rating where the plain one is above it, which the adapter does not know.
    if ('stars' in answer) return answer.stars === 0 ? 'no-rating' : 'fine'
    if ('gameId' in answer) return answer.isRestricted || answer.isDeleted ? 'account' : 'fine'
    return answer.length === 0 ? 'gone' : 'fine'
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error.trouble === 'unasked') throw error
    return error.trouble === 'unexpected' ? 'bug' : error.trouble
  }
}

const newPlatform = () =>
  createPlatform({
    url,
    clientId: '42',
    clientSecret: 'shh',
    budget: new MemoryCallBudget(),
    clock: new HandClock(),
    timeoutMs: 10_000,
  })

const read = expectations.filter(({ route, then }) => route !== 'authorize' && then !== 'unseen')

describe.each(read)('$number, $route: $when', ({ number, route, then, status }) => {
  test(`is ${then}`, async () => {
    const provoked = await provocations[number]!(standin)
    const seen = Array.isArray(provoked) ? (provoked as SeenAnswer[]) : [provoked as SeenAnswer]
    for (const answer of status === null ? [null] : seen) {
      replay = (asked) => (asked === route ? answer : undefined)
      const made = await meaningOf(ask(newPlatform(), route, idsIn(answer)))
      // A new token is no help either.
      expect(made).toBe(then === 'new-token' ? 'set-up' : then)
    }
  })
})

test('a token that has worked and is not taken any more is replaced once', async () => {
  for (const answer of (await provocations[31]!(standin)) as SeenAnswer[]) {
    routes.length = 0
    replay = (route) =>
      route === 'attributes' && routes.join(' ') === 'token attributes attributes'
        ? answer
        : undefined
    const platform = newPlatform()
    for (let call = 0; call < 2; call += 1) {
      expect(await meaningOf(ask(platform, 'attributes', [75]))).toBe('fine')
    }
    expect(routes.join(' ')).toBe('token attributes attributes token attributes')
  }
})

test('what only our own mistakes would bring is never asked for', async () => {
  const platform = createPlatform({
    url: standin.url,
    clientId: '42',
    clientSecret: 'shh',
    budget: new MemoryCallBudget(),
    clock: new HandClock(),
  })
  await fetch(`${standin.url}/standin/calls`, { method: 'DELETE' })
  await platform.readBeatmaps([300, 75], 'background')
  for (const [ruleset, id] of [
    ['base', 75],
    ['mania', 5_590_715],
  ] as const) {
    await platform.readRating({ beatmapId: id, ruleset, mods: ['HD', 'DT'] }, 'background')
  }
  const { calls } = (await standin.get('/standin/calls')).body as {
    calls: { kind: string; ids: number[]; asked?: object; status: number }[]
  }
  expect(calls.map(({ kind, ids, asked, status }) => ({ kind, ids, asked, status }))).toEqual([
    { kind: 'token', ids: [], asked: undefined, status: 200 },
    { kind: 'beatmaps', ids: [75, 300], asked: undefined, status: 200 },
    // Read by the stand-in, so that body and type are what the platform takes.
    { kind: 'attributes', ids: [75], asked: { mods: ['HD', 'DT'], ruleset: 'osu' }, status: 200 },
    {
      kind: 'attributes',
      ids: [5_590_715],
      asked: { mods: ['HD', 'DT'], ruleset: 'mania' },
      status: 200,
    },
  ])
  await expect(
    platform.readBeatmaps(
      Array.from({ length: 51 }, (_, id) => id),
      'background',
    ),
  ).rejects.toThrow(RangeError)
})
