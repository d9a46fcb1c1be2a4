import { setTimeout as pause } from 'node:timers/promises'
import type { StorePlace } from '../scripts/seed/open-bulk-store.ts'
import { startDatabase } from './database.ts'
import { freePorts, startService } from './processes.ts'
import { atMost, median } from './report.ts'

/** What comes is waited for so often. */
const ROUNDS = 60
/** For how long the statements are counted. */
const COUNTED_MS = 5_000

type BenchOn = (engine: string, place: StorePlace, processes: 1 | 2) => Promise<void>

/** One process on SQLite, then two on PostgreSQL. */
export const onBothEngines = async (folder: string, benchOn: BenchOn): Promise<void> => {
  await benchOn('SQLite', { dataDir: folder, databaseUrl: null }, 1)
  const database = await startDatabase(folder)
  try {
    await benchOn('PostgreSQL', await database.place('mapcrate'), 2)
  } finally {
    await database.stop()
  }
}

/** Starts so many processes; `countStatements` counts those of the first in five seconds. */
export const startServices = async (place: StorePlace, processes: 1 | 2) => {
  const [metricsPort = 0] = await freePorts(1)
  const one = await startService(place, undefined, { METRICS_PORT: String(metricsPort) })
  const services = [one, ...(processes === 2 ? [await startService(place)] : [])]

  const statements = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return Number(/^mapcrate_database_seconds_count (\d+)/m.exec(text)?.[1])
  }

  const countStatements = async (): Promise<number> => {
    const before = await statements()
    await pause(COUNTED_MS)
    return (await statements()) - before
  }
  return { one, services, countStatements }
}

type Latency = {
  readonly what: string
  readonly mostSeconds: number
  /** Begins to wait; what it returns resolves when a save has come. */
  readonly wait: () => () => Promise<void>
  readonly save: () => Promise<void>
}

/** From the moment in which a save is sent until it has come to who waits for it. */
export const benchLatency = async ({ what, mostSeconds, wait, save }: Latency): Promise<void> => {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const hasCome = wait()
    await pause(150 + Math.random() * 200)
    const begun = performance.now()
    await save()
    await hasCome()
    times.push(performance.now() - begun)
  }
  const detail = `${ROUNDS} saves, median ${(median(times) / 1_000).toFixed(2)}`
  atMost(`${what}, s`, Math.max(...times) / 1_000, mostSeconds, detail)
}
