import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as texts from '#texts/common'
import { type Endpoint, isWrite } from '../../src/contract/endpoint.ts'
import { sessionEndpointsOf } from '../../src/contract/session-api.ts'

type Answer = (signal?: AbortSignal) => Promise<Response>

/** How an answer is lost after the write was made. */
const losses: Readonly<Record<string, Answer>> = {
  'the connection ends': async () => {
    throw new TypeError('Failed to fetch')
  },
  'a proxy answers 502': async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
  'a proxy answers 504': async () => new Response('', { status: 504 }),
  'the site fails after it': async () =>
    Response.json({ error: { code: 'internal_error', message: 'it failed' } }, { status: 500 }),
  'the answer is cut': async () => new Response('{"half', { status: 200 }),
  'another page answers': async () => new Response('<h1>Welcome</h1>', { status: 200 }),
}

const refused: Answer = async () =>
  Response.json({ error: { code: 'forbidden', message: 'you may not' } }, { status: 403 })

const writes = Object.entries(sessionEndpointsOf).flatMap(([service, table]) =>
  Object.entries(table)
    .filter(([name, { method }]) => isWrite(method) && name !== 'lookAtBeatmaps')
    .map(([name, endpoint]) => [`${service} ${name}`, name, endpoint] as const),
)

let sent: RequestInit[] = []
let answers: Answer[] = []

beforeEach(() => {
  sent = []
  vi.useFakeTimers()
  vi.resetModules()
  vi.stubGlobal('document', { getElementById: () => ({ textContent: '{"viewer":{"csrf":"x"}}' }) })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    sent.push(init)
    return (answers.length > 1 ? answers.shift()! : answers[0]!)()
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const input = { slug: 'AAAAAAAAAA', round: 'BBBBBBBBBB', id: 'CCCCCCCCCC', gameId: 1, token: 'x' }

/** Makes the call; resolves to its reply or to what was thrown. */
const make = async (name: string, { body }: Endpoint, more: object = {}) => {
  const api = await import('../../src/web/api.ts')
  const pools = await import('../../src/web/pools-api.ts')
  const { sessionRoutes } = await import('../../src/contract/routes.ts')
  const call = (name in sessionRoutes ? api.call : pools.poolsCall) as (
    name: string,
    input: object,
  ) => Promise<unknown>
  const made = call(name, { ...input, ...(body && { body: { some: 'thing' } }), ...more }).then(
    (reply) => ({ reply, error: null }),
    (error: unknown) => ({ reply: null, error }),
  )
  await vi.runAllTimersAsync()
  return made
}

const keyOf = ({ headers }: RequestInit) =>
  (headers as Record<string, string>)['idempotency-key'] ?? null

describe.each(Object.entries(losses))('of a write whose answer is lost: %s', (_, lost) => {
  it.each(writes)('%s has no outcome that is known', async (_name, name, endpoint) => {
    answers = [lost]
    const { error } = await make(name, endpoint)
    const { explain } = await import('../../src/web/site-failure.ts')
    expect(error).toMatchObject({ outcome: 'unknown' })
    expect(explain(error)).toBe(texts.perhapsDone)
  })
})

describe('of a write', () => {
  const [reset] = Object.values(losses)

  it.each(writes)(
    '%s, what refuses a second attempt says nothing of the first',
    async (_, name, endpoint) => {
      answers = [reset!, refused]
      const { error } = await make(name, endpoint)
      const { explain } = await import('../../src/web/site-failure.ts')
      expect(error).toMatchObject({ outcome: 'unknown' })
      expect(explain(error)).toContain(texts.perhapsDone)
    },
  )

  it.each(writes)('%s, a refusal is one', async (_, name, endpoint) => {
    answers = [refused]
    expect((await make(name, endpoint)).error).toMatchObject({ outcome: 'refused' })
    expect(sent).toHaveLength(1)
  })

  it.each(writes.filter(([, , { idempotencyKey }]) => idempotencyKey))(
    '%s, each attempt has the same key until one is answered',
    async (_, name, endpoint) => {
      const more = name === 'createPack' ? { idempotencyKey: 'k' } : {}
      answers = [reset!]
      await make(name, endpoint, more)
      answers = [async () => Response.json({}), async () => Response.json({})]
      await make(name, endpoint, more)
      const keys = sent.map(keyOf)
      expect(new Set(keys).size).toBe(1)
      expect(keys[0]).not.toBeNull()
      if (name === 'createPack') return
      await make(name, endpoint)
      expect(keyOf(sent.at(-1)!)).not.toBe(keys[0])
    },
  )

  it('what the page shows is read again', async () => {
    answers = [reset!]
    const { whenLost } = await import('../../src/web/lost-answers.ts')
    let reads = 0
    whenLost(() => (reads += 1))
    const [, name, endpoint] = writes.find(([, each]) => each === 'makeKey')!
    await make(name, endpoint)
    expect(reads).toBe(1)
  })
})
