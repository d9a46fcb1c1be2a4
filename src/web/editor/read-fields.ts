import { MAX_SLOT_INDEX } from '../../contract/bounds.ts'
import type { Bucket } from '../../contract/bucket.ts'
import { foldCode, isCode } from '../../pool/buckets.ts'
import type { Reading } from './reading.ts'

/** A slot's number as it is typed. */
export const readIndex = (text: string): Reading<number> => {
  const value = /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : 0
  return value >= 1 && value <= MAX_SLOT_INDEX
    ? { value }
    : { reason: `Enter a number from 1 to ${MAX_SLOT_INDEX}.` }
}

/** A custom bucket's code as it is typed; `own` is the one that it has now. */
export const readCode = (
  text: string,
  buckets: readonly Bucket[],
  own: string | null,
): Reading<string> => {
  const value = text.trim()
  if (!isCode(value)) return { reason: 'Use 1 to 12 letters or digits.' }
  const holder = buckets.find(({ code }) => code !== own && foldCode(code) === foldCode(value))
  return holder === undefined ? { value } : { reason: `Bucket ${holder.code} already exists.` }
}
