import { MAX_BUCKETS } from '../../contract/bounds.ts'
import type { Bucket, BucketMods } from '../../contract/bucket.ts'
import { builtinCodes } from '../../contract/mods.ts'
import { isBuiltinCode } from '../bucket-code.ts'
import { isCustom } from '../bucket-table.ts'
import type { ByteReader } from './byte-reader.ts'
import { fromForcedMask, toForcedMask } from './forced-mask.ts'
import { PackKeyError } from './pack-key-error.ts'
import { readString, writeString } from './utf8.ts'
import { readVarint, writeVarint } from './varint.ts'
import type { PackKeyVersion } from './versions.ts'

const CUSTOM = 0xfe
const CUSTOM_WITH_MODS = 0xfd
const FORCED = 1
const FREE = 2

/** Appends a bucket table in pool order. */
export function writeTable(bytes: number[], table: readonly Bucket[]): void {
  writeVarint(bytes, table.length)
  for (const bucket of table) {
    if (isCustom(bucket)) {
      bytes.push(bucket.mods === undefined ? CUSTOM : CUSTOM_WITH_MODS, bucket.color)
      writeString(bytes, bucket.code)
      if (bucket.mods !== undefined) writeMods(bytes, bucket.mods)
    } else {
      bytes.push(builtinCodes.indexOf(bucket.code))
    }
  }
}

function writeMods(bytes: number[], mods: BucketMods): void {
  if (mods.kind === 'free') bytes.push(FREE)
  else bytes.push(FORCED, toForcedMask(mods.set))
}

/** Reads a bucket table with each built-in exactly once; the rest of its validity is the caller's. */
export function readTable(reader: ByteReader, version: PackKeyVersion): Bucket[] {
  const count = readVarint(reader)
  if (count < builtinCodes.length || count > MAX_BUCKETS) {
    throw new PackKeyError(
      'malformed',
      `it must have ${builtinCodes.length} to ${MAX_BUCKETS} buckets`,
    )
  }
  const table = Array.from({ length: count }, () => readBucket(reader, version))
  const builtins = new Set(table.map((bucket) => bucket.code).filter(isBuiltinCode))
  if (builtins.size < builtinCodes.length) {
    throw new PackKeyError('malformed', 'a built-in bucket is missing')
  }
  return table
}

function readBucket(reader: ByteReader, version: PackKeyVersion): Bucket {
  const kind = reader.byte()
  const code = builtinCodes[kind]
  if (code !== undefined) return { code }
  const withMods = kind === CUSTOM_WITH_MODS && version >= 3
  if (kind !== CUSTOM && !withMods) {
    throw new PackKeyError('malformed', 'a bucket is of no known kind')
  }
  const color = reader.byte()
  const custom = { code: readString(reader), color }
  return withMods ? { ...custom, mods: readMods(reader) } : custom
}

function readMods(reader: ByteReader): BucketMods {
  const mode = reader.byte()
  if (mode === FREE) return { kind: 'free' }
  if (mode !== FORCED) throw new PackKeyError('malformed', 'a bucket is of no known mode')
  return { kind: 'forced', set: fromForcedMask(reader.byte()) }
}
