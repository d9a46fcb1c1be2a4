import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { checkLists } from '../scripts/seed/check-lists.ts'
import { fillStore } from '../scripts/seed/fill-store.ts'
import { inputAt, slugAt } from '../scripts/seed/made-up-packs.ts'
import { makeScene } from '../scripts/seed/made-up-scene.ts'
import { openBulkStore, type StorePlace } from '../scripts/seed/open-bulk-store.ts'
import { progressLine } from '../src/cli/progress-line.ts'
import { systemClock } from '../src/adapters/system.ts'
import { StartupError } from '../src/main/startup-error.ts'
import { seedKeys, seedPacks } from './seed.ts'

/** A store of some size, with players who send requests. */
export type Sized = {
  readonly place: StorePlace
  readonly packs: number
  /** Keys of players; each has one pack of their own besides. */
  readonly keys: readonly string[]
  /** Each player's own pack. */
  readonly own: readonly string[]
}

/** Makes a store of so many packs, and counts it afterwards. */
export const makeSized = async (
  place: StorePlace,
  packs: number,
  players: number,
): Promise<Sized> => {
  const bulk = await openBulkStore(place)
  const line = progressLine(process.stderr)
  await fillStore(bulk, { packs, accounts: packs / 10 }, systemClock.now(), (done) =>
    line.show(`seeding ${done} of ${packs} packs`),
  ).catch((error: unknown) => {
    // It was measured before, and has what was saved meanwhile.
    if (!(error instanceof StartupError)) throw error
  })
  line.end()
  const before = await checkLists(bulk)
  await bulk.close()
  const keys = await seedKeys({ place }, players)
  const own = await seedPacks({ place }, players, (at) => inputAt(packs + at), {
    each: 1,
    statsOf: makeScene().statsOf,
  })
  const again = await openBulkStore(place)
  const counted = await checkLists(again)
  await again.close()
  if (counted !== before + players) throw new Error(`the list counts ${counted} packs`)
  return { place, packs, keys, own }
}

/** Slugs all over the store, `count` different ones. */
export const spread = ({ packs }: Sized, count: number): string[] =>
  Array.from({ length: count }, (_, at) => slugAt(Math.floor((at * packs) / count)))

/** What the store takes on the disk, MB. */
export const megabytes = async ({ place }: Sized): Promise<number> => {
  if (place.databaseUrl !== null) {
    const { engine, close } = await openBulkStore(place)
    const size = sql<{ size: number }>`select pg_database_size(current_database()) as size`
    const [row] = (await size.execute(engine.db)).rows
    await close()
    return (row?.size ?? 0) / 1e6
  }
  const file = join(place.dataDir, 'mapcrate.db')
  using database = new DatabaseSync(file)
  database.exec('pragma wal_checkpoint(truncate)')
  return statSync(file).size / 1e6
}
