import { computed, type Signal, signal } from '@preact/signals'
import type { Edit } from './edit.ts'

export const MOST_STEPS = 200

/** The edit and its history; `slots` and `buckets` stay the same objects while a text is typed. */
export class EditorStore {
  /** Each edit with the words for what led to it: `move NM2`. `at` is the current one. */
  readonly #history: Signal<{ steps: readonly { edit: Edit; label: string }[]; at: number }>
  /** The field that is being typed into: its next change replaces the last step. */
  #tag: string | null = null
  readonly #edit = computed(() => {
    const { steps, at } = this.#history.value
    return steps[at]!.edit
  })
  readonly #slots = computed(() => this.edit.slots)
  readonly #buckets = computed(() => this.edit.buckets)

  constructor(edit: Edit) {
    this.#history = signal({ steps: [{ edit, label: '' }], at: 0 })
  }

  get edit(): Edit {
    return this.#edit.value
  }

  get slots(): Edit['slots'] {
    return this.#slots.value
  }

  get buckets(): Edit['buckets'] {
    return this.#buckets.value
  }

  /** What the next undo takes back; null when there is nothing. */
  get undoes(): string | null {
    const { steps, at } = this.#history.value
    return at === 0 ? null : (steps[at]?.label ?? null)
  }

  /** What the next redo brings again; null when there is nothing. */
  get redoes(): string | null {
    const { steps, at } = this.#history.value
    return steps[at + 1]?.label ?? null
  }

  /**
   * Makes a step, and drops those that were undone. A change that returns the same edit is none;
   * consecutive ones with the same tag, which names a field, are one step.
   */
  change(label: string, change: (edit: Edit) => Edit, tag: string | null = null): void {
    const { steps, at } = this.#history.value
    const edit = change(this.edit)
    if (edit === this.edit) return
    const isJoined = tag !== null && tag === this.#tag
    this.#tag = tag
    const before = steps.slice(0, isJoined ? at : at + 1).slice(-MOST_STEPS)
    this.#history.value = { steps: [...before, { edit, label }], at: before.length }
  }

  /** The next change is a step of its own. */
  seal(): void {
    this.#tag = null
  }

  undo(): void {
    this.#go(-1)
  }

  redo(): void {
    this.#go(1)
  }

  #go(by: -1 | 1): void {
    const { steps, at } = this.#history.value
    if (steps[at + by] === undefined) return
    this.seal()
    this.#history.value = { steps, at: at + by }
  }
}
