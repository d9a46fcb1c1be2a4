import type { KnownCodes } from './known-codes.ts'
import { isPlain, type Label, readLabel } from './label.ts'
import { withoutFieldName } from './noise.ts'
import type { SlotReading } from './reading.ts'
import { readWhole, type Word } from './words.ts'

/**
 * A line whose beatmap id follows its label at once, or stands alone, or before its label. What is
 * behind has to be set apart (`- Artist - Title`, `(warm-up)`) and to be no slot itself.
 *
 * @returns null when it is not clear which number is the id.
 */
export function readHead(line: readonly Word[], codes: KnownCodes): SlotReading | null {
  const words = withoutFieldName(line, codes)
  const head = findHead(words, codes)
  if (head === null) return readIdFirst(words, codes)
  const rest = words.slice(head.length)
  const reading: SlotReading = { kind: 'slot', label: head.label, beatmapId: head.beatmapId }
  if (rest.length === 0) return reading
  const isRemark = rest[0]?.apart === true && rest.length > 1 && !startsWithSlot(rest, codes)
  return isRemark || isWord(rest) ? reading : readIdFirst(words, codes)
}

/** Whether the words begin with a slot of their own, so that they are more than a remark. */
export function startsWithSlot(words: readonly Word[], codes: KnownCodes): boolean {
  return isPlain(findHead(words, codes)?.label ?? null, codes)
}

const isWord = ([word, ...more]: readonly Word[]): boolean =>
  word?.apart === true && more.length === 0 && readWhole(word.text) === null

type Head = { readonly label: Label | null; readonly beatmapId: number; readonly length: number }

function findHead(words: readonly Word[], codes: KnownCodes): Head | null {
  for (const size of [2, 1, 0]) {
    const beatmapId = readWhole(words[size]?.text ?? '')
    // Cells of a row are not joined here: which of them is the id is for the table to say.
    const isJoined = words.slice(1, size + 1).some((word) => word.isCell)
    if (beatmapId === null || isJoined) continue
    const before = words.slice(0, size).map((word) => word.text)
    const label = readLabel(before, codes)
    const isNumeric = size === 2 && readWhole(before[0] ?? '') !== null
    if (size === 0 || (label !== null && !isNumeric)) return { label, beatmapId, length: size + 1 }
  }
  return null
}

function readIdFirst([id, ...behind]: readonly Word[], codes: KnownCodes): SlotReading | null {
  const beatmapId = readWhole(id?.text ?? '')
  if (behind[0]?.isCell === true) return null
  const label = readLabel(
    behind.map((word) => word.text),
    codes,
  )
  return beatmapId !== null && isPlain(label, codes) ? { kind: 'slot', label, beatmapId } : null
}
