import { completePool } from '../../pool/checks.ts'
import { encodePackKey } from '../../pool/pack-key/pack-key.ts'
import type { Edit } from './edit.ts'

/** The pack key that the edit would have; null while it is no pool. */
export const liveKey = (edit: Edit): string | null => {
  try {
    return encodePackKey(completePool(edit))
  } catch {
    return null
  }
}
