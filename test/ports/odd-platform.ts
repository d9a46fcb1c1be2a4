import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createPlatform } from '../../src/adapters/platform/platform.ts'
import { HandClock } from '../support/hand-clock.ts'
import { MemoryCallBudget } from '../support/memory-call-budget.ts'
import { keepsConnections } from '../support/http.ts'

/** What it says to a call; a value is sent as JSON with 200. */
export type Odd = (request: IncomingMessage, response: ServerResponse) => unknown

/** A token as the platform gives it. */
export const aToken = { token_type: 'Bearer', expires_in: 86_400, access_token: 'app-token' }

/**
 * The adapter before a platform that says what no stand-in says: the token is good unless `token`
 * has another, or is null: then `answer` speaks for it, too. Everything else is up to the test.
 */
export const oddPlatform = async (answer: Odd, token: unknown = aToken) => {
  const seen: IncomingMessage[] = []
  const server = createServer(keepsConnections, (request, response) => {
    seen.push(request)
    const isToken = request.url === '/oauth/token' && token !== null
    const answered = isToken ? token : answer(request, response)
    if (answered === undefined) return
    response.setHeader('content-type', 'application/json')
    response.end(
      typeof answered === 'string' || answered instanceof Buffer
        ? answered
        : JSON.stringify(answered),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clock = new HandClock()
  const budget = new MemoryCallBudget()
  const platform = createPlatform({
    url,
    clientId: '42',
    clientSecret: 'shh',
    userAgent: 'Mapcrate/1.2.3 (+https://maps.test)',
    budget,
    clock,
    timeoutMs: 5_000,
  })
  return { platform, seen, url, clock, budget }
}

/** A row as the platform sends it; fields given replace its own. */
export const aRow = (id: number, changes: Record<string, unknown> = {}) => ({
  id,
  beatmapset_id: 9,
  version: 'Hard',
  difficulty_rating: 3.5,
  mode: 'osu',
  mode_int: 0,
  status: 'ranked',
  total_length: 120,
  hit_length: 118,
  bpm: 180,
  cs: 4,
  ar: 9,
  accuracy: 8,
  drain: 5,
  max_combo: 500,
  checksum: '0123456789abcdef0123456789abcdef',
  last_updated: '2020-01-01T00:00:00Z',
  beatmapset: {
    title: 'Harbour',
    title_unicode: '港',
    artist: 'Nine Rivers',
    artist_unicode: '九川',
    creator: 'arbor',
  },
  ...changes,
})
