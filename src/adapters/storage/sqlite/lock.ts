import { existsSync, rmSync, statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FIND_READ_ONLY } from '../migrations.ts'
import { faultOf, LOCK_SUFFIX, makePrivateFile, makePrivateFolder } from './file.ts'
import { isBusy } from './watch.ts'

/**
 * Acquires the lock that the one server of a store in a file holds (D-55). The operating system
 * releases it when the process ends, however that happens. Other programs use the store without it.
 * Returns the function that releases it; null when another server holds it.
 */
export async function acquireServerLock(file: string): Promise<(() => void) | null> {
  await makePrivateFolder(dirname(file))
  // One file that is reached by two names is one store.
  const path = await realpath(file).catch(() => file)
  try {
    return acquireLock(path + LOCK_SUFFIX)
  } catch (cause) {
    throw new Error(faultOf(path, cause) ?? (cause as Error).message, { cause })
  }
}

/** Whether a server holds the lock of a store; makes and changes nothing. */
export async function isServed(file: string): Promise<boolean> {
  const path = (await realpath(file)) + LOCK_SUFFIX
  // A server that was killed has left it.
  if (!existsSync(path)) return false
  try {
    using lock = new DatabaseSync(path, { readOnly: true, timeout: 0 })
    lock.prepare('select 1 from sqlite_schema').get()
    return false
  } catch (cause) {
    if (isBusy(cause)) return true
    if (!existsSync(path)) return false
    throw new Error(faultOf(file, cause) ?? (cause as Error).message, { cause })
  }
}

/** Whether nothing may be changed in a store that a server uses. */
export async function isReadOnlyFile(file: string): Promise<boolean> {
  using store = new DatabaseSync(await realpath(file), { readOnly: true })
  const table = "select 1 from sqlite_schema where name = 'operator_state'"
  // A server of an older version has no such mode.
  return (
    store.prepare(table).get() !== undefined && store.prepare(FIND_READ_ONLY).get() !== undefined
  )
}

/** Acquires a lock in a file of its own, as `acquireServerLock` does. */
export function acquireLock(path: string): (() => void) | null {
  for (;;) {
    const lock = tryLock(path)
    if (lock === 'held') return null
    if (lock === 'removed') continue
    return () => {
      // Removed while it is still locked: the next process to open it makes a new one.
      rmSync(path, { force: true })
      lock.close()
    }
  }
}

/** SQLite locks the file for us, in the same way on each platform; nothing is ever written to it. */
function tryLock(path: string): DatabaseSync | 'held' | 'removed' {
  const inode = () => statSync(path, { throwIfNoEntry: false })?.ino
  makePrivateFile(path)
  const lock = new DatabaseSync(path, { timeout: 0 })
  const opened = inode()
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (isBusy(error)) return 'held'
    throw error
  }
  // The server before may have ended, and removed the file, between the two steps.
  if (opened !== undefined && inode() === opened) return lock
  lock.close()
  return 'removed'
}
