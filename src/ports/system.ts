import type { ContentCoding } from '../domain/reading/requests.ts'

export interface Clock {
  /** ms since the epoch, whole. */
  now(): number
}

/** Cryptographic randomness. */
export interface Random {
  bytes(count: number): Uint8Array
}

export interface Hasher {
  /** SHA-256 of the text's UTF-8 bytes: 43 characters of base64url, unpadded. */
  sha256(text: string): string
}

/** Content codings, as far as the runtime has them. */
export interface Compressor {
  /** What `compress` takes and `identity`, the best first. */
  readonly codings: readonly ContentCoding[]
  /** The bytes in this coding, made off the main thread; equal bytes give equal ones. */
  compress(bytes: Uint8Array, coding: Exclude<ContentCoding, 'identity'>): Promise<Uint8Array>
}
