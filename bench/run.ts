// `npm run bench [reads] [beside-writes] [writes] [write-costs] [saves] [postgres] [many-packs] [search-index] [stats] [recompute] [history] [live] [watched] [pages]
// [one-address] [pictures] [side-by-side] [find]`: everything, or what is named. With `-- --in FOLDER` there, and the folder stays:
// many-packs goes on with what was seeded in it. With `-- --before FOLDER`, side-by-side, write-costs, watched and pages compare with it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
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

leaveServersAlone()
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { in: { type: 'string' }, before: { type: 'string' } },
})
const benches = {
  reads: benchReads,
  'beside-writes': benchBesideWrites,
  writes: benchWrites,
  'write-costs': (folder: string) => benchWriteCosts(folder, values.before),
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
  watched: (folder: string) => benchWatched(folder, values.before),
  pages: (folder: string) => benchPages(folder, values.before),
  'one-address': benchOneAddress,
  pictures: benchPictures,
  'side-by-side': (folder: string) => benchSideBySide(folder, values.before),
}
const isWanted = (name: string): boolean =>
  wanted.length === 0 || wanted.some((each) => `${name}-`.startsWith(`${each}-`))

for (const [name, bench] of Object.entries(benches)) {
  if (!isWanted(name)) continue
  if (values.in !== undefined) mkdirSync(values.in, { recursive: true })
  const folder = values.in ?? mkdtempSync(join(tmpdir(), 'mapcrate-bench-'))
  try {
    await bench(folder)
  } finally {
    if (values.in === undefined) rmSync(folder, { recursive: true, force: true })
  }
}
