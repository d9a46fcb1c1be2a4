import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError, quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { spendRequests, spendWrites } from './spend.ts'

const house = await openHouse()
afterAll(() => house.close())

// Each test has a later day of its own.
let day = 0
beforeEach(() => void (day += 1))
const setClock = (time: string): void =>
  house.clock.set(`2026-11-${String(day).padStart(2, '0')}T${time}Z`)

describe('RateLimit-Reset (D-9)', () => {
  it.each([
    ['18:30:00.000', 60],
    ['18:30:00.001', 60],
    ['18:30:00.999', 60],
    ['18:30:01.000', 59],
    ['18:30:30.000', 30],
    ['18:30:30.001', 30],
    ['18:30:58.999', 2],
    ['18:30:59.000', 1],
    ['18:30:59.999', 1],
    ['23:59:59.999', 1],
  ])('at %s is %i, as is Retry-After', async (time, seconds) => {
    setClock(time)
    const host = await house.host()
    expect(quotaOf(await host.get('/me')).reset).toBe(seconds)
    expect(quotaOf(await host.post(aPack())).reset).toBe(seconds)
    expect(quotaOf(await house.doors.packs.ask('GET', '/me')).reset).toBe(seconds)
    expect(quotaOf(await house.doors.packs.ask('GET', '/openapi.json')).reset).toBe(seconds)
    await spendRequests(house, host)
    expect((await host.get('/me')).headers.get('retry-after')).toBe(String(seconds))
  })
})

describe('the top of the minute (spec 8)', () => {
  it('gives the requests back, the last millisecond before it does not', async () => {
    setClock('18:30:00.000')
    const host = await house.host()
    await spendRequests(house, host)
    setClock('18:30:59.999')
    expectError(await host.get('/me'), 'rate_limited')
    setClock('18:31:00.000')
    expect(quotaOf(await host.get('/me'))).toEqual({ limit: 60, remaining: 59, reset: 60 })
  })

  it('gives the writes back, too', async () => {
    setClock('18:30:00.000')
    const host = await house.host()
    await spendWrites(house, host)
    setClock('18:30:59.999')
    expectError(await host.post(aPack()), 'rate_limited')
    setClock('18:31:00.000')
    expect(quotaOf(await host.post(aPack()))).toEqual({ limit: 10, remaining: 9, reset: 60 })
  })

  it('gives the failed attempts back, too', async () => {
    setClock('18:30:00.000')
    const attempt = () => house.doors.packs.ask('GET', '/me')
    for (let count = 0; count < 20; count += 1) await attempt()
    setClock('18:30:59.999')
    expectError(await attempt(), 'rate_limited')
    setClock('18:31:00.000')
    expect(quotaOf(await attempt())).toEqual({ limit: 20, remaining: 19, reset: 60 })
  })

  it('comes after 1 ms when all was spent in the last one', async () => {
    setClock('18:30:59.999')
    const host = await house.host()
    const before = await Promise.all(Array.from({ length: 61 }, () => host.get('/me')))
    expect(before.filter(({ status }) => status === 200)).toHaveLength(60)
    setClock('18:31:00.000')
    const after = await Promise.all(Array.from({ length: 61 }, () => host.get('/me')))
    expect(after.filter(({ status }) => status === 200)).toHaveLength(60)
  })

  it('is not put off: what a quiet minute left is not carried over', async () => {
    setClock('18:30:10.000')
    const host = await house.host()
    await host.get('/me')
    setClock('18:45:10.000')
    expect(quotaOf(await host.get('/me')).remaining).toBe(59)
  })
})

describe('a clock that steps back into the minute before (D-9, D-53)', () => {
  it('gives nothing back', async () => {
    setClock('18:31:10.000')
    const host = await house.host()
    await spendRequests(house, host)
    for (const time of ['18:30:59.999', '18:30:00.000']) {
      setClock(time)
      const reply = await host.get('/me')
      expectError(reply, 'rate_limited')
      expect(quotaOf(reply).reset).toBeGreaterThanOrEqual(1)
      expect(quotaOf(reply).reset).toBeLessThanOrEqual(60)
    }
    setClock('18:31:59.999')
    expectError(await host.get('/me'), 'rate_limited')
    setClock('18:32:00.000')
    expect((await host.get('/me')).status).toBe(200)
  })

  it('gives no failed attempt back', async () => {
    setClock('18:31:10.000')
    const attempt = () => house.doors.packs.ask('GET', '/me')
    for (let count = 0; count < 20; count += 1) await attempt()
    setClock('18:30:50.000')
    expectError(await attempt(), 'rate_limited')
    expect(quotaOf(await house.doors.packs.ask('GET', '/openapi.json')).remaining).toBe(0)
  })

  it('leaves those alone who have something left', async () => {
    setClock('18:31:10.000')
    const host = await house.host()
    await host.get('/me')
    setClock('18:30:10.000')
    expect(quotaOf(await host.get('/me')).remaining).toBe(58)
  })
})
