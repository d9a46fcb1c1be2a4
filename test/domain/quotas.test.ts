import { describe, expect, it } from 'vitest'
import {
  dayOf,
  failedCodesResetSeconds,
  hourResetSeconds,
  isAccount,
  minuteResetSeconds,
  networkOf,
  presentQuota,
  reportAccount,
  reportAddress,
  reportLater,
  reportUncounted,
  requesterOf,
} from '../../src/domain/quotas.ts'

describe('the seconds to the reset of a counter (D-9, spec 8, D-91)', () => {
  it.each([
    [60_000, 60],
    [59_001, 60],
    [59_000, 59],
    [1_001, 2],
    [1_000, 1],
    [1, 1],
    [0, 1],
    [-5, 1],
    // A clock was set back.
    [61_000, 60],
  ])('%i ms of a minute are %i s', (ms, seconds) => {
    expect(minuteResetSeconds(ms)).toBe(seconds)
  })

  it('are at most those of its window', () => {
    const windows = [minuteResetSeconds, hourResetSeconds, failedCodesResetSeconds]
    expect(windows.map((secondsOf) => secondsOf(10_000_000))).toEqual([60, 3600, 600])
    expect(windows.map((secondsOf) => secondsOf(59_500))).toEqual([60, 60, 60])
  })
})

describe('what the headers say of an account (D-9)', () => {
  it.each([
    ['a read', { requests: 1, writes: 10 }, false, { limit: 60, remaining: 59 }],
    ['a write with less left', { requests: 10, writes: 1 }, true, { limit: 10, remaining: 9 }],
    ['a write on a tie', { requests: 51, writes: 1 }, true, { limit: 10, remaining: 9 }],
    ['a write with more left', { requests: 52, writes: 1 }, true, { limit: 60, remaining: 8 }],
    ['more than all', { requests: 61, writes: 0 }, false, { limit: 60, remaining: 0 }],
    ['more writes than all', { requests: 12, writes: 11 }, true, { limit: 10, remaining: 0 }],
  ])('of %s', (_of, spent, isWrite, shown) => {
    expect(reportAccount(spent, isWrite, 1_500)).toEqual({ ...shown, resetSeconds: 2 })
  })

  it('is both quotas on its own page', () => {
    expect(presentQuota({ requests: 7, writes: 3 }, 30_000)).toEqual({
      requests: { limit: 60, left: 53 },
      writes: { limit: 10, left: 7 },
      resetSeconds: 30,
    })
  })

  it.each([
    ['in the same minute', 29_000, 3, 1],
    ['at the top of the next', 30_000, 60, 60],
    ['in the next', 31_500, 60, 59],
    ['at the top of the one after it', 90_000, 60, 60],
    ['in a later one', 151_000, 60, 59],
  ])('after a wait, %s', (_when, waitedMs, remaining, resetSeconds) => {
    const quota = { limit: 60, remaining: 3, resetSeconds: 30 }
    expect(reportLater(quota, waitedMs)).toEqual({ limit: 60, remaining, resetSeconds })
  })
})

describe('what the headers say of an address (D-5, D-10)', () => {
  it.each([
    [0, 20],
    [1, 19],
    [20, 0],
    [21, 0],
  ])('%i failed attempts leave %i', (count, remaining) => {
    expect(reportAddress({ count, resetMs: 10_000 })).toEqual({
      limit: 20,
      remaining,
      resetSeconds: 10,
    })
  })

  it.each([
    [0, 60],
    [1_000, 59],
    [61_500, 59],
    [-1_000, 1],
  ])('without its counter, at %i ms: all of them, until the top of the minute', (now, seconds) => {
    expect(reportUncounted(now)).toEqual({ limit: 20, remaining: 20, resetSeconds: seconds })
  })
})

describe('who asks (D-56, D-75)', () => {
  it('is the account, and the address of one who is not signed in', () => {
    expect(requesterOf('ada', '192.0.2.1')).toBe('account ada')
    expect(requesterOf(null, '192.0.2.1')).toBe('address 192.0.2.1')
    expect(['account ada', 'address account'].map(isAccount)).toEqual([true, false])
  })

  it('is of a /48 in IPv6 alone', () => {
    expect(networkOf('2001:db8:1:2')).toBe('2001:db8:1::/48')
    expect(networkOf('192.0.2.1')).toBeNull()
  })
})

it('a day begins at midnight by UTC', () => {
  expect([-1, 0, 86_399_999, 86_400_000].map(dayOf)).toEqual([-1, 0, 0, 1])
})
