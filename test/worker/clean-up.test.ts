import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startCleanUp } from '../../src/worker/clean-up.ts'
import type { OperatorState } from '../../src/ports/store.ts'
import type { Loop } from '../../src/worker/loop.ts'
import { HandClock } from '../support/hand-clock.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('what the platform has said and nobody has asked for in a long time', () => {
  let clock: HandClock
  let loop: Loop
  let left: number
  let fails: boolean
  const asked: (readonly [number, number])[] = []
  const forgotten: number[] = []
  const forgottenOfTournaments: number[] = []
  const removed: number[] = []
  const errors: unknown[] = []

  const beatmapCache = {
    forget: async (before: number, goneBefore: number) => {
      asked.push([before, goneBefore])
      if (fails) throw new Error('the disk is full')
      left -= 1
      return left > 0
    },
  }
  const changes = {
    forget: async (before: number) => {
      forgotten.push(before)
      return forgotten.length < 3
    },
  }
  const tournamentChanges = {
    forget: async (before: number) => {
      forgottenOfTournaments.push(before)
      return forgottenOfTournaments.length < 3
    },
  }
  const tournaments = {
    forgetDeletedRounds: async (before: number) => {
      removed.push(before)
      return removed.length < 2
    },
  }
  const deletions: number[] = []
  const announcements = {
    forgetDeletions: async (before: number) => {
      deletions.push(before)
      return deletions.length < 2
    },
  }
  const undecided: OperatorState = { notice: null, readOnly: null }
  const operator = { current: undecided }
  const start = () => {
    const log = { error: (what: unknown) => errors.push(what), warn: () => {} }
    loop = startCleanUp(
      {
        suspensions: { finishSuspensions: async () => false },
        beatmapCache,
        changes,
        tournamentChanges,
        tournaments,
        announcements,
        clock: { now: () => clock.now() + 400 * DAY_MS },
        // Its own clock is wrong (D-82).
        care: { timeOf: async () => clock.now() },
      },
      operator,
      log,
    )
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    clock = new HandClock()
    left = 3
    fails = false
    operator.current = undecided
    asked.length = 0
    forgotten.length = 0
    forgottenOfTournaments.length = 0
    removed.length = 0
    deletions.length = 0
    errors.length = 0
  })
  afterEach(async () => {
    await loop.stop()
    vi.useRealTimers()
  })

  it('is forgotten at the start, slice by slice, and each hour', async () => {
    start()
    await vi.waitFor(() => expect(asked).toHaveLength(3))
    const now = clock.now()
    expect(asked[0]).toEqual([now - 90 * DAY_MS, now - 2 * DAY_MS])
    clock.advance(HOUR_MS)
    left = 1
    vi.advanceTimersByTime(HOUR_MS)
    await vi.waitFor(() => expect(asked).toHaveLength(4))
    expect(asked[3]).toEqual([now + HOUR_MS - 90 * DAY_MS, now + HOUR_MS - 2 * DAY_MS])
  })

  it('changes are deleted after 30 days, in portions (D-73, D-89)', async () => {
    start()
    await vi.waitFor(() => expect(asked).toHaveLength(3))
    const portions = Array.from({ length: 3 }, () => clock.now() - 30 * DAY_MS)
    expect(forgotten).toEqual(portions)
    expect(forgottenOfTournaments).toEqual(portions)
  })

  it('announcements of deletions go after four days, with their addresses (D-97)', async () => {
    start()
    await vi.waitFor(() => expect(asked).toHaveLength(3))
    expect(deletions).toEqual(Array.from({ length: 2 }, () => clock.now() - 4 * DAY_MS))
  })

  it('stays when the store fails: that is logged, and tried again an hour later', async () => {
    fails = true
    start()
    await vi.waitFor(() => expect(errors).toHaveLength(1))
    fails = false
    vi.advanceTimersByTime(HOUR_MS)
    await vi.waitFor(() => expect(asked).toHaveLength(4))
  })

  it('stays while the operator lets nothing be changed, and goes within a minute after that', async () => {
    operator.current = { notice: null, readOnly: { reason: null, since: 0 } }
    start()
    await new Promise((resolve) => setImmediate(resolve))
    expect([asked, removed]).toEqual([[], []])
    operator.current = undecided
    vi.advanceTimersByTime(60_000)
    await vi.waitFor(() => expect(asked).toHaveLength(3))
  })

  it('is not begun any more once the loop is stopped', async () => {
    left = Infinity
    start()
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(2))
    await loop.stop()
    const before = asked.length
    vi.advanceTimersByTime(HOUR_MS)
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toHaveLength(before)
  })
})
