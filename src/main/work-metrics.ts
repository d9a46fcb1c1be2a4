import { Counter, Gauge, type Registry } from 'prom-client'
import { callerKind, PlatformError } from '../domain/platform.ts'
import { indexCodings, type PublishedIndexCache } from '../operations/search-index.ts'
import type { CallBudget, Platform } from '../ports/platform.ts'
import type { StatsWork } from '../ports/stats.ts'
import type { Clock } from '../ports/system.ts'

/** How much stats work waits; the same from each process. */
export const statsMetrics = (registry: Registry, clock: Clock, work: StatsWork): void => {
  const registers = [registry]
  const age = new Gauge({
    name: 'mapcrate_stats_oldest_due_seconds',
    help: 'Since when the longest waiting pack is due; 0 when none is.',
    registers,
  })
  const total = new Gauge({
    name: 'mapcrate_stats_unfinished',
    help: 'Packs whose stats are not complete: due, under way, or to be tried again later.',
    registers,
  })
  const due: Gauge = new Gauge({
    name: 'mapcrate_stats_due',
    help: 'Packs whose stats are due now.',
    registers,
    async collect() {
      const now = clock.now()
      const backlog = await work.backlog(now)
      due.set(backlog.length)
      age.set(Math.max(0, now - (backlog.oldestDueAt ?? now)) / 1000)
      total.set(backlog.total)
    },
  })
}

/** What this process serves as the search index. */
export const indexMetrics = (
  registry: Registry,
  clock: Clock,
  indexCache: PublishedIndexCache,
): void => {
  const registers = [registry]
  const packs = new Gauge({
    name: 'mapcrate_index_packs',
    help: 'Packs in the search index.',
    registers,
  })
  const bytes = new Gauge({
    name: 'mapcrate_index_bytes',
    help: 'Size of the search index, by content coding.',
    labelNames: ['coding'],
    registers,
  })
  const age: Gauge = new Gauge({
    name: 'mapcrate_index_age_seconds',
    help: 'How long ago the search index was known to show everything.',
    registers,
    collect() {
      const index = indexCache.current()
      if (index === null) return
      const now = clock.now()
      age.set(Math.max(0, now - (indexCache.freshAt() ?? index.builtAt)) / 1000)
      packs.set(index.packs)
      for (const coding of indexCodings) bytes.set({ coding }, index.files[coding].bytes.length)
    },
  })
}

/** Counts this process's calls to the platform; the budget left is that of all processes. */
export const platformMetrics = (registry: Registry, clock: Clock, budget: CallBudget) => {
  const registers = [registry]
  const calls = new Counter({
    name: 'mapcrate_platform_calls_total',
    help: 'Calls made to the game platform, by who waits for them.',
    labelNames: ['caller'],
    registers,
  })
  const refusals = new Counter({
    name: 'mapcrate_platform_budget_refusals_total',
    help: 'Calls that were not made because the budget was spent or the platform asked to wait.',
    labelNames: ['caller'],
    registers,
  })
  const failures = new Counter({
    name: 'mapcrate_platform_failures_total',
    help: 'Questions to the platform that it did not answer, or not with anything to rely on.',
    labelNames: ['question'],
    registers,
  })
  const gauge: Gauge = new Gauge({
    name: 'mapcrate_platform_budget_left',
    help: 'Calls left in the last 60 seconds, of 50; 0 while the platform asked to wait.',
    registers,
    collect: async () => gauge.set(await budget.left(clock.now())),
  })
  for (const caller of ['background', 'visitor', 'sign-in']) {
    calls.inc({ caller }, 0)
    refusals.inc({ caller }, 0)
  }

  const watched = async <T>(question: string, asking: Promise<T>): Promise<T> => {
    try {
      return await asking
    } catch (error) {
      if (error instanceof PlatformError && error.retryAt === null) failures.inc({ question })
      throw error
    }
  }

  return {
    /** The budget, counting what it gives and what it refuses. */
    watchBudget: (counted: CallBudget): CallBudget => ({
      ...counted,
      async take(caller, now, count = 1) {
        const leave = await counted.take(caller, now, count)
        ;(leave.granted ? calls : refusals).inc({ caller: callerKind(caller) }, count)
        return leave
      },
    }),

    /** The platform, counting what it does not answer. */
    watchPlatform: (platform: Platform): Platform => ({
      ...platform,
      readBeatmaps: (ids, caller) => watched('beatmaps', platform.readBeatmaps(ids, caller)),
      readRating: (key, caller) => watched('rating', platform.readRating(key, caller)),
      readPlayer: (code, redirectUri) => watched('player', platform.readPlayer(code, redirectUri)),
    }),
  }
}
