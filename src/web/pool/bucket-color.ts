import type { Bucket } from '../../contract/pools.ts'
import { isCustom } from '../../pool/buckets.ts'

/**
 * Attributes that bring a bucket's colour to an element as `--color`, and as `--mark` for what
 * stands on the ground by itself (`chips.css`): `<g {...bucketColor(bucket)} />`.
 */
export const bucketColor = (
  bucket: Bucket | null,
): { readonly 'data-mod': string } | { readonly 'data-color': number } =>
  bucket !== null && isCustom(bucket)
    ? { 'data-color': bucket.color }
    : { 'data-mod': bucket?.code ?? '' }

const names: Readonly<Record<string, string>> = {
  NM: 'No mod',
  HD: 'Hidden',
  HR: 'Hard Rock',
  DT: 'Double Time',
  FM: 'Free mod',
  TB: 'Tiebreaker',
}

/** What a bucket is, in words: `Hidden`, `HD + DT`, `free mods`; empty where its code says it all. */
export const bucketMeaning = (bucket: Bucket | null): string => {
  if (bucket === null) return 'No bucket'
  if (!isCustom(bucket)) return names[bucket.code] ?? ''
  if (bucket.mods === undefined) return ''
  return bucket.mods.kind === 'free' ? 'Free mods' : bucket.mods.set.join(' + ')
}
