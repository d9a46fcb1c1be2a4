import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { sendRaw } from './raw.ts'
import { expectStanding } from './standing.ts'

const TRUSTED = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']
const open = await openHouse()
const proxied = await openHouse({ settings: { trustedProxies: TRUSTED } })
const elsewhere = await openHouse({ settings: { trustedProxies: ['10.0.0.0/8'] } })
const houses = [open, proxied, elsewhere]
afterAll(() => Promise.all(houses.map((house) => house.close())))
beforeEach(() => houses.forEach(({ clock }) => clock.nextMinute()))

/** An attempt without a key, perhaps forwarded for somebody. */
const fail = (house: typeof open, forwardedFor?: string, key?: string): Promise<Reply> =>
  house.doors.packs.ask('GET', '/me', {
    key,
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  })

describe('failed attempts (D-5)', () => {
  it('are 20 a minute, of both kinds together; the 21st gets 429 (spec 8)', async () => {
    for (let left = 19; left >= 0; left -= 1) {
      const isWrong = left % 2 === 0
      const reply = await fail(open, undefined, isWrong ? 'wrong' : undefined)
      expectError(reply, isWrong ? 'invalid_api_key' : 'unauthorized')
      expect(quotaOf(reply)).toMatchObject({ limit: 20, remaining: left })
      expect(reply.headers.has('retry-after')).toBe(false)
    }
    for (const key of [undefined, 'wrong', undefined]) {
      const reply = await fail(open, undefined, key)
      expectError(reply, 'rate_limited', /more than 20 failed key attempts from this address/)
      expectStanding(reply)
      expect(quotaOf(reply)).toMatchObject({ limit: 20, remaining: 0 })
      expect(reply.headers.get('retry-after')).toBe(String(quotaOf(reply).reset))
    }
    open.clock.nextMinute()
    expectError(await fail(open), 'unauthorized')
  })

  it('do not shut out a valid key from the same address, whose requests are no attempts', async () => {
    const host = await open.host()
    for (let count = 0; count < 25; count += 1) await fail(open)
    const reply = await host.get('/me')
    expect(reply.status).toBe(200)
    expect(quotaOf(reply)).toMatchObject({ limit: 60, remaining: 59 })
    open.clock.nextMinute()
    for (let count = 0; count < 25; count += 1) await host.get('/me')
    expect(quotaOf(await fail(open)).remaining).toBe(19)
  })

  it('are told and counted for each service apart (D-7)', async () => {
    for (let count = 0; count < 21; count += 1) await fail(open)
    const reply = await open.doors.pools.ask('GET', '/me')
    expectError(reply, 'unauthorized')
    expect(quotaOf(reply).remaining).toBe(19)
  })

  it('count on every path and by every method of the API', async () => {
    const asked = [
      ['GET', '/packs'],
      ['POST', '/packs'],
      ['DELETE', '/packs/AAAAAAAAAA'],
      ['PATCH', '/nothing'],
      ['OPTIONS', '/me'],
      ['HEAD', '/me'],
    ] as const
    for (const [at, [method, path]] of asked.entries()) {
      const reply = await open.doors.packs.ask(method, path)
      expect(reply.status).toBe(401)
      expect(quotaOf(reply).remaining).toBe(19 - at)
    }
  })

  it('let exactly 20 of 50 at once be told what was wrong', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => fail(open)))
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(20)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30)
  })
})

