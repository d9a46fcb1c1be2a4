/** What an operator needs of the store as a whole. */
export interface StoreCare {
  /** Reads and checks that a write would be taken; throws when the store cannot serve. */
  check(): Promise<void>

  /**
   * Writes a consistent copy to `file` while others read and write.
   * Throws when `file` already exists or cannot be written; nothing half-written stays there.
   */
  backup(file: string): Promise<void>

  /** Finishes what is under way and lets go of the files. Nothing may be called afterwards. */
  close(): Promise<void>
}
