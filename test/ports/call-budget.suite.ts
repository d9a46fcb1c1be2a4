import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/domain/platform.ts'
import type { CallBudget } from '../../src/ports/platform.ts'

/** One budget, which several processes may share. */
type SharedBudget = {
  open(): Promise<CallBudget>
  remove(): Promise<void>
}

const START = 1_700_000_000_000
const MINUTE = 60_000
/** Calls that background work has while nobody else asks. */
const ALONE = 40

/** What every CallBudget does. */
export const callBudgetSuite = (kind: string, newBudget: () => Promise<SharedBudget>): void => {
  describe(`CallBudget in ${kind}`, () => {
    let shared: SharedBudget
    let budget: CallBudget
    let other: CallBudget

    beforeEach(async () => {
      shared = await newBudget()
      budget = await shared.open()
      other = await shared.open()
    })

    afterEach(() => shared.remove())

    const takeUntilRefused = async (caller: Caller, now: number): Promise<number> => {
      for (let taken = 0; ; taken++) {
        if (!(await budget.take(caller, now)).granted) return taken
      }
    }

    it('gives 50 calls in any 60 seconds, of which background work leaves 10 to those who sign in (D-56)', async () => {
      const leaves = await Promise.all(
        Array.from({ length: 60 }, (_, at) =>
          (at % 2 === 0 ? budget : other).take('background', START + at),
        ),
      )
      expect(leaves.filter(({ granted }) => granted)).toHaveLength(ALONE)
      expect(await other.left(START + 60)).toBe(50 - ALONE)
      expect(await takeUntilRefused('sign-in', START + 60)).toBe(50 - ALONE)
      expect(await other.left(START + 60)).toBe(0)
    })

    it('says when the next call may be made: when the first of them is a minute old', async () => {
      for (let at = 0; at < ALONE; at++) await budget.take('background', START + at * 10)
      const retryAt = START + MINUTE
      expect(await other.take('background', START + 500)).toEqual({ granted: false, retryAt })
      expect(await other.take('background', retryAt - 1)).toEqual({ granted: false, retryAt })
      expect(await other.take('background', retryAt)).toMatchObject({ granted: true })
      expect(await other.take('background', retryAt)).toEqual({
        granted: false,
        retryAt: retryAt + 10,
      })
    })

    it('slides: what a clock minute ends does not end it', async () => {
      const beforeTop = Math.ceil(START / MINUTE) * MINUTE - 1
      expect(await takeUntilRefused('background', beforeTop)).toBe(ALONE)
      expect((await budget.take('background', beforeTop + 2)).granted).toBe(false)
    })

    it('who has asked least lately comes first: one address leaves most calls to others (D-56)', async () => {
      expect(await takeUntilRefused('address 192.0.2.1', START)).toBe(5)
      for (let other = 1; other <= 11; other += 1) {
        const leave = await budget.take(`address 198.51.100.${other}`, START + other)
        expect(leave).toMatchObject({ granted: true })
      }
      // Those who are not signed in have taken all that they have together; accounts have theirs.
      expect((await budget.take('address 203.0.113.9', START + 20)).granted).toBe(false)
      expect(await takeUntilRefused('account ada', START + 20)).toBe(3)
      expect(await takeUntilRefused('account ben', START + 20)).toBe(2)
      expect(await takeUntilRefused('account cid', START + 20)).toBe(1)
      expect((await other.take('account ada', START + 20)).granted).toBe(false)
    })

    it('somebody who has taken many waits until enough are free again, however many there were', async () => {
      await takeUntilRefused('address 192.0.2.1', START)
      for (let at = 0; at < 6; at += 1) await budget.take(`address 198.51.100.${at}`, START + 1000)
      expect(await other.take('address 192.0.2.1', START + 2000)).toEqual({
        granted: false,
        retryAt: START + MINUTE,
      })
      expect(await other.take('address 192.0.2.1', START + MINUTE)).toMatchObject({ granted: true })
    })

    it('gives one account half of the visitors’ calls at most, while nobody else asks for more', async () => {
      expect(await takeUntilRefused('account ada', START)).toBe(11)
      expect(await takeUntilRefused('account ben', START)).toBe(6)
      expect(await takeUntilRefused('address 192.0.2.1', START)).toBe(1)
    })

    it('keeps 10 calls for background work, however many visitors there are', async () => {
      for (let at = 0; at < 40; at += 1) await budget.take(`account player ${at}`, START)
      expect(await takeUntilRefused('background', START)).toBe(10)
      expect(await budget.take('account late', START + 1)).toEqual({
        granted: false,
        retryAt: START + MINUTE,
      })
    })

    it('keeps 12 for visitors for a minute after one has asked', async () => {
      await budget.take('account ada', START)
      expect(await takeUntilRefused('background', START + 1)).toBe(20)
      for (let at = 0; at < 11; at += 1) {
        expect(await budget.take(`account player ${at}`, START + 2)).toMatchObject({
          granted: true,
        })
      }
      expect((await budget.take('account late', START + 2)).granted).toBe(false)
    })

    it('others never take the last 18 calls from those who sign in (D-56)', async () => {
      for (let at = 0; at < 40; at += 1) await budget.take(`account player ${at}`, START)
      await takeUntilRefused('background', START)
      for (let signIn = 0; signIn < 9; signIn += 1) {
        expect(await budget.take('sign-in', START + 1, 2)).toMatchObject({ granted: true })
      }
      expect(await other.take('sign-in', START + 2, 2)).toEqual({
        granted: false,
        retryAt: START + MINUTE,
      })
      // As calls become free again, others leave 18 of them.
      await takeUntilRefused('background', START + MINUTE)
      for (let at = 0; at < 40; at += 1) await budget.take(`account late ${at}`, START + MINUTE)
      expect(await other.left(START + MINUTE)).toBeGreaterThanOrEqual(18)
    })

    it('takes both calls of a sign-in or none, and puts one back that was not made', async () => {
      const taken: number[] = []
      for (;;) {
        const leave = await budget.take('sign-in', START)
        if (!leave.granted) break
        taken.push(...leave.calls)
      }
      expect(new Set(taken).size).toBe(50)
      await budget.refund(taken[7]!)
      await other.refund(taken[7]!)
      expect((await budget.take('sign-in', START + 1, 2)).granted).toBe(false)
      expect(await budget.left(START + 1)).toBe(1)
      await other.refund(taken[3]!)
      expect(await budget.take('sign-in', START + 1, 2)).toMatchObject({ granted: true })
      expect(await budget.left(START + 1)).toBe(0)
    })

    it('one network that signs in without a pause leaves the others half of what is free (D-56)', async () => {
      const one = 'sign-in 192.0.2.1'
      let taken = 0
      while ((await budget.take(one, START, 2)).granted) taken += 2
      expect(taken).toBe(26)
      for (let at = 0; at < 12; at += 1) {
        const leave = await other.take(`sign-in 198.51.100.${at}`, START + at, 2)
        expect(leave).toMatchObject({ granted: true })
      }
      expect((await budget.take(one, START + 20, 2)).granted).toBe(false)
    })

    it('a network that has as much as is free gets no more (D-56)', async () => {
      await other.take('sign-in 198.51.100.1', START, 2)
      let taken = 0
      while ((await budget.take('sign-in 192.0.2.1', START, 2)).granted) taken += 2
      expect(taken).toBe(24)
      expect(await budget.left(START)).toBe(24)
    })

    it('counts a call for a minute after it was answered: the platform counts it from some time before (D-56)', async () => {
      const leave = await budget.take('sign-in', START, 2)
      const [first = 0, second = 0] = leave.granted ? leave.calls : []
      await other.answered(first, START + 9_000)
      await budget.answered(second, START + 19_000)
      expect(await budget.left(START + MINUTE)).toBe(48)
      expect(await budget.left(START + MINUTE + 8_999)).toBe(48)
      expect(await other.left(START + MINUTE + 9_000)).toBe(49)
      expect(await budget.left(START + MINUTE + 18_999)).toBe(49)
      expect(await other.left(START + MINUTE + 19_000)).toBe(50)
    })

    it('whatever the delays on the way, no 60 seconds at the platform hold more than 50 calls (D-56)', async () => {
      const delay = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 10_000 }))
      const visit = fc.record({
        after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })),
        there: delay,
        back: delay,
        calls: fc.constantFrom(1, 2),
      })
      let visits = 0
      let most = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(visit, { minLength: 100, maxLength: 160, size: 'max' }),
          async (all) => {
            // Each run begins where nothing of the one before counts.
            visits += 1
            let at = START + visits * 60 * MINUTE
            const begins = all.map(({ after, ...rest }) => ({ at: (at += after), ...rest }))
            type Event = { readonly at: number; readonly run: () => Promise<void> }
            const events: Event[] = []
            const arrived: number[] = []
            const make = (open: number[], there: number, back: number, now: number): void => {
              const call = open.shift()
              if (call === undefined) return
              arrived.push(now + there)
              const answeredAt = now + there + back
              const run = async () => {
                await other.answered(call, answeredAt)
                make(open, there, back, answeredAt)
              }
              events.push({ at: answeredAt, run })
            }
            for (const { calls, there, back, ...begin } of begins) {
              const run = async () => {
                const leave = await budget.take('sign-in', begin.at, calls)
                if (leave.granted) make([...leave.calls], there, back, begin.at)
              }
              events.push({ at: begin.at, run })
            }
            while (events.length > 0) {
              const next = events.reduce((one, each) => (each.at < one.at ? each : one))
              events.splice(events.indexOf(next), 1)
              await next.run()
            }
            most = Math.max(most, arrived.length)
            for (const from of arrived) {
              const within = arrived.filter((each) => each >= from && each < from + MINUTE)
              expect(within.length).toBeLessThanOrEqual(50)
            }
          },
        ),
        { numRuns: 8, endOnFailure: true },
      )
      expect(most).toBeGreaterThan(50)
    })

    /** Has a code of each of so many networks refused. */
    const refuseCodes = async (networks: number, now: number): Promise<void> => {
      for (let at = 0; at < networks; at += 1) {
        const leave = await budget.take(`sign-in 198.51.100.${at}`, now)
        await budget.answered(leave.granted ? leave.calls[0]! : 0, now, true)
      }
    }

    it('while codes of six networks are refused, strangers have 40 % of what others than sign-ins leave (D-56)', async () => {
      await refuseCodes(5, START)
      for (let at = 0; at < 10; at += 1) await budget.take(`sign-in 192.0.2.${at}`, START, 2)
      expect(await budget.left(START)).toBe(25)
      const now = START + MINUTE
      await refuseCodes(6, now)
      let strangers = 0
      while ((await budget.take(`sign-in 192.0.2.${strangers}`, now, 2)).granted) strangers += 1
      expect(strangers).toBe(7)
      const refusal = { granted: false, isOfOwnShare: true, retryAt: now + MINUTE }
      expect(await other.take('sign-in 192.0.2.99', now, 2)).toEqual(refusal)
      let known = 0
      while ((await other.take(`sign-in known ${known}`, now, 2)).granted) known += 1
      expect(known).toBe(15)
      // All come again as spaced as they came.
      const late = await other.take('sign-in known late', now + 7_000, 2)
      expect(late).toMatchObject({ granted: false, retryAt: now + 7_000 + MINUTE })
    })

    it('and addresses whose codes were refused have 20 % of it, less what they leave (D-91)', async () => {
      await refuseCodes(6, START)
      expect((await budget.take('sign-in 192.0.2.1', START, 2, 4)).granted).toBe(false)
      expect((await budget.take('sign-in 192.0.2.1', START, 2, 2)).granted).toBe(true)
      expect((await budget.take('sign-in 192.0.2.2', START, 2, 2)).granted).toBe(false)
      expect((await budget.take('sign-in 192.0.2.3', START, 2)).granted).toBe(true)
    })

    it('gives page views and background work a little even while people sign in without a pause', async () => {
      for (let signIn = 0; signIn < 20; signIn += 1) await budget.take('sign-in', START, 2)
      expect(await takeUntilRefused('background', START + 1)).toBe(4)
      for (let at = 0; at < 4; at += 1) {
        expect(await budget.take(`address 198.51.100.${at}`, START + 1)).toMatchObject({
          granted: true,
        })
      }
      expect((await budget.take('address 203.0.113.9', START + 1)).granted).toBe(false)
    })

    it('gives background work all that is left once nobody has asked for a minute', async () => {
      await budget.take('account ada', START)
      expect(await takeUntilRefused('background', START + 30_000)).toBe(20)
      const refusal = await budget.take('background', START + 30_001)
      expect(refusal).toEqual({ granted: false, retryAt: START + MINUTE })
      expect(await takeUntilRefused('background', START + MINUTE)).toBe(ALONE - 20)
    })

    it('looks without taking, and counts the calls to be left over', async () => {
      for (let at = 0; at < 30; at++) await budget.take('background', START + at)
      expect(await other.look(9, START + 100)).toMatchObject({ granted: true })
      expect(await other.look(10, START + 100)).toEqual({ granted: false, retryAt: START + MINUTE })
      expect(await other.left(START + 100)).toBe(20)
    })

    const away = { call: 'GET /api', trouble: 'down', reason: 'GET /api answered 503' } as const
    const throttling = { ...away, trouble: 'throttled' } as const
    const all = { calls: 'all', askedUntil: null } as const
    const tokens = { calls: 'tokens', askedUntil: null } as const
    const pausedBy = { trouble: away.trouble, reason: away.reason }

    it('pauses for all but sign-ins; one call a minute of all processes is let through (D-92)', async () => {
      await budget.fail(away, START, all)
      const refusal = { granted: false, retryAt: START + MINUTE, pausedBy }
      expect(await other.take('account ada', START)).toEqual(refusal)
      expect(await other.look(0, START + MINUTE - 1)).toEqual(refusal)
      expect(await other.left(START)).toBe(0)
      for (let at = 0; at < 5; at += 1) {
        expect(await budget.take('sign-in', START + at, 2)).toMatchObject({ granted: true })
      }
      for (const minute of [1, 2, 3]) {
        const now = START + minute * MINUTE
        expect(await other.look(0, now)).toMatchObject({ granted: true })
        const callers = ['background', 'account ada', 'background', 'visitor'] as const
        const leaves = await Promise.all(
          callers.map((caller, at) => (at % 2 === 0 ? budget : other).take(caller, now)),
        )
        expect(leaves.filter(({ granted }) => granted)).toHaveLength(1)
        for (const leave of leaves) {
          if (!leave.granted) expect(leave).toEqual({ ...refusal, retryAt: now + MINUTE })
        }
      }
    })

    it('goes on with the first answer, whatever the platform said of the time (D-92)', async () => {
      await budget.fail(away, START, { calls: 'all', askedUntil: START + 60 * MINUTE })
      const probe = await other.take('background', START + MINUTE)
      expect(probe).toMatchObject({ granted: true, pause: START })
      await other.succeed('background', START + MINUTE, START)
      expect(await budget.take('background', START + MINUTE)).toMatchObject({ granted: true })
      expect(await budget.left(START + MINUTE)).toBe(48)
    })

    it('further failures neither begin a pause anew nor put off its next probe (D-92)', async () => {
      await budget.fail(away, START, all)
      await other.fail(away, START + 40_000, all)
      expect(await budget.take('background', START + MINUTE)).toMatchObject({ granted: true })
      await other.fail(away, START + MINUTE + 40_000, all)
      expect(await budget.take('background', START + 2 * MINUTE)).toMatchObject({ granted: true })
      expect((await budget.report(START + 2 * MINUTE)).pause?.since).toBe(START)
    })

    it('an answer to a call that began before the pause, or in another, does not end it', async () => {
      await budget.fail(away, START, all)
      await budget.succeed('background', START + 1)
      await budget.succeed('background', START + 1, START - 1)
      expect(await other.left(START + 1)).toBe(0)
    })

    it('a sign-in ends the pause of a platform that was away, not that of one that throttles us', async () => {
      await budget.fail(throttling, START, all)
      await budget.succeed('sign-in 192.0.2.1', START + 1, START)
      expect(await other.left(START + 1)).toBe(0)
      await budget.fail(away, START + 2, all)
      await budget.succeed('sign-in 192.0.2.1', START + 3, START)
      expect(await other.left(START + 3)).toBe(50)
    })

    it('a throttling of tokens stops only tokens of the application, for a minute (D-92)', async () => {
      await budget.fail(throttling, START, tokens)
      await other.fail(throttling, START + 30_000, tokens)
      expect(await other.take('background', START + 30_000)).toMatchObject({ granted: true })
      const refusal = await other.take('background', START + 30_000, 2, 0, true)
      expect(refusal).toMatchObject({ granted: false, retryAt: START + MINUTE })
      expect(await other.take('sign-in', START + 30_000, 2)).toMatchObject({ granted: true })
      expect(await other.take('background', START + MINUTE, 2, 0, true)).toMatchObject({
        granted: true,
      })
    })

    it('an operator ends either at once', async () => {
      expect(await budget.resume(START)).toBe(false)
      await budget.fail(away, START, all)
      expect(await other.resume(START + 1)).toBe(true)
      await budget.fail(throttling, START + 1, tokens)
      expect(await other.resume(START + 2)).toBe(true)
      expect(await budget.take('background', START + 2, 2, 0, true)).toMatchObject({
        granted: true,
      })
      expect(await budget.resume(START + 2)).toBe(false)
    })

    it('reports who has asked, the pause, the last failure and the last answer', async () => {
      const { now, ...empty } = await budget.report(START)
      expect(empty).toEqual({
        pause: null,
        tokensStoppedAt: null,
        lastFailure: null,
        lastSuccessAt: null,
        taken: { background: 0, visitor: 0, 'sign-in': 0 },
        left: 50,
      })
      expect(now).toBe(START)
      await budget.take('background', START)
      await budget.take('account ada', START)
      await budget.take('sign-in 192.0.2.1', START, 2)
      await budget.succeed('background', START + 1)
      await budget.fail(away, START + 2, { calls: 'all', askedUntil: START + 9 })
      await other.fail({ ...away, trouble: 'set-up' }, START + 3)
      expect(await other.report(START + 4)).toEqual({
        now: START + 4,
        pause: { ...pausedBy, since: START + 2, probedAt: START + 2, askedUntil: START + 9 },
        tokensStoppedAt: null,
        lastFailure: { ...away, trouble: 'set-up', at: START + 3 },
        lastSuccessAt: START + 1,
        taken: { background: 1, visitor: 1, 'sign-in': 2 },
        left: 46,
      })
    })

    it('a pause noted by a clock that ran ahead is none once it is put right (D-53)', async () => {
      await budget.fail(away, START + 180 * MINUTE, all)
      expect(await other.take('background', START)).toMatchObject({ granted: true })
      await other.fail(away, START + 1, all)
      expect(await budget.take('background', START + 2)).toMatchObject({
        granted: false,
        retryAt: START + 1 + MINUTE,
      })
      // Nor does a probe of that time put off the next one.
      await budget.take('background', START + 180 * MINUTE)
      const leave = await other.take('background', START + 1 + MINUTE)
      expect(leave).toMatchObject({ granted: true })
    })

    it('nobody waits for longer than two windows after a clock was put right (D-53)', async () => {
      for (const ahead of [180 * MINUTE, 2 * MINUTE, MINUTE, 30_000]) {
        await takeUntilRefused('background', START + ahead)
        await takeUntilRefused('sign-in', START + ahead)
        const leave = await other.take('account ada', START)
        if (!leave.granted) expect(leave.retryAt).toBeLessThanOrEqual(START + 2 * MINUTE)
      }
    })

    it('is not dearer after a clock was set far back', async () => {
      await takeUntilRefused('background', START + 10 * MINUTE)
      expect(await takeUntilRefused('background', START)).toBe(ALONE)
      expect((await budget.take('background', START + 1)).granted).toBe(false)
    })
  })
}
