import { Counter, Gauge, type Registry } from 'prom-client'
import { callerKind, PlatformTrouble } from '../../domain/platform.ts'
import type { CallBudget, Platform } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'

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
      if (error instanceof PlatformTrouble && error.retryAt === null) failures.inc({ question })
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
