import type { Pack } from '../../contract/packs.ts'
import type { Pool } from '../../pool/pool.ts'

/** The pool that a pack holds. */
export const poolOf = ({ name, slots, buckets }: Pack): Pool => ({
  name,
  slots,
  buckets: buckets ?? null,
})
