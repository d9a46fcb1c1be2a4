import { afterAll, describe, expect, it } from 'vitest'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack, slots } from '../support/samples.ts'
import { beginRequest } from '../support/slow-request.ts'
import { createFaults } from './faults.ts'
import { seed } from './seed.ts'
import { withoutQuotas } from './spend.ts'
import { expectStanding } from './standing.ts'

// `Idempotency-Key`: docs/api.md, "Sending a POST again".
const faults = createFaults()
const house = await openHouse({ withPorts: (ports) => faults.withPorts(withoutQuotas(ports)) })
const counted = await openHouse()
afterAll(() => Promise.all([house.close(), counted.close()]))

const DAY_MS = 86_400_000
let made = 0
const newKey = () => `test-${(made += 1)}`
const post = (host: Host, key: string, body: unknown = aPack()): Promise<Reply> =>
  host.ask('POST', '/packs', { body, headers: { 'Idempotency-Key': key } })
const totalOf = async (host: Host): Promise<number> => (await host.get('/me/packs')).json.total

/** Status, Location and body, byte for byte. */
const expectSame = (reply: Reply, first: Reply): void => {
  expect(reply.status).toBe(first.status)
  expect(reply.text).toBe(first.text)
  expect(reply.headers.get('location')).toBe(first.headers.get('location'))
  expect(reply.headers.get('content-type')).toBe(first.headers.get('content-type'))
  expectStanding(reply)
}

describe('201 the same answer again', () => {
  it('under the same Idempotency-Key, and no second pack', async () => {
    const host = await house.host()
    const [key, body] = [newKey(), aPack({ description: 'Best of 13', visibility: 'public' })]
    const first = await post(host, key, body)
    expect(first.status).toBe(201)
    house.clock.advance(1_000)
    expectSame(await post(host, key, body), first)
    expect(await totalOf(host)).toBe(1)
  })

  it('whatever has become of the pack since', async () => {
    const host = await house.host()
    const key = newKey()
    const first = await post(host, key)
    const { slug } = first.json.pack
    await host.put(slug, aPack({ name: 'Other' }))
    expectSame(await post(host, key), first)
    await host.delete(slug)
    expectSame(await post(host, key), first)
    expect(await totalOf(host)).toBe(0)
  })

  it('for the same pack, however its body is written down (D-17)', async () => {
    const host = await house.host()
    const key = newKey()
    const { name, slots: own } = aPack()
    const first = await post(host, key)
    const body = `\n${JSON.stringify({ note: 'x', visibility: 'unlisted', slots: own, name: ` ${name} ` }, null, 2)}`
    expectSame(await post(host, key, body), first)
  })

  it('through another API key of the same account', async () => {
    const host = await house.host()
    const key = newKey()
    const first = await post(host, key)
    expectSame(await post(await house.hostOf(host.gameId, host.username), key), first)
  })

  it('for 24 hours; then the key makes another pack', async () => {
    const host = await house.host()
    const key = newKey()
    const first = await post(host, key)
    house.clock.advance(DAY_MS)
    expectSame(await post(host, key), first)
    house.clock.advance(1)
    const second = await post(host, key)
    expect(second.status).toBe(201)
    expect(second.json.pack.slug).not.toBe(first.json.pack.slug)
  })

  it('to each of 30 at once: exactly one pack', async () => {
    const host = await house.host()
    const key = newKey()
    const replies = await Promise.all(Array.from({ length: 30 }, () => post(host, key)))
    for (const reply of replies) expectSame(reply, replies[0]!)
    expect(replies[0]?.status).toBe(201)
    expect(await totalOf(host)).toBe(1)
  })

  it('behind a failure of ours, which is not remembered', async () => {
    const host = await house.host()
    const key = newKey()
    const failed = await faults.during('packs', () => post(host, key))
    expectError(failed, 'internal_error')
    const first = await post(host, key)
    expect(first.status).toBe(201)
    expectSame(await post(host, key), first)
    expect(await totalOf(host)).toBe(1)
  })

  it('to an owner who has 200 packs by now (D-28)', async () => {
    const host = await house.host()
    const key = newKey()
    await seed(house, host, 199)
    const first = await post(host, key)
    expectError(await post(host, newKey()), 'conflict')
    expectSame(await post(host, key), first)
  })

  it.each(['!', '~'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'a,b'])(
    'takes any key of 1 to 255 visible ASCII characters: %s',
    async (key) => {
      const host = await house.host()
      expectSame(await post(host, key), await post(host, key))
      expect(await totalOf(host)).toBe(1)
    },
  )

  it('is no matter of PUT, nor of other accounts', async () => {
    const [host, other] = [await house.host(), await house.host()]
    const key = newKey()
    const first = await post(host, key)
    const second = await post(other, key, aPack({ name: 'Other' }))
    expect(second.status).toBe(201)
    const headers = { 'Idempotency-Key': 'no key at all' }
    const path = `/packs/${first.json.pack.slug}`
    expect((await host.ask('PUT', path, { body: aPack(), headers })).status).toBe(200)
  })

  it('costs a request and a write like any POST (D-8)', async () => {
    const host = await counted.host()
    const key = newKey()
    expect(quotaOf(await post(host, key))).toMatchObject({ limit: 10, remaining: 9 })
    expect(quotaOf(await post(host, key))).toMatchObject({ limit: 10, remaining: 8 })
    for (let time = 0; time < 8; time += 1) await post(host, key)
    expectError(await post(host, key), 'rate_limited')
    counted.clock.nextMinute()
    expect((await post(host, key)).status).toBe(201)
    expect(await totalOf(host)).toBe(1)
  })
})

