import { afterAll, describe, expect, it } from 'vitest'
import type { ClientOptions, Wait } from '../../src/client/call.ts'
import { connect } from '../../src/client/connection.ts'
import { MapcrateError } from '../../src/client/errors.ts'
import {
  createClient,
  type PacksClient,
  packsClient,
  packsOperations,
} from '../../src/client/packs.ts'
import { createFaults } from '../api/faults.ts'
import { withoutQuotas } from '../api/spend.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { type Fault, hurried, openFaultProxy } from './fault-proxy.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: (ports) => faults.withPorts(withoutQuotas(ports)) })
const proxy = await openFaultProxy(house.doors.packs.url)
afterAll(async () => {
  await proxy.close()
  await house.close()
})

const open = async (options: Partial<ClientOptions> = {}) => {
  const host = await house.host()
  const waits: Wait[] = []
  const all = {
    baseUrl: proxy.url,
    key: host.key,
    onWait: (wait: Wait) => void waits.push(wait),
    // Half a minute by a real clock: a busy machine is not what is tried here.
    timeout: 3_000_000,
    ...options,
  }
  return { host, waits, client: packsClient(connect(packsOperations(), all, hurried)) }
}

const html: Fault = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><h1>Bad gateway</h1></html>',
}
const unavailable = (seconds: number): Fault => ({
  status: 503,
  headers: { 'retry-after': String(seconds) },
  body: JSON.stringify({ error: { code: 'unavailable', message: 'not now' } }),
})
const passing: [string, Fault][] = [
  ['a connection that ends before the request arrives', 'drop'],
  ['an answer that is lost', 'lose'],
  ['a proxy without the service behind it', html],
  ['a service that is overloaded', { status: 503, body: '' }],
  ['a proxy that gives up', { status: 504 }],
]

describe.each(passing)('%s is overcome', (_what, fault) => {
  it('by a read', async () => {
    const { host, client } = await open()
    proxy.expect(fault, fault)
    expect((await client.getMe()).username).toBe(host.username)
    expect(proxy.seen).toHaveLength(3)
  })

  it('by a save, which makes one pack', async () => {
    const { client } = await open()
    proxy.expect(fault, fault, fault)
    const pack = await client.createPack(aPack())
    const keys = new Set(proxy.seen.map(({ headers }) => headers['idempotency-key']))
    expect(keys.size).toBe(1)
    expect(proxy.seen).toHaveLength(4)
    expect((await client.listMyPacks()).packs).toEqual([pack])
  })

  it('by a replacement', async () => {
    const { client } = await open()
    const { slug } = await client.createPack(aPack())
    proxy.expect(fault)
    expect((await client.replacePack(slug, aPack({ name: 'New' }))).name).toBe('New')
  })

  it('by a deletion, though the pack be gone at the second attempt', async () => {
    const { client } = await open()
    const { slug } = await client.createPack(aPack())
    proxy.expect(fault)
    expect(await client.deletePack(slug)).toBeUndefined()
    expect(proxy.seen.filter(({ method }) => method === 'DELETE')).toHaveLength(2)
    expect((await client.listMyPacks()).total).toBe(0)
  })
})

