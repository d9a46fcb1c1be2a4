import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import { systemRandom } from '../../src/adapters/system.ts'
import { SYSTEM_ACCOUNT_ID } from '../../src/domain/accounts.ts'
import type { OperatorState } from '../../src/ports/store.ts'
import type { Loop } from '../../src/worker/loop.ts'
import { startReleaseLoop } from '../../src/worker/releases.ts'
import { addOwners, tempSqliteStore } from '../ports/temp-store.ts'
import { HandClock } from '../support/hand-clock.ts'
import {
  releasedAs,
  type ScheduledRound,
  scheduleRound,
  scheduleRounds,
} from '../support/scheduled-round.ts'

let store: Awaited<ReturnType<typeof tempSqliteStore>>
let stores: Stores
let clock: HandClock
let loop: Loop
let isAway: boolean
/** The rounds that cannot be released, and the tournaments of which none can. */
const broken = new Set<string>()
const logged: unknown[] = []
/** Transactions of releases. */
let transactions: number

type ChangeWithPacks = Parameters<Stores['tournaments']['changeWithPacks']>

const undecided: OperatorState = { notice: null, readOnly: null }
const operator = { current: undecided }

const start = () => {
  const { tournaments } = stores
  const ports = {
    clock,
    random: systemRandom,
    tournaments: {
      ...tournaments,
      due: (...args: Parameters<typeof tournaments.due>) =>
        isAway ? Promise.reject(new Error('away')) : tournaments.due(...args),
      changeWithPacks: (...[slug, savedBy, now, change]: ChangeWithPacks) => {
        transactions += 1
        return tournaments.changeWithPacks(slug, savedBy, now, (saved, at) => {
          const made = change(saved, at)
          const released = (made?.content?.rounds ?? []).filter((round) => round.released)
          const isBroken = broken.has(slug) || released.some(({ id }) => broken.has(id))
          if (isBroken) throw new Error('no room')
          return made
        })
      },
    },
  }
  const log = { warn: () => {}, error: (details: object) => void logged.push(details) }
  loop = startReleaseLoop(ports, operator, log)
}

const schedule = (inMs: number) => scheduleRound(stores, 'owner', clock.now() + inMs)
const released = (round: ScheduledRound) => releasedAs(stores, round)

/** Lets everything happen that waits for no timer. */
const settle = async (): Promise<void> => {
  for (let each = 0; each < 50; each++) await new Promise((resolve) => setImmediate(resolve))
}

/** Time passes, for the clock and for timers. */
const pass = async (ms: number): Promise<void> => {
  clock.advance(ms)
  vi.advanceTimersByTime(ms)
  await settle()
}

beforeEach(async () => {
  store = await tempSqliteStore()
  stores = await store.open()
  await addOwners(stores)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  clock = new HandClock()
  isAway = false
  operator.current = undecided
  broken.clear()
  logged.length = 0
  transactions = 0
})
afterEach(async () => {
  await loop.stop()
  vi.useRealTimers()
  await store.remove()
})

it('a round is released when its time has come, not a millisecond before, and once (D-63)', async () => {
  const round = await schedule(1_700)
  start()
  await settle()
  await pass(1_000)
  await pass(699)
  expect(await released(round)).toBeNull()
  await pass(1)
  const { packSlug, at } = (await released(round))!
  expect(at).toBe(round.releaseAt)
  for (let second = 0; second < 3; second += 1) await pass(1_000)
  const { rows: packs, total } = await stores.packs.listOwned(SYSTEM_ACCOUNT_ID, 1, 50)
  expect([packs.map(({ slug, version }) => [slug, version]), total]).toEqual([[[packSlug, 1]], 1])
  expect(logged).toEqual([])
})

it('what is scheduled meanwhile is found within a second', async () => {
  start()
  await settle()
  const round = await schedule(500)
  await pass(999)
  expect(await released(round)).toBeNull()
  await pass(1)
  expect(await released(round)).toMatchObject({ at: clock.now() })
})

it('what was due while nothing ran is released at the start, however much it is', async () => {
  const rounds = await Promise.all(Array.from({ length: 120 }, () => schedule(-5_000)))
  start()
  for (let turns = 0; turns < 20; turns += 1) await settle()
  for (const round of rounds) expect(await released(round)).toMatchObject({ at: clock.now() })
})

it('due rounds of one tournament are released in one transaction, each into a pack of its own', async () => {
  const rounds = await scheduleRounds(stores, 'owner', Array<number>(8).fill(clock.now()))
  start()
  for (let turns = 0; turns < 4; turns += 1) await settle()
  expect(transactions).toBe(1)
  const packs = await Promise.all(rounds.map(released))
  expect(new Set(packs.map((round) => round?.packSlug)).size).toBe(8)
  expect(packs).toEqual(packs.map(() => expect.objectContaining({ at: clock.now() })))
})

it('a round that cannot be released keeps no other of its tournament from it', async () => {
  const rounds = await scheduleRounds(stores, 'owner', Array<number>(3).fill(clock.now()))
  const [first, bad, last] = rounds
  broken.add(bad!.roundId)
  start()
  for (let turns = 0; turns < 4; turns += 1) await settle()
  expect(await released(first!)).not.toBeNull()
  expect(await released(bad!)).toBeNull()
  expect(await released(last!)).not.toBeNull()
  expect(logged).toMatchObject([{ roundId: bad!.roundId, attempt: 1 }])
  broken.clear()
  await pass(1_000)
  expect(await released(bad!)).not.toBeNull()
})

it('rounds that fail hold up no other, are logged, and tried again later each time', async () => {
  const rounds = await Promise.all(Array.from({ length: 60 }, () => schedule(-1_000)))
  for (const { slug } of rounds) broken.add(slug)
  const good = await schedule(0)
  start()
  for (let turns = 0; turns < 20; turns += 1) await settle()
  await pass(1_000)
  expect(await released(good)).not.toBeNull()
  const [first] = rounds
  const attemptsOf = (slug: string) =>
    logged.filter((each) => (each as { slug: string }).slug === slug).length
  const attempts: number[] = []
  for (let second = 0; second < 16; second += 1) {
    attempts.push(attemptsOf(first!.slug))
    await pass(1_000)
  }
  expect(new Set(attempts)).toEqual(new Set([2, 3, 4, 5]))
  expect(logged[0]).toMatchObject({ slug: first!.slug, roundId: first!.roundId, attempt: 1 })
  broken.clear()
  for (let second = 0; second < 60; second += 1) await pass(1_000)
  for (const round of rounds) expect(await released(round)).not.toBeNull()
})

it('while the operator lets nothing be changed, what is due waits, and is released when that ends (D-63)', async () => {
  operator.current = { notice: null, readOnly: { reason: null, since: clock.now() } }
  const [late, later] = [await schedule(-1_000), await schedule(2_500)]
  start()
  for (let second = 0; second < 5; second += 1) await pass(1_000)
  expect([await released(late), await released(later)]).toEqual([null, null])
  operator.current = undecided
  await pass(1_000)
  for (const round of [late, later]) {
    expect(await released(round)).toMatchObject({ at: clock.now() })
  }
  expect(logged).toEqual([])
})

it('it looks again after a store that was away', async () => {
  const round = await schedule(500)
  isAway = true
  start()
  await settle()
  expect(logged).toHaveLength(1)
  isAway = false
  await pass(1_000)
  expect(await released(round)).not.toBeNull()
})
