import { builtinCodes, type ForcedMod, forcedMods } from '../../contract/mods.ts'
import type { Bucket, Slot } from '../../contract/pools.ts'
import type { Pool } from '../pool.ts'
import { bucketTable, isCustom, slotsInPoolOrder } from '../slots.ts'

// Apart from what reads keys, which a page that only makes them does not load.

/** 1: default table. 2: any table, slots without a bucket. 3: custom buckets with mods. */
export type PackKeyVersion = 1 | 2 | 3

export const CUSTOM = 0xfe
export const CUSTOM_WITH_MODS = 0xfd
export const FORCED = 1
export const FREE = 2
export const NO_BUCKET = 0xff

/**
 * The pool as a pack key, at most 1,440 characters of `[A-Za-z0-9_.-]`. Pools that only differ in the
 * order of their slots have the same key.
 */
export function encodePackKey(pool: Pool): string {
  const version = oldestVersion(pool)
  const table = bucketTable(pool.buckets)
  sink.clear()
  sink.byte(version)
  sink.text(pool.name)
  if (version > 1) writeTable(sink, table)
  writeSlots(sink, table, slotsInPoolOrder(pool))
  const content = sink.whole()
  const checksum = crc16(content, content.length)
  sink.bytes([checksum >> 8, checksum & 0xff])
  return `pk${version}.${toBase64url(sink.whole())}`
}

/** The oldest version that can hold the pool, so that as many readers as possible can open it. */
function oldestVersion({ buckets, slots }: Pool): PackKeyVersion {
  if (buckets?.some((bucket) => isCustom(bucket) && bucket.mods !== undefined)) return 3
  return buckets !== null || slots.some(({ mod }) => mod === null) ? 2 : 1
}

/** Appends a bucket table in pool order. */
function writeTable(sink: ByteSink, table: readonly Bucket[]): void {
  sink.varint(table.length)
  for (const bucket of table) {
    if (isCustom(bucket)) {
      const { code, color, mods } = bucket
      sink.bytes([mods === undefined ? CUSTOM : CUSTOM_WITH_MODS, color])
      sink.text(code)
      if (mods?.kind === 'free') sink.byte(FREE)
      else if (mods !== undefined) sink.bytes([FORCED, toMask(mods.set)])
    } else {
      sink.byte(builtinCodes.indexOf(bucket.code))
    }
  }
}

/** A forced set as bits: EZ 1, HD 2, HR 4, DT 8, HT 16, FL 32. */
function toMask(set: readonly ForcedMod[]): number {
  return set.reduce((mask, mod) => mask | (1 << forcedMods.indexOf(mod)), 0)
}

/** Appends slots in the order given, each with its bucket's position in the table. */
function writeSlots(sink: ByteSink, table: readonly Bucket[], slots: readonly Slot[]) {
  const positions = new Map<string | null, number>([[null, NO_BUCKET]])
  for (const [position, bucket] of table.entries()) positions.set(bucket.code, position)
  sink.varint(slots.length)
  for (const { mod, index, beatmapId } of slots) {
    const position = positions.get(mod)
    if (position === undefined) throw new Error('a pool must be completed before it is encoded')
    sink.byte(position)
    sink.varint(index)
    sink.varint(beatmapId)
  }
}

/** CRC-16/CCITT-FALSE of the first `length` bytes: "123456789" has 29B1. */
export function crc16(bytes: ArrayLike<number>, length: number): number {
  let crc = 0xffff
  for (let at = 0; at < length; at += 1) {
    let byte = (crc >> 8) ^ bytes[at]!
    byte ^= byte >> 4
    // The polynomial 0x1021, without a table.
    crc = ((crc << 8) ^ (byte << 12) ^ (byte << 5) ^ byte) & 0xffff
  }
  return crc
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Bytes as base64url without padding (RFC 4648, section 5). */
export function toBase64url(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    text += alphabet.charAt(bits >> 18) + alphabet.charAt((bits >> 12) & 63)
    text += alphabet.charAt((bits >> 6) & 63) + alphabet.charAt(bits & 63)
  }
  return text.slice(0, Math.ceil((bytes.length * 4) / 3))
}

const encoder = new TextEncoder()

/** Writes what `ByteReader` reads. */
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

  /** 0 to 2³²−1, in as few bytes as it takes. */
  varint(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.byte(rest)
  }

  text(text: string): void {
    const encoded = encoder.encode(text)
    this.varint(encoded.length)
    this.bytes(encoded)
  }

  bytes(bytes: ArrayLike<number>): void {
    const at = this.#grow(bytes.length)
    this.#bytes.set(bytes, at)
  }

  clear(): void {
    this.#length = 0
  }

  /** All that was written, not copied: valid until `clear`. */
  whole(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
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

// Reused: allocating a sink takes as long as the rest of encoding a key.
const sink = new ByteSink()
