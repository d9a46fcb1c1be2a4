import { countFrom } from '../scripts/arguments.ts'
import { SeededRandom } from '../scripts/seeded-random.ts'
import { SYSTEM_ACCOUNT_ID } from '../src/domain/accounts.ts'
import type { Stats } from '../src/contract/packs.ts'
import { canaries } from '../src/domain/ratings.ts'
import { createRatingRun } from '../src/worker/ratings.ts'
import { createStatsRun } from '../src/worker/stats.ts'
import { aNewPack } from '../test/ports/sample-pack.ts'
import { HandClock } from '../test/support/hand-clock.ts'
import { ScriptedPlatform } from '../test/support/scripted-platform.ts'
import { atMost, report } from './report.ts'
import { openStore, type Store } from './seed.ts'

const PACKS = countFrom('RECOMPUTE_PACKS', 10_000)
const HOUR = 3_600_000
const DAY = 24 * HOUR

/**
 * As in 154 pools of 23 tournaments: slots of a pool by bucket, and how beatmaps recur. 1,149 slots of theirs with HD, HR
 * or DT had 1,093 different beatmaps and mods, half of them 559 of 575: the frequencies below give the same.
 */
const PLAIN = ['NM', 'NM', 'NM', 'NM', 'NM', 'NM', 'NM', 'FM', 'FM', 'TB']
const RATED = ['HD', 'HD', 'HR', 'HR', 'DT', 'DT', 'DT']
const BEATMAPS = 100_000
const EXPONENT = 0.8
const OFFSET = 54

/**
 * How long a recomputation of all packs takes after a change of ratings (D-95), in time that is set by hand: the real
 * store and worker, and a platform that always answers.
 */
export const benchRecompute = async (folder: string): Promise<void> => {
  const store = await openStore(folder)
  const clock = new HandClock()
  const platform = new ScriptedPlatform({ callBudget: store.callBudget, clock })
  const log = {
    warn: () => {},
    error: (details: object) => process.stderr.write(`${JSON.stringify(details)}\n`),
  }
  const ports = { ...store, clock, platform }
  const [look, turn] = [createRatingRun(ports, log), createStatsRun(ports, log)]
  await seed(store, clock)

  for (let hours = 0; hours < 3; hours += 1) {
    await look()
    clock.advance(HOUR)
  }
  for (const { beatmapId, mods } of canaries) {
    for (const ruleset of ['base', 'taiko', 'fruits', 'mania']) {
      platform.ratings.set(`${beatmapId} ${ruleset} ${mods.join('')}`, { stars: 6.6 })
    }
  }
  clock.advance(DAY)
  platform.forgetCalls()
  const begun = clock.now()
  const perMinute = new Map<number, number>()
  platform.meanwhile = () => {
    const minute = Math.floor(clock.now() / 60_000)
    perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1)
  }
  await look()
  for (;;) {
    while ((await turn()) > 0);
    const [left, { total }] = [
      await store.statsWork.leftToMark(),
      await store.statsWork.backlog(clock.now()),
    ]
    if (left === 0 && total === 0) break
    const next = (await store.statsWork.nextDueAt(clock.now())) ?? Infinity
    const wait = Math.min(next - clock.now(), 10_000)
    clock.advance(Math.max(1, wait))
    if (clock.now() % 10_000 < wait) await look()
  }
  const hours = (clock.now() - begun) / HOUR
  const { ratingCalls, beatmapCalls } = platform
  const detail = `${ratingCalls.length} ratings, ${beatmapCalls.length} calls for beatmaps`
  atMost(`hours until ${PACKS} packs are recomputed`, hours, 24, detail)
  const most = Math.max(...perMinute.values())
  report('most calls in a minute', String(most), 'at most 40', most <= 40)
  await store.care.close()
}

const random = new SeededRandom(11)

/** Draws beatmaps, the first ones more often. */
const drawer = (): (() => number) => {
  const sums = new Float64Array(BEATMAPS)
  let sum = 0
  for (let at = 0; at < BEATMAPS; at += 1) sums[at] = sum += (at + 1 + OFFSET) ** -EXPONENT
  return () => {
    const wanted = random.next() * sum
    let [low, high] = [0, BEATMAPS - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

const stats: Stats = {
  srMin: 5,
  srMax: 6.5,
  srAvg: 5.5,
  lenMin: 80,
  lenMax: 120,
  bpmMin: 180,
  bpmMax: 270,
  mods: ['NM'],
  modes: ['base'],
  count: 17,
  complete: true,
  computedAt: '2026-01-01T00:00:00.000Z',
}

/** Packs whose stats are computed. A beatmap with mods has the same ones wherever it is. */
const seed = async ({ packs, statsWork }: Store, clock: HandClock): Promise<void> => {
  const draw = drawer()
  const now = clock.now()
  for (let at = 0; at < PACKS; at += 1) {
    const rated = RATED.map(() => {
      const beatmap = draw()
      return { mod: RATED[beatmap % RATED.length]!, beatmapId: beatmap + 1 }
    })
    const plain = PLAIN.map((mod) => ({ mod, beatmapId: BEATMAPS + draw() + 1 }))
    const slots = [...plain, ...rated].map((slot, index) => ({ ...slot, index: index + 1 }))
    const owned = { ownerId: SYSTEM_ACCOUNT_ID, createdAt: now + at, updatedAt: now + at }
    await packs.create(aNewPack({ ...owned, slots, stats }), null)
  }
  for (;;) {
    const due = await statsWork.takeDue(now + PACKS, now + PACKS + 60_000, 500)
    if (due.length === 0) break
    for (const each of due) {
      await statsWork.finish(each, { stats: null, dueAt: null, attempts: 0 })
    }
  }
  clock.advance(PACKS)
}
