import type { PoolDraft } from '../pool/pool.ts'
import type { Pasted } from './pasted.ts'
import { KnownCodes } from './paste/known-codes.ts'
import { readPlainLine } from './paste/plain-line.ts'
import { settle } from './paste/settle.ts'

/**
 * Reads what somebody pasted into a draft. Each line that is understood becomes a slot; each that
 * is not is reported with what to do, and keeps nothing else from being read.
 */
export function readPaste(text: string, into: PoolDraft): Pasted {
  const codes = new KnownCodes(into)
  const rows = text.split(/\r\n|\n|\r/).map((line, at) => ({ line: at + 1, text: line }))
  const findings = rows.map((row) => ({ ...row, reading: readPlainLine(row.text, codes) }))
  return { ...settle(findings, into, codes), packKey: null }
}
