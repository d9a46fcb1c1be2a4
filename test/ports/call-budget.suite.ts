import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/domain/beatmap.ts'
import type { CallBudget } from '../../src/ports/call-budget.ts'

/** One budget, which several processes may share. */
export type SharedBudget = {
  open(): Promise<CallBudget>
  remove(): Promise<void>
}

const START = 1_700_000_000_000
const MINUTE = 60_000

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

    it('gives 50 calls in any 60 seconds, whoever takes them', async () => {
      const leaves = await Promise.all(
        Array.from({ length: 60 }, (_, at) =>
          (at % 2 === 0 ? budget : other).take('background', START + at),
        ),
      )
      expect(leaves.filter(({ granted }) => granted)).toHaveLength(50)
      expect(await other.left(START + 60)).toBe(0)
    })

    it('says when the next call may be made: when the first of the 50 is a minute old', async () => {
      for (let at = 0; at < 50; at++) await budget.take('background', START + at * 10)
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
      expect(await takeUntilRefused('background', beforeTop)).toBe(50)
      expect((await budget.take('background', beforeTop + 2)).granted).toBe(false)
    })

    it('gives page views at most 30, and keeps 20 for background work', async () => {
      expect(await takeUntilRefused('visitor', START)).toBe(30)
      expect(await takeUntilRefused('background', START)).toBe(20)
      expect(await budget.take('visitor', START + 1)).toEqual({
        granted: false,
        retryAt: START + MINUTE,
      })
    })

    it('leaves visitors their 30 for a minute after one has asked', async () => {
      await budget.take('visitor', START)
      expect(await takeUntilRefused('background', START + 1)).toBe(20)
      expect(await takeUntilRefused('visitor', START + 2)).toBe(29)
    })

    it('lets people sign in with whatever is left of the 50, however many pages are looked at', async () => {
      expect(await takeUntilRefused('visitor', START)).toBe(30)
      expect(await takeUntilRefused('sign-in', START + 1)).toBe(20)
      const refusal = await other.take('sign-in', START + 2)
      expect(refusal).toEqual({ granted: false, retryAt: START + MINUTE })
      expect(await other.left(START + 2)).toBe(0)
    })

    it('counts those who sign in like visitors for background work, not for page views', async () => {
      await budget.take('sign-in', START)
      expect(await takeUntilRefused('background', START + 1)).toBe(20)
      expect(await takeUntilRefused('visitor', START + 2)).toBe(29)
      expect(await other.take('visitor', START + MINUTE)).toEqual({ granted: true })
    })

    it('gives background work all that is left once no visitor has asked for a minute', async () => {
      await budget.take('visitor', START)
      expect(await takeUntilRefused('background', START + 30_000)).toBe(20)
      const refusal = await budget.take('background', START + 30_001)
      expect(refusal).toEqual({ granted: false, retryAt: START + MINUTE })
      expect(await takeUntilRefused('background', START + MINUTE)).toBe(30)
    })

    it('looks without taking, and counts the calls to be left over', async () => {
      for (let at = 0; at < 40; at++) await budget.take('background', START + at)
      expect(await other.look(9, START + 100)).toEqual({ granted: true })
      expect(await other.look(10, START + 100)).toEqual({ granted: false, retryAt: START + MINUTE })
      expect(await other.left(START + 100)).toBe(10)
    })

    it('pauses for all until the platform wants to be asked again', async () => {
      await budget.pause(START + 5_000)
      await other.pause(START + 3_000)
      const refusal = { granted: false, retryAt: START + 5_000 }
      expect(await other.take('visitor', START)).toEqual(refusal)
      expect(await other.look(0, START)).toEqual(refusal)
      expect(await other.left(START)).toBe(0)
      expect(await budget.left(START + 5_000)).toBe(50)
      expect(await budget.take('background', START + 5_000)).toEqual({ granted: true })
    })

    it('is not dearer after a clock was set far back', async () => {
      await takeUntilRefused('background', START + 10 * MINUTE)
      expect(await takeUntilRefused('background', START)).toBe(50)
      expect((await budget.take('background', START + 1)).granted).toBe(false)
    })
  })
}
