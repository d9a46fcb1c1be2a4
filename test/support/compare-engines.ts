import { deepStrictEqual } from 'node:assert'
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { createMemoryQuotaStore } from '../../src/adapters/counters/memory.ts'
import { createPostgresQuotaStore } from '../../src/adapters/counters/postgres.ts'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { createSqliteEngine } from '../../src/adapters/storage/sqlite/engine.ts'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../../src/adapters/storage/sqlite/file.ts'
import { createSqliteCare } from '../../src/adapters/storage/sqlite/open.ts'
import { createStores } from '../../src/adapters/storage/stores.ts'
import { EMPTY_POSTGRES, EMPTY_SQLITE } from './empty-stores.ts'
import { type Step, steps, type Trial } from './engine-steps.ts'

const PATIENCE_MS = 5_000

const resultOf = async (step: Step, trial: Trial): Promise<unknown> => {
  try {
    // As it goes over a wire: whether a row has a prototype is no difference.
    return structuredClone(await step.run(trial))
  } catch (error) {
    // Engines word their refusals differently; what is not theirs is the same.
    return error instanceof Error && error.message === 'refused' ? 'refused' : 'failed'
  }
}

/**
 * Makes the same random calls on both engines and looks for a difference.
 *
 * @param file where the embedded store may stand; @param url of an empty database.
 * @param onSequence hears of each sequence that is done.
 * @returns how many calls were compared. Throws at the first difference, with the shortest way to it.
 */
export const compareEngines = async (
  { file, url }: { file: string; url: string },
  { sequences, seed, onSequence }: { sequences: number; seed?: number; onSequence?: () => void },
): Promise<number> => {
  const opened = await openSqliteFile(file, SQLITE_MIGRATIONS, PATIENCE_MS)
  // What a power cut would leave is tried elsewhere.
  opened.writer.exec('pragma synchronous = off')
  const engine = createSqliteEngine(opened, PATIENCE_MS)
  // As another process would: the store does not see what its own connection does past it.
  const emptier = new DatabaseSync(file)
  const sqlite = createStores(engine, createSqliteCare(file, opened, engine))
  const postgres = await openPostgresStores(url, { clock: 'caller', timeoutMs: null })
  let compared = 0

  const compare = async (sequence: readonly Step[]): Promise<void> => {
    emptier.exec(EMPTY_SQLITE)
    for (const statement of EMPTY_POSTGRES) await postgres.run(statement, [])
    const embedded: Trial = {
      stores: sqlite,
      quotas: createMemoryQuotaStore(sqlite.apiKeys),
    }
    const shared: Trial = {
      stores: postgres,
      quotas: createPostgresQuotaStore(postgres.run, {
        clock: 'caller',
        caches: postgres.caches,
      }),
    }
    for (const step of sequence) {
      const [expected, found] = await Promise.all([
        resultOf(step, embedded),
        resultOf(step, shared),
      ])
      deepStrictEqual(found, expected, `${step.name} on PostgreSQL`)
      compared += 1
    }
  }

  try {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        await compare(sequence)
        onSequence?.()
      }),
      { numRuns: sequences, ...(seed !== undefined && { seed }) },
    )
  } finally {
    emptier.close()
    await sqlite.care.close()
    await postgres.care.close()
  }
  return compared
}
