/** One page of a list, and how many rows there are on all pages. */
export type Page<T> = { readonly rows: readonly T[]; readonly total: number }

/** Distinguishes a creation that is tried again from another one. */
export type IdempotencyToken = {
  /** The account's name for the creation; names of different accounts are independent. */
  readonly key: string
  /** Of the whole request: equal ones make the same. */
  readonly fingerprint: string
  /** Creations before this are forgotten, ms since the epoch. */
  readonly since: number
}

/** A write that an account makes once under a key, however often it is asked for (D-86). */
export type WriteOnce = IdempotencyToken & {
  readonly accountId: string
  /** What it makes: a slug or an id. */
  readonly made: string
  /** ms since the epoch. */
  readonly at: number
  /** Called when something was made under the key before; what it throws is passed on, and nothing is written. */
  readonly repeat: (earlier: { readonly fingerprint: string; readonly made: string }) => never
}

/** The store cannot serve now. */
export class StoreUnavailable extends Error {
  /** Why, for operators and supervisors: names no file, no address and no secret. */
  readonly reason: string

  /** @param options.place the file that the reason is about, for the message alone. */
  constructor(reason: string, options: ErrorOptions & { readonly place?: string | null } = {}) {
    const { cause, place } = options
    const named = place ? `${reason} (${place})` : reason
    super(cause instanceof Error ? `${named}: ${cause.message}` : named, { cause })
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
   * Throws `StoreUnavailable` unless the store can be read and written; after a write has failed because the disk is full,
   * until there is room again.
   */
  check(): Promise<void>

  /** null for a store in a file. */
  connections(): ConnectionUsage | null

  /** The time that counts for all processes, ms since the epoch, where the caller's own clock says `callerNow` (D-53). */
  timeOf(callerNow: number): Promise<number>

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

/** The operator's notice on all pages, one line of plain text. */
export type OperatorNotice = {
  readonly text: string
  /** ms since the epoch, as below. */
  readonly since: number
}

/** Read-only mode, until the operator ends it. */
export type ReadOnlyMode = {
  /** null when none was given. */
  readonly reason: string | null
  readonly since: number
}

/** What the operator has decided for all who use the services; null for neither. */
export type OperatorState = {
  readonly notice: OperatorNotice | null
  readonly readOnly: ReadOnlyMode | null
}

/** What was decided last, as far as this process knows. The same object as long as nothing changes. */
export type CurrentOperatorState = { readonly current: OperatorState }

/** What the operator has decided: one state for all processes, which outlasts them. Each method is one transaction. */
export interface OperatorStateStore {
  readState(): Promise<OperatorState>

  /** Replaces the notice; null removes it. Returns the previous one. */
  setNotice(notice: OperatorNotice | null): Promise<OperatorNotice | null>

  /** As `setNotice`. */
  setReadOnly(mode: ReadOnlyMode | null): Promise<ReadOnlyMode | null>
}
