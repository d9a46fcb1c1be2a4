import { PackKeyError } from '../../pool/pack-key/envelope.ts'
import { decodePackKey, findPackKey } from '../../pool/pack-key/pack-key.ts'
import type { Pool } from '../../pool/pool.ts'
import type { Finding } from './read-lines.ts'
import { refused } from './reading.ts'

/** A pack key that opens, and the finding that it stands in. */
export type OpenedKey = { readonly key: string; readonly pool: Pool; readonly finding: Finding }

/** The first pack key that opens. A line that is a slot by itself holds none: titles may look like one. */
export function openPackKey(findings: readonly Finding[]): OpenedKey | null {
  for (const finding of findings) {
    const key = keyIn(finding)
    const pool = key === null ? null : open(key)
    if (key !== null && pool !== null && !(pool instanceof PackKeyError))
      return { key, pool, finding }
  }
  return null
}

/** The findings, lines with a damaged key saying what is wrong with it. */
export function withDamagedKeys(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const key = keyIn(finding)
    const error = key === null ? null : open(key)
    return error instanceof PackKeyError ? { ...finding, reading: refused(error.message) } : finding
  })
}

/** What looks like a pack key on a line that was not understood, or all but is no comment: `#pk1.…` of a link. */
export function keyIn({ text, reading }: Finding): string | null {
  const mayHold = reading.kind === 'refused' || /^\s*#pk[0-9]/.test(text)
  return mayHold ? findPackKey(text) : null
}

function open(key: string): Pool | PackKeyError {
  try {
    return decodePackKey(key)
  } catch (error) {
    if (error instanceof PackKeyError) return error
    throw error
  }
}
