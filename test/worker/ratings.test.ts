import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rating } from '../../src/domain/beatmaps.ts'
import { canaries } from '../../src/domain/ratings.ts'
import { ratingText } from '../../src/domain/beatmaps.ts'
import { createRatingRun } from '../../src/worker/ratings.ts'
import { createStatsRun } from '../../src/worker/stats.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { slotsOf, statsRig } from '../support/stats-rig.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Rig = ReturnType<typeof statsRig>

/** Lets the worker look every ten seconds, and work in between, for so long. */
const runFor = async ({ look, workFor }: Rig, ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += 10_000) {
    await look()
    await workFor(10_000)
  }
}

/** How many calls there were in the fullest minute; counted from when it is called. */
const watchCalls = ({ platform, clock }: Rig) => {
  const times: number[] = []
  platform.meanwhile = () => void times.push(clock.now())
  return () =>
    Math.max(0, ...times.map((at) => times.filter((t) => t >= at && t < at + MINUTE).length))
}

describe('D-94: ratings with HD, which pages show', () => {
  it('come after what stats need, and the stats stay as they are, to the letter', async () => {
    const rig = statsRig()
    const slug = rig.save([...slotsOf('HD', 2, 1), ...slotsOf('DT', 2, 11)])
    await rig.work()
    const before = rig.statsOf(slug)
    expect(before).toMatchObject({ complete: true, srMin: 5, srMax: 6.5 })
    expect(rig.platform.ratingCalls.slice(0, 2)).toEqual(['11 base DT', '12 base DT'])
    await rig.workFor(HOUR)
    expect(rig.platform.ratingCalls.toSorted()).toEqual(
      ['1 base HD', '11 base DT', '12 base DT', '2 base HD'].toSorted(),
    )
    expect(rig.statsOf(slug)).toBe(before)
    expect(rig.statsWork.row(slug)).toMatchObject({ dueAt: null, attempts: 0 })
  })

  it('that fail keep no pack incomplete, and are tried again', async () => {
    const rig = statsRig()
    rig.platform.fails = (what) => what === '1 base HD'
    const slug = rig.save(slotsOf('HD', 1, 1))
    await rig.workFor(HOUR)
    expect(rig.statsOf(slug)?.complete).toBe(true)
    const before = rig.statsOf(slug)
    rig.platform.fails = () => false
    await rig.workFor(DAY)
    expect(rig.beatmapCache.ratings.get('1 base HD')?.rating).toEqual({ stars: 6.5 })
    expect(rig.statsOf(slug)).toBe(before)
  })

  it('wait while other packs lack ratings that their stats need', async () => {
    const rig = statsRig()
    rig.save(slotsOf('HD', 30, 1))
    rig.save(slotsOf('DT', 30, 101))
    await rig.workFor(HOUR)
    const kinds = rig.platform.ratingCalls.map((text) => text.split(' ')[2])
    expect(kinds.filter((mods) => mods === 'HD')).toHaveLength(30)
    expect(kinds.lastIndexOf('DT')).toBeLessThan(kinds.indexOf('HD') + 8)
  })
})

