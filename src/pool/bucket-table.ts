import type { Bucket, CustomBucket } from '../contract/bucket.ts'
import { builtinCodes } from '../contract/mods.ts'

/** The bucket table of a pool that has none of its own: the built-ins in default order. */
export const defaultBuckets: readonly Bucket[] = builtinCodes.map((code) => ({ code }))

/** The table to go by, in pool order. */
export function bucketTable(buckets: readonly Bucket[] | null | undefined): readonly Bucket[] {
  return buckets ?? defaultBuckets
}

/** Whether the host made the bucket. */
export function isCustom(bucket: Bucket): bucket is CustomBucket {
  return 'color' in bucket
}

/** Whether the table says no more than having none would (D-22). */
export function isDefaultTable(table: readonly Bucket[]): boolean {
  return (
    table.length === builtinCodes.length &&
    table.every((bucket, position) => bucket.code === builtinCodes[position])
  )
}