describe('retries', () => {
  it('come later each time, and are told of', async () => {
    const { client, waits } = await open()
    proxy.expect('drop', 'drop', 'drop')
    await client.getMe()
    expect(waits.map(({ reason }) => reason)).toEqual(['retry', 'retry', 'retry'])
    for (const [at, { ms, error }] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(250 * 2 ** at)
      expect(ms).toBeLessThanOrEqual(500 * 2 ** at)
      expect(error?.code).toBe('unreachable')
    }
  })

  it('end: the error is that of the last attempt', async () => {
    const { client } = await open()
    proxy.expect('drop', 'drop', 'drop', html, 'pass')
    await expect(client.getMe()).rejects.toMatchObject({ code: 'unexpected_answer', status: 502 })
    expect(proxy.seen).toHaveLength(4)
  })

  it('are as many as one wants', async () => {
    const never = await open({ retries: 0 })
    proxy.expect('drop')
    await expect(never.client.getMe()).rejects.toMatchObject({ code: 'unreachable', status: null })
    const often = await open({ retries: 6 })
    proxy.expect(...Array<Fault>(6).fill('drop'))
    expect(await often.client.getMe()).toHaveProperty('username')
  })

  it('are not for what would be refused again', async () => {
    const { client } = await open()
    proxy.expect('pass')
    await expect(client.createPack(aPack({ name: '' }))).rejects.toMatchObject({ status: 400 })
    await expect(client.deletePack('nobodyhas1')).rejects.toMatchObject({ code: 'not_found' })
    expect(proxy.seen).toHaveLength(2)
  })

  const seven: [string, Record<string, string>][] = [
    ['seconds', { 'retry-after': '7' }],
    [
      'a time, by the clock of who sends it (RFC 9110, 10.2.3)',
      {
        date: 'Mon, 30 Nov 2026 23:59:58 GMT',
        'retry-after': 'Tue, 01 Dec 2026 00:00:05 GMT',
      },
    ],
  ]

  it.each(seven)('wait as long as a 429 says, in %s', async (_, headers) => {
    const { client, waits } = await open()
    proxy.expect({ status: 429, headers })
    await client.getMe()
    expect(waits).toMatchObject([{ reason: 'rate_limited', ms: 7_000 }])
  })

  it.each(seven)('wait as long as a 503 says, within maxWait, in %s', async (_, headers) => {
    const told: Fault = { status: 503, headers }
    const { client, waits } = await open()
    proxy.expect(told)
    await client.getMe()
    expect(waits).toMatchObject([{ reason: 'retry', ms: 7_000 }])
    const hasty = await open({ maxWait: 6_000 })
    proxy.expect(told)
    await expect(hasty.client.getMe()).rejects.toMatchObject({ status: 503, retryAfter: 7 })
  })

  it('are not for a write while the operator lets nothing be changed: it is told at once', async () => {
    const { client, waits } = await open()
    proxy.expect(unavailable(30))
    await expect(client.createPack(aPack())).rejects.toMatchObject({
      code: 'unavailable',
      message: 'not now',
      retryAfter: 30,
    })
    expect([proxy.seen.length, waits]).toEqual([1, []])
  })

  it('are for a read that is unavailable, and for a write while the store does not answer', async () => {
    const { client, waits } = await open()
    proxy.expect(unavailable(30))
    await client.getMe()
    proxy.expect(unavailable(5))
    await client.createPack(aPack())
    expect(waits.map(({ ms, error }) => [ms, error?.code])).toEqual([
      [30_000, 'unavailable'],
      [5_000, 'unavailable'],
    ])
  })

  it('can be ended while they wait', async () => {
    const controller = new AbortController()
    const { client } = await open({ onWait: () => controller.abort(new Error('enough')) })
    proxy.expect('drop', 'pass')
    await expect(client.getMe({ signal: controller.signal })).rejects.toThrow('enough')
    expect(proxy.seen).toHaveLength(1)
  })

  it('overcome a failure of the service itself (spec 7)', async () => {
    const { client, waits } = await open()
    const saving = faults.during('packs', async () => {
      const pack = client.createPack(aPack())
      while (waits.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
      return () => pack
    })
    expect(await (await saving)()).toHaveProperty('slug')
    expect(waits[0]?.error).toMatchObject({
      code: 'internal_error',
      status: 500,
      message: 'something failed on our side; try again later',
      requestId: expect.any(String),
    })
    expect((await client.listMyPacks()).total).toBe(1)
  })

  it('of a save that the program itself repeats make one pack, under a key that it has kept', async () => {
    const { client } = await open({ retries: 0 })
    const options = { idempotencyKey: 'autumn-cup-finals' }
    proxy.expect('lose')
    await expect(client.createPack(aPack(), options)).rejects.toMatchObject({ code: 'unreachable' })
    const pack = await client.createPack(aPack(), options)
    expect((await client.listMyPacks()).packs).toEqual([pack])
    await expect(client.createPack(aPack({ name: 'Other' }), options)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/Idempotency-Key was used for another body/),
    })
  })
})

