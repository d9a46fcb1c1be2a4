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
  /** Those that are open. */
  readonly open: number
  /** Those of them that are at work for a call. */
  readonly inUse: number
  /** Calls that wait for one. */
  readonly waiting: number
}

/** What an operator needs of the store as a whole. */
export interface StoreCare {
  /**
   * Checks that the store can be read and written, and that its disk has room. After a write failed
   * for want of room it throws until there is some again.
   *
   * @throws StoreUnavailable with the reason, when the store cannot serve.
   */
  check(): Promise<void>

  /** The connections of this process to its database; null for a store in a file. */
  connections(): ConnectionUsage | null

  /**
   * Writes a consistent copy to `file` while others read and write.
   * Throws when `file` already exists or cannot be written; nothing half-written stays there.
   */
  backup(file: string): Promise<void>

  /** Finishes what is under way and lets go of the files. Nothing may be called afterwards. */
  close(): Promise<void>
}
