import { computed, signal } from '@preact/signals'
import { readImport } from '../../../formats/import/read-import.ts'
import { count } from '../../format.ts'
import { announce } from '../../parts/toasts.tsx'
import { type Edit, withDraft } from '../edit.ts'
import { focusLater, focusNow, slotId } from '../focus.ts'
import type { EditorStore } from '../history.ts'
import type { FilePool } from './read-file.ts'

/** A file that was opened: what it holds, or why it could not be read. */
type OpenFile = {
  readonly name: string
  readonly pools: readonly FilePool[]
  /** The pool whose text is in the box. */
  readonly chosen: number | null
  readonly problem: string | null
}

export class Paste {
  readonly #store: EditorStore
  readonly isOpen = signal(false)
  readonly text = signal('')
  /** Whether it is added to the slots that there are, or replaces them. */
  readonly mode = signal<'add' | 'replace'>('add')
  readonly file = signal<OpenFile | null>(null)
  readonly reading = computed(() => readInto(this.#store.edit, this.text.value, this.mode.value))

  constructor(store: EditorStore) {
    this.#store = store
    this.isOpen.value = store.slots.length === 0
  }

  /** Opens the box, and appends a text to what is in it. */
  open(more = ''): void {
    const before = this.text.value
    const isJoined = before.trim() !== '' && more !== ''
    this.text.value = isJoined ? `${before.trimEnd()}\n${more}` : before + more
    this.isOpen.value = true
    // After the render that this has caused.
    queueMicrotask(() => focusNow('edit-paste'))
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
    if (rest !== '') {
      announce(`${words} added, ${count(rest.split('\n').length, 'line')} left in the box`)
      focusNow('edit-paste')
      return
    }
    announce(`${words} added`)
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
      this.file.value = { ...opened, pools: content.pools }
      if (content.pools.length === 1) this.choose(0)
      else focusLater('edit-file-pool')
    } catch (error) {
      const isOurs = error instanceof Error && error.name === 'FormatError'
      const problem = isOurs ? error.message : 'the browser could not open the file'
      this.file.value = { ...opened, problem }
    }
  }

  choose(at: number): void {
    const file = this.file.value
    const pool = file?.pools[at]
    if (file === null || pool === undefined) return
    this.file.value = { ...file, chosen: at }
    this.text.value = pool.text
    // A name or a description that the pack has already stays.
    this.#store.change(`rename to ${pool.name}`, (edit) => ({
      ...edit,
      name: edit.name.trim() === '' ? pool.name : edit.name,
      description: edit.description.trim() === '' ? pool.description : edit.description,
    }))
  }
}

/** Reads a text into an edit. `rest`: the lines of which something was refused. */
export function readInto(edit: Edit, text: string, mode: 'add' | 'replace') {
  const into = mode === 'add' ? edit : { ...edit, slots: [] }
  let [pool] = readImport(text, { into }).pools
  // A pack key brings its own buckets.
  if (mode === 'replace' && pool?.packKey) {
    ;[pool] = readImport(text, { into: { ...into, buckets: null } }).pools
  }
  const { lines = [], draft = into } = pool ?? {}
  const refused = lines.filter(({ outcome }) => outcome === 'refused')
  // A pack key is one line, however many of its slots are refused.
  const rest = new Map(refused.map(({ line, text }) => [line, text]))
  return {
    lines,
    added: lines.filter(({ outcome }) => outcome === 'slot').length,
    refused: refused.length,
    rest: [...rest.values()].join('\n'),
    edit: withDraft(edit, draft),
  }
}
