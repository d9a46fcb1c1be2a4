import { FormatError } from '../format-error.ts'

const MAX_TEXT_BYTES = 0x7fff_ffff
// A byte order mark is part of the text here.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads what .NET's BinaryWriter writes, from front to back, little-endian. What does not fit in
 * the rest of the file is refused before anything is made for it.
 */
export class ByteSource {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #whereCounted: string
  #at = 0

  /** @param whereCounted what errors say behind the offset's remedy, when it is not the file's own. */
  constructor(bytes: Uint8Array, whereCounted = '') {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#whereCounted = whereCounted
  }

  /** Of the next byte. */
  get offset(): number {
    return this.#at
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  byte(): number {
    return this.#view.getUint8(this.#pass(1))
  }

  int32(): number {
    return this.#view.getInt32(this.#pass(4), true)
  }

  double(): number {
    return this.#view.getFloat64(this.#pass(8), true)
  }

  /**
   * The int32 number of things that follow.
   *
   * @param least how many bytes each of them takes at least.
   */
  count(what: string, least: number): number {
    const start = this.#at
    const count = this.int32()
    if (count < 0 || count * least > this.#bytes.length - this.#at) {
      throw this.error(
        start,
        `the file is too short for ${count} ${what}; it is damaged or incomplete`,
      )
    }
    return count
  }

  /** A text: its length in bytes as ULEB128, then UTF-8. */
  text(): string {
    const start = this.#at
    const length = this.#textLength()
    const from = this.#pass(length)
    try {
      return decoder.decode(this.#bytes.subarray(from, from + length))
    } catch {
      throw this.error(start, 'this text is not UTF-8; the file is damaged')
    }
  }

  /** @param remedy what is wrong at the offset and what to do. */
  error(offset: number, remedy: string): FormatError {
    return new FormatError(remedy + this.#whereCounted, { offset })
  }

  #textLength(): number {
    const start = this.#at
    let length = 0
    // Multiplied rather than shifted: shifts count in signed 32 bits.
    for (let unit = 1; unit <= 2 ** 28; unit *= 128) {
      const byte = this.byte()
      length += (byte & 0x7f) * unit
      if (byte < 0x80) {
        if (length > MAX_TEXT_BYTES) break
        return length
      }
    }
    throw this.error(start, 'a text is too long; the file is damaged')
  }

  /** Goes on behind the next `length` bytes and gives where they begin. */
  #pass(length: number): number {
    const start = this.#at
    if (length > this.#bytes.length - start) {
      throw this.error(start, 'the file ends too early; it is damaged or incomplete')
    }
    this.#at = start + length
    return start
  }
}
