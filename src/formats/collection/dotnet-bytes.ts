import { FormatError } from '../format-error.ts'

const MAX_TEXT_BYTES = 0x7fff_ffff
const MAX_FILE_BYTES = 64 * 1024 * 1024
const MAX_COLLECTIONS = 10_000
/** The fewest bytes of a name and a count. */
const LEAST_COLLECTION = 5
// A byte order mark is part of the text here.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads what .NET's BinaryWriter writes, from front to back, little-endian. What does not fit in
 * the rest of the file is refused before memory is allocated for it.
 */
export class ByteSource {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #note: string
  #at = 0

  /** @param note is appended to every error. */
  constructor(bytes: Uint8Array, note = '') {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#note = note
  }

  /** Of the next byte. */
  get offset(): number {
    return this.#at
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  byte(): number {
    return this.#view.getUint8(this.#skip(1))
  }

  int32(): number {
    return this.#view.getInt32(this.#skip(4), true)
  }

  double(): number {
    return this.#view.getFloat64(this.#skip(8), true)
  }

  /**
   * The int32 number of things that follow.
   *
   * @param least how many bytes each of them has at least.
   */
  count(what: string, least: number): number {
    const start = this.#at
    const count = this.int32()
    if (count >= 0 && count * least <= this.#bytes.length - this.#at) return count
    const remedy = `the file is too short for ${count} ${what}; it is damaged or incomplete`
    throw this.error(start, remedy)
  }

  /** The collections that follow their int32 number, each with its place in the bytes. */
  collections<C extends object>(read: () => C): (C & ByteSpan)[] {
    const start = this.#at
    const length = this.count('collections', LEAST_COLLECTION)
    if (length > MAX_COLLECTIONS) {
      throw this.error(start, `a file can have at most ${MAX_COLLECTIONS} collections`)
    }
    return Array.from({ length }, () => {
      const from = this.#at
      const collection = read()
      return { ...collection, start: from, end: this.#at }
    })
  }

  /** The MD5 of a beatmap's file, in a text; empty when not known. */
  checksum(readText = () => this.text()): string {
    const start = this.#at
    const checksum = readText()
    if (checksum === '' || /^[0-9A-Fa-f]{32}$/.test(checksum)) return checksum
    throw this.error(start, 'a checksum must be 32 hexadecimal digits; the file is damaged')
  }

  /** A text: its length in bytes as ULEB128, then UTF-8. */
  text(): string {
    const start = this.#at
    const length = this.#textLength()
    const from = this.#skip(length)
    try {
      return decoder.decode(this.#bytes.subarray(from, from + length))
    } catch {
      throw this.error(start, 'this text is not UTF-8; the file is damaged')
    }
  }

  /** @param remedy what is wrong at the offset and what to do. */
  error(offset: number, remedy: string): FormatError {
    return new FormatError(remedy + this.#note, { offset })
  }

  #textLength(): number {
    const start = this.#at
    let length = 0
    // Multiplied rather than shifted: shifts count in signed 32 bits.
    for (let unit = 1; unit <= 2 ** 28; unit *= 128) {
      const byte = this.byte()
      length += (byte & 0x7f) * unit
      if (byte < 0x80 && length <= MAX_TEXT_BYTES) return length
      if (byte < 0x80) break
    }
    throw this.error(start, 'a text is too long; the file is damaged')
  }

  /** Skips bytes and returns where they begin. */
  #skip(length: number): number {
    const start = this.#at
    if (length > this.#bytes.length - start) {
      throw this.error(start, 'the file ends too early; it is damaged or incomplete')
    }
    this.#at = start + length
    return start
  }
}

export type ByteSpan = { readonly start: number; readonly end: number }

/** @throws FormatError for a file of more than 64 MB. */
export function checkSize(bytes: Uint8Array): void {
  if (bytes.length <= MAX_FILE_BYTES) return
  throw new FormatError(`the file must have at most ${MAX_FILE_BYTES} bytes`)
}

const encoder = new TextEncoder()

/** Writes what .NET's BinaryReader reads, little-endian. */
export class ByteSink {
  #bytes = new Uint8Array(1024)
  #length = 0

  byte(value: number): void {
    const at = this.#grow(1)
    this.#bytes[at] = value
  }

  int32(value: number): void {
    const at = this.#grow(4)
    new DataView(this.#bytes.buffer).setInt32(at, value, true)
  }

  double(value: number): void {
    const at = this.#grow(8)
    new DataView(this.#bytes.buffer).setFloat64(at, value, true)
  }

  /** A text: its length in bytes as ULEB128, then UTF-8. */
  text(text: string): void {
    const encoded = encoder.encode(text)
    let rest = encoded.length
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.byte(rest)
    this.bytes(encoded)
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#grow(bytes.length)
    this.#bytes.set(bytes, at)
  }

  /** All that was written. */
  whole(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length)
  }

  /** Makes room for `count` bytes and returns where they begin. */
  #grow(count: number): number {
    const at = this.#length
    this.#length += count
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2))
      larger.set(this.#bytes.subarray(0, at))
      this.#bytes = larger
    }
    return at
  }
}
