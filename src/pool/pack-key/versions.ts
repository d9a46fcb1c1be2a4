import type { Bucket } from '../../contract/bucket.ts'
import type { Slot } from '../../contract/slot.ts'
import { isCustom } from '../bucket-table.ts'
import type { Pool } from '../pool.ts'

/** 1: default table. 2: any table, slots without a bucket. 3: custom buckets with mods. */
export type PackKeyVersion = 1 | 2 | 3

/** The version behind `pk`, spelled exactly so: `01` is none. */
export const knownVersions: ReadonlyMap<string, PackKeyVersion> = new Map([
  ['1', 1],
  ['2', 2],
  ['3', 3],
])

/** The oldest version that can hold the pool, so that as many readers as possible can open it. */
export function oldestVersion({ buckets, slots }: Pool): PackKeyVersion {
  if (buckets?.some(hasMods)) return 3
  return buckets !== null || slots.some(hasNoBucket) ? 2 : 1
}

const hasMods = (bucket: Bucket): boolean => isCustom(bucket) && bucket.mods !== undefined
const hasNoBucket = (slot: Slot): boolean => slot.mod === null
