import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { bodyOf } from './samples.ts'
import { spendReads, spendRequests, spendWrites } from './spend.ts'
import { expectStanding } from './standing.ts'

const house = await openHouse()
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const countOf = (replies: readonly Reply[], status: number): number =>
  replies.filter((reply) => reply.status === status).length

describe('60 requests a minute (spec 8)', () => {
  it('are told one by one, across all endpoints; the 61st gets 429 (D-9)', async () => {
    const host = await house.host()
    const paths = ['/me', '/packs', '/me/packs', '/packs/AAAAAAAAAA', '/nothing', '/packs?page=0']
    for (let left = 59; left >= 0; left -= 1) {
      const reply = await host.get(paths[left % paths.length]!)
      expect(quotaOf(reply)).toMatchObject({ limit: 60, remaining: left })
      expect(reply.status).not.toBe(429)
      expect(reply.headers.has('retry-after')).toBe(false)
    }
    const reply = await host.get('/me')
    expectError(reply, 'rate_limited', 'more than 60 requests in this minute; wait for the next')
    expectStanding(reply)
    expect(quotaOf(reply)).toMatchObject({ limit: 60, remaining: 0 })
    expect(reply.headers.get('retry-after')).toBe(String(quotaOf(reply).reset))
    expectError(await host.get('/me'), 'rate_limited')
  })

  it('are exactly 60 of 100 at once', async () => {
    const host = await house.host()
    const replies = await Promise.all(Array.from({ length: 100 }, () => host.get('/me')))
    expect([countOf(replies, 200), countOf(replies, 429)]).toEqual([60, 40])
    const left = replies.filter(({ status }) => status === 200).map((r) => quotaOf(r).remaining)
    expect(new Set(left)).toEqual(new Set(Array.from({ length: 60 }, (_, at) => at)))
  })

  it('are one player’s: another has their own', async () => {
    const [host, other] = [await house.host(), await house.host()]
    await spendRequests(house, host)
    expectError(await host.get('/me'), 'rate_limited')
    expect(quotaOf(await other.get('/me')).remaining).toBe(59)
  })
})

describe('10 writes a minute (spec 8)', () => {
  it('are told one by one; the 11th gets 429, reads go on (D-9)', async () => {
    const host = await house.host()
    for (let left = 9; left >= 0; left -= 1) {
      const reply = await host.post(aPack())
      expect(reply.status).toBe(201)
      expect(quotaOf(reply)).toMatchObject({ limit: 10, remaining: left })
    }
    const reply = await host.post(aPack())
    expectError(reply, 'rate_limited', 'more than 10 writes in this minute; wait for the next')
    expectStanding(reply)
    expect(quotaOf(reply)).toMatchObject({ limit: 10, remaining: 0 })
    expect(reply.headers.get('retry-after')).toBe(String(quotaOf(reply).reset))
    expect((await host.get('/me')).status).toBe(200)
  })

  it('are exactly 10 of 30 at once', async () => {
    const host = await house.host()
    const replies = await Promise.all(Array.from({ length: 30 }, () => host.post(aPack())))
    expect([countOf(replies, 201), countOf(replies, 429)]).toEqual([10, 20])
    house.clock.nextMinute()
    expect((await host.get('/me/packs')).json.total).toBe(10)
  })

  it.each<[string, string, unknown, number]>([
    ['POST', '/packs', aPack(), 201],
    ['POST', '/packs', '{', 400],
    ['POST', '/packs', bodyOf(16_385), 413],
    ['POST', '/packs', undefined, 415],
    ['POST', '/me', undefined, 405],
    ['POST', '/nothing', undefined, 404],
    ['PUT', '/packs/AAAAAAAAAA', aPack(), 404],
    ['PUT', '/packs/AAAAAAAAAA', '{', 400],
    ['PUT', '/packs', aPack(), 405],
    ['DELETE', '/packs/AAAAAAAAAA', undefined, 404],
    ['DELETE', '/openapi.json', undefined, 405],
    ['PATCH', '/packs/AAAAAAAAAA', undefined, 405],
    ['PATCH', '/nothing', aPack(), 404],
  ])('%s %s spends one, and one request (D-8)', async (method, path, body, status) => {
    const host = await house.host()
    const reply = await host.ask(method, path, { body })
    expect(reply.status).toBe(status)
    expect(quotaOf(reply)).toMatchObject({ limit: 10, remaining: 9 })
    expect(quotaOf(await host.get('/me'))).toMatchObject({ limit: 60, remaining: 58 })
    expect(quotaOf(await host.delete('AAAAAAAAAA'))).toMatchObject({ limit: 10, remaining: 8 })
  })

  it.each(['GET', 'HEAD', 'OPTIONS', 'PROPFIND'])('%s spends none (D-8)', async (method) => {
    const host = await house.host()
    expect(quotaOf(await host.ask(method, '/packs'))).toMatchObject({ limit: 60, remaining: 59 })
    expect(quotaOf(await host.post(aPack()))).toMatchObject({ limit: 10, remaining: 9 })
  })

  it('refused for want of writes spend the request (D-8)', async () => {
    const host = await house.host()
    await spendWrites(house, host)
    expect((await host.post(aPack())).status).toBe(429)
    expect(quotaOf(await host.get('/me')).remaining).toBe(48)
  })

  it('refused for want of requests spend no write (D-8)', async () => {
    const host = await house.host()
    await spendRequests(house, host)
    for (let count = 0; count < 11; count += 1) {
      const reply = await host.post(aPack())
      expectError(reply, 'rate_limited', /60 requests/)
      // With the writes spent as well, these headers would tell of them: a tie.
      expect(quotaOf(reply)).toMatchObject({ limit: 60, remaining: 0 })
    }
  })
})

