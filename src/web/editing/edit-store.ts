import { computed, type Signal, signal } from '@preact/signals'
import type { LaneStore } from './lanes/board.ts'
import { type LaneEdit, withLayout, withoutKey } from './lanes/lanes.ts'
import * as cells from './changes.ts'
import type { Change } from './changes.ts'

/** One action of the person, as what it changes. */
export type Action = {
  readonly label: string
  readonly changes: readonly Change[]
  /** Those of one group, in several stores, are undone together. */
  readonly group?: string | undefined
}

/** An action that cannot be saved: another person changed the same, or the site refused it. It waits for a decision. */
export type StuckAction = Action & { readonly message: string | null }

type Steps = Signal<readonly Action[]>

/** What an undo took back, or could not because it was changed elsewhere since. */
export type Step = { readonly label: string; readonly isDone: boolean }

export const MOST_STEPS = 200

/**
 * What is edited, a pack or a round, while others may save the same. It holds what the person sees: what is saved, and
 * on top their own changes. Undo takes back one's own actions alone, and nothing that another person has changed since;
 * what others have saved is never overwritten unseen.
 */
export class EditStore<E extends LaneEdit> implements LaneStore {
  readonly #edit: Signal<E>
  readonly #slots = computed(() => this.edit.slots)
  readonly #buckets = computed(() => this.edit.buckets)
  readonly stuck = signal<readonly StuckAction[]>([])
  readonly #done = signal<readonly Action[]>([])
  readonly #undone = signal<readonly Action[]>([])
  /** The field that is being typed into: its next change belongs to the last step. */
  #tag: string | null = null

  constructor(edit: E) {
    this.#edit = signal(edit)
  }

  get edit(): E {
    return this.#edit.value
  }

  /** The same object while something else is changed, as are `buckets`. */
  get slots(): E['slots'] {
    return this.#slots.value
  }

  get buckets(): E['buckets'] {
    return this.#buckets.value
  }

  /** What the next undo takes back; null when there is nothing. */
  get undoes(): string | null {
    return this.#done.value.at(-1)?.label ?? null
  }

  /** What the next redo brings again; null when there is nothing. */
  get redoes(): string | null {
    return this.#undone.value.at(-1)?.label ?? null
  }

  /**
   * Makes a step, and drops those that were undone. A change that returns an equal edit is none; consecutive ones with
   * the same tag, which names a field, are one step.
   */
  change(label: string, change: (edit: E) => E, tag: string | null = null, group?: string): void {
    const before = this.edit
    const after = change(before)
    const changes = after === before ? [] : cells.changesBetween(before, after)
    if (changes.length === 0) return
    this.#edit.value = after
    const last = tag !== null && tag === this.#tag ? this.#done.value.at(-1) : undefined
    this.#tag = tag
    const step = { label, changes: last ? cells.joined(last.changes, changes) : changes, group }
    const steps = last ? this.#done.value.slice(0, -1) : this.#done.value
    this.#done.value = [...steps, step].slice(-MOST_STEPS)
    this.#undone.value = []
    this.acted({ label, changes })
  }

  /** Makes a change of one cell of which the person has seen this value; another one there now is a conflict. */
  set(label: string, change: Change): void {
    if (change.from !== change.to) this.restore([{ label, changes: [change] }])
  }

  /**
   * Makes those of the changes that are of what the person has seen, as one step; another person's change in the way of
   * one is a conflict.
   *
   * @param group of the steps that the same action makes in other stores.
   */
  take(label: string, changes: readonly Change[], group?: string): void {
    const conflicts = cells.conflictsWith(this.edit, changes)
    const clear = changes.filter((change) => !conflicts.includes(change))
    if (conflicts.length > 0) this.getStuck({ label, changes: conflicts }, null)
    this.change(label, (edit) => cells.withChanges(edit, clear), null, group)
  }

  /** Does again what an earlier page could not save; what is in the way of it is a conflict. */
  restore(actions: readonly Action[]): void {
    for (const { label, changes } of actions) {
      if (cells.isDone(this.edit, changes)) continue
      if (cells.conflictsWith(this.edit, changes).length > 0) {
        this.getStuck({ label, changes }, null)
      } else this.change(label, (edit) => cells.withChanges(edit, changes))
    }
  }

  /** The next change is a step of its own. */
  seal(): void {
    this.#tag = null
  }

