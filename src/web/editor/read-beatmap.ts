import { readPaste } from '../../formats/read-paste.ts'
import type { Reading } from './reading.ts'

const nowhere = { name: '', slots: [] }

/** A beatmap as it is typed or pasted into a field of its own: an id or a link, in one line. */
export const readBeatmap = (text: string): Reading<number> => {
  const { lines } = readPaste(text.trim(), nowhere)
  const [line] = lines
  if (lines.length !== 1 || line === undefined || line.outcome === 'skipped') {
    return { reason: 'Enter a beatmap id or link.' }
  }
  return line.outcome === 'slot' ? { value: line.beatmapId } : { reason: line.reason }
}
