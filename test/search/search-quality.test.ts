import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemRandom } from '../../src/adapters/system.ts'
import { freeWork } from '../support/free-work.ts'
import { HandClock } from '../support/hand-clock.ts'
import { openTestStores } from '../support/test-stores.ts'
import { measureQuality } from './quality.ts'

// `npm run search-quality` prints the queries that miss.
test('95 of 100 queries find what they look for among the first three of 1,000 packs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-search-'))
  const { stores, close } = await openTestStores(join(folder, 'mapcrate.db'))
  try {
    const ports = { ...stores, clock: new HandClock(), random: systemRandom, work: freeWork }
    const { queries, misses, byKind } = await measureQuality(ports)
    expect(queries).toBeGreaterThanOrEqual(200)
    console.log(`found in the first three: ${queries - misses.length} of ${queries}`)
    expect(misses.length / queries).toBeLessThanOrEqual(0.05)
    // No kind is bad for the others being good.
    for (const { kind, queries: asked, misses: missed } of byKind) {
      expect(missed / asked, kind).toBeLessThanOrEqual(0.1)
    }
  } finally {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
})
