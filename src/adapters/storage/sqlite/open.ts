import { sql } from 'kysely'
import type { StoreCare } from '../../../ports/store.ts'
import type { WorkMeter } from '../../../ports/system.ts'
import { probeRoom } from '../disk-room.ts'
import { observeLocks, type StoreObserver } from '../engine.ts'
import { createStores, type Stores } from '../stores.ts'
import { backupSqlite } from './backup.ts'
import { createSqliteEngine, type SqliteEngine } from './engine.ts'
import { openSqliteFile, SQLITE_MIGRATIONS, type SqliteFile } from './file.ts'
import { asUnavailable } from './watch.ts'

export type SqliteOptions = {
  /** For a request, while another process writes. */
  readonly timeoutMs?: number
  readonly migrations?: URL
  readonly observer?: StoreObserver | undefined
  /** Measures what statements cost the request that they are for; left out: nothing does. */
  readonly work?: WorkMeter
}

const TIMEOUT_MS = 3000

/**
 * Opens the store in this file, which several processes may do; what is missing is made and brought up
 * to date. Throws when the file cannot be opened or was made by a newer version.
 */
export async function openSqliteStores(
  path: string,
  { timeoutMs = TIMEOUT_MS, migrations = SQLITE_MIGRATIONS, observer, work }: SqliteOptions = {},
): Promise<Stores> {
  const file = await openSqliteFile(path, migrations, timeoutMs)
  const engine = createSqliteEngine(file, timeoutMs, observer, work)
  const care = createSqliteCare(path, file, engine)
  return createStores(observeLocks(engine, observer), care)
}

export function createSqliteCare(
  path: string,
  file: SqliteFile,
  { db, write, writer }: SqliteEngine,
): StoreCare {
  const { health } = file
  let checking: Promise<void> | null = null

  async function check(): Promise<void> {
    try {
      health.checkFiles()
      const system = db.selectFrom('account').select('id').where('game_id', 'is', null)
      await system.executeTakeFirstOrThrow()
      await tryToWrite()
      await health.probeDisk()
      if (!health.hasFailed) return
      // Only a write that is committed shows that the file and its log can be written again.
      await probeRoom({ write })
      health.hasFailed = false
    } catch (error) {
      throw asUnavailable(error, path)
    }
  }

  /** Not committed: that would cost a disk write and empty the read caches of every process. */
  async function tryToWrite(): Promise<void> {
    const attempt = await writer.startTransaction().execute()
    try {
      await sql`update account set created_at = created_at + 1 where game_id is null`.execute(
        attempt,
      )
    } finally {
      await attempt.rollback().execute()
    }
  }

  return {
    // Concurrent calls share one check.
    check: () =>
      (checking ??= check().finally(() => {
        checking = null
      })),

    timeOf: async (callerNow) => callerNow,

    connections: () => null,

    backup: (target) => backupSqlite(path, target),

    async close() {
      if (!file.writer.isOpen) return
      // The last connection that could write would remove the log under the file's name, which
      // belongs to the file that has replaced it.
      if (health.areFilesMoved()) {
        for (const database of [file.writer, file.reader]) database.close()
        return
      }
      // Queues after all writes, and ends when they are on the disk. If it cannot get the lock,
      // none of them can either.
      await write('packs', async () => {}).catch(() => {})
      await db.connection().execute(async () => file.reader.close())
      await writer.connection().execute(async () => {
        try {
          file.writer.exec('pragma optimize; pragma wal_checkpoint(truncate)')
        } catch {
          // What is committed is safe in the log; the next start copies it to the file.
        }
        file.writer.close()
      })
    },
  }
}
