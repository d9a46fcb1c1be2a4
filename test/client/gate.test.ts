import { describe, expect, it } from 'vitest'
import { Gate } from '../../src/client/quotas.ts'
import type { ClientTime } from '../../src/client/time.ts'

const NEVER = new AbortController().signal

/** A time that passes when it is told to. */
class ManualTime implements ClientTime {
  #now = 0
  #timers: { at: number; work: () => void }[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, work: () => void): () => void {
    const timer = { at: this.#now + ms, work }
    this.#timers.push(timer)
    return () => void (this.#timers = this.#timers.filter((each) => each !== timer))
  }

  get waiting(): number {
    return this.#timers.length
  }

  async pass(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined || next.at > end) break
      this.#now = next.at
      this.#timers = this.#timers.filter((each) => each !== next)
      next.work()
      await Promise.resolve()
    }
    this.#now = end
    await Promise.resolve()
  }
}

const open = () => {
  const time = new ManualTime()
  const gate = new Gate(time, true)
  let passed = 0
  const enter = (count = 1): void => {
    for (let n = 0; n < count; n += 1) {
      void gate.acquire(NEVER, () => {}).then(() => void (passed += 1))
    }
  }
  const answer = (remaining: number, resetSeconds: number): void => {
    gate.learn({ limit: 10, remaining, resetSeconds })
    gate.release()
  }
  return { time, gate, enter, answer, passed: () => passed }
}

describe('a gate', () => {
  it('lets one call find out where the quota stands, and the others wait for its answer', async () => {
    const { time, gate, enter, answer, passed } = open()
    expect(gate.quota()).toBeNull()
    enter(6)
    await time.pass(5_000)
    expect(passed()).toBe(1)
    answer(9, 40)
    await time.pass(0)
    expect(passed()).toBe(6)
    expect(gate.quota()).toEqual({ limit: 10, remaining: 4, resetSeconds: 40 })
  })

  it('lets another find out when the first had no answer', async () => {
    const { time, gate, enter, passed } = open()
    enter(3)
    await time.pass(0)
    gate.release()
    await time.pass(0)
    expect(passed()).toBe(2)
  })

  it('counts by itself what is under way, and believes an answer that tells of less', async () => {
    const { time, gate, enter, answer } = open()
    enter(4)
    await time.pass(0)
    answer(9, 60)
    await time.pass(0)
    answer(8, 60)
    expect(gate.quota()?.remaining).toBe(6)
    answer(3, 60)
    expect(gate.quota()?.remaining).toBe(3)
    answer(7, 60)
    expect(gate.quota()?.remaining).toBe(3)
  })

  it('begins anew with the window, by the clock alone', async () => {
    const { time, gate, enter, answer, passed } = open()
    enter()
    answer(0, 30)
    enter(3)
    await time.pass(29_999)
    expect(passed()).toBe(1)
    await time.pass(1)
    expect(passed()).toBe(4)
    expect(gate.quota()).toEqual({ limit: 10, remaining: 7, resetSeconds: 60 })
  })

  it('counts what is under way at the turn of the window into the new one', async () => {
    const { time, gate, enter, answer } = open()
    enter()
    answer(9, 30)
    enter(3)
    await time.pass(30_000)
    expect(gate.quota()?.remaining).toBe(7)
  })

  it('hears of a new window before its own clock says so', async () => {
    const { time, gate, enter, answer } = open()
    enter()
    answer(4, 2)
    await time.pass(1_500)
    enter()
    answer(9, 60)
    expect(gate.quota()).toEqual({ limit: 10, remaining: 9, resetSeconds: 60 })
  })

  it('takes no notice of a late answer out of the window before', async () => {
    const { time, gate, enter, answer } = open()
    enter()
    answer(5, 10)
    enter(2)
    await time.pass(12_000)
    expect(gate.quota()).toEqual({ limit: 10, remaining: 8, resetSeconds: 58 })
    answer(0, 1)
    expect(gate.quota()).toEqual({ limit: 10, remaining: 8, resetSeconds: 58 })
  })

  it('lets the last few go one at a time, evenly over the rest of the window', async () => {
    const { time, enter, answer, passed } = open()
    enter()
    answer(2, 30)
    enter(3)
    await time.pass(0)
    expect(passed()).toBe(2)
    await time.pass(20_000)
    expect(passed()).toBe(2)
    answer(1, 10)
    await time.pass(0)
    expect(passed()).toBe(3)
    answer(0, 10)
    await time.pass(9_999)
    expect(passed()).toBe(3)
    await time.pass(1)
    expect(passed()).toBe(4)
  })

  it('leaves no timer behind when those who waited give up', async () => {
    const { time, gate, enter, answer } = open()
    enter()
    answer(0, 60)
    const controller = new AbortController()
    const waiting = gate.acquire(controller.signal, () => {})
    expect(time.waiting).toBe(1)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(time.waiting).toBe(0)
  })
})