describe('what answers and is not the service is an error that says so', () => {
  const answers: [string, Fault, RegExp][] = [
    [
      'a page',
      { status: 200, body: '<html>\n Welcome' },
      /^200 with a body that begins “<html> Welcome” is no answer/,
    ],
    ['nothing', { status: 200 }, /^200 with an empty body/],
    ['other JSON', { status: 200, body: '{"ok":true}' }, /^200 with a body/],
    ['JSON of another place', { status: 200, body: '{"user":"Ada"}' }, /^200 with a body/],
    ['a list', { status: 200, body: '[]' }, /^200 with a body/],
    ['null', { status: 404, body: 'null' }, /^404 with a body/],
    ['a page that is missing', { status: 404, body: 'Not Found' }, /check baseUrl/],
    ['an error of another shape', { status: 400, body: '{"error":"no"}' }, /^400 with/],
    ['an unknown code', { status: 418, body: '{"error":{"code":"teapot","message":"a"}}' }, /^418/],
    [
      'an error that is none',
      { status: 200, body: '{"error":{"code":"conflict","message":"a"}}' },
      /^200/,
    ],
    [
      'a redirect',
      { status: 301, headers: { location: 'https://other.test/api/v1/me' } },
      /^a redirect to https:\/\/other\.test\/api\/v1\/me came.* baseUrl$/,
    ],
    ['a sign-in page', { status: 302, headers: { location: '/login' } }, /\/login/],
  ]

  it.each(answers)('%s', async (_what, fault, message) => {
    const { client } = await open()
    proxy.expect(fault)
    const error = await client.getMe().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(MapcrateError)
    expect(error).toMatchObject({
      code: 'unexpected_answer',
      status: (fault as { status: number }).status,
      message: expect.stringMatching(message),
    })
    expect(proxy.seen).toHaveLength(1)
  })

  it('whatever call it answers', async () => {
    const { client } = await open({ retries: 0 })
    const slug = 'q7Jm2_xT0a'
    for (const call of [
      () => client.listPacks(),
      () => client.listMyPacks(),
      () => client.getPack(slug),
      () => client.createPack(aPack()),
      () => client.replacePack(slug, aPack()),
      () => client.deletePack(slug),
      () => client.getOpenapi(),
      () => client.iteratePacks().next(),
    ]) {
      for (const body of [
        '<html>',
        '{}',
        '{"pack":{}}',
        '{"packs":[],"page":1}',
        '{"packs":[1]}',
      ]) {
        proxy.expect({ status: 200, body })
        const result = await call().catch((thrown: unknown) => thrown)
        expect(result).toMatchObject({ code: 'unexpected_answer' })
      }
    }
  })

  it('a 429 that says nothing is tried again after a second', async () => {
    const { client, waits } = await open()
    const fault: Fault = {
      status: 429,
      body: '{"error":{"code":"rate_limited","message":"slow down"}}',
    }
    proxy.expect(fault, fault)
    await client.getMe()
    expect(waits.map(({ ms }) => ms)).toEqual([1_000, 1_000])
  })

  it('nobody: unreachable, with the reason', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', key: 'packs_x', retries: 0 })
    await expect(client.getMe()).rejects.toMatchObject({
      code: 'unreachable',
      status: null,
      message: expect.stringMatching(/^127\.0\.0\.1:9 cannot be reached: /),
      cause: expect.any(Error),
    })
  })
})

describe('time-outs', () => {
  it('end an attempt, not the call', async () => {
    const { client, waits } = await open({ timeout: 50_000 })
    proxy.expect('stall')
    expect(await client.getMe()).toHaveProperty('username')
    expect(waits[0]?.error).toMatchObject({
      code: 'timed_out',
      status: null,
      message: expect.stringMatching(/^no answer from 127\.0\.0\.1:\d+ within 50000 ms$/),
    })
  })

  it('leave one who aborts first the own reason', async () => {
    const { client } = await open({ timeout: 50_000 })
    proxy.expect('stall')
    const controller = new AbortController()
    const asking = client.getMe({ signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 5)
    await expect(asking).rejects.toThrow('enough')
  })
})

describe('whatever the body is', () => {
  const bodies = [
    ['', undefined],
    ['<html><h1>Too many requests</h1></html>', 'text/html'],
    ['{"error":{"code":"rate_limited","message":"slower"}}', 'application/json'],
    ['{"error":{"code":"internal_error","message":"failed"}}', 'application/json'],
    ['{"error":{"code":"teapot","message":"a"}}', 'application/json'],
    ['{"error":"no"}', 'application/json'],
    ['[]', 'application/json'],
    ['{', 'application/json'],
  ] as const
  const statuses = [429, 500, 502, 503, 504]
  const calls: readonly (readonly [string, (client: PacksClient) => Promise<unknown>])[] = [
    ['a read', (client) => client.getMe()],
    ['a save', (client) => client.createPack(aPack())],
  ]

  it.each(statuses.flatMap((status) => calls.map(([name, call]) => [status, name, call] as const)))(
    '%i is waited for as it says, by %s',
    async (status, _, call) => {
      for (const [body, type] of bodies) {
        for (const seconds of [0, 1, 30]) {
          const { client, waits } = await open()
          const headers = {
            'retry-after': String(seconds),
            ...(type !== undefined && { 'content-type': type }),
          }
          proxy.expect({ status, headers, body })
          await call(client)
          expect(proxy.seen, body).toHaveLength(2)
          const [wait] = waits.filter(({ reason }) => reason !== 'pacing')
          const isLimited = status === 429 || body.includes('rate_limited')
          expect(wait, body).toMatchObject({ reason: isLimited ? 'rate_limited' : 'retry' })
          expect(wait!.ms, body).toBeGreaterThanOrEqual(seconds * 1000)
          expect(wait!.error, body).toMatchObject({ status, retryAfter: seconds })
        }
      }
    },
  )
})
