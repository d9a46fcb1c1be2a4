import { randomUUID } from 'node:crypto'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'

/** More pages than a file can have: the whole copy is one step over one state of the store. */
const ALL_PAGES = 0x7fffffff

/**
 * Copies a store that is in use. Others read and write meanwhile; the copy is of one moment.
 *
 * @throws when `target` exists or cannot be written; nothing is left there then.
 */
export const backupSqlite = async (source: string, target: string): Promise<void> => {
  await writeNewFile(target, async (unfinished) => {
    // Its own connection, because copying holds it for as long as it takes, on another thread.
    const database = new DatabaseSync(source, { readOnly: true })
    try {
      await backup(database, unfinished, { rate: ALL_PAGES })
      leaveOut(unfinished)
    } finally {
      database.close()
    }
  })
}

/** What each process makes anew is no part of a backup. */
const leaveOut = (file: string): void => {
  using database = new DatabaseSync(file)
  database.exec('delete from page_file')
}

/** What SQLite may leave beside a file that it has not finished with. */
const BESIDE = ['', '-journal', '-wal', '-shm']

/**
 * Has a database file written under another name, and gives it its own when it is whole.
 *
 * @throws when `target` exists or cannot be written; nothing is left there then.
 */
export const writeNewFile = async (
  target: string,
  write: (unfinished: string) => Promise<void>,
): Promise<void> => {
  if (await exists(target)) throw refusal(target)
  const unfinished = `${target}.${randomUUID()}.part`
  // Tells at once where nothing can be written.
  await (await open(unfinished, 'wx')).close()
  try {
    await write(unfinished)
    await putInPlace(unfinished, target)
  } finally {
    for (const suffix of BESIDE) await rm(unfinished + suffix, { force: true })
  }
}

const exists = async (file: string): Promise<boolean> =>
  (await stat(file).catch(() => null)) !== null

const refusal = (file: string): Error =>
  new Error(`${file} already exists: name a file that does not`)

/** Gives the finished file its name at once, without taking the place of another. */
const putInPlace = async (unfinished: string, target: string): Promise<void> => {
  try {
    await link(unfinished, target)
  } catch (error) {
    if (isExisting(error)) throw refusal(target)
    // Some file systems have no hard links.
    await rename(unfinished, target)
  }
  const directory = await open(dirname(target), 'r')
  await directory.sync().finally(() => directory.close())
}

const isExisting = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST'
