import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'

/** More pages than a file can have: the whole copy is one step over one state of the store. */
const ALL_PAGES = 0x7fffffff

/** Copies a store that is in use, as of one moment. Throws as `writeNewFile` does. */
export async function backupSqlite(source: string, target: string): Promise<void> {
  await writeNewFile(target, async (unfinished) => {
    // Its own connection, because copying holds it for as long as it takes, on another thread.
    using database = new DatabaseSync(source, { readOnly: true })
    await backup(database, unfinished, { rate: ALL_PAGES })
    using copy = new DatabaseSync(unfinished)
    // What each process makes anew is no part of a backup.
    copy.exec('delete from page_file')
  })
}

/** What SQLite may leave next to a file that it has not finished with. */
const SUFFIXES = ['', '-journal', '-wal', '-shm']

/**
 * Writes a database file under another name, and renames it when it is whole. Throws when `target`
 * exists or cannot be written; nothing is left there then.
 */
export async function writeNewFile(
  target: string,
  write: (unfinished: string) => Promise<void>,
): Promise<void> {
  if (existsSync(target)) throw refusal(target)
  const unfinished = `${target}.${randomUUID()}.part`
  // Fails at once where nothing can be written.
  await (await open(unfinished, 'wx', 0o600)).close()
  await chmod(unfinished, 0o600)
  try {
    await write(unfinished)
    await putInPlace(unfinished, target)
  } finally {
    for (const suffix of SUFFIXES) await rm(unfinished + suffix, { force: true })
  }
}

function refusal(target: string): Error {
  return new Error(`${target} already exists: name a file that does not`)
}

/** Renames the finished file in one step, without replacing another. */
async function putInPlace(unfinished: string, target: string): Promise<void> {
  try {
    await link(unfinished, target)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw refusal(target)
    // Some file systems have no hard links.
    await rename(unfinished, target)
  }
  const directory = await open(dirname(target), 'r')
  await directory.sync().finally(() => directory.close())
}
