import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type Filler,
  findMissing,
  findMissingOfSource,
  isUnfinished,
  type Migration,
  NAME_A_STORE,
  findContent,
  NOT_EMPTY,
  readMigrations,
  UNFINISHED,
} from '../migrations.ts'
import { DISK_FULL } from '../disk-room.ts'
import { makeFolder } from '../folder.ts'
import { hasNoRoom, isFileFault, PROBE, SqliteHealth, whenFree } from './watch.ts'

/** The connections that this process has to one store. */
export type SqliteFile = {
  /** For everything that writes. */
  readonly writer: DatabaseSync
  /** For queries; cannot write. */
  readonly reader: DatabaseSync
  readonly health: SqliteHealth
}

// A commit is on the disk before it is acknowledged; the log shrinks again after a burst of writes.
const WRITER_SETTINGS = `
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma journal_size_limit = 67108864;
`

/**
 * Opens the store, making what is missing; waits `timeoutMs` for other processes.
 *
 * @param filler opens a store that it fills, and that no other process can open before `finishCopy`.
 */
export async function openSqliteFile(
  file: string,
  migrations: URL,
  timeoutMs: number,
  filler?: Filler,
): Promise<SqliteFile> {
  const opened: DatabaseSync[] = []
  const connect = (readOnly: boolean): DatabaseSync => {
    const database = new DatabaseSync(file, { readOnly, timeout: 0 })
    opened.push(database)
    return database
  }
  try {
    // Private packs are in it: no other user of the machine has a reason to look inside.
    await makePrivateFolder(dirname(file))
    makePrivateFile(file)
    await restrictStore(file)
    // SQLite opens a file that may not be written all the same, for reading.
    accessSync(file, FILE_RIGHTS)
    const writer = connect(false)
    const deadline = performance.now() + timeoutMs
    if (filler !== undefined) await whenFree(() => markUnfinished(writer, filler), deadline)
    await whenFree(() => useWriteAheadLog(writer), deadline)
    writer.exec(WRITER_SETTINGS)
    await migrate(writer, migrations, timeoutMs, filler)
    await restrictStore(file)

    const reader = connect(true)
    // SQLite's own `lower` knows the letters from A to Z alone.
    reader.function('fold', { deterministic: true }, (text) => String(text).toLowerCase())
    return { writer, reader, health: new SqliteHealth(file) }
  } catch (cause) {
    for (const database of opened.toReversed()) database.close()
    const reason = faultOf(file, cause) ?? (cause instanceof Error ? cause.message : String(cause))
    throw new Error(`Cannot open the store ${file}: ${reason}`, { cause })
  }
}

/** What the system says of a store that cannot be opened, where the message of SQLite names no cause; null if nothing. */
export function faultOf(file: string, error: unknown): string | null {
  if (!isFileFault(error)) return null
  const files = ['', ...SIDECAR_SUFFIXES, LOCK_SUFFIX].map((suffix) => file + suffix)
  const folder = dirname(file)
  for (const path of [folder, ...files]) {
    try {
      accessSync(path, path === folder ? FOLDER_RIGHTS : FILE_RIGHTS)
    } catch (fault) {
      if (isOneOf(fault, ['EACCES', 'EPERM'])) {
        return `this user may not read and write ${path}; run this as the user of the server, or give this user the rights`
      }
      if (isOneOf(fault, ['EROFS'])) return `the file system of ${path} is read-only`
    }
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) return 'it is a folder'
  return hasNoRoom(error) ? `${DISK_FULL}; free some space there` : roomFault(file)
}

/** Whether there is room is tried only now: SQLite says "disk I/O error" of a full disk, too. */
function roomFault(file: string): string | null {
  const probe = `${file}-probe`
  try {
    writeFileSync(probe, PROBE, { mode: OWN_RIGHTS })
    return null
  } catch (fault) {
    if (isOneOf(fault, ['ENOSPC', 'EDQUOT'])) return `${DISK_FULL}; free some space there`
    return isOneOf(fault, ['EFBIG'])
      ? 'the limit of this user for the size of a file is reached'
      : null
  } finally {
    rmSync(probe, { force: true })
  }
}

const FOLDER_RIGHTS = constants.W_OK | constants.X_OK
const FILE_RIGHTS = constants.R_OK | constants.W_OK

/** The lock of the server, next to the file. */
export const LOCK_SUFFIX = '-serve'

/** What SQLite keeps next to a file, with the rights of that file when it makes them. */
const SIDECAR_SUFFIXES = ['-wal', '-shm', '-journal']

/** Takes from all others the rights to a store's file, and to what SQLite has left beside it. */
async function restrictStore(file: string): Promise<void> {
  const path = await realpath(file).catch(() => file)
  for (const suffix of ['', ...SIDECAR_SUFFIXES]) restrict(path + suffix)
}

/** A file that is another user's stays as it is: whether it can be used is found out by opening it. */
function restrict(path: string): void {
  try {
    const { mode } = statSync(path)
    if ((mode & ALL_RIGHTS) !== OWN_RIGHTS) chmodSync(path, OWN_RIGHTS)
  } catch (error) {
    if (!isOneOf(error, ['ENOENT', 'EPERM', 'EACCES', 'EROFS'])) throw error
  }
}

