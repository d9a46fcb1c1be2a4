import { afterAll, afterEach, expect, it } from 'vitest'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { systemRandom } from '../../src/adapters/system.ts'
import { SYSTEM_ACCOUNT_ID } from '../../src/domain/accounts.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import type { Loop } from '../../src/worker/loop.ts'
import { startReleaseLoop } from '../../src/worker/releases.ts'
import { addOwners, tempPostgresStore } from '../ports/temp-store.ts'
import { stepDatabaseClock } from '../support/postgres-clock.ts'
import { releasedAs, scheduleRound } from '../support/scheduled-round.ts'
import { until } from '../support/until.ts'

const MINUTE = 60_000

const store = await tempPostgresStore()
const database = await stepDatabaseClock(store.url)
const open = () => openPostgresStores(database.url, { size: 3, timeoutMs: 15_000 })
const [one, two] = [await open(), await open()]
await addOwners(one)

const operator = { current: { notice: null, readOnly: null } }
const loops: Loop[] = []
const logged: unknown[] = []

/** A worker; its own clock is so many ms off. How often it has looked is in `looks`. */
const startWorker = ({ tournaments } = one, off = 0) => {
  const worker = { looks: 0, loop: null as unknown as Loop }
  const due: typeof tournaments.due = (...args) => {
    worker.looks += 1
    return tournaments.due(...args)
  }
  const ports = {
    tournaments: { ...tournaments, due },
    clock: { now: () => Date.now() + off },
    random: systemRandom,
  }
  const log = { warn: () => {}, error: (details: object) => void logged.push(details) }
  worker.loop = startReleaseLoop(ports, operator, log)
  loops.push(worker.loop)
  return worker
}

afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()))
  await database.step(0)
  expect(logged).toEqual([])
})
afterAll(async () => {
  await one.care.close()
  await two.care.close()
  await database.restore()
  await store.remove()
})

it('two workers release each round once, and none before its time (D-63)', async () => {
  const now = Date.now()
  const rounds = await Promise.all(
    Array.from({ length: 24 }, (_, at) =>
      scheduleRound(one, 'owner', now + 1_000 + (at % 3) * 400),
    ),
  )
  startWorker(one)
  startWorker(two)
  for (const round of rounds) {
    const { at, pack } = await until(() => releasedAs(one, round))
    expect(at).toBeGreaterThanOrEqual(round.releaseAt)
    expect(pack).toMatchObject({ version: 1, createdAt: at })
  }
  expect((await one.packs.listOwned(SYSTEM_ACCOUNT_ID, 1, 1)).total).toBe(rounds.length)
})

it.each([90 * MINUTE, -90 * MINUTE])(
  'a worker whose own clock is %i ms off releases by the clock of the database (D-63)',
  async (off) => {
    const round = await scheduleRound(one, 'owner', Date.now() + 60 * MINUTE)
    const worker = startWorker(one, off)
    await until(async () => worker.looks >= 2)
    await database.step(59 * MINUTE)
    const before = worker.looks
    worker.loop.wake()
    await until(async () => worker.looks >= before + 2)
    expect(await releasedAs(one, round)).toBeNull()
    await database.step(61 * MINUTE)
    expect(await until(() => releasedAs(one, round))).toMatchObject({ pack: { version: 1 } })
  },
)

it.each([90 * MINUTE, -90 * MINUTE])(
  'a process whose own clock is %i ms off schedules what is to come by the clock of the database (D-63)',
  async (off) => {
    const { slug, roundId } = await scheduleRound(one, 'owner', Date.now() + 60 * MINUTE)
    const { tournaments } = one
    const ports = { tournaments, clock: { now: () => Date.now() + off }, random: systemRandom }
    const schedule = (inMs: number) => {
      const at = new Date(Date.now() + inMs).toISOString()
      return releaseRound(ports, 'owner', slug, roundId, { at })
    }
    await expect(schedule(-MINUTE)).rejects.toMatchObject({ code: 'bad_request' })
    expect((await schedule(MINUTE)).round.releaseAt).toBeLessThan(Date.now() + 2 * MINUTE)
  },
)
