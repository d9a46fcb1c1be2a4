import type { KnownCodes } from './known-codes.ts'
import { isPlain, type Label, readLabel } from './label.ts'
import { withoutFieldName } from './noise.ts'
import { startsWithSlot } from './numbered-head.ts'
import { type Reading, reasons, refused } from './reading.ts'
import type { Target } from '../../pool/beatmap-links.ts'
import { readWords, type Word } from './words.ts'

/** What a line with links in it says: the link is the beatmap, what is around it the slot. */
export function readLinkedLine(
  line: string,
  targets: readonly Target[],
  codes: KnownCodes,
): Reading {
  const [beatmapId, another] = new Set(targets.flatMap((target) => target.beatmapId ?? []))
  if (beatmapId === undefined) return refused(reasons.wholeSet)
  if (another !== undefined) return refused(reasons.severalBeatmaps)
  const before = withoutFieldName(readWords(line.slice(0, targets[0]?.start)), codes)
  const behind = readWords(line.slice(targets.at(-1)?.end))
  if (startsWithSlot(behind, codes)) return refused(reasons.severalBeatmaps)
  if (before.length > 0) {
    const label = labelBefore(before, codes)
    return label === null ? refused(reasons.unclearSlot) : { kind: 'slot', label, beatmapId }
  }
  const label = readLabel(texts(behind), codes)
  return { kind: 'slot', label: isPlain(label, codes) ? label : null, beatmapId }
}

/** A label alone; or with a title behind it; or with a time and a name in front of it. */
function labelBefore(words: readonly Word[], codes: KnownCodes): Label | null {
  const whole = readLabel(texts(words), codes)
  if (whole !== null) return whole
  for (const [at, word] of words.entries()) {
    const label = at === 0 || word.afterColon ? readLabel([word.text], codes) : null
    if (isPlain(label, codes)) return label
  }
  const last = readLabel(texts(words.slice(-1)), codes)
  return last?.code != null && codes.find(last.code) !== null ? last : null
}

const texts = (words: readonly Word[]): string[] => words.map((word) => word.text)
