import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { whenFree } from './sqlite-busy.ts'

type Migration = { readonly name: string; readonly sql: string; readonly hash: string }

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

const readMigrations = async (directory: URL): Promise<Migration[]> => {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8')
      // A checkout may have changed the line ends; the migration is the same.
      const sql = text.replaceAll('\r\n', '\n')
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
    }),
  )
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
  const hashes = new Map(migrations.map(({ name, hash }) => [name, hash]))
  for (const [name, hash] of recorded) {
    if (!hashes.has(name)) {
      throw new Error(
        `The store was made by a newer version (${name} is not known here): update this ` +
          'installation, or open another store',
      )
    }
    if (hashes.get(name) !== hash) {
      throw new Error(
        `Migration ${name} is not the one that this store was made with: restore the file as ` +
          'it was, and put changes into a new migration',
      )
    }
  }
}
