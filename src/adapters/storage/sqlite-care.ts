import type { DatabaseSync } from 'node:sqlite'
import type { StoreCare } from '../../ports/store.ts'
import { backupSqlite } from './sqlite-backup.ts'
import type { SqliteEngine } from './sqlite-engine.ts'
import type { SqliteFile } from './sqlite-file.ts'
import { asUnavailable, probeRoom } from './store-check.ts'

const closeAll = (databases: readonly DatabaseSync[]): void => {
  for (const database of databases) database.close()
}

/** Looks after a store in a file. */
export const createSqliteCare = (
  path: string,
  file: SqliteFile,
  { db, write, writer }: SqliteEngine,
): StoreCare => {
  const { health } = file
  let checking: Promise<void> | null = null

  const check = async (): Promise<void> => {
    health.checkFiles()
    const system = db.selectFrom('account').select('id').where('game_id', 'is', null)
    await system.executeTakeFirstOrThrow()
    // Taking the write lock and touching a page fails on a file that cannot be written. It is not
    // committed: that would cost a disk write and empty every process's memory of what it read.
    const attempt = await writer.startTransaction().execute()
    try {
      await attempt
        .updateTable('account')
        .set((eb) => ({ created_at: eb('created_at', '+', 1) }))
        .where('game_id', 'is', null)
        .execute()
    } finally {
      await attempt.rollback().execute()
    }
    await health.probeDisk()
    if (!health.isFull) return
    // Only a write that is committed shows that there is room again, in the file and in its log.
    await probeRoom({ write })
    health.noteRoom()
  }

  const checkOnce = async (): Promise<void> => {
    try {
      await check()
    } catch (error) {
      throw asUnavailable(error)
    } finally {
      checking = null
    }
  }

  return {
    // Those who ask at once share one check.
    check: () => (checking ??= checkOnce()),

    connections: () => null,

    backup: (target) => backupSqlite(path, target),

    async close() {
      if (!file.writer.isOpen) return
      // The last connection that could write would remove the log under the file's name, which
      // belongs to the file that has taken its place.
      if (health.areFilesMoved()) return closeAll([file.writer, file.reader, file.watcher])
      // Stands in line behind all writes, and ends when they are on the disk. If it cannot get the
      // lock, none of them can either.
      await write('packs', async () => {}).catch(() => {})
      await db.connection().execute(async () => file.reader.close())
      file.watcher.close()
      await writer.connection().execute(async () => {
        try {
          file.writer.exec('pragma optimize; pragma wal_checkpoint(truncate)')
        } catch {
          // What is committed is safe in the log; the next start takes it over.
        }
        file.writer.close()
      })
    },
  }
}
