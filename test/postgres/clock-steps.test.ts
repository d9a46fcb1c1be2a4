import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createPostgresQuotaStore } from '../../src/adapters/counters/postgres.ts'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { REQUESTS_PER_MINUTE } from '../../src/contract/quotas.ts'
import type { DuePack } from '../../src/ports/stats.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { addOwners, tempPostgresStore } from '../ports/temp-store.ts'
import { stepDatabaseClock } from '../support/postgres-clock.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const store = await tempPostgresStore()
const database = await stepDatabaseClock(store.url)
const [one, two] = await Promise.all([
  openPostgresStores(database.url, { size: 2, timeoutMs: 15_000 }),
  openPostgresStores(database.url, { size: 2, timeoutMs: 15_000 }),
])
afterEach(() => database.step(0))
afterAll(async () => {
  await one.care.close()
  await two.care.close()
  await database.restore()
  await store.remove()
})
await addOwners(one)

let players = 0
const newPlayer = (): string => `player ${(players += 1)}`

describe('quotas follow the clock of the database (D-53)', () => {
  const [here, there] = [createPostgresQuotaStore(one.run), createPostgresQuotaStore(two.run)]

  it.each([3 * HOUR, 10 * MINUTE, -10 * MINUTE, -3 * HOUR])(
    'a process whose own clock is %i ms off counts in the same windows as the others',
    async (off) => {
      const ada = newPlayer()
      const counts: number[] = []
      for (let turn = 0; turn < 10; turn += 1) {
        const quotas = turn % 2 === 0 ? here : there
        const now = turn % 2 === 0 ? Date.now() : Date.now() + off
        const { spent, resetMs } = await quotas.spend('packs', ada, false, now)
        expect(resetMs).toBeGreaterThan(0)
        expect(resetMs).toBeLessThanOrEqual(MINUTE)
        counts.push(spent.requests)
      }
      // A minute of the database's may have begun meanwhile; nothing else begins one.
      const starts = counts.filter((count) => count === 1)
      expect(starts.length).toBeLessThanOrEqual(2)
    },
  )

  it.each([3 * HOUR, 10 * MINUTE, -10 * MINUTE, -3 * HOUR])(
    'the database’s own clock jumps by %i ms and is put right: the quota is whole at once',
    async (jump) => {
      const ada = newPlayer()
      await database.step(jump)
      for (let count = 0; count <= REQUESTS_PER_MINUTE; count += 1) {
        await here.spend('packs', ada, true, Date.now())
      }
      await there.countFailure('packs', ada, Date.now())
      await there.countNewKey('packs', ada, Date.now())
      await database.step(0)
      expect(await there.spend('packs', ada, true, Date.now())).toMatchObject({
        spent: { requests: 1, writes: 1 },
        refused: null,
      })
      expect((await here.failures('packs', ada, Date.now())).count).toBe(0)
      const { count, resetMs } = await here.newKeys('packs', ada, Date.now())
      // Ten minutes may be less than a window of an hour.
      expect(count).toBeLessThanOrEqual(Math.abs(jump) < HOUR ? 1 : 0)
      expect(resetMs).toBeLessThanOrEqual(2 * HOUR)
    },
  )

  it('a minute back: nothing is given again, and two minutes later the quota is whole', async () => {
    const ada = newPlayer()
    await database.step(MINUTE)
    while ((await here.spend('packs', ada, false, Date.now())).refused === null);
    await database.step(0)
    const { refused, resetMs } = await there.spend('packs', ada, false, Date.now())
    expect(refused).toBe('requests')
    expect(resetMs).toBeLessThanOrEqual(2 * MINUTE)
    await database.step(2 * MINUTE)
    expect(await here.spend('packs', ada, false, Date.now())).toMatchObject({
      spent: { requests: 1 },
      refused: null,
    })
  })
})

it('what is older than a number of days is so by the clock of the database (D-53)', async () => {
  await database.step(-10 * MINUTE)
  const age = (await one.care.timeOf(0)) - (Date.now() - 10 * MINUTE)
  expect(Math.abs(age)).toBeLessThan(MINUTE)
})

describe('the stats of packs are due by the clock of the database (D-53)', () => {
  const done = { stats: null, dueAt: null, attempts: 0 }

  /**
   * What two processes find that are so many ms off, with times as their own clocks have them; what is due is so for a
   * minute, as the way to the database is part of the difference that they see.
   */
  const work = async (...off: readonly [here: number, there: number]): Promise<unknown[]> => {
    const found: unknown[] = []
    const [here, there] = [one, two].map((stores, at) => {
      const now = () => Date.now() + off[at]!
      const { statsWork } = stores
      return {
        ...stores,
        now,
        take: () => statsWork.takeDue(now(), now() + HOUR, 10),
        finish: (due: DuePack | undefined, dueInMs: number, againInMs = 0) => {
          const [dueAt, askAgainAt] = [now() + dueInMs, againInMs && now() + againInMs]
          return statsWork.finish(due!, { stats: null, attempts: 1, dueAt, askAgainAt })
        },
        async look(): Promise<void> {
          // However long each step takes; and 0 may be a little before or after.
          const inTens = (time: number | null) =>
            time && Math.abs(Math.round((time - now()) / (10 * MINUTE)))
          const { oldestDueAt, ...backlog } = await statsWork.backlog(now(), 3 * HOUR)
          found.push(inTens(await statsWork.nextDueAt(now())), inTens(oldestDueAt), backlog)
          found.push((await statsWork.backlog(now())).length)
        },
      }
    }) as [Worker, Worker]
    await here.packs.create(aNewPack({ createdAt: here.now(), updatedAt: here.now() }), null)
    await there.look()
    const [saved] = await there.take()
    found.push(saved?.attempt, await here.take())
    await here.look()
    await there.finish(saved, 2 * HOUR, -MINUTE)
    found.push(await here.take())
    await here.look()
    found.push(
      await here.statsWork.askAgain(here.now(), 10),
      await here.statsWork.markNext(here.now(), 10),
    )
    await here.statsWork.markDue(saved!.pack.slug, here.now())
    await there.look()
    const [marked] = await there.take()
    await there.finish(marked, -MINUTE, 2 * HOUR)
    found.push(await here.statsWork.askAgain(here.now(), 10))
    const [last] = await here.take()
    found.push(await here.statsWork.finish(last!, done), await there.take())
    return found
  }
  type Worker = typeof one & {
    now(): number
    take(): Promise<readonly DuePack[]>
    finish(due: DuePack | undefined, dueInMs: number, againInMs?: number): Promise<boolean>
    look(): Promise<void>
  }

  it.each([
    [10 * MINUTE, -10 * MINUTE],
    [-10 * MINUTE, 10 * MINUTE],
    [3 * HOUR, 0],
    [0, -3 * HOUR],
  ])('processes whose clocks are %i and %i ms off find the same as others', async (...off) => {
    expect(await work(...off)).toEqual(await work(0, 0))
  })
})
