import type { KnownCodes } from './known-codes.ts'
import { readLabel } from './label.ts'
import type { Reading } from './reading.ts'
import type { Word } from './words.ts'

/** What sheets write over a bucket instead of its code. Never read as a slot's own code. */
const fullNames = new Map([
  ['nomod', 'NM'],
  ['nomods', 'NM'],
  ['hidden', 'HD'],
  ['hardrock', 'HR'],
  ['doubletime', 'DT'],
  ['freemod', 'FM'],
  ['freemods', 'FM'],
  ['tiebreaker', 'TB'],
])

/**
 * A line that names the place of what comes below it: `NM`, `Hard Rock`, `RC`, `[Mix]`, `NM1:`. A
 * code that is not known yet has to be in capitals or dressed up as a heading, or any word would
 * make a bucket.
 *
 * @returns null when the line is no heading.
 */
export function readHeading(
  line: string,
  words: readonly Word[],
  codes: KnownCodes,
): Reading | null {
  const texts = words.map((word) => word.text)
  const label = readLabel(texts, codes)
  if (label?.code != null) {
    const isKnown = codes.find(label.code) !== null
    const isDressed = line !== texts.join(' ') || label.code === label.code.toUpperCase()
    if (isKnown || isDressed) return { kind: 'heading', label }
  }
  const named = words.length > 2 ? undefined : fullNames.get(texts.join('').toLowerCase())
  return named === undefined ? null : { kind: 'heading', label: { code: named, index: null } }
}
