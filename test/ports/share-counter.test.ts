import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Settled, ShareCounter, shareWindowsMs } from '../../src/adapters/counters/memory.ts'
import { shareKinds } from '../../src/ports/quotas.ts'

// The counter of one process, which settles with a database that answers when it likes.

const LIMIT = 20
const NOW = 1_800_000_000_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A database that one process alone settles with: it counts in windows of the caller's clock. */
function slowDatabase() {
  const sums = new Map<string, number>()
  const pending: (() => void)[] = []
  const settle: ConstructorParameters<typeof ShareCounter>[0] = (spendings, now) => {
    const settled = spendings.map(({ kind, service, name, spent }): Settled => {
      const windowMs = shareWindowsMs[kind]
      const window = Math.floor(now / windowMs)
      const key = `${kind} ${name} ${window}`
      sums.set(key, Math.max(0, (sums.get(key) ?? 0) + spent))
      return { kind, service, name, spent: sums.get(key)!, resetMs: (window + 1) * windowMs - now }
    })
    return new Promise((resolve) => pending.push(() => resolve(settled)))
  }
  return { settle, answerOne: () => pending.shift()?.() }
}

const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ spend: fc.integer({ min: -3, max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ windows: fc.constantFrom(0.004, 0.02, 0.3, 1) }) },
  { weight: 3, arbitrary: fc.constant('answer' as const) },
)

test.each(shareKinds)(
  'D-53, D-56: a share of %s is exact in one process, however late the database answers',
  async (kind) => {
    const seen = { refused: 0, windows: 0, answers: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 20, maxLength: 80, size: 'max' }),
        async (steps) => {
          const { settle, answerOne } = slowDatabase()
          const counter = new ShareCounter(settle)
          const name = { kind, service: 'packs', name: 'account a' } as const
          let now = NOW
          let window = -1
          let spent = 0
          for (const step of steps) {
            if (step === 'answer') {
              answerOne()
              seen.answers += 1
              for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
              continue
            }
            if ('windows' in step) {
              const waitMs = step.windows * shareWindowsMs[kind]
              now += waitMs
              await vi.advanceTimersByTimeAsync(waitMs)
              continue
            }
            if (Math.floor(now / shareWindowsMs[kind]) !== window) {
              window = Math.floor(now / shareWindowsMs[kind])
              spent = 0
              seen.windows += 1
            }
            const share = counter.spend(name, step.spend, LIMIT, now)
            expect(share).toEqual({
              isRefused: spent >= LIMIT,
              spent,
              resetMs: (window + 1) * shareWindowsMs[kind] - now,
            })
            if (share.isRefused) seen.refused += 1
            else spent = Math.max(0, spent + step.spend)
          }
        },
      ),
      { numRuns: 200 },
    )
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(200)
  },
)
