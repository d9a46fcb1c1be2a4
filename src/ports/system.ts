/** The time. */
export interface Clock {
  /** ms since the epoch, whole. */
  now(): number
}

/** Chance that nobody can foretell. */
export interface Random {
  /** `count` fresh random bytes. */
  bytes(count: number): Uint8Array
}

/** A one-way fingerprint. */
export interface Hasher {
  /** SHA-256 of the text's UTF-8 bytes: 43 characters of base64url, unpadded. */
  sha256(text: string): string
}