  /** With the steps of the same group that are the last ones of other stores. */
  undo(): Step | null {
    return this.#steps((store) => [store.#done, store.#undone])
  }

  redo(): Step | null {
    return this.#steps((store) => [store.#undone, store.#done])
  }

  /** The stores that may have steps of the same group. */
  others: () => readonly EditStore<E>[] = () => []

  /** Makes what another person's change is in the way of, now that the person has seen that one. */
  keepMine(...chosen: readonly StuckAction[]): void {
    const changes = this.#decide(chosen)
    this.change(chosen[0]!.label, (edit) => cells.withChanges(edit, changes))
  }

  /** Leaves everything as it is now; an undo makes what was stuck. */
  takeTheirs(...chosen: readonly StuckAction[]): void {
    const changes = this.#decide(chosen)
    const mine = cells.withChanges(this.edit, changes)
    this.seal()
    const step = { label: 'use the saved version', changes: cells.changesBetween(mine, this.edit) }
    this.#done.value = [...this.#done.value, step].slice(-MOST_STEPS)
    this.#undone.value = []
  }

  /** Takes over what another window has changed of the same edit; it is no step of this one. */
  absorb(changes: readonly Change[]): void {
    if (changes.length > 0) this.#show(cells.withChanges(this.edit, changes))
  }

  /**
   * Makes the edit anew: what is saved, and on top what is not; what does not fit any more gets stuck.
   *
   * @param sent the action that is on its way, and is decided by the site.
   * @returns the actions that fit.
   */
  replay(saved: E, actions: readonly Action[], sent?: Action): readonly Action[] {
    // What is in the same place keeps its key.
    let edit = withLayout(
      { ...saved, slots: this.edit.slots },
      { ...saved, slots: saved.slots.map(withoutKey) },
    )
    const kept = actions.filter((action) => {
      if (action !== sent && cells.conflictsWith(edit, action.changes).length > 0) {
        this.getStuck(action, null)
        return false
      }
      edit = cells.withChanges(edit, action.changes)
      return true
    })
    this.#show(edit)
    // What is shown but not saved may be refused still.
    this.stuck.value = this.stuck.value.filter(({ changes }) => !cells.isDone(saved, changes))
    return kept
  }

  /** @param message why the site refused it; null: another person changed the same. */
  protected getStuck(action: Action, message: string | null): void {
    // What was done after something that is stuck already, to the same slots, is stuck with it; what was done before
    // it, or beside it, waits for a decision of its own.
    const first = this.stuck.value.find((other) => cells.follows(action.changes, other.changes))
    const changes =
      first === undefined ? action.changes : cells.joined(first.changes, action.changes)
    const others = this.stuck.value.filter((each) => each !== first)
    this.stuck.value = [...others, { label: action.label, changes, message }]
    this.#done.value = this.#done.value.filter((each) => each.changes !== action.changes)
  }

  /** Called with each action, undo and redo that has changed the edit. */
  protected acted(_action: Action): void {}

  #show(edit: E): void {
    this.#edit.value = cells.keptParts(this.edit, edit)
  }

  #steps(ways: (store: EditStore<E>) => [from: Steps, into: Steps]): Step | null {
    const [from] = ways(this)
    const group = from.value.at(-1)?.group
    const isOfGroup = (store: EditStore<E>): boolean =>
      group !== undefined && store !== this && ways(store)[0].value.at(-1)?.group === group
    const others = this.others().filter(isOfGroup)
    const steps = [this, ...others].map((store) => store.#step(...ways(store)))
    const [own] = steps
    return own ? { ...own, isDone: steps.every((step) => step?.isDone) } : null
  }

  #step(from: Steps, into: Steps): Step | null {
    const action = from.value.at(-1)
    if (action === undefined) return null
    this.seal()
    from.value = from.value.slice(0, -1)
    const changes = cells.inverse(action.changes)
    const { label, group } = action
    if (cells.conflictsWith(this.edit, changes).length > 0) return { label, isDone: false }
    into.value = [...into.value, { label, changes, group }]
    this.#show(cells.withChanges(this.edit, changes))
    this.acted({ label, changes })
    return { label, isDone: true }
  }

  #decide(chosen: readonly StuckAction[]): Change[] {
    this.stuck.value = this.stuck.value.filter((each) => !chosen.includes(each))
    return chosen.flatMap(({ changes }) => changes)
  }
}
