import { computed, type Signal, signal } from '@preact/signals'
import type { Edit } from './edit.ts'

/**
 * The edit as it is at this moment, and all that it was. Components that read it render anew when
 * what they read changes; `slots` and `buckets` stay as they are while a text is typed.
 */
export class EditorStore {
  readonly #history: Signal<History<Edit>>
  readonly #edit = computed(() => this.#history.value.now.state)
  readonly #slots = computed(() => this.edit.slots)
  readonly #buckets = computed(() => this.edit.buckets)

  constructor(edit: Edit) {
    this.#history = signal(begin(edit))
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

  /** Changes the edit: what led to it in words, the change, and the field that is typed into. */
  change(label: string, change: (edit: Edit) => Edit, tag: string | null = null): void {
    this.#history.value = record(this.#history.value, change(this.edit), label, tag)
  }

  /** The next change is a step of its own. */
  seal(): void {
    this.#history.value = seal(this.#history.value)
  }

  undo(): void {
    this.#history.value = undo(this.#history.value)
  }

  redo(): void {
    this.#history.value = redo(this.#history.value)
  }
}

/** A state, and what led to it: `Move NM2 to HD1`. */
type Step<S> = { readonly state: S; readonly label: string }

/** What was, what is, and what was undone. */
export type History<S> = {
  readonly past: readonly Step<S>[]
  readonly now: Step<S>
  readonly future: readonly Step<S>[]
  /** What is being typed into; the next change there joins the last one. */
  readonly tag: string | null
}

/** How many steps can be taken back. */
export const MOST_STEPS = 200

export function begin<S>(state: S): History<S> {
  return { past: [], now: { state, label: '' }, future: [], tag: null }
}

/**
 * Goes on to another state; what was undone is gone then.
 *
 * @param tag names a field: consecutive changes with the same tag are one step.
 */
export function record<S>(
  history: History<S>,
  state: S,
  label: string,
  tag: string | null = null,
): History<S> {
  const { past, now } = history
  if (state === now.state) return history
  const joins = tag !== null && tag === history.tag
  return {
    past: joins ? past : [...past, now].slice(-MOST_STEPS),
    now: { state, label },
    future: [],
    tag,
  }
}

/** Ends the typing into a field. */
export function seal<S>(history: History<S>): History<S> {
  return history.tag === null ? history : { ...history, tag: null }
}

/** Takes the last step back; the same history when there is none. */
export function undo<S>(history: History<S>): History<S> {
  const { past, now, future } = history
  const before = past.at(-1)
  if (before === undefined) return history
  return { past: past.slice(0, -1), now: before, future: [now, ...future], tag: null }
}

/** Takes the last step again that was taken back; the same history when there is none. */
export function redo<S>(history: History<S>): History<S> {
  const { past, now, future } = history
  const [after, ...rest] = future
  if (after === undefined) return history
  return { past: [...past, now], now: after, future: rest, tag: null }
}
