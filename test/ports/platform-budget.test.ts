import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../src/domain/platform.ts'
import { CALLBACK } from '../standin/running.ts'
import { callsOf, kindsOf, platformHouse, rating, errorOf, warmHouse } from './platform-house.ts'

/** What background work has of the 50 while nobody uses the site. */
const BUDGET = 40

describe('every call passes the budget first (platform: limit)', () => {
  test('without leave no call is made, and the error says when there will be', async () => {
    const { standin, platform, budget } = await warmHouse()
    while ((await budget.take('background', standin.time.now)).granted);
    const error = await errorOf(platform.readBeatmaps([75], 'background'))
    expect(error.retryAt).toBe(standin.time.now + 60_000)
    expect(error.message).toContain('GET /api/v2/beatmaps was not made')
    expect(await kindsOf(standin)).toBe('')
  })

  test('token, call, new token, call again and both calls of a sign-in each take one', async () => {
    const { standin, platform, budget } = await platformHouse()
    await platform.readBeatmaps([75], 'background')
    await standin.post('/standin/tokens/expire', {})
    await platform.readRating(rating(75), 'visitor')
    await platform.readPlayer('nonsense', CALLBACK)
    const { total } = await callsOf(standin)
    expect(total).toBe(6)
    expect(budget.taken.map(({ caller }) => caller)).toEqual([
      'background',
      'background',
      'visitor',
      'visitor',
      'visitor',
      'sign-in refused ',
    ])
  })

  test('leave for one call more is not leave for two: without a token, none is made', async () => {
    const { standin, platform, budget } = await platformHouse()
    for (let each = 0; each < BUDGET - 1; each++) await budget.take('background', standin.time.now)
    await errorOf(platform.readBeatmaps([75], 'background'))
    expect(await kindsOf(standin)).toBe('')
    standin.time.now += 60_000
    expect(await platform.readBeatmaps([75], 'background')).toHaveLength(1)
    expect(await kindsOf(standin)).toBe('token beatmaps')
  })

  test('64 ratings at once stay within the budget, and the rest follow a minute later', async () => {
    const { standin, platform } = await platformHouse()
    const keys = Array.from({ length: 64 }, (_, at) => rating(at + 1))
    const ask = () => Promise.allSettled(keys.map((key) => platform.readRating(key, 'background')))
    const count = (all: PromiseSettledResult<unknown>[]) =>
      all.filter(({ status }) => status === 'fulfilled').length
    expect(count(await ask())).toBe(BUDGET - 1)
    expect(await callsOf(standin)).toMatchObject({ total: BUDGET })
    standin.time.now += 60_000
    expect(count(await ask())).toBe(BUDGET)
    expect(await callsOf(standin)).toMatchObject({ total: 2 * BUDGET, busiestMinute: BUDGET })
  })
})

const callers: readonly Caller[] = ['background', 'visitor']
const step = fc.record({
  wait: fc.integer({ min: 0, max: 25_000 }),
  asks: fc.array(
    fc.record({
      id: fc.integer({ min: 1, max: 40 }),
      isRating: fc.boolean(),
      caller: fc.constantFrom(...callers),
    }),
    { maxLength: 30 },
  ),
  fault: fc.option(fc.constantFrom('unauthorized', 'down', 'throttled', 'reset', 'truncated')),
  expires: fc.boolean(),
})

test('no 60 seconds hold more calls than the budget, whatever is asked and goes wrong', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const { standin, platform, budget } = await platformHouse()
      try {
        for (const { wait, asks, fault, expires } of steps) {
          standin.time.now += wait
          if (expires) await standin.post('/standin/tokens/expire', {})
          if (fault !== null) await standin.order({ fault, times: 3 })
          await Promise.allSettled(
            asks.map(({ id, isRating, caller }) =>
              isRating
                ? platform.readRating(rating(id), caller)
                : platform.readBeatmaps([id], caller),
            ),
          )
        }
        const { total, busiestMinute } = await callsOf(standin)
        expect(total).toBe(budget.taken.length)
        expect(busiestMinute).toBeLessThanOrEqual(50)
      } finally {
        await standin.app.close()
      }
    }),
    { numRuns: 25 },
  )
})
