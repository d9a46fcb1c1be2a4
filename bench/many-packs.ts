import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { StorePlace } from '../scripts/seed/open-bulk-store.ts'
import { type Database, startDatabase } from './database.ts'
import { benchSizes } from './endpoint-costs.ts'
import { residentMb, startService, stop } from './processes.ts'
import { atMost, median, report } from './report.ts'
import { openStore } from './seed.ts'
import { makeSized, megabytes, type Sized } from './sizes.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const PLAYERS = 3_000
const PAGE_SIZE = 50
const PAGES = 100

/** What many public packs cost: each endpoint against the size, the last page, the start, memory. */
export const benchManyOnSqlite = (folder: string): Promise<void> =>
  benchEngine('SQLite', null, async (name) => {
    const dataDir = join(folder, name)
    mkdirSync(dataDir, { recursive: true })
    return { dataDir, databaseUrl: null }
  })

/** The same in databases of one PostgreSQL. */
export const benchManyOnPostgres = async (folder: string): Promise<void> => {
  const database = await startDatabase(folder)
  try {
    await benchEngine('PostgreSQL', database, (name) => database.place(name))
  } finally {
    await database.stop()
  }
}

const benchEngine = async (
  engine: string,
  database: Database | null,
  newPlace: (name: string) => Promise<StorePlace>,
): Promise<void> => {
  const stores: Sized[] = []
  for (const packs of SIZES) {
    const begun = performance.now()
    stores.push(await makeSized(await newPlace(`packs_${packs}`), packs, PLAYERS))
    const seconds = (performance.now() - begun) / 1000
    report(`${engine}: seeding ${packs} packs`, `${seconds.toFixed(0)} s`, '', true)
  }
  const largest = stores.at(-1) as Sized
  await benchPages(engine, largest)
  await benchModeration(engine, stores)
  await benchStart(engine, largest)
  await benchSizes(engine, database, stores)
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const benchPages = async (engine: string, { place, packs }: Sized): Promise<void> => {
  const store = await openStore(place)
  const lastPage = packs / PAGE_SIZE
  const first: number[] = []
  const last: number[] = []
  // Each page once: none comes out of the read cache.
  for (let at = 0; at < PAGES; at++) {
    first.push(await timed(async () => store.packs.listPublic(1 + at, PAGE_SIZE)))
    last.push(await timed(async () => store.packs.listPublic(lastPage - at, PAGE_SIZE)))
  }
  await store.care.close()
  const [one, end] = [median(first), median(last)]
  const detail = `${one.toFixed(2)} ms and ${end.toFixed(2)} ms, uncached, with total`
  atMost(`${engine}: page ${lastPage} ÷ page 1`, end / one, 2, detail)
}

/** What a moderator looks for stands anywhere in a name: every pack is looked at. */
const benchModeration = async (engine: string, stores: readonly Sized[]): Promise<void> => {
  for (const { place, packs } of stores) {
    const store = await openStore(place)
    const look = (query: string) =>
      timed(async () => store.packs.listModerated({ query, only: null }, 1, PAGE_SIZE))
    const find = async (query: string) => {
      const times: number[] = []
      for (let round = 0; round < 3; round++) times.push(await look(query).catch(() => Number.NaN))
      return `${median(times).toFixed(0)} ms`
    }
    const found = `${await find('relay 7')}; the list ${await find('')}`
    await store.care.close()
    report(`${engine}: a moderator's search, ${packs} packs`, found, '', true)
  }
}

const benchStart = async (engine: string, store: Sized): Promise<void> => {
  const starts: number[] = []
  const memory: number[] = []
  for (let round = 0; round < 3; round++) {
    const service = await startService(store.place)
    starts.push(service.startMs / 1000)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    memory.push(residentMb(service.child))
    await stop(service.child)
  }
  const detail = `median of 3, ${store.packs} packs`
  atMost(`${engine}: start to first answer (s)`, median(starts), 1, detail)
  atMost(`${engine}: memory at rest (MB RSS)`, median(memory), 150, detail)
  const size = await megabytes(store)
  report(`${engine}: on the disk`, `${size.toFixed(0)} MB, ${store.packs} packs`, '', true)
}
