import type { JSX } from 'preact'
import type { Bucket } from '../../contract/pools.ts'
import { isCustom } from '../../pool/buckets.ts'

/** A mod or a built-in bucket in its sheet colour. The code always stands beside the colour. */
export const ModChip = ({ code }: { readonly code: string }): JSX.Element => (
  <span class="chip" data-mod={code}>
    {code}
  </span>
)

/** A bucket of either kind in its colour. */
export const BucketChip = ({ bucket }: { readonly bucket: Bucket }): JSX.Element =>
  isCustom(bucket) ? (
    <span class="chip" data-color={bucket.color}>
      {bucket.code}
    </span>
  ) : (
    <ModChip code={bucket.code} />
  )