describe('400 bad_request', () => {
  const malformed = 'Idempotency-Key must be 1 to 255 visible ASCII characters'

  it.each(['', 'a b', 'x'.repeat(256), 'é', 'a\tb'])('a key that is none: %j', async (key) => {
    const host = await house.host()
    expectError(await post(host, key), 'bad_request', malformed)
    expect(await totalOf(host)).toBe(0)
  })

  it('two keys', async () => {
    const host = await house.host()
    const body = JSON.stringify(aPack())
    const { answer } = await beginRequest(host.door.url, [
      'POST /api/v1/packs HTTP/1.1',
      `Authorization: Bearer ${host.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Idempotency-Key: a',
      'Idempotency-Key: b',
      'Connection: close',
      '',
      body,
    ])
    expect(await answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(await answer).toContain(malformed)
    expect(await totalOf(host)).toBe(0)
  })

  it.each([
    ['name', { name: 'Other' }],
    ['slots', { slots: slots(3) }],
    ['order of slots', { slots: aPack().slots.toReversed() }],
    ['visibility', { visibility: 'public' as const }],
    ['description', { description: 'Best of 13' }],
    ['buckets', { buckets: [{ code: 'RC', color: 3 }] }],
  ])('the key of a pack with another %s', async (_what, change) => {
    const host = await house.host()
    const key = newKey()
    const first = await post(host, key)
    const reply = await post(host, key, aPack(change))
    expectError(
      reply,
      'bad_request',
      'Idempotency-Key was used for another body in the last 24 hours; use a new key for each pack',
    )
    expectStanding(reply)
    expect(reply.headers.has('location')).toBe(false)
    expectSame(await post(host, key), first)
    expect(await totalOf(host)).toBe(1)
  })

  it('an invalid body is not remembered', async () => {
    const host = await house.host()
    const key = newKey()
    expectError(await post(host, key, aPack({ name: '' })), 'bad_request')
    expect((await post(host, key)).status).toBe(201)
  })
})

describe('409 conflict', () => {
  it('is not remembered: the same key makes the pack once there is room', async () => {
    const host = await house.host()
    const key = newKey()
    const [first] = await seed(house, host, 200)
    expectError(await post(host, key), 'conflict')
    await host.delete(first!)
    const created = await post(host, key)
    expect(created.status).toBe(201)
    expectSame(await post(host, key), created)
  })
})
