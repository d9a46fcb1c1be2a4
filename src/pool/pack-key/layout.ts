import { MAX_BUCKETS, MAX_SLOTS } from '../../contract/bounds.ts'
import { builtinCodes, forcedMods } from '../../contract/mods.ts'
import type { Bucket, BucketMods, Slot } from '../../contract/pools.ts'
import { joinEnglish, worded } from '../message.ts'
import { isBuiltinCode } from '../slots.ts'
import { CUSTOM, CUSTOM_WITH_MODS, FORCED, FREE, NO_BUCKET, type PackKeyVersion } from './encode.ts'
import { type KeyMessage, keyProblem, keyWords } from './key-words.ts'

const messages = {
  empty: 'There is no pack key here; paste one.',
  prefix: 'This is not a pack key; a pack key begins with pk, a number and a dot.',
  version: 'This pack key has a version that is not known here; versions 1 to 3 are.',
  encoding: 'This pack key holds a character that does not belong, or lacks some; copy it again.',
  checksum: 'This pack key is damaged; copy it again.',
  malformed: 'This pack key holds no valid pool',
}

/** Why a text is no pack key, in the order in which it is checked; `encoding` is strict base64url. */
export type PackKeyErrorCode = keyof typeof messages

export class PackKeyError extends Error {
  readonly code: PackKeyErrorCode
  /** What exactly is wrong with a `malformed` key; null if that is not known. */
  readonly detail: KeyMessage | null

  constructor(code: PackKeyErrorCode, detail: KeyMessage | null = null) {
    const english = { words: keyWords, join: joinEnglish }
    super(detail === null ? messages[code] : `${messages[code]}: ${worded(detail, english)}`)
    this.name = 'PackKeyError'
    this.code = code
    this.detail = detail
  }
}

export function malformed(detail: KeyMessage): PackKeyError {
  return new PackKeyError('malformed', detail)
}

/** Reads a bucket table that has every built-in; the caller checks everything else. */
export function readTable(reader: KeyReader, version: PackKeyVersion): Bucket[] {
  const count = reader.varint()
  if (count < builtinCodes.length || count > MAX_BUCKETS) {
    throw malformed(keyProblem('keyOfBuckets', { least: builtinCodes.length, most: MAX_BUCKETS }))
  }
  const table = Array.from({ length: count }, () => readBucket(reader, version))
  const builtins = new Set(table.map((bucket) => bucket.code).filter(isBuiltinCode))
  if (builtins.size < builtinCodes.length) throw malformed(keyProblem('keyWithoutBucket'))
  return table
}

function readBucket(reader: KeyReader, version: PackKeyVersion): Bucket {
  const kind = reader.byte()
  const code = builtinCodes[kind]
  if (code !== undefined) return { code }
  const withMods = kind === CUSTOM_WITH_MODS && version >= 3
  if (kind !== CUSTOM && !withMods) throw malformed(keyProblem('keyOfBucketKind'))
  const color = reader.byte()
  const custom = { code: reader.text(), color }
  return withMods ? { ...custom, mods: readMods(reader) } : custom
}

function readMods(reader: KeyReader): BucketMods {
  const mode = reader.byte()
  if (mode === FREE) return { kind: 'free' }
  if (mode !== FORCED) throw malformed(keyProblem('keyOfBucketMode'))
  const mask = reader.byte()
  if (mask >> forcedMods.length !== 0) throw malformed(keyProblem('keyOfMod'))
  return { kind: 'forced', set: forcedMods.filter((_, bit) => (mask & (1 << bit)) !== 0) }
}

/** Reads slots as they are; the caller checks them. */
export function readSlots(
  reader: KeyReader,
  table: readonly Bucket[],
  noBucketAllowed: boolean,
): Slot[] {
  const count = reader.varint()
  if (count > MAX_SLOTS) throw malformed(keyProblem('keyOfSlots', { most: MAX_SLOTS }))
  return Array.from({ length: count }, () => {
    const position = reader.byte()
    const mod = position === NO_BUCKET && noBucketAllowed ? null : table[position]?.code
    if (mod === undefined) throw malformed(keyProblem('keyOfSlot'))
    return { mod, index: reader.varint(), beatmapId: reader.varint() }
  })
}

// A byte order mark is part of the text here: dropped in silence, it would make two keys of one pool.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads little-endian bytes from front to back, with unsigned LEB128 numbers, and texts as UTF-8 after
 * their length in bytes.
 */
export abstract class ByteReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #maxVarint: number
  #at = 0

  constructor(bytes: Uint8Array, maxVarint: number) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#maxVarint = maxVarint
  }

  protected abstract problem(kind: 'end' | 'number' | 'text', offset: number): Error

  get offset(): number {
    return this.#at
  }

  get bytesLeft(): number {
    return this.#bytes.length - this.#at
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

  /** At most 5 bytes; longer than needed is accepted. */
  varint(): number {
    const start = this.#at
    let value = 0
    // Multiplied rather than shifted: shifts count in signed 32 bits.
    for (let unit = 1; unit <= 2 ** 28; unit *= 128) {
      const byte = this.byte()
      value += (byte & 0x7f) * unit
      if (byte < 0x80 && value <= this.#maxVarint) return value
      if (byte < 0x80) break
    }
    throw this.problem('number', start)
  }

  text(): string {
    const start = this.#at
    const bytes = this.textBytes()
    try {
      return decoder.decode(bytes)
    } catch {
      throw this.problem('text', start)
    }
  }

  /** Those of a text, UTF-8 or not. */
  textBytes(): Uint8Array {
    const length = this.varint()
    const from = this.#skip(length)
    return this.#bytes.subarray(from, from + length)
  }

  /** Returns where the skipped bytes begin. */
  #skip(length: number): number {
    const start = this.#at
    if (length > this.bytesLeft) throw this.problem('end', start)
    this.#at = start + length
    return start
  }
}

const problems = {
  end: 'keyEnds',
  number: 'keyOfNumber',
  text: 'keyOfText',
} as const

/** Reads the bytes of a key; what cannot be read is `malformed`. */
export class KeyReader extends ByteReader {
  constructor(bytes: Uint8Array) {
    super(bytes, 0xffff_ffff)
  }

  protected override problem(kind: keyof typeof problems): PackKeyError {
    return malformed(keyProblem(problems[kind]))
  }
}
