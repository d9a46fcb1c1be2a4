import type { DatabaseSync } from 'node:sqlite'
import { type Migration, readMigrations, refuseChanged, refuseNewer } from './migration-files.ts'
import { whenFree } from './sqlite-busy.ts'

/** Where this version's migrations stand: numbered files of plain SQL. */
export const SQLITE_MIGRATIONS = new URL('../../../migrations/sqlite/', import.meta.url)

/**
 * Brings the store up to date: each missing migration in a transaction of its own, in the order of
 * their names. Several processes may do it at once.
 *
 * @param patience ms to wait for another process.
 * @throws when the store was made by a newer version, or by other migrations than these.
 */
export const migrate = async (
  database: DatabaseSync,
  directory: URL,
  patience: number,
): Promise<void> => {
  const migrations = await readMigrations(directory)
  refuseUnknown(recordedHashes(database), migrations)
  for (const migration of migrations) {
    if (recordedHashes(database).has(migration.name)) continue
    const deadline = performance.now() + patience
    await whenFree(() => database.exec('begin immediate'), deadline)
    apply(database, migration)
  }
  refuseUnknown(recordedHashes(database), migrations)
}

/** Runs inside a transaction that is already begun, and ends it; closing the file undoes a failed one. */
const apply = (database: DatabaseSync, { name, sql, hash }: Migration): void => {
  try {
    // Another process may have been first while this one waited.
    if (!recordedHashes(database).has(name)) {
      database.exec(
        'create table if not exists migration (name text primary key, hash text) strict',
      )
      database.exec(sql)
      database.prepare('insert into migration (name, hash) values (?, ?)').run(name, hash)
    }
    database.exec('commit')
  } catch (cause) {
    throw new Error(`Migration ${name} failed; the store is as it was before`, { cause })
  }
}

const recordedHashes = (database: DatabaseSync): ReadonlyMap<string, string> => {
  const table = database.prepare("select 1 from sqlite_schema where name = 'migration'").get()
  if (table === undefined) return new Map()
  const rows = database.prepare('select name, hash from migration order by name').all()
  return new Map(rows.map(({ name, hash }) => [String(name), String(hash)]))
}

const refuseUnknown = (
  recorded: ReadonlyMap<string, string>,
  migrations: readonly Migration[],
): void => {
  refuseNewer(recorded, migrations)
  refuseChanged(recorded, migrations)
}
