import type { Pasted, PastedLine } from '../../formats/pasted.ts'
import { readPaste } from '../../formats/read-paste.ts'
import { type Edit, withDraft } from './edit.ts'

/** Whether what is pasted joins the slots that there are, or takes their place. */
export type PasteMode = 'add' | 'replace'

/** A pasted text as it would be read into an edit, before it is. */
export type PasteReading = {
  readonly lines: readonly PastedLine[]
  /** How many beatmaps would be added. */
  readonly added: number
  /** What was not understood, line by line. */
  readonly rest: string
  readonly packKey: string | null
  readonly edit: Edit
}

/** Longer texts are no pool, and would make typing slow. */
export const LONGEST_PASTE = 200_000

const reading = (edit: Edit, { lines, draft, packKey }: Pasted): PasteReading => {
  const refused = lines.filter(({ outcome }) => outcome === 'refused')
  return {
    lines,
    added: lines.filter(({ outcome }) => outcome === 'slot').length,
    rest: refused.map(({ text }) => text).join('\n'),
    packKey,
    edit: withDraft(edit, draft),
  }
}

/** Reads a text into the edit. */
export const readInto = (edit: Edit, text: string, mode: PasteMode): PasteReading => {
  const into = mode === 'replace' ? { ...edit, slots: [] } : edit
  return reading(edit, readPaste(text.slice(0, LONGEST_PASTE), into))
}
