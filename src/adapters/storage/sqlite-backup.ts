import { backup, DatabaseSync } from 'node:sqlite'
import { writeNewFile } from './new-file.ts'

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
