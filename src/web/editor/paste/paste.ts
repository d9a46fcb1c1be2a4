import { computed, signal } from '@preact/signals'
import type { Pasted, PastedLine } from '../../../formats/paste/reading.ts'
import { readPaste } from '../../../formats/read-paste.ts'
import { count } from '../../format.ts'
import { announce } from '../../parts/toasts.tsx'
import { type Edit, withDraft } from '../edit.ts'
import type { EditorStore } from '../history.ts'
import { focusLater, focusNow, slotId } from '../spots.ts'
import type { FilePool } from './read-file.ts'

/** A file that was opened: what it holds, or why it could not be read. */
export type OpenFile = {
  readonly name: string
  readonly pools: readonly FilePool[]
  /** Which of the pools stands in the box. */
  readonly chosen: number | null
  readonly problem: string | null
}

/** The paste box: whether it is open, what stands in it, and what that would come to. */
export class Paste {
  readonly #store: EditorStore
  readonly isOpen = signal(false)
  readonly text = signal('')
  readonly mode = signal<PasteMode>('add')
  readonly file = signal<OpenFile | null>(null)
  /** How often the field was to have the focus; the page gives it once the box is there. */
  readonly focusRequests = signal(0)
  readonly reading = computed(() => readInto(this.#store.edit, this.text.value, this.mode.value))

  constructor(store: EditorStore) {
    this.#store = store
    this.isOpen.value = store.slots.length === 0
  }

  /** Opens the box, with a text after the one that stands there. */
  open(more = ''): void {
    const before = this.text.value
    const isJoined = before.trim() !== '' && more !== ''
    this.text.value = isJoined ? `${before.trimEnd()}\n${more}` : before + more
    this.isOpen.value = true
    this.focusRequests.value += 1
  }

  close(): void {
    this.isOpen.value = false
    this.file.value = null
    focusLater('edit-open-paste')
  }

  /** Takes what was understood; the rest stays. */
  take(): void {
    const { edit, added, rest } = this.reading.value
    if (added === 0) return
    const before = new Set(this.#store.slots.map(({ key }) => key))
    const words = count(added, 'beatmap')
    this.#store.change(`paste ${words}`, () => edit)
    this.text.value = rest
    this.mode.value = 'add'
    this.file.value = null
    const left = rest === '' ? 0 : rest.split('\n').length
    announce(`${words} added${left === 0 ? '' : `, ${count(left, 'line')} left in the box`}`)
    if (left > 0) {
      focusNow('edit-paste')
      return
    }
    this.isOpen.value = false
    const first = edit.slots.find(({ key }) => !before.has(key)) ?? edit.slots[0]
    if (first !== undefined) focusLater(slotId(first.key))
  }

  async openFile(from: File): Promise<void> {
    this.isOpen.value = true
    const opened = { name: from.name, pools: [], chosen: null, problem: null }
    try {
      // What reads files is loaded when there is one.
      const { readFile } = await import('./read-file.ts')
      const content = await readFile(new Uint8Array(await from.arrayBuffer()), from.name)
      if (content.kind === 'text') {
        this.file.value = null
        this.open(content.text)
        return
      }
      const { pools } = content
      this.file.value = { ...opened, pools }
      if (pools.length === 1) this.choose(0)
      else focusLater('edit-file-pool')
    } catch (error) {
      const isOurs = error instanceof Error && error.name === 'FormatError'
      const problem = isOurs ? error.message : 'the browser could not open the file'
      this.file.value = { ...opened, problem }
    }
  }

  /** Takes one of the pools of the file into the box. */
  choose(at: number): void {
    const file = this.file.value
    const pool = file?.pools[at]
    if (file === null || pool === undefined) return
    this.file.value = { ...file, chosen: at }
    this.text.value = pool.text
    // What a pack is called already, it stays.
    this.#store.change(`rename to ${pool.name}`, (edit) => ({
      ...edit,
      name: edit.name.trim() === '' ? pool.name : edit.name,
      description: edit.description.trim() === '' ? pool.description : edit.description,
    }))
  }
}

/** Whether what is pasted joins the slots that there are, or takes their place. */
type PasteMode = 'add' | 'replace'

/** A pasted text as it would be read into an edit, before it is. */
type PasteReading = {
  readonly lines: readonly PastedLine[]
  /** How many beatmaps would be added. */
  readonly added: number
  readonly refused: number
  /** The lines of which something was not understood. */
  readonly rest: string
  readonly edit: Edit
}

/** Reads a text into the edit. */
export function readInto(edit: Edit, text: string, mode: PasteMode): PasteReading {
  if (mode === 'add') return readingOf(edit, readPaste(text, edit))
  const read = readPaste(text, { ...edit, slots: [] })
  if (read.packKey === null) return readingOf(edit, read)
  // A pack key brings its own buckets.
  return readingOf(edit, readPaste(text, { ...edit, buckets: null, slots: [] }))
}

function readingOf(edit: Edit, { lines, draft }: Pasted): PasteReading {
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
