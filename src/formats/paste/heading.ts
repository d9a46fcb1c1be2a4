import type { KnownCodes } from './known-codes.ts'
import { readLabel } from './label.ts'
import type { Reading } from './reading.ts'
import type { Word } from './words.ts'

/** What sheets write over a bucket instead of its code. Never read as a slot's own code. */
const fullNames = new Map([
  ['nomod', 'NM'],
  ['no-mod', 'NM'],
  ['nomods', 'NM'],
  ['hidden', 'HD'],
  ['hardrock', 'HR'],
  ['doubletime', 'DT'],
  ['freemod', 'FM'],
  ['free-mod', 'FM'],
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
  const isCode = label?.code != null
  if (isCode && codes.find(label.code) !== null) return { kind: 'heading', label }
  const named = words.length > 2 ? undefined : fullNames.get(texts.join('').toLowerCase())
  if (named !== undefined) return { kind: 'heading', label: { code: named, index: null } }
  const isDressed = line !== texts.join(' ')
  return isCode && (isDressed || label.code === label.code.toUpperCase())
    ? { kind: 'heading', label }
    : null
}
