import type { Pasted, PastedLine } from '../../../formats/pasted.ts'
import { readPaste } from '../../../formats/read-paste.ts'
import { type Edit, withDraft } from '../edit.ts'

/** Whether what is pasted joins the slots that there are, or takes their place. */
export type PasteMode = 'add' | 'replace'

/** A pasted text as it would be read into an edit, before it is. */
export type PasteReading = {
  readonly lines: readonly PastedLine[]
  /** How many beatmaps would be added. */
  readonly added: number
  readonly refused: number
  /** The lines of which something was not understood. */
  readonly rest: string
  readonly edit: Edit
}

const readingOf = (edit: Edit, { lines, draft }: Pasted): PasteReading => {
  const refused = lines.filter(({ outcome }) => outcome === 'refused')
  // A pack key is one line, whatever many of its slots are refused.
  const rest = new Map(refused.map(({ line, text }) => [line, text]))
  return {
    lines,
    added: lines.filter(({ outcome }) => outcome === 'slot').length,
    refused: refused.length,
    rest: [...rest.values()].join('\n'),
    edit: withDraft(edit, draft),
  }
}

/** Reads a text into the edit. */
export const readInto = (edit: Edit, text: string, mode: PasteMode): PasteReading => {
  if (mode === 'add') return readingOf(edit, readPaste(text, edit))
  const read = readPaste(text, { ...edit, slots: [] })
  if (read.packKey === null) return readingOf(edit, read)
  // A pack key brings its own buckets.
  return readingOf(edit, readPaste(text, { ...edit, buckets: null, slots: [] }))
}
