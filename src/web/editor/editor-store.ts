import type { Edit } from './edit.ts'
import { begin, type History, record, redo, seal, undo } from './history.ts'

/** Changes the edit: what led to it in words, the change, and the field that is typed into. */
export type Change = (label: string, change: (edit: Edit) => Edit, tag?: string | null) => void

/** The edit that a page is about, as it is this moment, and all that it was. */
export class EditorStore {
  #history: History<Edit>
  readonly #listeners = new Set<() => void>()

  constructor(edit: Edit) {
    this.#history = begin(edit)
  }

  get edit(): Edit {
    return this.#history.now.state
  }

  /** What the next undo takes back; null when there is nothing. */
  get undoes(): string | null {
    return this.#history.past.length === 0 ? null : this.#history.now.label
  }

  /** What the next redo brings again; null when there is nothing. */
  get redoes(): string | null {
    return this.#history.future[0]?.label ?? null
  }

  readonly change: Change = (label, change, tag = null) => {
    this.#go(record(this.#history, change(this.edit), label, tag))
  }

  readonly seal = (): void => this.#go(seal(this.#history))
  readonly undo = (): void => this.#go(undo(this.#history))
  readonly redo = (): void => this.#go(redo(this.#history))

  /** Hears of every change until the function that it gives is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #go(history: History<Edit>): void {
    if (history === this.#history) return
    this.#history = history
    for (const listener of this.#listeners) listener()
  }
}
