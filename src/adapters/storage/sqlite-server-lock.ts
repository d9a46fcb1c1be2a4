import { rmSync, statSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './sqlite-busy.ts'

/**
 * Acquires the lock that the one server of a store in a file holds (D-55). The operating system
 * releases it when the process ends, however that happens. Other programs use the store without it.
 *
 * @returns the function that releases it; null when another server holds it.
 */
export const acquireServerLock = async (file: string): Promise<(() => void) | null> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // One file that is reached by two names is one store.
  const path = `${await realpath(file).catch(() => file)}-serve`
  for (;;) {
    const lock = tryLock(path)
    if (lock === 'held') return null
    if (lock === 'removed') continue
    return () => {
      // Removed while it is still locked: who opens it from now on makes a new one.
      rmSync(path, { force: true })
      lock.close()
    }
  }
}

/** SQLite locks the file for us, in the same way on each platform; nothing is ever written to it. */
const tryLock = (path: string): DatabaseSync | 'held' | 'removed' => {
  const lock = new DatabaseSync(path, { timeout: 0 })
  const opened = inodeOf(path)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (isBusy(error)) return 'held'
    throw error
  }
  // The server before may have ended, and removed the file, between the two steps.
  if (opened !== undefined && inodeOf(path) === opened) return lock
  lock.close()
  return 'removed'
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino
