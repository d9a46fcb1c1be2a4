// Runs every bench, or those that are named. With `--in FOLDER` there, and the folder stays: many-packs goes on with what
// was seeded in it. With `--before FOLDER`, side-by-side, write-costs, watched and pages compare with that checkout.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oneOf, readArguments } from '../scripts/arguments.ts'
import { benchBesideWrites } from './beside-writes.ts'
import { benchFindOnPostgres, benchFindOnSqlite } from './find.ts'
import { benchManyOnPostgres, benchManyOnSqlite } from './many-packs.ts'
import { benchHistory } from './history.ts'
import { benchOneAddress } from './one-address.ts'
import { benchPages } from './pages.ts'
import { benchPictures } from './pictures.ts'
import { benchPostgres } from './postgres.ts'
import { benchLive } from './live.ts'
import { leaveServersAlone } from './processes.ts'
import { benchReads } from './reads.ts'
import { benchRecompute } from './recompute.ts'
import { benchSaves } from './saves.ts'
import { benchSearchIndex } from './search-index.ts'
import { benchStats } from './stats.ts'
import { benchSideBySide } from './side-by-side.ts'
import { benchTournaments } from './tournaments.ts'
import { benchWatched } from './watched.ts'
import { benchWriteCosts } from './write-costs.ts'
import { benchWrites } from './writes.ts'

const benches = {
  reads: benchReads,
  'beside-writes': benchBesideWrites,
  writes: benchWrites,
  'write-costs': (folder: string) => benchWriteCosts(folder, wish.before),
  saves: benchSaves,
  postgres: benchPostgres,
  'many-packs-sqlite': benchManyOnSqlite,
  'many-packs-postgres': benchManyOnPostgres,
  'find-sqlite': benchFindOnSqlite,
  'find-postgres': benchFindOnPostgres,
  'search-index': benchSearchIndex,
  stats: benchStats,
  recompute: benchRecompute,
  history: benchHistory,
  tournaments: benchTournaments,
  live: benchLive,
  watched: (folder: string) => benchWatched(folder, wish.before),
  pages: (folder: string) => benchPages(folder, wish.before),
  'one-address': benchOneAddress,
  pictures: benchPictures,
  'side-by-side': (folder: string) => benchSideBySide(folder, wish.before),
}

/** `many-packs` means both `many-packs-sqlite` and `many-packs-postgres`. */
const isNamed = (name: string, given: string): boolean => `${name}-`.startsWith(`${given}-`)

const wish = readArguments(
  'npm run bench -- [NAME…] [--in FOLDER] [--before FOLDER]',
  { in: { type: 'string' }, before: { type: 'string' } },
  ({ values, positionals }) => {
    const names = Object.keys(benches)
    for (const given of positionals) {
      if (!names.some((name) => isNamed(name, given))) oneOf('NAME', given, names)
    }
    return { ...values, names: positionals }
  },
)

leaveServersAlone()
for (const [name, bench] of Object.entries(benches)) {
  if (wish.names.length > 0 && !wish.names.some((given) => isNamed(name, given))) continue
  if (wish.in !== undefined) mkdirSync(wish.in, { recursive: true })
  const folder = wish.in ?? mkdtempSync(join(tmpdir(), 'mapcrate-bench-'))
  try {
    await bench(folder)
  } finally {
    if (wish.in === undefined) rmSync(folder, { recursive: true, force: true })
  }
}
