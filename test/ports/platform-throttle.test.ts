import { describe, expect, test } from 'vitest'
import { kindsOf, type PlatformHouse, rating, errorOf, warmHouse } from './platform-house.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

const ask = ({ platform }: PlatformHouse) => errorOf(platform.readBeatmaps([75], 'background'))

const callCount = async ({ standin }: PlatformHouse): Promise<number> =>
  (await kindsOf(standin)).split(' ').filter((kind) => kind !== '').length

describe('429 with Retry-After (platform: not 200)', () => {
  test('pauses all calls, of every kind, until then, and not a moment longer', async () => {
    const house = await warmHouse()
    const { standin, platform, budget } = house
    await standin.order({ fault: 'throttled', retryAfter: 7, times: 1 })
    const until = standin.time.now + 7 * SECOND_MS
    expect((await ask(house)).retryAt).toBe(until)
    expect(await budget.left(standin.time.now)).toBe(0)

    standin.time.now = until - 1
    const refused = [
      platform.readBeatmaps([75], 'visitor'),
      platform.readRating(rating(75), 'background'),
      platform.readPlayer('code', 'http://127.0.0.1:9/'),
    ]
    for (const question of refused) expect((await errorOf(question)).retryAt).toBe(until)
    expect(await callCount(house)).toBe(1)

    standin.time.now = until
    expect(await platform.readBeatmaps([75], 'background')).toHaveLength(1)
  })

  // The clock of the house starts at 18:30:30.
  test.each([
    ['Sat, 03 Oct 2026 18:31:00 GMT', 30 * SECOND_MS],
    ['Sat, 03 Oct 2026 18:00:00 GMT', SECOND_MS],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 60 * MINUTE_MS],
    ['0', SECOND_MS],
    ['00120', 2 * MINUTE_MS],
    ['3600', 60 * MINUTE_MS],
    ['99999999999', 60 * MINUTE_MS],
    ['9'.repeat(400), 60 * MINUTE_MS],
  ])('"%s" waits what it says, from a second to an hour', async (retryAfter, wait) => {
    const house = await warmHouse()
    await house.standin.order({ fault: 'throttled', retryAfter, times: 1 })
    expect((await ask(house)).retryAt).toBe(house.standin.time.now + wait)
  })

  test.each(['soon', '-5', '1.5', '', '2026-10-03', 'Xyz, 99 Abc 2026 18:31:00 GMT', '7, 7'])(
    '"%s" says nothing: back off as without it',
    async (retryAfter) => {
      const house = await warmHouse()
      await house.standin.order({ fault: 'throttled', retryAfter, times: 1 })
      expect((await ask(house)).retryAt).toBe(house.standin.time.now + MINUTE_MS)
    },
  )

  test('the limit of the stand-in itself is obeyed to the second', async () => {
    const house = await warmHouse()
    const { standin, platform } = house
    await standin.post('/standin/limit', { perMinute: 2 })
    const { retryAt } = await ask(house)
    expect(retryAt).toBe(standin.time.now + MINUTE_MS)
    standin.time.now = retryAt ?? 0
    expect(await platform.readBeatmaps([75], 'background')).toHaveLength(1)
  })
})

describe('429 without Retry-After (platform: not 200)', () => {
  test('waits 1, 2, 4, 8 minutes, then 16 each time, one call a try', async () => {
    const house = await warmHouse()
    const { standin } = house
    await standin.order({ fault: 'throttled' })
    for (const [at, minutes] of [1, 2, 4, 8, 16, 16].entries()) {
      const { retryAt } = await ask(house)
      expect(retryAt).toBe(standin.time.now + minutes * MINUTE_MS)
      standin.time.now = (retryAt ?? 0) - 1
      await ask(house)
      expect(await callCount(house)).toBe(at + 1)
      standin.time.now += 1
    }
  })

  test('begins at a minute again after a call that was let through', async () => {
    const house = await warmHouse()
    const { standin, platform } = house
    await standin.order({ fault: 'throttled', times: 2 })
    for (let each = 0; each < 2; each++) standin.time.now = (await ask(house)).retryAt ?? 0
    await platform.readBeatmaps([75], 'background')
    await standin.order({ fault: 'throttled' })
    expect((await ask(house)).retryAt).toBe(standin.time.now + MINUTE_MS)
  })

  test('a failure of another sort does not shorten the wait', async () => {
    const house = await warmHouse()
    const { standin } = house
    await standin.order({ fault: 'throttled', times: 1 })
    await standin.order({ fault: 'down', times: 1 })
    await standin.order({ fault: 'throttled', times: 1 })
    standin.time.now = (await ask(house)).retryAt ?? 0
    expect((await ask(house)).retryAt).toBeNull()
    expect((await ask(house)).retryAt).toBe(standin.time.now + 2 * MINUTE_MS)
  })

  test('many calls throttled together are one throttling', async () => {
    const house = await warmHouse()
    const { standin, platform } = house
    await standin.order({ fault: 'throttled', times: 4 })
    const errors = await Promise.all(
      [1, 2, 3, 4].map((id) => errorOf(platform.readBeatmaps([id], 'background'))),
    )
    const until = standin.time.now + MINUTE_MS
    expect(errors.map(({ retryAt }) => retryAt)).toEqual([until, until, until, until])
  })
})

test('a late answer does not undo the wait that began while it was on its way', async () => {
  const house = await warmHouse()
  const { standin, platform } = house
  await standin.order({ fault: 'delay', delay: 100, ids: [300] })
  await standin.order({ fault: 'throttled', ids: [75], times: 2 })
  const late = platform.readBeatmaps([300], 'background')
  standin.time.now = (await ask(house)).retryAt ?? 0
  expect(await late).toHaveLength(1)
  expect((await ask(house)).retryAt).toBe(standin.time.now + 2 * MINUTE_MS)
})
