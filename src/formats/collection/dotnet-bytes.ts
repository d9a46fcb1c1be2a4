import { ByteReader } from '../../pool/pack-key/layout.ts'
import { fault, FormatError, type FormatMessage } from '../format-error.ts'

const MAX_FILE_BYTES = 64 * 1024 * 1024
const MAX_COLLECTIONS = 10_000

const problems = {
  end: fault('endsEarly'),
  number: fault('longText'),
  text: fault('badText'),
}

/** Reads what .NET's BinaryWriter writes; refuses what exceeds the rest of the file before allocating for it. */
export class ByteSource extends ByteReader {
  readonly #isUnpacked: boolean

  /** @param isUnpacked whether offsets are those of unpacked content, which errors say. */
  constructor(bytes: Uint8Array, isUnpacked = false) {
    super(bytes, 0x7fff_ffff)
    this.#isUnpacked = isUnpacked
  }

  protected override problem(kind: keyof typeof problems, offset: number): FormatError {
    return this.error(offset, problems[kind])
  }

  /** @param message what is wrong at the offset and what to do. */
  error(offset: number, message: FormatMessage): FormatError {
    const what = this.#isUnpacked ? fault('unpacked', { problem: { message } }) : message
    return new FormatError(what, { offset })
  }

  /** The int32 number of things that follow, each of at least `least` bytes. */
  count(what: 'Beatmaps' | 'Checksums' | 'Collections', least: number): number {
    const start = this.offset
    const count = this.int32()
    if (count >= 0 && count * least <= this.bytesLeft) return count
    throw this.error(start, fault(`tooFew${what}`, { n: count }))
  }

  /** The collections that follow their int32 number, each with its place in the bytes. */
  collections<C extends object>(read: () => C): (C & ByteSpan)[] {
    const at = this.offset
    // A name and a count have 5 bytes or more.
    const length = this.count('Collections', 5)
    if (length > MAX_COLLECTIONS) {
      throw this.error(at, fault('tooManyCollections', { most: MAX_COLLECTIONS }))
    }
    return Array.from({ length }, () => {
      const start = this.offset
      const collection = read()
      return { ...collection, start, end: this.offset }
    })
  }
}

export type ByteSpan = { readonly start: number; readonly end: number }

/** @throws FormatError for a file of more than 64 MB. */
export function checkSize(bytes: Uint8Array): void {
  if (bytes.length <= MAX_FILE_BYTES) return
  throw new FormatError(fault('largeFile', { most: MAX_FILE_BYTES }))
}
