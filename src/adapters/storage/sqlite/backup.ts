import { constants, existsSync } from 'node:fs'
import { chmod, copyFile, link, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { withScratchFile } from './scratch.ts'

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

/**
 * Copies the file of a store as of one moment. The source may be in use, or be one that this user may only read: nothing
 * of it changes, and no file is made beside it.
 */
export async function copySqliteFile(source: string, target: string): Promise<void> {
  // SQLite keeps its files beside that one.
  const path = await realpath(source)
  const isInUse = (): boolean => existsSync(`${path}-wal`) && existsSync(`${path}-shm`)
  if (!isInUse()) {
    for (const suffix of SUFFIXES) {
      if (suffix !== '' && !existsSync(path + suffix)) continue
      await copyFile(path + suffix, target + suffix, constants.COPYFILE_FICLONE)
    }
    if (!isInUse()) return
    for (const suffix of SUFFIXES) await rm(target + suffix, { force: true })
  }
  // Through SQLite alone: closing the file would take from this process the locks that it holds on it.
  using database = new DatabaseSync(path, { readOnly: true })
  await backup(database, target, { rate: ALL_PAGES })
}

/** What SQLite needs besides a file that was not closed; the index of the log is made again. */
const SUFFIXES = ['', '-journal', '-wal']

/**
 * Writes a database file under another name, and renames it when it is whole. Throws when `target`
 * exists or cannot be written; nothing is left there then.
 */
export async function writeNewFile(
  target: string,
  write: (unfinished: string) => Promise<void>,
): Promise<void> {
  if (existsSync(target)) throw refusal(target)
  await withScratchFile([dirname(target)], async (unfinished) => {
    await (await open(unfinished, 'wx', 0o600)).close()
    await chmod(unfinished, 0o600)
    await write(unfinished)
    await putInPlace(unfinished, target)
  })
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
