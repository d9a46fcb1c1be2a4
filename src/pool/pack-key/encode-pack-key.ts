import { bucketTable } from '../bucket-table.ts'
import type { Pool } from '../pool.ts'
import { slotsInPoolOrder } from '../pool-order.ts'
import { seal } from './envelope.ts'
import { writeSlots } from './slot-bytes.ts'
import { writeTable } from './table-bytes.ts'
import { writeString } from './utf8.ts'
import { oldestVersion } from './versions.ts'

/**
 * The pool as a pack key, at most 1,440 characters of `[A-Za-z0-9_.-]`. The same pool always gives
 * the same key, whatever the order of its slots, in the oldest version that can hold it.
 */
export function encodePackKey(pool: Pool): string {
  const version = oldestVersion(pool)
  const table = bucketTable(pool.buckets)
  const bytes: number[] = [version]
  writeString(bytes, pool.name)
  if (version > 1) writeTable(bytes, table)
  writeSlots(bytes, table, slotsInPoolOrder(pool))
  return seal(version, bytes)
}
