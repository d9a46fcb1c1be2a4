// `npm run bench [reads] [writes] [postgres] [many-packs] [search-index] [stats]`: everything, or what is named.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchManyPacks } from './many-packs.ts'
import { benchPostgres } from './postgres.ts'
import { leaveServersAlone } from './processes.ts'
import { benchReads } from './reads.ts'
import { benchSearchIndex } from './search-index.ts'
import { benchStats } from './stats.ts'
import { benchWrites } from './writes.ts'

leaveServersAlone()
const benches = {
  reads: benchReads,
  writes: benchWrites,
  postgres: benchPostgres,
  'many-packs': benchManyPacks,
  'search-index': benchSearchIndex,
  stats: benchStats,
}
const wanted = process.argv.slice(2)

for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const folder = mkdtempSync(join(tmpdir(), 'mapcrate-bench-'))
  try {
    await bench(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