describe('the quota that is told (D-9)', () => {
  it.each([
    [0, 10, 9],
    [49, 10, 9],
    [50, 10, 9],
    [51, 60, 8],
    [59, 60, 0],
  ])('of a write after %i reads is that of %i, with %i left', async (reads, limit, remaining) => {
    const host = await house.host()
    await spendReads(house, host, reads)
    expect(quotaOf(await host.delete('AAAAAAAAAA'))).toMatchObject({ limit, remaining })
  })

  it('of a read is that of the requests, though no write is left', async () => {
    const host = await house.host()
    await spendWrites(house, host)
    expect(quotaOf(await host.get('/me'))).toMatchObject({ limit: 60, remaining: 49 })
  })

  it('of a write when both are used up is that of the writes', async () => {
    const host = await house.host()
    await spendWrites(house, host)
    await spendReads(house, host, 50)
    expect(quotaOf(await host.post(aPack()))).toMatchObject({ limit: 10, remaining: 0 })
  })
})

describe('the owner of the counters (D-7)', () => {
  const renew = ({ gameId, username }: Host) => house.hostOf(gameId, username)

  it('is the account: a new key does not reset them', async () => {
    const host = await house.host()
    await host.post(aPack())
    await host.get('/me')
    const renewed = await renew(host)
    expect(quotaOf(await renewed.post(aPack()))).toMatchObject({ limit: 10, remaining: 8 })
    expect(quotaOf(await renewed.get('/me'))).toMatchObject({ limit: 60, remaining: 56 })
    await spendRequests(house, renewed)
    expectError(await (await renew(host)).get('/me'), 'rate_limited')
  })

  it('is the account on one service: the other counts for itself', async () => {
    const host = await house.host()
    const onPools = await house.hostOf(host.gameId, host.username, 'pools')
    await spendRequests(house, host)
    expectError(await host.get('/me'), 'rate_limited')
    expect(quotaOf(await onPools.get('/me'))).toMatchObject({ limit: 60, remaining: 59 })
    await spendRequests(house, onPools, 'pools')
    expectError(await onPools.get('/me'), 'rate_limited')
  })

  it('may write on the pools service, too, where PATCH counts (spec 8)', async () => {
    const host = await house.host('pools')
    for (const [at, method] of ['POST', 'PUT', 'PATCH', 'DELETE'].entries()) {
      const reply = await host.ask(method, '/me')
      expectError(reply, 'method_not_allowed')
      expect(quotaOf(reply)).toMatchObject({ limit: 10, remaining: 9 - at })
    }
  })
})
