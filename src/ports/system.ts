import type { Awaitable } from '../domain/loading.ts'
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

/**
 * The beginning of a gzip body, compressed up to a whole byte, without a last block; what follows it is not: see
 * `Compressor.join`.
 */
export type GzipFront = {
  readonly bytes: Uint8Array
  /** CRC-32 and length of what was compressed. */
  readonly crc: number
  readonly length: number
}

/** Content codings that the runtime supports. */
export interface Compressor {
  /** The codings that `compress` takes, and `identity`; best first. */
  readonly codings: readonly ContentCoding[]
  /** The bytes in this coding, made off the main thread; equal bytes give equal ones. */
  compress(bytes: Uint8Array, coding: Exclude<ContentCoding, 'identity'>): Promise<Uint8Array>

  /** Decompresses off the main thread. */
  unpackFront(front: GzipFront): Promise<Uint8Array>

  /** The gzip body of the front and of what follows, which is stored: not compressed, neither with the front nor alone. */
  join(front: GzipFront, rest: Uint8Array): Uint8Array
}

/** Is charged the CPU time that one request uses, in ms, each time that some was measured. */
export type WorkBill = (ms: number) => void

/**
 * Measures the CPU time that requests cost where the work is done, and holds addresses to their share of this
 * process (D-75). Work belongs to the request on whose behalf it runs, promises included. Time in which the thread
 * was not running does not count, so a busy machine charges no request more. Outside of a request, nothing is measured.
 * All times are in ms.
 */
export interface WorkMeter {
  /** Runs `start`, and all that it begins, on behalf of a request. */
  run<T>(bill: WorkBill, start: () => T): T

  /** Runs synchronous work and charges its CPU time; within measured work, it is part of that. */
  measure<T>(work: () => T): T

  /** Charges CPU time that was used elsewhere: by another thread, or by the database. */
  add(ms: number): void

  /** CPU time that the request has used so far, as far as it was measured; 0 outside of a request. */
  spentMs(): number

  /**
   * Resolves in another turn of the event loop if the request has used a few ms since it last did, so that what
   * takes long does not hold up other requests. To be called between steps, outside of measured work.
   */
  breathe(): Awaitable<void>

  /** Charges CPU time to an address, in the form of `clientAddress`; one of IPv6 charges its /48, too. */
  chargeAddress(address: string, ms: number): void

  /** How long until the address has CPU time left, in ms; 0 if it has some. */
  addressWaitMs(address: string): number

  /**
   * Charges what does not wait for the requests of its address, a connection that begins or a health check, to the
   * address as `chargeAddress` does, and to an allowance of its own. Returns how long it has to wait; null, and nothing
   * is charged, when that would be too long: it is to be closed.
   */
  admitUnpaced(address: string, ms: number): number | null
}
