import { PackKeyError } from './pack-key-error.ts'

/** Reads bytes from front to back; reading past the end is `malformed`. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  byte(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw new PackKeyError('malformed', 'it ends too early')
    this.#at += 1
    return byte
  }

  /** The next `length` bytes, not copied. */
  take(length: number): Uint8Array {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new PackKeyError('malformed', 'it ends too early')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}
