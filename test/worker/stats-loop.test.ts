import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PackStore } from '../../src/ports/packs.ts'
import type { TournamentStore } from '../../src/ports/tournaments.ts'
import type { Loop } from '../../src/worker/loop.ts'
import { startStatsLoop, wakeOnSave } from '../../src/worker/stats.ts'
import { slotsOf, statsRig } from '../support/stats-rig.ts'

const loops: Loop[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(loops.splice(0).map((loop) => loop.stop()))
})

const start = (rig: ReturnType<typeof statsRig>): Loop => {
  const loop = startStatsLoop(rig.ports, rig.log)
  loops.push(loop)
  return loop
}

/** From a wake to the round that it begins. */
const GATHER_MS = 100

const isDone = (rig: ReturnType<typeof statsRig>, slug: string) => () =>
  rig.statsOf(slug)?.complete ?? false

/** Lets everything happen that waits for no timer. */
const settle = async (): Promise<void> => {
  for (let each = 0; each < 20; each++) await new Promise((resolve) => setImmediate(resolve))
}

describe('the loop', () => {
  it('spec 2.6 rule 4: computes what is due when it starts, and what is saved once it is woken', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const rig = statsRig()
    const before = rig.save(slotsOf('NM', 3, 1))
    const loop = start(rig)
    await settle()
    expect(isDone(rig, before)()).toBe(true)

    const after = rig.save(slotsOf('NM', 3, 1))
    loop.wake()
    await vi.advanceTimersByTimeAsync(GATHER_MS)
    await settle()
    expect(isDone(rig, after)()).toBe(true)
  })

  it('packs that are saved within a tenth of a second share a round, however many wake it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const rig = statsRig()
    const loop = start(rig)
    await settle()
    const takeDue = vi.spyOn(rig.statsWork, 'takeDue')
    const slugs: string[] = []
    for (let each = 0; each < 4; each++) {
      slugs.push(rig.save(slotsOf('NM', 3, 1)))
      loop.wake()
      await vi.advanceTimersByTimeAsync(GATHER_MS / 5)
      await settle()
    }
    expect(takeDue).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(GATHER_MS)
    await settle()
    expect(slugs.map((slug) => isDone(rig, slug)())).toEqual([true, true, true, true])
    expect(takeDue).toHaveBeenCalledOnce()
  })

  it('finds within a second what another process saved', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const rig = statsRig()
    start(rig)
    await settle()
    const slug = rig.save(slotsOf('NM', 3, 1))
    await settle()
    expect(isDone(rig, slug)()).toBe(false)
    await vi.advanceTimersByTimeAsync(1_000)
    await settle()
    expect(isDone(rig, slug)()).toBe(true)
  })

  it('a save while it is at work is not overlooked', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const rig = statsRig()
    const nextDueAt = rig.statsWork.nextDueAt.bind(rig.statsWork)
    let saved = ''
    rig.statsWork.nextDueAt = async (now) => {
      const next = await nextDueAt(now)
      if (saved === '') {
        saved = rig.save(slotsOf('NM', 3, 1))
        loop.wake()
      }
      return next
    }
    const loop = start(rig)
    await settle()
    await vi.advanceTimersByTimeAsync(GATHER_MS)
    await settle()
    expect(isDone(rig, saved)()).toBe(true)
  })

  it('wakes by itself when a pack falls due', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const rig = statsRig()
    const slug = rig.save(slotsOf('NM', 3, 1))
    Object.assign(rig.statsWork.row(slug), { dueAt: rig.clock.now() + 300 })
    start(rig)
    await settle()
    expect(isDone(rig, slug)()).toBe(false)
    rig.clock.advance(300)
    await vi.advanceTimersByTimeAsync(300)
    await settle()
    expect(isDone(rig, slug)()).toBe(true)
  })

  it('lets other work run between its turns', async () => {
    const rig = statsRig()
    for (let each = 0; each < 200; each++) rig.save(slotsOf('NM', 3, 1))
    let others = 0
    const otherWork = () => {
      if (rig.statsWork.settled.length === 200) return
      others += 1
      setImmediate(otherWork)
    }
    setImmediate(otherWork)
    start(rig)
    await expect.poll(() => rig.statsWork.settled.length).toBe(200)
    expect(others).toBeGreaterThan(10)
  })
})

