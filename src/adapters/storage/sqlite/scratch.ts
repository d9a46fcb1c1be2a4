import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { acquireLock } from './lock.ts'

// Folders for files that are not finished. A process that is killed leaves its own, which the next one removes there.

const PREFIX = '.mapcrate-scratch-'

/** Those of this process. */
const folders = new Set<string>()
let users = 0

/**
 * Calls `use` with the name for a temporary file in `place`, or in `other` if that cannot be written. It is
 * removed afterwards, also on a signal.
 */
export async function withScratchFile<T>(
  [place, other]: readonly [string, string?],
  use: (file: string) => Promise<T>,
): Promise<T> {
  if (users === 0) for (const signal of SIGNALS) process.on(signal, onSignal)
  users += 1
  try {
    const made = makeScratchFolder(place)
    const { folder, release } = await (other === undefined
      ? made
      : made.catch(() => makeScratchFolder(other)))
    try {
      return await use(join(folder, 'mapcrate.db'))
    } finally {
      removeInUse(folder)
      release()
      folders.delete(folder)
    }
  } finally {
    users -= 1
    if (users === 0) for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

function onSignal(signal: (typeof SIGNALS)[number]): void {
  for (const folder of folders) removeInUse(folder)
  process.exit(128 + constants.signals[signal])
}

/** Makes a folder that other processes leave alone for as long as its lock is held. */
async function makeScratchFolder(place: string): Promise<{ folder: string; release: () => void }> {
  await removeAbandoned(place)
  for (;;) {
    const folder = await mkdtemp(join(place, PREFIX)).catch((error: unknown) => {
      // Nobody has named the folder that would be in it.
      throw Object.assign(error as Error, { path: place })
    })
    folders.add(folder)
    try {
      const release = lockFolder(folder)
      if (release !== null) return { folder, release }
    } catch (error) {
      removeInUse(folder)
      throw error
    }
    folders.delete(folder)
  }
}

/** null when another process has it, or has removed it. */
function lockFolder(folder: string): (() => void) | null {
  try {
    return acquireLock(join(folder, 'lock'))
  } catch (error) {
    if (!existsSync(folder)) return null
    throw error
  }
}

/** Removes what killed processes of this user have left, as far as that can be removed. */
export async function removeAbandoned(place: string): Promise<void> {
  const entries = await readdir(place, { withFileTypes: true }).catch(() => [])
  for (const entry of entries.filter(({ name }) => name.startsWith(PREFIX))) {
    const folder = join(place, entry.name)
    if (!entry.isDirectory() || !(await isOwn(folder))) continue
    try {
      const release = lockFolder(folder)
      if (release === null) continue
      removeInUse(folder)
      release()
    } catch {
      // Another process may remove it, too. What cannot be removed does no harm.
    }
  }
}

/** In a folder of another user, opening a file by its name could change one elsewhere. */
async function isOwn(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null)
  return found?.uid === (process.getuid?.() ?? 0)
}

/** Attempts, each of which removes something. */
const MOST_REMOVALS = 100

/**
 * Removes a folder in which other threads may still make and remove files: `rmSync` fails when one is made meanwhile,
 * and returns with the folder still there when one is removed.
 */
export function removeInUse(folder: string): void {
  for (let attempt = 0; attempt < MOST_REMOVALS && existsSync(folder); attempt += 1) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
    }
  }
}
