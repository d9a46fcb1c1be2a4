import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDiscord } from '../../src/adapters/discord/discord.ts'
import { DISCORD_URL_EXAMPLE, MAX_CHAT_CODE } from '../../src/contract/announcements.ts'
import { TOO_OLD_MS } from '../../src/domain/announcements.ts'
import { ChatAddress } from '../../src/domain/chat-address.ts'
import type { Chat } from '../../src/ports/announcements.ts'
import { SECRET_TOKEN } from '../support/chat-scene.ts'
import { keepsConnections } from '../support/http.ts'

type Answer = {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The connection breaks in the middle of the body. */
  readonly isCut?: boolean
}

let next: Answer
const NOW = Date.parse('2026-11-27T20:00:00Z')

const give = ({ status, body = '', headers = {}, isCut }: Answer, reply: ServerResponse): void => {
  const isBare = status < 200 || status === 204 || status === 304
  reply.writeHead(status, isCut ? { ...headers, 'content-length': '100000' } : headers)
  if (isCut) reply.write(body || ' ', () => reply.destroy())
  else reply.end(isBare ? undefined : body)
}
const server = createServer(keepsConnections, (request, reply) => {
  request.resume().on('end', () => give(next, reply))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const open = (now: () => number): Chat =>
  createDiscord({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    userAgent: 'Mapcrate/test',
    clock: { now },
  })

const ask = async (answer: Answer, chat = open(() => NOW)) => {
  next = answer
  const said = await chat.post(ChatAddress.parse(DISCORD_URL_EXAMPLE)!, { embeds: [] })
  expect(JSON.stringify(said)).not.toContain(SECRET_TOKEN)
  return said
}

const json = (code: unknown) => JSON.stringify({ message: 'Free text', code })
/** Of something between this server and Discord, or that is not as it should be. */
const bodiesWithoutCode = [
  '',
  ' ',
  '<html>Not here</html>',
  '"10015"',
  '[10015]',
  '{"code":"10015"}',
  '{"code":null}',
  '{"code":1.5}',
  '{"code":-1}',
  `{"code":${MAX_CHAT_CODE + 1}}`,
  '{"code":10015',
  '{"id":"1"}',
]
const anyBody = fc.oneof(
  fc.constantFrom(...bodiesWithoutCode, json(0), json(10_015), json(50_027)),
  fc.string(),
)

describe('an answer of Discord', () => {
  it('of 2xx says that the message is there, whatever its body is, also if that breaks off', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(200, 201, 202, 203, 204, 206),
        anyBody,
        fc.boolean(),
        async (status, body, isCut) => {
          const said = await ask({ status, body, isCut: isCut && status !== 204 })
          expect(said).toEqual({ kind: 'sent', pauseMs: 0 })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('that would go on in another protocol is none', async () => {
    const headers = { connection: 'upgrade', upgrade: 'x' }
    expect(await ask({ status: 101, headers })).toMatchObject({
      kind: 'failed',
      problem: 'no-answer',
    })
  })

  it.each([
    [404, 10_015, 'gone'],
    [404, 10_003, 'gone'],
    [404, 0, 'gone'],
    [401, 50_027, 'gone'],
    [401, 10_015, 'gone'],
    [403, 10_015, 'gone'],
    [403, 10_003, 'gone'],
    [401, 0, 'failed'],
    [403, 0, 'failed'],
    [403, 50_013, 'failed'],
    [403, 40_333, 'failed'],
    [400, 10_015, 'rejected'],
    [400, 50_006, 'rejected'],
    [400, 220_001, 'rejected'],
    [413, 40_005, 'rejected'],
    [500, 0, 'failed'],
    [503, 10_015, 'failed'],
  ])('of %i with the code %i is %s, with both', async (status, code, kind) => {
    expect(await ask({ status, body: json(code) })).toMatchObject({ kind, status, code })
  })

  it('of 401 or 403 without a code of Discord is no word of the webhook, and tried again', async () => {
    for (const status of [401, 403]) {
      for (const body of bodiesWithoutCode) {
        const said = await ask({ status, body })
        expect([body, said]).toEqual([
          body,
          { kind: 'failed', problem: 'status', status, code: null },
        ])
      }
      expect(await ask({ status, body: json(10_015), isCut: true })).toMatchObject({
        kind: 'failed',
      })
    }
  })

  it('of 404 is that the webhook is gone, whatever its body is (D-99)', async () => {
    for (const body of [...bodiesWithoutCode, json(10_015)]) {
      for (const isCut of [false, true]) {
        const said = await ask({ status: 404, body, isCut })
        expect([body, isCut, said.kind]).toEqual([body, isCut, 'gone'])
      }
    }
  })

  it('has its status for every one that is none of success, whatever its body is', async () => {
    const statuses = fc.integer({ min: 300, max: 599 }).filter((status) => status !== 429)
    await fc.assert(
      fc.asyncProperty(statuses, anyBody, async (status, body) => {
        const said = await ask({ status, body })
        expect(said).toMatchObject({ status })
        expect(['gone', 'rejected', 'failed']).toContain(said.kind)
        // Who asks, a proxy, or the time may be why: that is tried again.
        if (![401, 403, 404].includes(status)) {
          const passes = status < 400 || status >= 500 || [407, 408, 425].includes(status)
          expect(said.kind).toBe(passes ? 'failed' : 'rejected')
        }
      }),
      { numRuns: 100 },
    )
  })

  it.each<[string | undefined, unknown, number]>([
    ['12', undefined, 12_000],
    ['12', 64.57, 64_570],
    ['65', 64.57, 65_000],
    ['0', undefined, 1_000],
    ['0', 0, 1_000],
    ['0', 0.3, 1_000],
    ['-5', undefined, 1_000],
    [undefined, -1, 1_000],
    ['Fri, 27 Nov 2026 20:00:30 GMT', undefined, 30_000],
    ['Fri, 27 Nov 2026 19:00:00 GMT', undefined, 1_000],
    ['999999999', undefined, 999_999_999_000],
    [undefined, undefined, 60_000],
    ['', undefined, 60_000],
    ['soon', undefined, 60_000],
    ['2026', 'later', 2_026_000],
    [undefined, 'later', 60_000],
    [undefined, null, 60_000],
    ['1e999', undefined, 60_000],
  ])('of 429 with Retry-After %j and retry_after %j waits so long', async (after, inBody, ms) => {
    const headers = after === undefined ? {} : { 'retry-after': after }
    const body = JSON.stringify({ retry_after: inBody, global: false })
    expect(await ask({ status: 429, headers, body })).toEqual({ kind: 'limited', retryInMs: ms })
  })

  it('that limits all webhooks for years silences them until what waits is too old', async () => {
    let now = NOW
    const chat = open(() => now)
    const body = JSON.stringify({ retry_after: 999_999_999, global: true })
    await ask({ status: 429, body }, chat)
    now += TOO_OLD_MS - 1
    expect(await ask({ status: 200 }, chat)).toEqual({ kind: 'limited', retryInMs: 1 })
    now += 1
    expect(await ask({ status: 200 }, chat)).toEqual({ kind: 'sent', pauseMs: 0 })
  })
})
