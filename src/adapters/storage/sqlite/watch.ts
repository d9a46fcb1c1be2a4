import { statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from '../../../ports/store.ts'
import { DISK_FULL } from '../disk-room.ts'

// Watches the file of a store: whether it is still there and can be written.

const MOVED = 'the store file was removed or replaced; restart the server'
const NOT_WRITABLE = 'the disk of the store cannot be written'

const SQLITE_PERM = 3
const SQLITE_BUSY = 5
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14

const FILE_FAULTS: ReadonlySet<number> = new Set([
  SQLITE_PERM,
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
])

/** A disk that has no room for this fails the next save. */
export const PROBE = Buffer.alloc(65_536)
const PROBE_EACH_MS = 1_000

/** Checks that a store's files are still those that were opened, and that its disk has room. */
export class SqliteHealth {
  readonly #file: string
  readonly #opened: readonly (readonly [path: string, identity: string])[]
  #probedAt = Number.NEGATIVE_INFINITY
  /** Has a write failed as the disk does, and none of the size of the probe succeeded since? */
  hasFailed = false

  /** @param file of the store, whose connections are open. */
  constructor(file: string) {
    this.#file = file
    // Without its log or the index of that, what is committed is lost as it is without the file.
    const paths = [file, `${file}-wal`, `${file}-shm`]
    this.#opened = paths.map((path) => [path, identityOf(path)])
  }

  /** Throws `StoreUnavailable` when the files have moved; cheap enough for every commit. */
  checkFiles(): void {
    if (this.areFilesMoved()) throw new StoreUnavailable(MOVED, { cause: new Error(this.#file) })
  }

  /** Are the files that are open no longer those under their names? */
  areFilesMoved(): boolean {
    return this.#opened.some(([path, identity]) => identityOf(path) !== identity)
  }

  noteFailure(error: unknown): void {
    const code = resultCodeOf(error)
    if (code !== null && FILE_FAULTS.has(code)) this.hasFailed = true
  }

  /** @throws StoreUnavailable when the disk has no room. Looks once a second unless it had none. */
  async probeDisk(): Promise<void> {
    const now = performance.now()
    if (now - this.#probedAt < PROBE_EACH_MS) return
    const probe = `${this.#file}-probe`
    try {
      await writeFile(probe, PROBE)
      this.#probedAt = now
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? cause.code : ''
      const isFull = code === 'ENOSPC' || code === 'EDQUOT'
      throw new StoreUnavailable(isFull ? DISK_FULL : NOT_WRITABLE, { cause, place: this.#file })
    } finally {
      await rm(probe, { force: true })
    }
  }
}

/** Device and inode. */
function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return `${found?.dev} ${found?.ino}`
}

/** Why a store cannot serve, by SQLite's primary result codes. */
const reasons: Readonly<Record<number, string>> = {
  [SQLITE_BUSY]: 'another process holds the lock of the store',
  [SQLITE_READONLY]: NOT_WRITABLE,
  [SQLITE_IOERR]: 'the disk of the store fails',
  11: 'the store file is damaged',
  [SQLITE_FULL]: DISK_FULL,
  [SQLITE_CANTOPEN]: 'the store file cannot be opened',
  26: 'the store file is damaged',
}

/** What a statement fails with, and the check of a store: with the reason and the file, where the store cannot serve. */
export function asUnavailable(error: unknown, place: string | null): unknown {
  if (error instanceof StoreUnavailable) return error
  const reason = reasons[resultCodeOf(error) ?? -1]
  return reason === undefined ? error : new StoreUnavailable(reason, { cause: error, place })
}

const MAX_PAUSE_MS = 20

/**
 * Tries until another connection releases the lock: SQLite's own waiting would block the event loop.
 * Throws what `attempt` threw last.
 *
 * @param deadline on the scale of `performance.now()`; after it, one try is still made.
 */
export async function whenFree<T>(attempt: () => T, deadline: number): Promise<T> {
  for (let wait = 1; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error
    }
    await pause(wait)
  }
}

/** Another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === SQLITE_BUSY
}

/** SQLite or the system could not read or write the file, or not open it; SQLite does not say why. */
export function isFileFault(error: unknown): boolean {
  const code = resultCodeOf(error)
  if (code !== null) return FILE_FAULTS.has(code)
  return error instanceof Error && 'syscall' in error
}

/** What needed more room may be larger than any probe. */
export const hasNoRoom = (error: unknown): boolean => resultCodeOf(error) === SQLITE_FULL

/** SQLite's primary result code, the low byte of the extended one; null for other errors. */
function resultCodeOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null
}
