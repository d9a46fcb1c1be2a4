import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { whenFree } from './sqlite-busy.ts'
import { SqliteHealth } from './sqlite-health.ts'
import { migrate } from './sqlite-migrations.ts'

/** The connections that this process has to one store. */
export type SqliteFile = {
  /** For everything that writes. */
  readonly writer: DatabaseSync
  /** For queries; cannot write. */
  readonly reader: DatabaseSync
  /** Only ever asked whether somebody has written; never in a transaction, so never behind. */
  readonly watcher: DatabaseSync
  readonly health: SqliteHealth
}

// A commit is on the disk before it is acknowledged; the log shrinks again after a burst of writes.
const WRITER_SETTINGS = `
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma journal_size_limit = 67108864;
`

/**
 * Opens the store, making what is missing: directories, file and tables.
 *
 * @param patience ms to wait for other processes.
 */
export const openSqliteFile = async (
  file: string,
  migrations: URL,
  patience: number,
): Promise<SqliteFile> => {
  // Private packs are in it: nobody else on the machine has a reason to look inside.
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const opened: DatabaseSync[] = []
  const open = (readOnly: boolean): DatabaseSync => {
    const database = new DatabaseSync(file, { readOnly, timeout: 0 })
    opened.push(database)
    return database
  }
  try {
    const writer = open(false)
    const deadline = performance.now() + patience
    await whenFree(() => useWriteAheadLog(writer), deadline)
    writer.exec(WRITER_SETTINGS)
    await migrate(writer, migrations, patience)
    const reader = open(true)
    // SQLite's own `lower` knows the letters from A to Z alone.
    reader.function('fold', { deterministic: true }, (text) => String(text).toLowerCase())
    const watcher = open(true)
    return { writer, reader, watcher, health: new SqliteHealth(file) }
  } catch (cause) {
    for (const database of opened.toReversed()) database.close()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Cannot open the store ${file}: ${reason}`, { cause })
  }
}

const useWriteAheadLog = (database: DatabaseSync): void => {
  const mode = database.prepare('pragma journal_mode = wal').get()?.['journal_mode']
  if (mode !== 'wal') {
    throw new Error(`its file system does not allow a write-ahead log (it gave "${String(mode)}")`)
  }
}
