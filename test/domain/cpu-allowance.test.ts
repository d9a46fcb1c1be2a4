import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ADDRESS_CPU, UNPACED_CPU } from '../../src/contract/quotas.ts'
import { CpuAllowance } from '../../src/domain/quotas.ts'

const WINDOW_MS = 30_000
const LONGEST_MS = 60

type Ask = { readonly afterMs: number; readonly costMs: number }

/** When each request began and what it cost, of somebody who waits whenever they have to. */
function serve(asks: readonly Ask[]): { at: number; costMs: number }[] {
  const allowance = new CpuAllowance(ADDRESS_CPU)
  let now = 0
  return asks.map(({ afterMs, costMs }) => {
    now += afterMs
    now += allowance.waitMs('a', now)
    allowance.charge('a', costMs, now)
    return { at: now, costMs }
  })
}

test('D-75: whatever an address asks for and when, over any 30 s it gets at most 15 % of a core', () => {
  const cost = fc.oneof(
    fc.constant(LONGEST_MS),
    fc.double({ min: 0, max: LONGEST_MS, noNaN: true }),
  )
  const pauseMs = fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, fc.nat(15_000))
  const asks = fc.array(fc.record({ afterMs: pauseMs, costMs: cost }), {
    minLength: 50,
    maxLength: 2_000,
    size: 'max',
  })
  fc.assert(
    fc.property(asks, (all) => {
      const served = serve(all)
      let first = 0
      let sum = 0
      for (const { at, costMs } of served) {
        sum += costMs
        while (served[first]!.at <= at - WINDOW_MS) sum -= served[first++]!.costMs
        // What begins last may overdraw.
        expect(sum).toBeLessThanOrEqual(0.15 * WINDOW_MS)
      }
    }),
    { numRuns: 100 },
  )
})

test('D-75: nor with the connections that it begins, which have an allowance of their own', () => {
  const most = [ADDRESS_CPU, UNPACED_CPU].map(
    ({ msPerSecond, burstMs }) => (msPerSecond * WINDOW_MS) / 1000 + burstMs,
  )
  expect(most[0]! + most[1]!).toBeLessThanOrEqual(0.15 * WINDOW_MS)
})

test('nobody who asks for little ever waits, and no address waits for another', () => {
  const allowance = new CpuAllowance({ msPerSecond: 100, burstMs: 1000 })
  for (let now = 0; now < 600_000; now += 100) {
    allowance.charge('greedy', 50, now)
    expect(allowance.waitMs('modest', now)).toBe(0)
    allowance.charge('modest', 10, now)
  }
  expect(allowance.waitMs('greedy', 600_000)).toBeGreaterThan(0)
  expect(allowance.waitMs('unknown', 600_000)).toBe(0)
})

test('an overdrawn address waits exactly until it has time left', () => {
  const allowance = new CpuAllowance({ msPerSecond: 100, burstMs: 1000 })
  allowance.charge('a', 1300, 0)
  expect(allowance.waitMs('a', 0)).toBe(3000)
  expect(allowance.waitMs('a', 2999)).toBe(1)
  expect(allowance.waitMs('a', 3000)).toBe(0)
})
