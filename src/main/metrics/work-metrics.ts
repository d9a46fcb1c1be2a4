import { Gauge, type Registry } from 'prom-client'
import { indexCodings, type IndexShelf } from '../../operations/published-index.ts'
import type { StatsWork } from '../../ports/stats.ts'
import type { Clock } from '../../ports/system.ts'

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
export const indexMetrics = (registry: Registry, clock: Clock, shelf: IndexShelf): void => {
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
      const index = shelf.current()
      if (index === null) return
      const now = clock.now()
      age.set(Math.max(0, now - (shelf.freshAt() ?? index.builtAt)) / 1000)
      packs.set(index.packs)
      for (const coding of indexCodings) bytes.set({ coding }, index.files[coding].bytes.length)
    },
  })
}
