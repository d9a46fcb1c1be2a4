import { defaultBuckets, isDefaultTable } from '../bucket-table.ts'
import { findProblems } from '../find-problems.ts'
import type { Pool } from '../pool.ts'
import { slotsInPoolOrder } from '../pool-order.ts'
import { ByteReader } from './byte-reader.ts'
import { unseal } from './envelope.ts'
import { PackKeyError } from './pack-key-error.ts'
import { readSlots } from './slot-bytes.ts'
import { readTable } from './table-bytes.ts'
import { readString } from './utf8.ts'

/**
 * The pool of a pack key, its slots in pool order; it may have none. White space around the key is
 * ignored. A valid key that `encodePackKey` would write otherwise opens, too.
 *
 * @throws PackKeyError, and nothing else, for any other text.
 */
export function decodePackKey(text: string): Pool {
  const envelope = unseal(text)
  if (typeof envelope === 'string') throw new PackKeyError(envelope)
  const reader = new ByteReader(envelope.content)
  const name = readString(reader)
  const hasTable = envelope.version > 1
  const buckets = hasTable ? readTable(reader, envelope.version) : defaultBuckets
  const slots = readSlots(reader, buckets, hasTable)
  if (!reader.isAtEnd) throw new PackKeyError('malformed', 'it goes on behind its last slot')
  if (name !== name.trim()) throw new PackKeyError('malformed', 'its name must be trimmed')
  const [problem] = findProblems({ name, buckets, slots }, 0)
  if (problem !== undefined) {
    throw new PackKeyError('malformed', `its ${problem.place} ${problem.remedy}`)
  }
  return {
    name,
    buckets: isDefaultTable(buckets) ? null : buckets,
    slots: slotsInPoolOrder({ buckets, slots }),
  }
}
