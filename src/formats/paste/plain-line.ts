import { readHeading } from './heading.ts'
import type { KnownCodes } from './known-codes.ts'
import { isPlain } from './label.ts'
import { readLinkedLine } from './linked-line.ts'
import { withoutTags } from './noise.ts'
import { readHead } from './numbered-head.ts'
import { type Reading, reasons, refused, skipped } from './reading.ts'
import { findTargets } from '../../pool/beatmap-links.ts'
import { readWhole, readWords, tidy, type Word } from './words.ts'

/** Times and names of who speaks stand in front of a chat line; more words than this do not. */
const LONGEST_PREFIX = 12
const LONGEST_HEADING = 3

/** What a line says that is no row of a table: `NM1 129891`, a link, a heading, a comment. */
export function readPlainLine(text: string, codes: KnownCodes): Reading {
  const line = tidy(text)
  if (line.startsWith('#') || !/[\p{L}\p{N}]/u.test(line)) return skipped
  const item = withoutTags(line).replace(/^[0-9]{1,3}[.)]\s+/, '')
  const targets = findTargets(item)
  if (targets.length > 0) return readLinkedLine(item, targets, codes)
  if (/^!mp\s+(?!map\b)/i.test(item)) return skipped
  const words = readWords(item)
  return readNumbered(words, codes) ?? readHeading(item, words, codes) ?? notUnderstood(item, words)
}

function notUnderstood(line: string, words: readonly Word[]): Reading {
  if (/https?:\/\//i.test(line)) return refused(reasons.otherLink)
  const numbers = words.filter((word) => readWhole(word.text) !== null).length
  if (numbers > 0) return refused(numbers > 1 ? reasons.severalNumbers : reasons.unclearSlot)
  return { ...refused(reasons.noBeatmap), endsHeading: words.length <= LONGEST_HEADING }
}

/** `NM1 129891`, `RC1 2 555`, `129891`, with a name before it or a remark behind it. */
function readNumbered(words: readonly Word[], codes: KnownCodes): Reading | null {
  const whole = readHead(words, codes)
  if (whole !== null) return whole
  for (let start = 1; start < Math.min(words.length, LONGEST_PREFIX); start += 1) {
    const reading = words[start]?.afterColon === true ? readHead(words.slice(start), codes) : null
    if (reading !== null && isPlain(reading.label, codes)) return reading
  }
  return null
}