const ALL_RIGHTS = 0o7777
const OWN_RIGHTS = 0o600
const OWN_FOLDER = 0o700

/**
 * Makes an empty file that only its owner may read, if there is none. Opens no file that exists: closing it again would
 * take from this process the locks that SQLite holds on it. All in one turn, so that no other code opens it meanwhile.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWN_RIGHTS))
  } catch (error) {
    if (!isOneOf(error, ['EEXIST', 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'])) throw error
  }
  // Whatever the umask has taken away.
  restrict(path)
}

/** Throws an error that says what helps when there can be no such folder. */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolder(path, OWN_FOLDER).catch((cause: NodeJS.ErrnoException) => {
    const remedy = 'give a folder that this user may write to'
    throw new Error(`${path} cannot be made (${cause.code}); ${remedy}`, { cause })
  })
}

function isOneOf(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

function useWriteAheadLog(database: DatabaseSync): void {
  const mode = database.prepare('pragma journal_mode = wal').get()?.['journal_mode']
  if (mode !== 'wal') {
    throw new Error(`its file system does not allow a write-ahead log (it gave "${String(mode)}")`)
  }
}

/** This version's migrations: numbered files of plain SQL. */
export const SQLITE_MIGRATIONS = new URL('../../../../migrations/sqlite/', import.meta.url)

/** Applies each missing migration in a transaction of its own. Several processes may do it at once. */
async function migrate(
  database: DatabaseSync,
  directory: URL,
  timeoutMs: number,
  filler: Filler | undefined,
): Promise<void> {
  const migrations = await readMigrations(directory)
  for (const migration of findMissing(recordedHashes(database), migrations, filler)) {
    await whenFree(() => database.exec('begin immediate'), performance.now() + timeoutMs)
    apply(database, migration)
  }
  findMissing(recordedHashes(database), migrations, filler)
}

/** Throws when the store is not empty, unless it is being filled already. */
export function markUnfinished(database: DatabaseSync, filler: Filler): void {
  database.exec('begin immediate')
  try {
    const recorded = recordedHashes(database)
    const name = UNFINISHED + filler
    if (isUnfinished(recorded)) {
      database.prepare(`update migration set name = ? where name like '${UNFINISHED}%'`).run(name)
    } else {
      const tables = database.prepare('select name from sqlite_schema').all()
      const isFilled =
        recorded.size === 0
          ? tables.length > 0
          : database.prepare(findContent(tables.map(({ name }) => String(name)))).get() !==
            undefined
      if (isFilled) throw new Error(NOT_EMPTY)
      database.exec(MIGRATION_TABLE)
      database.prepare("insert into migration (name, hash) values (?, '')").run(name)
    }
    database.exec('commit')
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}

const MIGRATION_TABLE =
  'create table if not exists migration (name text primary key, hash text) strict'

/** Throws when a file that no process has open holds no store, or one that this version cannot read. */
export async function checkSqliteStore(file: string): Promise<void> {
  await checkWhole(file)
  using database = new DatabaseSync(file)
  findMissingOfSource(recordedHashes(database), await readMigrations(SQLITE_MIGRATIONS))
}

/** Runs inside a transaction that is already begun, and ends it; closing the file undoes a failed one. */
function apply(database: DatabaseSync, { name, sql, hash }: Migration): void {
  try {
    // Another process may have been first while this one waited.
    if (!recordedHashes(database).has(name)) {
      database.exec(MIGRATION_TABLE)
      database.exec(sql)
      database.prepare('insert into migration (name, hash) values (?, ?)').run(name, hash)
    }
    database.exec('commit')
  } catch (cause) {
    const reason = faultOf(database.location() ?? '', cause) ?? (cause as Error).message
    throw new Error(`Migration ${name} failed (${reason}); the store is as it was before`, {
      cause,
    })
  }
}

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100

/** The header says how long the file must be (SQLite's file format 1.3), unless its log or journal says more. */
async function checkWhole(file: string): Promise<void> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  if (size === 0) throw new Error(`it is empty; ${NAME_A_STORE}`)
  const header = Buffer.alloc(HEADER_BYTES)
  const { bytesRead } = await handle.read(header)
  if (bytesRead < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new Error(`it is no file of SQLite; unpack it if it is compressed, or ${NAME_A_STORE}`)
  }
  if (existsSync(`${file}-wal`) || existsSync(`${file}-journal`)) return
  // 1 means 65,536, which does not fit into two bytes.
  const pageBytes = header.readUInt16BE(16)
  const whole = (pageBytes === 1 ? 65_536 : pageBytes) * header.readUInt32BE(28)
  if (size < whole) {
    throw new Error(
      `it ends after ${size} of ${whole} bytes; transfer it again, or use another one`,
    )
  }
}

function recordedHashes(database: DatabaseSync): ReadonlyMap<string, string> {
  // A file of other software may have a table of that name.
  const columns = "select 1 from pragma_table_info('migration') where name in ('name', 'hash')"
  if (database.prepare(columns).all().length < 2) return new Map()
  const rows = database.prepare('select name, hash from migration order by name').all()
  return new Map(rows.map(({ name, hash }) => [String(name), String(hash)]))
}
