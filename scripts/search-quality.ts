// `npm run search-quality`: how often the search finds among its first three packs what people look for.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStores } from '../src/adapters/storage/sqlite/open.ts'
import { systemClock, systemRandom } from '../src/adapters/system.ts'
import { measureQuality } from '../test/search/quality.ts'
import { freeWork } from '../test/support/free-work.ts'

const folder = await mkdtemp(join(tmpdir(), 'mapcrate-search-'))
const stores = await openSqliteStores(join(folder, 'mapcrate.db'))
try {
  const ports = { ...stores, clock: systemClock, random: systemRandom, work: freeWork }
  const { queries, misses, byKind } = await measureQuality(ports)
  for (const { kind, queries: asked, misses: missed } of byKind) {
    console.log(`${kind.padEnd(28)}${String(asked - missed).padStart(4)} of ${asked}`)
  }
  const share = (100 * (queries - misses.length)) / queries
  console.log(
    `${'all'.padEnd(28)}${String(queries - misses.length).padStart(4)} of ${queries}: ${share.toFixed(1)} %`,
  )
  for (const { query, wanted, found } of misses) {
    console.log(
      `\n${query}\n  looked for: ${wanted}\n  found:      ${found.join(' | ') || 'nothing'}`,
    )
  }
} finally {
  await stores.care.close()
  await rm(folder, { recursive: true, force: true })
}
