/** A collection of the game's own client. */
export type Collection = {
  readonly name: string
  /** MD5 checksums of beatmap files: 32 hexadecimal digits. */
  readonly hashes: readonly string[]
}

/** What a collection.db holds. */
export type CollectionDb = {
  /** The date of the client that wrote it, 20150203 for example. */
  readonly version: number
  readonly collections: readonly Collection[]
}
