import type { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import type { Engine } from './engine.ts'
import { statementLog, type StoreObserver } from './observed-engine.ts'
import { ReadCache } from './read-cache.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import type { SqliteFile } from './sqlite-file.ts'
import type { Tables } from './tables.ts'

/** The embedded engine, with its writing connection for those who look after the file. */
export type SqliteEngine = Engine & { readonly writer: Kysely<Tables> }

/**
 * The embedded engine: one connection writes, another reads what is committed, so that no reader
 * waits for a writer.
 *
 * @param patience ms that a request waits for a lock.
 */
export const createSqliteEngine = (
  file: SqliteFile,
  patience: number,
  observer?: StoreObserver,
): SqliteEngine => {
  const log = statementLog(observer)
  const db = new Kysely<Tables>({ ...log, dialect: sqliteDialect(file.reader, patience) })
  const writer = new Kysely<Tables>({
    ...log,
    dialect: sqliteDialect(file.writer, patience, file.health),
  })
  const cache = new ReadCache(versionOf(file.watcher))
  return {
    db,
    writer,
    read: (work) => db.transaction().setAccessMode('read only').execute(work),
    // One file, one writer: all realms are one.
    async write(_realm, work) {
      try {
        return await writer.transaction().execute(work)
      } finally {
        cache.lookAgain()
      }
    },
    // Reading waits for nobody.
    asOne: (work) => work(),
    newShelf: (bound) => cache.newShelf(bound),
  }
}

/** A number that changes with each commit by any other connection, of this process or another. */
const versionOf = (watcher: DatabaseSync): (() => number | null) => {
  const statement = watcher.prepare('pragma data_version')
  statement.setReturnArrays(true)
  return () => {
    try {
      const [version] = statement.get() as unknown as [number]
      return version
    } catch {
      // Locked for a moment or already closed: then nothing remembered can be trusted.
      return null
    }
  }
}
