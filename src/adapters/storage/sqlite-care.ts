import type { StoreCare } from '../../ports/store-care.ts'
import { backupSqlite } from './sqlite-backup.ts'
import type { SqliteEngine } from './sqlite-engine.ts'
import type { SqliteFile } from './sqlite-file.ts'

/** Looks after a store in a file. */
export const createSqliteCare = (
  path: string,
  file: SqliteFile,
  { db, write, writer }: SqliteEngine,
): StoreCare => ({
  async check() {
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
  },

  backup: (target) => backupSqlite(path, target),

  async close() {
    if (!file.writer.isOpen) return
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
})
