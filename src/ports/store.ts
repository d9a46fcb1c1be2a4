/** One page of a list, and how many rows there are on all pages. */
export type Page<T> = { readonly rows: readonly T[]; readonly total: number }

/** The store cannot serve now. */
export class StoreUnavailable extends Error {
  /** Why, for operators and supervisors: names no file, no address and no secret. */
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    const detail = options?.cause instanceof Error ? `: ${options.cause.message}` : ''
    super(reason + detail, options)
    this.reason = reason
  }
}

/** The connections of one process to its database. */
export type ConnectionUsage = {
  readonly open: number
  /** The open ones that execute a call. */
  readonly inUse: number
  /** Calls that wait for one. */
  readonly waiting: number
}

/** What an operator needs of the store as a whole. */
export interface StoreCare {
  /**
   * Throws `StoreUnavailable` unless the store can be read and written. After a write failed for want
   * of room it throws until there is some again.
   */
  check(): Promise<void>

  /** null for a store in a file. */
  connections(): ConnectionUsage | null

  /**
   * Writes a consistent copy to `file` while others read and write. Throws when it already exists or
   * cannot be written; nothing half-written is left.
   */
  backup(file: string): Promise<void>

  /** Finishes running calls and closes the files. Nothing may be called afterwards. */
  close(): Promise<void>
}

/** A built file of the pages; its path changes with its content: `assets/browse-x1Y2z3.js`. */
export type PageFile = { readonly path: string; readonly bytes: Uint8Array }

/**
 * The built files of the pages of every version that runs, or ran of late, over this store. They are
 * derived: no backup and no copy holds them. Times are ms since the epoch.
 */
export interface PageFiles {
  /**
   * Adds the files of this version, or marks them as published `now`. Of other versions' files, those
   * last published before `keep.since` are deleted, and the oldest beyond `keep.bytes` in all.
   */
  publish(
    files: readonly PageFile[],
    now: number,
    keep: { readonly since: number; readonly bytes: number },
  ): Promise<void>

  list(): Promise<readonly string[]>

  read(path: string): Promise<Uint8Array | null>
}
