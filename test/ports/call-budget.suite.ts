import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/domain/platform.ts'
import type { CallBudget } from '../../src/ports/platform.ts'

/** One budget, which several processes may share. */
export type SharedBudget = {
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
      expect(await other.take('background', retryAt)).toEqual({ granted: true })
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
        expect(leave).toEqual({ granted: true })
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
      expect(await other.take('address 192.0.2.1', START + MINUTE)).toEqual({ granted: true })
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
        expect(await budget.take(`account player ${at}`, START + 2)).toEqual({ granted: true })
      }
      expect((await budget.take('account late', START + 2)).granted).toBe(false)
    })

    it('others never take the last 18 calls from those who sign in (D-56)', async () => {
      for (let at = 0; at < 40; at += 1) await budget.take(`account player ${at}`, START)
      await takeUntilRefused('background', START)
      for (let signIn = 0; signIn < 9; signIn += 1) {
        expect(await budget.take('sign-in', START + 1, 2)).toEqual({ granted: true })
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
      expect(await takeUntilRefused('sign-in', START)).toBe(50)
      await budget.refund('sign-in')
      expect((await budget.take('sign-in', START + 1, 2)).granted).toBe(false)
      expect(await budget.left(START + 1)).toBe(1)
      await other.refund('sign-in')
      expect(await budget.take('sign-in', START + 1, 2)).toEqual({ granted: true })
      expect(await budget.left(START + 1)).toBe(0)
    })

    it('one network that signs in without a pause leaves the others half of what is free (D-56)', async () => {
      const one = 'sign-in 192.0.2.1'
      let taken = 0
      while ((await budget.take(one, START, 2)).granted) taken += 2
      expect(taken).toBe(26)
      for (let at = 0; at < 12; at += 1) {
        const leave = await other.take(`sign-in 198.51.100.${at}`, START + at, 2)
        expect(leave).toEqual({ granted: true })
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

    it('puts back only what was taken for this caller', async () => {
      await budget.take('sign-in 192.0.2.1', START, 2)
      await other.take('sign-in 192.0.2.2', START, 2)
      await budget.refund('sign-in 192.0.2.1')
      await budget.refund('sign-in 192.0.2.1')
      await budget.refund('sign-in 192.0.2.1')
      expect(await other.left(START)).toBe(48)
    })

    it('gives page views and background work a little even while people sign in without a pause', async () => {
      for (let signIn = 0; signIn < 20; signIn += 1) await budget.take('sign-in', START, 2)
      expect(await takeUntilRefused('background', START + 1)).toBe(4)
      for (let at = 0; at < 4; at += 1) {
        expect(await budget.take(`address 198.51.100.${at}`, START + 1)).toEqual({ granted: true })
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
      expect(await other.look(9, START + 100)).toEqual({ granted: true })
      expect(await other.look(10, START + 100)).toEqual({ granted: false, retryAt: START + MINUTE })
      expect(await other.left(START + 100)).toBe(20)
    })

    it('pauses for all until the platform wants to be asked again', async () => {
      await budget.pause(START + 5_000, START)
      await other.pause(START + 3_000, START)
      const refusal = { granted: false, retryAt: START + 5_000 }
      expect(await other.take('account ada', START)).toEqual(refusal)
      expect(await other.look(0, START)).toEqual(refusal)
      expect(await other.left(START)).toBe(0)
      expect(await budget.left(START + 5_000)).toBe(50)
      expect(await budget.take('background', START + 5_000)).toEqual({ granted: true })
    })

    it('a pause noted by a clock that ran ahead is none once it is put right (D-53)', async () => {
      await budget.pause(START + 180 * MINUTE + 5_000, START + 180 * MINUTE)
      expect(await other.take('background', START)).toEqual({ granted: true })
      await other.pause(START + 5_000, START + 1)
      expect(await budget.take('background', START + 2)).toEqual({
        granted: false,
        retryAt: START + 5_000,
      })
      expect(await budget.take('background', START + 5_000)).toEqual({ granted: true })
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
