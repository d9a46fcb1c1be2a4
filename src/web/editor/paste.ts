import * as texts from '#texts/import'
import { computed, signal } from '@preact/signals'
import { formFields, sentFields, storedFields } from '../../pool/pack-fields.ts'
import type { EditStore } from '../editing/edit-store.ts'
import { focusLater, focusNow, slotId } from '../editing/focus.ts'
import { leftOutText } from '../editing/paste/import-lines.tsx'
import { countAll, ImportState, openQuestions } from '../editing/paste/import-state.ts'
import { focusOpenQuestion, PART_ID, TAKE_ID } from '../editing/paste/import-view.tsx'
import type { Typed } from '../editing/typed.ts'
import { announce } from '../parts/toasts.tsx'
import { type Edit, withDraft } from './edit.ts'

/** What is pasted into a pack: what it is read as, and how it is taken. */
export class Paste {
  readonly store: EditStore<Edit>
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

  /** How much was read of the pool that would be taken, and of what is in none. */
  readonly lines = computed(() => {
    const { others } = this.import.read.value ?? {}
    const pool = this.pool.value
    return countAll([...(pool === null ? [] : [pool.lines]), ...(others ? [others] : [])])
  })

  /** The lines that the person has left in the box. */
  readonly #left = signal('')
  /** Whether something is in the box that was not taken: a person who saves then means it, too. */
  readonly isWaiting = computed(() => {
    const { source, text } = this.import
    return this.isOpen.value && source.value !== null && text.value !== this.#left.value
  })

  constructor(store: EditStore<Edit>, typed: Typed) {
    this.store = store
    const kept = typed.text('paste')
    this.isOpen.value = store.slots.length === 0 || kept.value !== ''
    this.import = new ImportState(() => {
      if (!this.isOpen.value) return null
      const { slots, buckets } = store
      // Names are given when it is taken: typing one would read all again.
      return { into: { name: '', slots, buckets }, isReplacing: this.mode.value === 'replace' }
    })
    this.import.text.value = kept.value
    this.import.text.subscribe((text) => void (kept.value = text))
  }

  readonly lead = (): void => focusLater(TAKE_ID)

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

  /**
   * Takes what was understood, if nothing has to be decided first; lines with problems stay. Until it was looked up, that is
   * remembered unless something is changed or decided meanwhile, which may be more than was meant to be taken.
   */
  async take(): Promise<void> {
    const chosen = this.chosen.peek()
    // What is in the way already is not waited for.
    if (!this.import.isBehind.peek() && this.#leadToObstacle()) return
    const read = await this.import.whenRead()
    if (read === null || chosen !== this.chosen.peek() || this.#leadToObstacle()) return
    const pool = this.pool.peek()
    if (pool === null) return
    const before = new Set(this.store.slots.map(({ key }) => key))
    const { slots: n, planned } = pool
    this.store.change(texts.pasteStep({ n }), (edit) => ({
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
    this.#left.value = isFile ? '' : rest
    this.import.clear(isFile ? this.import.text.value : rest)
    this.mode.value = 'add'
    this.chosen.value = null
    if (!isFile && rest !== '') {
      announce(texts.addedSome({ n, lines: rest.split('\n').length }))
      focusNow('edit-paste')
      return
    }
    const leftOut = leftOutText(planned)
    announce(
      planned.length > 0
        ? texts.addedWithout({ n, refused, leftOut })
        : texts.added({ n, refused }),
    )
    this.isOpen.value = false
    const { slots } = this.store
    const first = slots.find(({ key }) => !before.has(key)) ?? slots[0]
    if (first !== undefined) focusLater(slotId(first.key))
  }

  /** Leads to what has to be decided before anything is taken; returns whether there is such a thing. */
  #leadToObstacle(): boolean {
    const read = this.import.read.peek()
    const pool = this.pool.peek()
    if (read === null) return false
    if (pool === null) focusLater('edit-import-pool')
    else if (openQuestions(read, [pool]) > 0) focusOpenQuestion()
    else if (pool.slots === 0) return true
    else if (this.import.isPartTaken(this.lines.peek())) return false
    else focusNow(PART_ID)
    return true
  }

  async openFile(from: File): Promise<void> {
    this.isOpen.value = true
    this.chosen.value = null
    await this.import.open(from)
  }
}
