import { describe, expect, it } from 'vitest'
import { PollLoop } from '../../src/operations/poll-loop.ts'

/** A loop by a clock that is set by hand: `tick` is the end of the wait, if there is one. */
const looping = (poll: () => Promise<void>) => {
  const waits: { readonly ms: number; readonly work: () => void }[] = []
  const state = { isNeeded: true }
  const loop = new PollLoop((ms, work) => (waits.push({ ms, work }), () => {}), {
    everyMs: 200,
    isNeeded: () => state.isNeeded,
    poll,
  })
  const tick = async () => {
    waits.shift()?.work()
    await new Promise(setImmediate)
  }
  return { loop, state, tick, waits }
}

describe('what all who wait share', () => {
  it('is asked for each time the last poll has ended, and by nobody twice', async () => {
    let polls = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const { loop, tick, waits } = looping(async () => {
      polls += 1
      if (polls === 2) await promise
    })
    loop.start()
    loop.start()
    expect(waits.map(({ ms }) => ms)).toEqual([200])
    await tick()
    expect([polls, waits.length]).toEqual([1, 1])
    await tick()
    // The second takes its time.
    loop.start()
    expect([polls, waits.length]).toEqual([2, 0])
    resolve()
    await tick()
    expect([polls, waits.length]).toEqual([2, 1])
  })

  it('is asked for only while anybody waits', async () => {
    let polls = 0
    const { loop, state, tick, waits } = looping(async () => void (polls += 1))
    state.isNeeded = false
    loop.start()
    expect(waits).toEqual([])
    state.isNeeded = true
    loop.start()
    state.isNeeded = false
    await tick()
    expect([polls, waits.length]).toEqual([0, 0])
    state.isNeeded = true
    loop.start()
    await tick()
    expect([polls, waits.length]).toEqual([1, 1])
  })

  it('is asked for again when it could not be told', async () => {
    const { loop, tick, waits } = looping(async () => {
      throw new Error('the store is away')
    })
    loop.start()
    await tick()
    expect(waits).toHaveLength(1)
  })
})
