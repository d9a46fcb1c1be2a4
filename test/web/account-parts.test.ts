import { describe, expect, it } from 'vitest'
import { readSignOut } from '../../src/web/account/account-page.tsx'
import { nextLookMs, secondsLeft } from '../../src/web/account/quota.tsx'
import { signedOutHref } from '../../src/web/account/sign-out.ts'

const quota = (resetSeconds: number) => ({
  requests: { limit: 60, left: 60 },
  writes: { limit: 10, left: 10 },
  resetSeconds,
})

describe('the clock of the quota (spec 8)', () => {
  it.each([
    [60, 0, 60],
    [60, 1, 60],
    [60, 1_000, 59],
    [3, 2_999, 1],
    [3, 3_000, 0],
    [3, 90_000, 0],
    // The reader's clock was set back.
    [3, -90_000, 3],
  ])('%d s told %d ms ago are %d s', (resetSeconds, passedMs, seconds) => {
    expect(secondsLeft(resetSeconds, passedMs)).toBe(seconds)
  })

  it('looks every five seconds, and right behind the top of the minute', () => {
    expect([null, quota(60), quota(5)].map(nextLookMs)).toEqual([5_000, 5_000, 5_000])
    expect(nextLookMs(quota(2))).toBeGreaterThan(2_000)
    expect(nextLookMs(quota(2))).toBeLessThan(3_000)
  })
})

describe('how one left', () => {
  it.each(['signed-out', 'everywhere', 'deleted'] as const)(
    'is in the address: %s',
    (signedOut) => {
      expect(readSignOut(new URL(signedOutHref(signedOut), 'http://site.test').search)).toBe(
        signedOut,
      )
    },
  )

  it.each(['', '?left=', '?left=early', '?left=toString'])('%s says nothing', (search) => {
    expect(readSignOut(search)).toBeNull()
  })
})
