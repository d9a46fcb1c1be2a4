import { ByteReader } from '../../pool/pack-key/layout.ts'
import { FormatError } from '../format-error.ts'

const MAX_FILE_BYTES = 64 * 1024 * 1024
const MAX_COLLECTIONS = 10_000

const problems = {
  end: 'the file ends too early; it is damaged or incomplete',
  number: 'a text is too long; the file is damaged',
  text: 'this text is not UTF-8; the file is damaged',
}

/** Reads what .NET's BinaryWriter writes; refuses what exceeds the rest of the file before allocating for it. */
export class ByteSource extends ByteReader {
  readonly #note: string

  /** @param note is appended to every error. */
  constructor(bytes: Uint8Array, note = '') {
    super(bytes, 0x7fff_ffff)
    this.#note = note
  }

  protected override problem(kind: keyof typeof problems, offset: number): FormatError {
    return this.error(offset, problems[kind])
  }

  /** @param remedy what is wrong at the offset and what to do. */
  error(offset: number, remedy: string): FormatError {
    return new FormatError(remedy + this.#note, { offset })
  }

  /** The int32 number of things that follow, each of at least `least` bytes. */
  count(what: string, least: number): number {
    const start = this.offset
    const count = this.int32()
    if (count >= 0 && count * least <= this.bytesLeft) return count
    const remedy = `the file is too short for ${count} ${what}; it is damaged or incomplete`
    throw this.error(start, remedy)
  }

  /** The collections that follow their int32 number, each with its place in the bytes. */
  collections<C extends object>(read: () => C): (C & ByteSpan)[] {
    const at = this.offset
    // A name and a count have 5 bytes or more.
    const length = this.count('collections', 5)
    if (length > MAX_COLLECTIONS) {
      throw this.error(at, `a file can have at most ${MAX_COLLECTIONS} collections`)
    }
    return Array.from({ length }, () => {
      const start = this.offset
      const collection = read()
      return { ...collection, start, end: this.offset }
    })
  }

  /** The MD5 of a beatmap's file, in a text; empty when not known. */
  checksum(readText = () => this.text()): string {
    const start = this.offset
    const checksum = readText()
    if (checksum === '' || /^[0-9A-Fa-f]{32}$/.test(checksum)) return checksum
    throw this.error(start, 'a checksum must be 32 hexadecimal digits; the file is damaged')
  }
}

export type ByteSpan = { readonly start: number; readonly end: number }

/** @throws FormatError for a file of more than 64 MB. */
export function checkSize(bytes: Uint8Array): void {
  if (bytes.length <= MAX_FILE_BYTES) return
  throw new FormatError(`the file must have at most ${MAX_FILE_BYTES} bytes`)
}
