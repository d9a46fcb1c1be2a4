import { describe, expect, it } from 'vitest'
import {
  FAILURES_PER_MINUTE,
  NEW_KEYS_PER_HOUR,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../../src/contract/quotas.ts'
import type { ServiceName } from '../../src/contract/services.ts'
import type { QuotaStore } from '../../src/ports/quotas.ts'

/** Empty counters, and the keys that they know. */
type CountersOnTrial = {
  readonly quotas: QuotaStore
  /** Gives the account a key in place of the one before; there are `ann` and `ben`. */
  readonly setKey: (service: ServiceName, accountId: string, hash: string) => Promise<unknown>
}

/** ms since the epoch at which so many minutes, or hours, have begun. */
const minute = (count: number): number => count * 60_000
const hour = (count: number): number => count * 3_600_000

/** What every QuotaStore does, by the clock of its caller. */
export const quotaStoreSuite = (engine: string, newStore: () => Promise<CountersOnTrial>): void => {
  describe(`QuotaStore on ${engine}`, () => {
    let setKey: CountersOnTrial['setKey']

    const open = async (): Promise<QuotaStore> => {
      const { quotas, ...keys } = await newStore()
      setKey = keys.setKey
      await setKey('packs', 'ann', 'hash-a')
      await setKey('packs', 'ben', 'hash-b')
      return quotas
    }

    it('admits requests up to the quota; refused ones do not count (spec 8)', async () => {
      const quotas = await open()
      for (let n = 1; n <= REQUESTS_PER_MINUTE; n += 1) {
        const admission = await quotas.admit('packs', 'hash-a', false, minute(100))
        const spent = { requests: n, writes: 0 }
        expect(admission).toEqual({ accountId: 'ann', spent, refused: null, resetMs: 60_000 })
      }
      for (let n = 0; n < 3; n += 1) {
        expect(await quotas.admit('packs', 'hash-a', n === 2, minute(100))).toEqual({
          accountId: 'ann',
          spent: { requests: REQUESTS_PER_MINUTE, writes: 0 },
          refused: 'requests',
          resetMs: 60_000,
        })
      }
    })

    it('lets a write over the write quota spend the request alone (D-8)', async () => {
      const quotas = await open()
      for (let n = 1; n <= WRITES_PER_MINUTE; n += 1) {
        expect(await quotas.admit('packs', 'hash-a', true, minute(100))).toMatchObject({
          spent: { requests: n, writes: n },
          refused: null,
        })
      }
      expect(await quotas.admit('packs', 'hash-a', true, minute(100))).toMatchObject({
        spent: { requests: WRITES_PER_MINUTE + 1, writes: WRITES_PER_MINUTE },
        refused: 'writes',
      })
      expect(await quotas.admit('packs', 'hash-a', false, minute(100))).toMatchObject({
        refused: null,
      })
    })

    it('counts for the account, not for the key, and each service alone (D-7)', async () => {
      const quotas = await open()
      await quotas.admit('packs', 'hash-a', true, minute(100))
      await setKey('packs', 'ann', 'hash-a2')
      await setKey('pools', 'ann', 'hash-a')
      expect(await quotas.admit('packs', 'hash-a', true, minute(100))).toBeNull()
      expect(await quotas.admit('packs', 'hash-a2', true, minute(100))).toMatchObject({
        spent: { requests: 2, writes: 2 },
      })
      expect(await quotas.admit('packs', 'hash-b', true, minute(100))).toMatchObject({
        spent: { requests: 1, writes: 1 },
      })
      expect(await quotas.admit('pools', 'hash-a', true, minute(100))).toMatchObject({
        spent: { requests: 1, writes: 1 },
      })
    })

    it('counts requests that come at once as if they came one after the other', async () => {
      const quotas = await open()
      await setKey('pools', 'ann', 'hash-p')
      const knocks = Array.from({ length: 50 }, (_, at) => [
        quotas.admit('packs', 'hash-a', at % 2 === 0, minute(100)),
        quotas.admit('packs', at % 5 ? `hash-${at}` : 'hash-b', false, minute(100)),
        quotas.admit('pools', 'hash-p', false, minute(100)),
      ])
      const admissions = await Promise.all(knocks.flat().map(async (knock) => knock))
      const of = (accountId: string, from: number) =>
        admissions.filter((each, at) => each?.accountId === accountId && at % 3 === from)
      const requestsOf = (list: typeof admissions) =>
        list.map((each) => each?.spent.requests ?? 0).toSorted((a, b) => a - b)
      const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
      expect(requestsOf(of('ann', 0))).toEqual(upTo(50))
      expect(of('ann', 0).filter((each) => each?.refused === 'writes')).toHaveLength(
        25 - WRITES_PER_MINUTE,
      )
      expect(requestsOf(of('ben', 1))).toEqual(upTo(10))
      expect(requestsOf(of('ann', 2))).toEqual(upTo(50))
      expect(admissions.filter((each) => each === null)).toHaveLength(40)
      expect(await quotas.spent('packs', 'ann', minute(100))).toEqual({
        requests: 50,
        writes: WRITES_PER_MINUTE,
        resetMs: 60_000,
      })
    })

    it('spends nothing for a key that nobody has', async () => {
      const quotas = await open()
      expect(await quotas.admit('packs', 'hash-x', true, minute(100))).toBeNull()
    })

    it('gives no snapshot that changes later', async () => {
      const quotas = await open()
      const first = await quotas.admit('packs', 'hash-a', false, minute(100))
      await quotas.admit('packs', 'hash-a', false, minute(100))
      expect(first?.spent).toEqual({ requests: 1, writes: 0 })
    })

    it('begins anew with each window, and never goes back to an earlier one', async () => {
      const quotas = await open()
      await quotas.admit('packs', 'hash-a', true, minute(100))
      expect((await quotas.admit('packs', 'hash-a', false, minute(101)))?.spent.requests).toBe(1)
      // The clock stepped back: the request counts in the latest window.
      expect((await quotas.admit('packs', 'hash-a', false, minute(100)))?.spent.requests).toBe(2)
      expect((await quotas.admit('packs', 'hash-a', false, minute(101)))?.spent.requests).toBe(3)
    })

    it('is exact under 200 concurrent requests', async () => {
      const quotas = await open()
      const admissions = await Promise.all(
        Array.from({ length: 200 }, async (_, at) =>
          quotas.admit('packs', 'hash-a', at % 2 === 0, minute(100)),
        ),
      )
      const admitted = admissions.filter((admission) => admission?.refused !== 'requests')
      expect(admitted).toHaveLength(REQUESTS_PER_MINUTE)
      const writes = admissions.map((admission) => admission?.spent.writes ?? 0)
      expect(Math.max(...writes)).toBe(WRITES_PER_MINUTE)
    })

    it('a counter that is ahead of the clock by more than one window counts as none (D-53)', async () => {
      const quotas = await open()
      for (const ahead of [2, 10, 180]) {
        const now = minute(1000 + ahead)
        for (let n = 0; n < REQUESTS_PER_MINUTE; n += 1) {
          await quotas.admit('packs', 'hash-a', n < WRITES_PER_MINUTE, now)
        }
        await quotas.countFailure('packs', '192.0.2.1', now)
        expect(await quotas.spent('packs', 'ann', minute(1000))).toMatchObject({ requests: 0 })
        expect((await quotas.failures('packs', '192.0.2.1', minute(1000))).count).toBe(0)
        expect(await quotas.admit('packs', 'hash-a', true, minute(1000))).toEqual({
          accountId: 'ann',
          spent: { requests: 1, writes: 1 },
          refused: null,
          resetMs: 60_000,
        })
        expect((await quotas.countFailure('packs', '192.0.2.1', minute(1000))).count).toBe(1)
      }
      for (const ahead of [2, 24]) {
        for (let n = 0; n <= NEW_KEYS_PER_HOUR; n += 1) {
          await quotas.countNewKey('packs', 'ann', hour(100 + ahead))
        }
        expect((await quotas.newKeys('packs', 'ann', hour(100))).count).toBe(0)
        expect(await quotas.countNewKey('packs', 'ann', hour(100))).toEqual({
          count: 1,
          resetMs: 3_600_000,
        })
      }
    })

    it('nobody waits for longer than two windows, wherever the clock jumps (D-53)', async () => {
      const quotas = await open()
      for (const jump of [1, -1, 3, -3, 180, -180, -1, 1]) {
        const from = minute(5_000)
        for (let n = 0; n < REQUESTS_PER_MINUTE; n += 1) {
          await quotas.admit('packs', 'hash-a', false, from + minute(jump))
        }
        // The clock is put right: after two of its minutes the quota is whole.
        await quotas.admit('packs', 'hash-a', false, from)
        const later = await quotas.admit('packs', 'hash-a', false, from + minute(2))
        expect(later).toMatchObject({ spent: { requests: 1 }, refused: null })
      }
    })

    it("counts the site's writes and the API's together (spec 8)", async () => {
      const quotas = await open()
      await quotas.admit('packs', 'hash-a', true, minute(100))
      expect(await quotas.spend('packs', 'ann', true, minute(100))).toEqual({
        accountId: 'ann',
        spent: { requests: 2, writes: 2 },
        refused: null,
        resetMs: 60_000,
      })
      for (let n = 3; n <= WRITES_PER_MINUTE; n += 1)
        await quotas.spend('packs', 'ann', true, minute(100))
      expect(await quotas.admit('packs', 'hash-a', true, minute(100))).toMatchObject({
        spent: { requests: WRITES_PER_MINUTE + 1, writes: WRITES_PER_MINUTE },
        refused: 'writes',
      })
      expect(await quotas.spend('packs', 'ann', true, minute(100))).toMatchObject({
        refused: 'writes',
      })
      expect(await quotas.spend('packs', 'ann', false, minute(100))).toMatchObject({
        refused: null,
      })
      expect(await quotas.spend('packs', 'ben', true, minute(100))).toMatchObject({ refused: null })
      expect(await quotas.spend('packs', 'ann', true, minute(101))).toMatchObject({ refused: null })
    })

    it('shows what an account has spent, without spending', async () => {
      const quotas = await open()
      const nothing = { requests: 0, writes: 0, resetMs: 60_000 }
      expect(await quotas.spent('packs', 'ann', minute(100))).toEqual(nothing)
      await quotas.spend('packs', 'ann', true, minute(100))
      await quotas.admit('packs', 'hash-a', false, minute(100))
      const two = { requests: 2, writes: 1, resetMs: 60_000 }
      expect(await quotas.spent('packs', 'ann', minute(100))).toEqual(two)
      expect(await quotas.spent('packs', 'ann', minute(100))).toEqual(two)
      expect(await quotas.spent('packs', 'ann', minute(99))).toEqual({ ...two, resetMs: 120_000 })
      expect(await quotas.spent('pools', 'ann', minute(100))).toEqual(nothing)
      expect(await quotas.spent('packs', 'ann', minute(101))).toEqual(nothing)
    })

    it('counts new keys in an hour to one over the quota, each service alone (D-41)', async () => {
      const quotas = await open()
      for (let n = 1; n <= NEW_KEYS_PER_HOUR + 1; n += 1) {
        expect((await quotas.newKeys('packs', 'ann', hour(7))).count).toBe(n - 1)
        expect((await quotas.countNewKey('packs', 'ann', hour(7))).count).toBe(n)
      }
      expect((await quotas.countNewKey('packs', 'ann', hour(7))).count).toBe(NEW_KEYS_PER_HOUR + 1)
      expect((await quotas.newKeys('packs', 'ann', hour(7))).count).toBe(NEW_KEYS_PER_HOUR)
      expect((await quotas.countNewKey('pools', 'ann', hour(7))).count).toBe(1)
      expect((await quotas.countNewKey('packs', 'ben', hour(7))).count).toBe(1)
      // An hour is no minute: other counters go on, and the clock does not go back.
      await quotas.spend('packs', 'ann', true, minute(7 * 60 + 59))
      expect((await quotas.newKeys('packs', 'ann', hour(6))).count).toBe(NEW_KEYS_PER_HOUR)
      expect((await quotas.countNewKey('packs', 'ann', hour(8))).count).toBe(1)
      expect((await quotas.countNewKey('packs', 'ann', hour(7))).count).toBe(2)
    })

    it('counts new keys exactly when they come at once', async () => {
      const quotas = await open()
      const counts = await Promise.all(
        Array.from({ length: 30 }, () => quotas.countNewKey('packs', 'ann', hour(7))),
      )
      expect(counts.filter(({ count }) => count <= NEW_KEYS_PER_HOUR)).toHaveLength(
        NEW_KEYS_PER_HOUR,
      )
    })

    it('counts a new key back that was not made; those refused beyond the quota are none (D-41)', async () => {
      const quotas = await open()
      const uncount = () => quotas.uncountNewKey('packs', 'ann', hour(7))
      await uncount()
      expect((await quotas.newKeys('packs', 'ann', hour(7))).count).toBe(0)
      for (let n = 0; n < NEW_KEYS_PER_HOUR + 3; n += 1) {
        await quotas.countNewKey('packs', 'ann', hour(7))
      }
      await quotas.countNewKey('pools', 'ann', hour(7))
      await Promise.all([uncount(), uncount()])
      expect((await quotas.newKeys('packs', 'ann', hour(7))).count).toBe(NEW_KEYS_PER_HOUR - 2)
      expect((await quotas.countNewKey('packs', 'ann', hour(7))).count).toBe(NEW_KEYS_PER_HOUR - 1)
      expect((await quotas.newKeys('pools', 'ann', hour(7))).count).toBe(1)
      await quotas.uncountNewKey('packs', 'ann', hour(8))
      expect((await quotas.newKeys('packs', 'ann', hour(8))).count).toBe(0)
    })

    it('counts failed attempts of an address to one over the quota (D-5)', async () => {
      const quotas = await open()
      expect((await quotas.failures('packs', '192.0.2.1', minute(100))).count).toBe(0)
      for (let n = 1; n <= FAILURES_PER_MINUTE + 1; n += 1) {
        expect((await quotas.countFailure('packs', '192.0.2.1', minute(100))).count).toBe(n)
      }
      expect((await quotas.countFailure('packs', '192.0.2.1', minute(100))).count).toBe(
        FAILURES_PER_MINUTE + 1,
      )
      expect((await quotas.failures('packs', '192.0.2.1', minute(100))).count).toBe(
        FAILURES_PER_MINUTE + 1,
      )
      expect((await quotas.failures('packs', '192.0.2.2', minute(100))).count).toBe(0)
      expect((await quotas.failures('pools', '192.0.2.1', minute(100))).count).toBe(0)
      expect((await quotas.failures('packs', '192.0.2.1', minute(101))).count).toBe(0)
      expect((await quotas.countFailure('packs', '192.0.2.1', minute(101))).count).toBe(1)
      expect((await quotas.countFailure('packs', '192.0.2.1', minute(100))).count).toBe(2)
    })
  })
}
