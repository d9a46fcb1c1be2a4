import { MAX_BUCKETS, MAX_SLOTS } from '../../contract/bounds.ts'
import { builtinCodes, type ForcedMod, forcedMods } from '../../contract/mods.ts'
import type { Bucket, BucketMods, Slot } from '../../contract/pools.ts'
import { isBuiltinCode, isCustom } from '../buckets.ts'

/** 1: default table. 2: any table, slots without a bucket. 3: custom buckets with mods. */
export type PackKeyVersion = 1 | 2 | 3

/** In the order in which they are looked for. */
const messages = {
  empty: 'There is no pack key here; paste one.',
  prefix: 'This is not a pack key; a pack key begins with pk, a number and a dot.',
  version: 'This pack key has a version that is not known here; versions 1 to 3 are.',
  encoding: 'This pack key holds a character that does not belong, or lacks some; copy it again.',
  checksum: 'This pack key is damaged; copy it again.',
  malformed: 'This pack key holds no valid pool',
}

/**
 * Why a text is no pack key: nothing but white space; not `pk<number>.`; an unknown version; not
 * strict base64url; damaged; anything else.
 */
export type PackKeyErrorCode = keyof typeof messages

/** The one error that reading a pack key throws. */
export class PackKeyError extends Error {
  readonly code: PackKeyErrorCode

  /** @param detail what exactly is wrong with a `malformed` key. */
  constructor(code: PackKeyErrorCode, detail?: string) {
    super(detail === undefined ? messages[code] : `${messages[code]}: ${detail}`)
    this.name = 'PackKeyError'
    this.code = code
  }
}

export function malformed(detail: string): PackKeyError {
  return new PackKeyError('malformed', detail)
}

const CUSTOM = 0xfe
const CUSTOM_WITH_MODS = 0xfd
const FORCED = 1
const FREE = 2
const NO_BUCKET = 0xff

/** Appends a bucket table in pool order. */
export function writeTable(bytes: number[], table: readonly Bucket[]): void {
  writeVarint(bytes, table.length)
  for (const bucket of table) {
    if (isCustom(bucket)) {
      const { code, color, mods } = bucket
      bytes.push(mods === undefined ? CUSTOM : CUSTOM_WITH_MODS, color)
      writeString(bytes, code)
      if (mods?.kind === 'free') bytes.push(FREE)
      else if (mods !== undefined) bytes.push(FORCED, toMask(mods.set))
    } else {
      bytes.push(builtinCodes.indexOf(bucket.code))
    }
  }
}

/** A forced set as bits: EZ 1, HD 2, HR 4, DT 8, HT 16, FL 32. */
function toMask(set: readonly ForcedMod[]): number {
  return set.reduce((mask, mod) => mask | (1 << forcedMods.indexOf(mod)), 0)
}

/** Reads a bucket table that has every built-in; the caller checks everything else. */
export function readTable(reader: ByteReader, version: PackKeyVersion): Bucket[] {
  const count = reader.varint()
  if (count < builtinCodes.length || count > MAX_BUCKETS) {
    throw malformed(`it must have ${builtinCodes.length} to ${MAX_BUCKETS} buckets`)
  }
  const table = Array.from({ length: count }, () => readBucket(reader, version))
  const builtins = new Set(table.map((bucket) => bucket.code).filter(isBuiltinCode))
  if (builtins.size < builtinCodes.length) throw malformed('a built-in bucket is missing')
  return table
}

function readBucket(reader: ByteReader, version: PackKeyVersion): Bucket {
  const kind = reader.byte()
  const code = builtinCodes[kind]
  if (code !== undefined) return { code }
  const withMods = kind === CUSTOM_WITH_MODS && version >= 3
  if (kind !== CUSTOM && !withMods) throw malformed('a bucket is of no known kind')
  const color = reader.byte()
  const custom = { code: reader.string(), color }
  return withMods ? { ...custom, mods: readMods(reader) } : custom
}

function readMods(reader: ByteReader): BucketMods {
  const mode = reader.byte()
  if (mode === FREE) return { kind: 'free' }
  if (mode !== FORCED) throw malformed('a bucket is of no known mode')
  const mask = reader.byte()
  if (mask >> forcedMods.length !== 0) throw malformed('a mod is not known')
  return { kind: 'forced', set: forcedMods.filter((_, bit) => (mask & (1 << bit)) !== 0) }
}

/** Appends slots in the order given, each with its bucket's position in the table. */
export function writeSlots(bytes: number[], table: readonly Bucket[], slots: readonly Slot[]) {
  const positions = new Map<string | null, number>([[null, NO_BUCKET]])
  for (const [position, bucket] of table.entries()) positions.set(bucket.code, position)
  writeVarint(bytes, slots.length)
  for (const { mod, index, beatmapId } of slots) {
    const position = positions.get(mod)
    if (position === undefined) throw new Error('a pool must be completed before it is encoded')
    bytes.push(position)
    writeVarint(bytes, index)
    writeVarint(bytes, beatmapId)
  }
}

/** Reads slots as they are; the caller checks them. */
export function readSlots(
  reader: ByteReader,
  table: readonly Bucket[],
  noBucketAllowed: boolean,
): Slot[] {
  const count = reader.varint()
  if (count > MAX_SLOTS) throw malformed(`it has more than ${MAX_SLOTS} slots`)
  return Array.from({ length: count }, () => {
    const position = reader.byte()
    const mod = position === NO_BUCKET && noBucketAllowed ? null : table[position]?.code
    if (mod === undefined) throw malformed('a slot is in no bucket that it has')
    return { mod, index: reader.varint(), beatmapId: reader.varint() }
  })
}

const encoder = new TextEncoder()

/** Appends a string: its length in bytes, then UTF-8. */
export function writeString(bytes: number[], text: string): void {
  const encoded = encoder.encode(text)
  writeVarint(bytes, encoded.length)
  bytes.push(...encoded)
}

/** Appends an unsigned LEB128 number, 0 to 2³²−1, in as few bytes as it takes. */
export function writeVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  bytes.push(rest)
}

const MAX_VARINT_BYTES = 5
const MAX_VARINT = 0xffff_ffff
// A byte order mark is part of the text here: dropped in silence, it would make two keys of one pool.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads bytes from front to back; what cannot be read is `malformed`. */
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
    return this.#take(1)[0]!
  }

  /** An unsigned LEB128 number of at most 5 bytes and 2³²−1; longer than needed is accepted. */
  varint(): number {
    let value = 0
    // Multiplied rather than shifted: shifts count in signed 32 bits.
    for (let count = 0, unit = 1; count < MAX_VARINT_BYTES; count += 1, unit *= 128) {
      const byte = this.byte()
      value += (byte & 0x7f) * unit
      if (byte < 0x80 && value <= MAX_VARINT) return value
      if (byte < 0x80) break
    }
    throw malformed('a number is too large')
  }

  string(): string {
    const encoded = this.#take(this.varint())
    try {
      return decoder.decode(encoded)
    } catch {
      throw malformed('a text in it is not UTF-8')
    }
  }

  #take(length: number): Uint8Array {
    const start = this.#at
    if (length > this.#bytes.length - start) throw malformed('it ends too early')
    this.#at = start + length
    return this.#bytes.subarray(start, this.#at)
  }
}
