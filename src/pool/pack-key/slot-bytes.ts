import { MAX_SLOTS } from '../../contract/bounds.ts'
import type { Bucket } from '../../contract/bucket.ts'
import type { Slot } from '../../contract/slot.ts'
import type { ByteReader } from './byte-reader.ts'
import { PackKeyError } from './pack-key-error.ts'
import { readVarint, writeVarint } from './varint.ts'

const NO_BUCKET = 0xff

/** Appends slots in the order given, each with its bucket's position in the table. */
export function writeSlots(
  bytes: number[],
  table: readonly Bucket[],
  slots: readonly Slot[],
): void {
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

/** Reads slots as they stand; their validity is the caller's. */
export function readSlots(
  reader: ByteReader,
  table: readonly Bucket[],
  noBucketAllowed: boolean,
): Slot[] {
  const count = readVarint(reader)
  if (count > MAX_SLOTS) throw new PackKeyError('malformed', `it has more than ${MAX_SLOTS} slots`)
  return Array.from({ length: count }, () => {
    const position = reader.byte()
    const mod = position === NO_BUCKET && noBucketAllowed ? null : table[position]?.code
    if (mod === undefined) throw new PackKeyError('malformed', 'a slot is in no bucket that it has')
    return { mod, index: readVarint(reader), beatmapId: readVarint(reader) }
  })
}
