import { formFields, sentFields, storedFields } from '../../../pool/pack-fields.ts'
import { computed, signal } from '@preact/signals'
import { count } from '../../format.ts'
import { announce } from '../../parts/toasts.tsx'
import type { EditStore } from '../../editing/edit-store.ts'
import { type Edit, withDraft } from '../edit.ts'
import { focusLater, focusNow, slotId } from '../focus.ts'
import { ImportState, openQuestions } from './import-state.ts'
import { focusOpenQuestion } from './import-view.tsx'

export class Paste {
  readonly #store: EditStore<Edit>
  readonly isOpen = signal(false)
  /** Whether it is added to the slots that there are, or replaces them. */
  readonly mode = signal<'add' | 'replace'>('add')
  readonly import: ImportState
  /** The key of the pool that is wanted of several. */
  readonly chosen = signal<string | null>(null)
  /** The pool that would be taken; null while there is none or it has to be chosen. */
  readonly pool = computed(() => {
    const { pools = [] } = this.import.read.value ?? {}
    const [only] = pools
    return (pools.length === 1 ? only : pools.find(({ key }) => key === this.chosen.value)) ?? null
  })

  constructor(store: EditStore<Edit>) {
    this.#store = store
    this.isOpen.value = store.slots.length === 0
    this.import = new ImportState(() => {
      if (!this.isOpen.value) return null
      const { slots, buckets } = store
      // Names are given when it is taken: typing one would read all again.
      return { into: { name: '', slots, buckets }, isReplacing: this.mode.value === 'replace' }
    })
  }

  /** Opens the box, and appends a text to what is in it. */
  open(more = ''): void {
    const { text } = this.import
    const before = text.value
    const isJoined = before.trim() !== '' && more !== ''
    if (more !== '') this.import.closeFile()
    text.value = isJoined ? `${before.trimEnd()}\n${more}` : before + more
    this.isOpen.value = true
    // After the render that this has caused.
    queueMicrotask(() => focusNow('edit-paste'))
  }

  close(): void {
    this.isOpen.value = false
    this.import.closeFile()
    focusLater('edit-open-paste')
  }

  /** Takes what was understood, if nothing has to be decided first; lines with problems stay. */
  async take(): Promise<void> {
    const read = await this.import.whenRead()
    const pool = this.pool.value
    if (read === null) return
    if (pool === null) return focusLater('edit-import-pool')
    if (openQuestions(read, [pool]) > 0) return focusOpenQuestion()
    if (pool.slots === 0) return
    const before = new Set(this.#store.slots.map(({ key }) => key))
    const words = count(pool.slots, 'beatmap')
    this.#store.change(`paste ${words}`, (edit) => ({
      ...withDraft(edit, pool.draft),
      // What the pack has already stays.
      name: edit.name.trim() === '' ? pool.draft.name : edit.name,
      ...formFields({
        ...pool.fields,
        ...sentFields(storedFields(edit)),
        visibility: edit.visibility,
      }),
    }))
    const isFile = this.import.file.value !== null
    const { rest, refused } = pool.lines
    this.import.clear(isFile ? this.import.text.value : rest)
    this.mode.value = 'add'
    this.chosen.value = null
    if (!isFile && rest !== '') {
      announce(`${words} added, ${count(rest.split('\n').length, 'line')} left in the box`)
      focusNow('edit-paste')
      return
    }
    announce(`${words} added${refused > 0 ? `, ${count(refused, 'line')} left out` : ''}`)
    this.isOpen.value = false
    const { slots } = this.#store
    const first = slots.find(({ key }) => !before.has(key)) ?? slots[0]
    if (first !== undefined) focusLater(slotId(first.key))
  }

  async openFile(from: File): Promise<void> {
    this.isOpen.value = true
    this.chosen.value = null
    await this.import.open(from)
  }
}