describe('what fails', () => {
  it('the store: it is logged and tried again, later and later, and work goes on when it is back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const rig = statsRig()
    const slug = rig.save(slotsOf('NM', 3, 1))
    const broken = vi.fn(async () => {
      throw new Error('disk full')
    })
    rig.statsWork.takeDue = broken
    const loop = start(rig)
    await settle()
    const times: number[] = []
    for (let second = 0; second <= 70; second++) {
      while (times.length < broken.mock.calls.length) times.push(second)
      loop.wake()
      await vi.advanceTimersByTimeAsync(1_000)
      await settle()
    }
    expect(times).toEqual([0, 1, 3, 7, 15, 31, 61])
    expect(rig.said[0]).toMatch(/^error computing stats failed/)

    Reflect.deleteProperty(rig.statsWork, 'takeDue')
    await vi.advanceTimersByTimeAsync(30_000)
    await settle()
    expect(isDone(rig, slug)()).toBe(true)
  })
})

describe('stop', () => {
  it('finishes what is under way, and begins nothing more', async () => {
    const rig = statsRig()
    const slug = rig.save(slotsOf('DT', 9, 1))
    let answer = () => {}
    rig.platform.meanwhile = () => new Promise<void>((resolve) => (answer = resolve))
    const loop = start(rig)
    await settle()
    expect(rig.platform.calls).toBe(1)
    const stopped = loop.stop()
    answer()
    await stopped
    expect(rig.statsOf(slug)).toMatchObject({ lenMin: 80, complete: false })
    expect(rig.platform.calls).toBe(1)
    rig.save(slotsOf('NM', 3, 1))
    loop.wake()
    await settle()
    expect(rig.statsWork.settled).toEqual([slug])
  })

  it('begins no call any more', async () => {
    const rig = statsRig()
    for (let at = 0; at < 8; at++) rig.save(slotsOf('NM', 50, 1 + at * 50))
    const answers: (() => void)[] = []
    rig.platform.meanwhile = () => new Promise<void>((resolve) => void answers.push(resolve))
    const loop = start(rig)
    await settle()
    const stopped = loop.stop()
    for (const answer of answers) answer()
    await stopped
    expect(rig.platform.calls).toBe(4)
  })

  it('waits 5 seconds at most for a platform that does not answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const rig = statsRig()
    rig.save(slotsOf('NM', 3, 1))
    let answer = () => {}
    rig.platform.meanwhile = () => new Promise<void>((resolve) => (answer = resolve))
    const loop = start(rig)
    await settle()
    let isStopped = false
    void loop.stop().then(() => (isStopped = true))
    await vi.advanceTimersByTimeAsync(4_900)
    expect(isStopped).toBe(false)
    await vi.advanceTimersByTimeAsync(200)
    expect(isStopped).toBe(true)
    answer()
  })

  it('does not wait out a pause', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const rig = statsRig()
    const loop = start(rig)
    await settle()
    let isStopped = false
    void loop.stop().then(() => (isStopped = true))
    await settle()
    // No timer has ended.
    expect(isStopped).toBe(true)
  })
})

describe('wakeOnSave', () => {
  const packs = {
    create: async () => ({ outcome: 'full' }),
    replace: async () => null,
    read: async () => null,
  } as unknown as PackStore
  const tournaments = {
    change: async () => null,
    changeWithPacks: async () => null,
  } as unknown as TournamentStore

  it('calls at each save, when it is stored, and at nothing else', async () => {
    const wake = vi.fn()
    const heard = wakeOnSave({ packs, tournaments }, wake)
    await heard.packs.read('aaaaaaaaaa')
    await heard.tournaments.change('aaaaaaaaaa', null, 0, 0, () => ({}) as never)
    expect(wake).not.toHaveBeenCalled()
    await heard.packs.create({} as never, null)
    await heard.packs.replace('aaaaaaaaaa', 'owner', () => ({}) as never)
    await heard.tournaments.changeWithPacks('aaaaaaaaaa', null, 0, () => null)
    expect(wake).toHaveBeenCalledTimes(3)
  })

  it('passes on all that a save is called with, what it is named included', async () => {
    const create = vi.fn<PackStore['create']>(async () => ({ outcome: 'full' }))
    const once = { key: 'a', fingerprint: 'b', since: 0 }
    const heard = wakeOnSave({ packs: { ...packs, create }, tournaments }, () => {})
    await heard.packs.create({} as never, 9, once)
    expect(create).toHaveBeenCalledWith({}, 9, once)
  })

  it('passes on what a save throws, without calling', async () => {
    const wake = vi.fn()
    const failing = { ...packs, replace: () => Promise.reject(new Error('no')) } as PackStore
    const heard = wakeOnSave({ packs: failing, tournaments }, wake)
    await expect(heard.packs.replace('a', 'b', () => ({}) as never)).rejects.toThrow()
    expect(wake).not.toHaveBeenCalled()
  })
})