/** Two attempts, forwarded so; do they count for one address? */
const addresses: readonly [string, string, 'same' | 'other'][] = [
  ['203.0.113.7', '203.0.113.7', 'same'],
  ['203.0.113.7', '203.0.113.8', 'other'],
  ['203.0.113.7', '  203.0.113.7 ', 'same'],
  ['203.0.113.7', '203.0.113.7:4711', 'same'],
  // What stands left of the right-most untrusted entry was written by the client.
  ['203.0.113.7', '198.51.100.1, 203.0.113.7', 'same'],
  ['203.0.113.7', '198.51.100.1, 198.51.100.2, 203.0.113.7', 'same'],
  ['203.0.113.7', 'forged, 203.0.113.7', 'same'],
  ['203.0.113.7', '10.0.0.1, 203.0.113.7', 'same'],
  ['203.0.113.7', '203.0.113.7, 203.0.113.8', 'other'],
  // Trusted proxies on the way are passed over.
  ['203.0.113.7', '203.0.113.7, 10.1.2.3', 'same'],
  ['203.0.113.7', '203.0.113.7, 10.1.2.3, fd00::5, 127.0.0.1', 'same'],
  ['203.0.113.7', '203.0.113.7, ::ffff:10.1.2.3', 'same'],
  ['203.0.113.7', '203.0.113.7, 11.1.2.3', 'other'],
  // An IPv6 address counts by its /64, an IPv4 one written as IPv6 by itself.
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', 'same'],
  ['2001:db8:1:2::1', '2001:0DB8:0001:0002:0:0:0:9', 'same'],
  ['2001:db8:1:2::1', '[2001:db8:1:2::5]:443', 'same'],
  ['2001:db8:1:2::1', '[2001:db8:1:2::5]', 'same'],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', 'other'],
  ['2001:db8:1:2::1', '2001:db8::1', 'other'],
  ['::ffff:203.0.113.7', '203.0.113.7', 'same'],
  ['::ffff:cb00:7107', '203.0.113.7', 'same'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.8', 'other'],
  ['fe80::1%eth0', 'fe80::1%eth1', 'same'],
  ['fe80::1%eth0', 'fe80::2', 'same'],
  ['[fe80::1%25eth0]:80', 'fe80::1', 'same'],
  // What is no address leaves the proxy that wrote it.
  ['unknown', '', 'same'],
  ['203.0.113.7, unknown', '203.0.113.8, _hidden', 'same'],
  ['203.0.113.7, unknown', '203.0.113.7', 'other'],
  ['203.0.113.7', '203.0.113', 'other'],
]

describe('the address behind trusted proxies (D-6)', () => {
  it.each(addresses)('"%s" and "%s": the %s', async (first, second, verdict) => {
    expect(quotaOf(await fail(proxied, first)).remaining).toBe(19)
    const remaining = verdict === 'same' ? 18 : 19
    expect(quotaOf(await fail(proxied, second)).remaining).toBe(remaining)
  })

  it('is read from several headers as from one', async () => {
    await fail(proxied, '203.0.113.7')
    const reply = await sendRaw(proxied.doors.packs.url, [
      'GET /api/v1/me HTTP/1.1',
      'X-Forwarded-For: 198.51.100.1',
      'X-Forwarded-For: 203.0.113.7',
    ])
    expect(quotaOf(reply).remaining).toBe(18)
  })

  it('is told of by openapi.json, too (D-10)', async () => {
    await fail(proxied, '203.0.113.7')
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const reply = await proxied.doors.packs.ask('GET', '/openapi.json', { headers })
    expect(quotaOf(reply).remaining).toBe(19)
    expect(quotaOf(await proxied.doors.packs.ask('GET', '/openapi.json')).remaining).toBe(20)
  })

  it('takes its own 20 from each, and no other’s', async () => {
    for (let count = 0; count < 20; count += 1) await fail(proxied, '203.0.113.7')
    expectError(await fail(proxied, '203.0.113.7'), 'rate_limited')
    expectError(await fail(proxied, '203.0.113.8'), 'unauthorized')
    expectError(await fail(proxied, '2001:db8:1:2::1'), 'unauthorized')
  })
})

describe('the address without a trusted proxy (D-6)', () => {
  it.each([
    ['when none is configured', open],
    ['when the peer is none of them', elsewhere],
  ])('is the socket’s, and forging the header gains nothing, %s', async (_, house) => {
    for (let count = 0; count < 20; count += 1) await fail(house, `203.0.113.${count}`)
    expectError(await fail(house, '198.51.100.1'), 'rate_limited')
    expectError(await fail(house), 'rate_limited')
  })

  it.each(['Forwarded', 'X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP', 'X-Client-IP'])(
    'is not read from %s, even from a trusted one',
    async (name) => {
      await fail(proxied)
      const headers = { [name]: '203.0.113.7' }
      const reply = await proxied.doors.packs.ask('GET', '/me', { headers })
      expect(quotaOf(reply).remaining).toBe(18)
    },
  )
})
