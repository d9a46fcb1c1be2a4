import { stat, statfs } from 'node:fs/promises'
import { Gauge, Histogram, type Registry } from 'prom-client'
import type { StoreObserver } from '../../adapters/storage/engine.ts'
import type { StoreCare } from '../../ports/store.ts'

const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
]

/** Measures what the store takes of this process's time. */
export const storeMetrics = (registry: Registry): StoreObserver => {
  const registers = [registry]
  const statements = new Histogram({
    name: 'mapcrate_database_seconds',
    help: 'How long statements took, waiting for a connection not included.',
    buckets: SECONDS,
    registers,
  })
  const locks = new Histogram({
    name: 'mapcrate_write_lock_wait_seconds',
    help: 'How long writes waited for their lock, by what they write.',
    labelNames: ['scope'],
    buckets: SECONDS,
    registers,
  })
  return {
    onStatement: (tookMs) => statements.observe(tookMs / 1000),
    onLock: (scope, waitedMs) => locks.observe({ scope }, waitedMs / 1000),
  }
}

/** Measures the connections to a database, while there is one. */
export const connectionMetrics = (
  registry: Registry,
  { connections }: Pick<StoreCare, 'connections'>,
  most: number,
): void => {
  if (connections() === null) return
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number): void => {
    const own: Gauge = new Gauge({ name, help, registers, collect: () => own.set(read()) })
  }
  const prefix = 'mapcrate_database_connections'
  gauge(`${prefix}_open`, 'Connections to the database.', () => connections()?.open ?? 0)
  gauge(`${prefix}_in_use`, 'Connections that work is done over.', () => connections()?.inUse ?? 0)
  gauge(
    'mapcrate_database_calls_waiting',
    'Calls that wait for a connection.',
    () => connections()?.waiting ?? 0,
  )
  gauge(`${prefix}_limit`, 'Connections that this process may have.', () => most)
}

/** Measures the file that holds the store and the disk that it is on. */
export const fileMetrics = (registry: Registry, file: string): void => {
  const registers = [registry]
  const sizeOf = async (path: string): Promise<number> =>
    (await stat(path).catch(() => null))?.size ?? 0
  const bytes: Gauge = new Gauge({
    name: 'mapcrate_store_bytes',
    help: 'Size of the file that holds the store.',
    registers,
    collect: async () => bytes.set(await sizeOf(file)),
  })
  const log: Gauge = new Gauge({
    name: 'mapcrate_store_wal_bytes',
    help: 'Size of the write-ahead log of the store.',
    registers,
    collect: async () => log.set(await sizeOf(`${file}-wal`)),
  })
  const free: Gauge = new Gauge({
    name: 'mapcrate_disk_free_bytes',
    help: 'Bytes that the server may still write to the disk of the store.',
    registers,
    async collect() {
      const disk = await statfs(file).catch(() => null)
      if (disk !== null) free.set(disk.bavail * disk.bsize)
    },
  })
}
