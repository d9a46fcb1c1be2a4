import type { PoolDraft } from '../pool/pool.ts'
import { KnownCodes } from './paste/label.ts'
import { openPackKey, settlePool, withDamagedKeys } from './paste/pack-keys.ts'
import { readLines } from './paste/read-lines.ts'
import type { Pasted } from './paste/reading.ts'
import { settle } from './paste/settle.ts'

/** In UTF-16 code units. */
export const LONGEST_PASTE = 1_000_000

/**
 * Reads what somebody pasted into a draft: a table with or without a header, lines such as
 * `NM1 129891`, ids and links, or a text with a pack key in it. Each line that is understood becomes
 * a slot; each that is not is reported with what to do, and keeps nothing else from being read.
 *
 * The draft stays valid if it was. A text longer than 1,000,000 characters is refused whole. Takes
 * time in proportion to the text, whatever is in it, and throws nothing.
 */
export function readPaste(text: string, into: PoolDraft): Pasted {
  if (text.length > LONGEST_PASTE) return { lines: [tooLong(text)], draft: into, packKey: null }
  const codes = new KnownCodes(into)
  const findings = readLines(text, codes)
  const opened = openPackKey(findings)
  if (opened !== null) return settlePool(opened, findings, into, codes)
  return { ...settle(withDamagedKeys(findings), into, codes), packKey: null }
}

const SHOWN = 80

const tooLong = (text: string): Pasted['lines'][number] => ({
  line: 1,
  text: (text.slice(0, SHOWN).split(/[\r\n]/, 1)[0] ?? '').toWellFormed(),
  outcome: 'refused',
  reason: 'This is more than 1 MB of text, so nothing was read. Paste one pool at a time.',
})
