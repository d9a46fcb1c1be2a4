import { describe, expect, test, vi } from 'vitest'
import { callsOf, kindsOf, platformHouse, rating, errorOf, warmHouse } from './platform-house.ts'

describe('one flight per key (platform: limit)', () => {
  test('the same beatmaps asked for at once, in any order and in one name, are one call', async () => {
    const { standin, platform, budget } = await warmHouse()
    const answers = await Promise.all([
      platform.readBeatmaps([75, 300], 'account ada', 'pack a'),
      platform.readBeatmaps([300, 75], 'visitor', 'pack a'),
      platform.readBeatmaps([75, 300], 'address 192.0.2.1', 'pack a'),
    ])
    for (const beatmaps of answers) expect(beatmaps.map(({ id }) => id)).toEqual([75, 300])
    expect(await kindsOf(standin)).toBe('beatmaps')
    expect(budget.taken).toHaveLength(1)
  })

  test('nobody joins a call that others make in another name, and each pays for their own (D-74)', async () => {
    const { standin, platform, budget } = await warmHouse()
    const callers = ['background', 'account ada', 'address 192.0.2.1'] as const
    await Promise.all(callers.map((caller) => platform.readBeatmaps([75], caller)))
    await Promise.all(callers.map((caller) => platform.readRating(rating(75), caller)))
    expect(await callsOf(standin)).toMatchObject({ beatmaps: 3, attributes: 3 })
    expect(budget.taken.map(({ caller }) => caller).toSorted()).toEqual(
      [...callers, ...callers].toSorted(),
    )
  })

  test('the same rating asked for at once is one call; others are calls of their own', async () => {
    const { standin, platform } = await warmHouse()
    const same = [rating(75), rating(75), rating(75)]
    const others = [
      rating(300),
      rating(75, ['HR']),
      rating(75, ['HR', 'DT']),
      rating(75, ['DT'], 'taiko'),
    ]
    const answers = await Promise.all(
      [...same, ...others].map((key) => platform.readRating(key, 'background')),
    )
    expect(answers.slice(0, 3)).toEqual([{ stars: 3.61 }, { stars: 3.61 }, { stars: 3.61 }])
    expect(await callsOf(standin)).toMatchObject({ total: 5, attributes: 5 })
  })

  test('an error is shared, and over with the call', async () => {
    const { standin, platform } = await warmHouse()
    await standin.order({ fault: 'down', times: 1 })
    await Promise.all([1, 2, 3].map(() => errorOf(platform.readRating(rating(75), 'background'))))
    expect(await kindsOf(standin)).toBe('attributes')
    expect(await platform.readRating(rating(75), 'background')).toEqual({ stars: 3.61 })
  })

  test('an answer is not kept: the next ask is a call', async () => {
    const { standin, platform } = await warmHouse()
    await platform.readRating(rating(75), 'background')
    await platform.readRating(rating(75), 'background')
    expect(await kindsOf(standin)).toBe('attributes attributes')
  })

  test('a spent share of the background does not keep a visitor from theirs', async () => {
    const { standin, platform, budget } = await warmHouse()
    await budget.take('visitor', standin.time.now)
    while ((await budget.take('background', standin.time.now)).granted);
    const background = errorOf(platform.readBeatmaps([75], 'background', 'pack a'))
    expect(await platform.readBeatmaps([75], 'visitor', 'pack a')).toHaveLength(1)
    expect((await background).retryAt).toBe(standin.time.now + 60_000)
    expect(await kindsOf(standin)).toBe('beatmaps')
  })

  test('nor from a token', async () => {
    const { standin, platform, budget } = await platformHouse()
    await budget.take('visitor', standin.time.now)
    while ((await budget.take('background', standin.time.now)).granted);
    const background = errorOf(platform.readBeatmaps([300], 'background'))
    expect(await platform.readBeatmaps([75], 'visitor')).toHaveLength(1)
    await background
    expect(await kindsOf(standin)).toBe('token beatmaps')
  })

  test('a spent budget is asked once for all who wait together', async () => {
    const { standin, platform, budget } = await warmHouse()
    while ((await budget.take('background', standin.time.now)).granted);
    const take = vi.spyOn(budget, 'take')
    await Promise.all([1, 2, 3].map(() => errorOf(platform.readBeatmaps([75], 'background'))))
    expect(take).toHaveBeenCalledTimes(1)
  })
})
