import { readFileSync } from 'node:fs'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import type { IndexShelf } from '../../operations/published-index.ts'

/** Gauges whose names end as those of counters do; each is the sum of another one. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

const manifest = new URL('../../../package.json', import.meta.url)

/** What this process is and what it is doing. */
export const processMetrics = (
  registry: Registry,
  engine: 'sqlite' | 'postgresql',
  shelf: IndexShelf,
): { readonly watchDraining: (isDraining: () => boolean) => void } => {
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)

  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
  const build = new Gauge({
    name: 'mapcrate_build_info',
    help: 'Always 1; its labels say what runs.',
    labelNames: ['version', 'node', 'engine'],
    registers,
  })
  build.set({ version, node: process.versions.node, engine }, 1)

  const builder: Gauge = new Gauge({
    name: 'mapcrate_index_builder',
    help: '1 in the process that builds the search index, 0 in others.',
    registers,
    collect: () => builder.set(shelf.isBuiltHere() ? 1 : 0),
  })

  let isDraining = () => false
  const draining: Gauge = new Gauge({
    name: 'mapcrate_draining',
    help: '1 from SIGTERM on, when no new requests should be sent here.',
    registers,
    collect: () => draining.set(isDraining() ? 1 : 0),
  })
  return {
    watchDraining: (ask) => {
      isDraining = ask
    },
  }
}
