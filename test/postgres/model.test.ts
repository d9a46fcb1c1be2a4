import { expect, it } from 'vitest'
import { tempPostgresStore, tempSqliteStore } from '../ports/temp-store.ts'
import { compareEngines } from '../support/compare-engines.ts'

/** A short count: `npm run compare-engines` makes 10,000. */
const SEQUENCES = 150

it('no random sequence of calls tells PostgreSQL from SQLite', async () => {
  const [sqlite, postgres] = [await tempSqliteStore(), await tempPostgresStore()]
  try {
    const compared = await compareEngines(
      { file: sqlite.file, url: postgres.url },
      { sequences: SEQUENCES },
    )
    expect(compared).toBeGreaterThan(SEQUENCES * 10)
  } finally {
    await sqlite.remove()
    await postgres.remove()
  }
})