describe('D-93: a rating that the platform does not have', () => {
  const answer = fc.constantFrom<Rating>({ stars: 0 }, 'refused', 'gone', { stars: 7.25 })

  it('counts plain, keeps no pack incomplete, and is asked for after an hour, a day, then weekly', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('DT', 'HD'),
        async (answers, mod) => {
          const rig = statsRig()
          rig.platform.beatmaps.set(1, aBeatmap(1, { stars: 5 }))
          const times: number[] = []
          let [failures, none] = [0, 0]
          rig.platform.fails = (what) => {
            if (what === 1) return false
            rig.platform.ratings.set(`1 base ${mod}`, answers[times.length] ?? { stars: 7.25 })
            times.push(rig.clock.now())
            return false
          }
          rig.log.warn = () => (failures += 1)
          const slug = rig.save(slotsOf(mod, 1, 1))
          for (const [at, given] of answers.entries()) {
            await runUntil(rig, () => times.length > at)
            if (times.length <= at) break
            await rig.workFor(0)
            const isNone = typeof given === 'string' || given.stars === 0
            none = isNone ? none + 1 : 0
            expect(rig.statsOf(slug)).toMatchObject({
              complete: true,
              srMin: mod === 'HD' || isNone ? 5 : 7.25,
            })
            const next = rig.statsWork.row(slug).askAgainAt
            const waits = [HOUR, DAY, 7 * DAY]
            expect(next).toBe(isNone ? times[at]! + waits[Math.min(none, 3) - 1]! : null)
            if (!isNone) break
          }
          expect(failures).toBe(0)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('0 of a beatmap that has no stars at all is a new upload: asked for each hour until it has some', async () => {
    const rig = statsRig()
    rig.platform.beatmaps.set(1, aBeatmap(1, { stars: 0 }))
    rig.platform.ratings.set('1 base DT', { stars: 0 })
    const slug = rig.save(slotsOf('DT', 1, 1))
    for (let hours = 0; hours < 5; hours += 1) {
      await rig.workFor(0)
      expect(rig.statsOf(slug)).toMatchObject({ complete: true, srMin: null })
      expect(rig.platform.calls).toBe(2 * (hours + 1))
      rig.clock.advance(HOUR)
      await rig.statsWork.askAgain(rig.clock.now(), 10)
    }
    rig.platform.beatmaps.set(1, aBeatmap(1, { stars: 5 }))
    rig.platform.ratings.set('1 base DT', { stars: 7 })
    await rig.workFor(0)
    expect(rig.statsOf(slug)).toMatchObject({ complete: true, srMin: 7 })
    expect(rig.statsWork.row(slug).askAgainAt).toBeNull()
  })
})

/** Moves the clock from one moment at which something is due to the next. */
async function runUntil(rig: Rig, isDone: () => boolean): Promise<void> {
  for (let steps = 0; steps < 20 && !isDone(); steps += 1) {
    await rig.workFor(1_000)
    const [again] = [...rig.statsWork.askAgainTimes()].toSorted((a, b) => a - b)
    if (isDone() || again === undefined) continue
    rig.clock.advance(Math.max(0, again - rig.clock.now()))
    // The canary is another matter.
    await rig.statsWork.askAgain(rig.clock.now(), 10)
  }
}

describe('D-95: a change of the platform’s ratings', () => {
  const answers = (rig: Rig, stars: (at: number) => Rating): void => {
    for (const [at, key] of canaries.entries()) rig.platform.ratings.set(ratingText(key), stars(at))
  }

  it('is looked for once a day by one of all processes, the first time an hour after the start', async () => {
    const rig = statsRig()
    const other = createRatingRun(rig.ports, rig.log)
    const seen: number[] = []
    for (let hour = 0; hour < 60; hour += 1) {
      rig.platform.forgetCalls()
      await Promise.all([rig.look(), other()])
      if (rig.platform.calls > 0) seen.push(hour)
      expect([0, 5]).toContain(rig.platform.calls)
      rig.clock.advance(HOUR)
    }
    expect(seen).toEqual([1, 25, 49])
    expect(rig.platform.callers).toEqual(new Set(['background']))
    expect(rig.said).toEqual([])
  })

  it('is none within rounding, nor when one of the beatmaps is gone or without an answer', async () => {
    const rig = statsRig()
    answers(rig, () => ({ stars: 5.001 }))
    await runFor(rig, 2 * HOUR)
    const drifts: Rating[][] = [[{ stars: 5.004 }], ['gone'], ['refused'], [{ stars: 0 }]]
    for (const [given] of drifts) {
      answers(rig, (at) => (at === 2 ? given! : { stars: 5.001 }))
      rig.clock.advance(DAY)
      await rig.look()
    }
    rig.platform.fails = (what) => what === ratingText(canaries[0]!)
    rig.clock.advance(DAY)
    await rig.look()
    expect(await rig.ratingWatch.lastChange()).toBeNull()
    answers(rig, (at) => ({ stars: at === 4 ? 5.02 : 5.001 }))
    rig.clock.advance(DAY)
    await rig.look()
    expect(await rig.ratingWatch.lastChange()).toEqual({
      at: rig.clock.now(),
      changes: [{ key: canaries[4], before: 5.001, after: 5.02 }],
    })
    expect(rig.said).toEqual([expect.stringMatching(/^warn the platform has changed its ratings/)])
  })

  it('is tried again in an hour when the platform does not answer at all', async () => {
    const rig = statsRig()
    rig.platform.fails = () => true
    await rig.look()
    for (const calls of [5, 5]) {
      rig.clock.advance(HOUR)
      rig.platform.forgetCalls()
      await rig.look()
      expect(rig.platform.calls).toBe(calls)
    }
  })

  it('recomputes all packs, the newest first, at 40 calls a minute at most, over restarts; new packs come first', async () => {
    const rig = statsRig()
    answers(rig, () => ({ stars: 5 }))
    const slugs: string[] = []
    for (let at = 0; at < 80; at += 1) {
      slugs.push(rig.save([...slotsOf('DT', 4, at * 10 + 1), ...slotsOf('HD', 1, at * 10 + 5)]))
      rig.clock.advance(1_000)
    }
    await runFor(rig, 3 * HOUR)
    expect(slugs.map((slug) => rig.statsOf(slug)?.srMax)).toEqual(slugs.map(() => 6.5))
    rig.clock.advance(DAY)

    for (let id = 1; id <= 800; id += 1) {
      rig.platform.ratings.set(`${id} base DT`, { stars: 7.5 })
      rig.platform.ratings.set(`${id} base HD`, { stars: 5.5 })
    }
    answers(rig, () => ({ stars: 5.5 }))
    rig.platform.forgetCalls()
    const mostInAMinute = watchCalls(rig)
    await rig.look()
    expect(await rig.statsWork.leftToMark()).toBeLessThanOrEqual(80)
    const order: string[] = []
    let isRestarted = false
    let added = ''
    for (let minutes = 0; minutes < 30; minutes += 1) {
      await runFor(rig, MINUTE)
      for (const slug of slugs) {
        // Until then it is as it was: the old values, complete.
        const { srMax, complete } = rig.statsOf(slug)!
        expect([srMax, complete]).toEqual([order.includes(slug) || srMax === 7.5 ? 7.5 : 6.5, true])
        if (srMax === 7.5 && !order.includes(slug)) order.push(slug)
      }
      if (minutes === 3 && !isRestarted) {
        isRestarted = true
        Object.assign(rig, {
          turn: createStatsRun(rig.ports, rig.log),
          look: createRatingRun(rig.ports, rig.log),
        })
        added = rig.save(slotsOf('NM', 3, 9_001))
        await rig.work()
        expect(rig.statsOf(added)?.complete).toBe(true)
      }
    }
    expect(order.toSorted()).toEqual(slugs.toSorted())
    const newestHalf = new Set(slugs.slice(40))
    expect(order.slice(0, 20).every((slug) => newestHalf.has(slug))).toBe(true)
    expect(mostInAMinute()).toBeLessThanOrEqual(40)
    expect(rig.beatmapCache.ratings.get('5 base HD')?.rating).toEqual({ stars: 5.5 })
    expect(await rig.statsWork.leftToMark()).toBe(0)
  })
})
