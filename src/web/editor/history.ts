import { computed, type Signal, signal } from '@preact/signals'
import type { Edit } from './edit.ts'

/** How many steps can be taken back. */
export const MOST_STEPS = 200

/** An edit, and what led to it: `move NM2`. */
type Step = { readonly edit: Edit; readonly label: string }

/** What was, what is, and what was undone. */
type History = {
  readonly past: readonly Step[]
  readonly now: Step
  readonly future: readonly Step[]
}

/**
 * The edit as it is at this moment, and all that it was. Components that read it render anew when
 * what they read changes; `slots` and `buckets` stay as they are while a text is typed.
 */
export class EditorStore {
  readonly #history: Signal<History>
  /** The field that is being typed into; the next change there joins the last one. */
  #tag: string | null = null
  readonly #edit = computed(() => this.#history.value.now.edit)
  readonly #slots = computed(() => this.edit.slots)
  readonly #buckets = computed(() => this.edit.buckets)

  constructor(edit: Edit) {
    this.#history = signal({ past: [], now: { edit, label: '' }, future: [] })
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
    const { past, now } = this.#history.value
    return past.length === 0 ? null : now.label
  }

  /** What the next redo brings again; null when there is nothing. */
  get redoes(): string | null {
    return this.#history.value.future[0]?.label ?? null
  }

  /**
   * Goes on to another edit; what was undone is gone then. A change that gives the same edit is none.
   *
   * @param label what leads to it, in words.
   * @param tag names a field: consecutive changes with the same tag are one step.
   */
  change(label: string, change: (edit: Edit) => Edit, tag: string | null = null): void {
    const { past, now } = this.#history.value
    const edit = change(now.edit)
    if (edit === now.edit) return
    const joins = tag !== null && tag === this.#tag
    this.#tag = tag
    this.#history.value = {
      past: joins ? past : [...past, now].slice(-MOST_STEPS),
      now: { edit, label },
      future: [],
    }
  }

  /** The next change is a step of its own. */
  seal(): void {
    this.#tag = null
  }

  /** Takes the last step back, where there is one. */
  undo(): void {
    const { past, now, future } = this.#history.value
    const before = past.at(-1)
    if (before === undefined) return
    this.seal()
    this.#history.value = { past: past.slice(0, -1), now: before, future: [now, ...future] }
  }

  /** Takes the last step again that was taken back, where there is one. */
  redo(): void {
    const { past, now, future } = this.#history.value
    const [after, ...rest] = future
    if (after === undefined) return
    this.seal()
    this.#history.value = { past: [...past, now], now: after, future: rest }
  }
}
