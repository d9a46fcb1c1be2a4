import * as texts from '#texts/editing'
import { computed, type Signal, signal } from '@preact/signals'
import type { LaneStore } from './lanes/board.ts'
import { type LaneEdit, withLayout, withoutKey } from './lanes/lanes.ts'
import * as cells from './changes.ts'
import type { Change } from './changes.ts'
import { Steps, type Turned, type Way } from './steps.ts'

/** One action of the person, as what it changes. */
export type Action = {
  readonly label: string
  readonly changes: readonly Change[]
  /** Its place in the order in which the actions of an edit were made. */
  readonly at: number
}

/** An action that cannot be saved: another person changed the same, or the site refused it. It waits for a decision. */
export type StuckAction = Action & { readonly message: string | null }

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
  readonly #steps: Steps
  #actions = 0
  /** Its name in the parts of steps. */
  readonly #name: string

  /** @param steps those of all edits that are undone together. */
  constructor(edit: E, steps = new Steps(), name = '') {
    this.#edit = signal(edit)
    this.#steps = steps
    this.#name = name
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
    return this.#steps.next('undo')?.label ?? null
  }

  /** What the next redo brings again; null when there is nothing. */
  get redoes(): string | null {
    return this.#steps.next('redo')?.label ?? null
  }

  /**
   * Makes a step, and drops those that were undone. A change that returns an equal edit is none; consecutive ones with
   * the same tag, which names a field, are one step.
   */
  change(label: string, change: (edit: E) => E, tag: string | null = null): void {
    const before = this.edit
    const after = change(before)
    const changes = after === before ? [] : cells.changesBetween(before, after)
    if (changes.length === 0) return
    this.#edit.value = after
    this.#steps.add(label, { of: this.#name, changes }, tag)
    this.acted(this.action(label, changes))
  }

  /** Makes a change of one cell of which the person has seen this value; another one there now is a conflict. */
  set(label: string, change: Change): void {
    if (change.from !== change.to) this.restore([{ label, changes: [change], at: 0 }])
  }

  /**
   * Makes those of the changes that are of what the person has seen, as one step; another person's change in the way of
   * one is a conflict.
   */
  take(label: string, changes: readonly Change[]): void {
    const conflicts = cells.conflictsWith(this.edit, changes)
    const clear = changes.filter((change) => !conflicts.includes(change))
    if (conflicts.length > 0) this.getStuck(this.action(label, conflicts), null)
    this.change(label, (edit) => cells.withChanges(edit, clear))
  }

  /** Does again what an earlier page could not save; what is in the way of it is a conflict. */
  restore(actions: readonly Action[]): void {
    for (const { label, changes } of inOrder(actions)) {
      if (cells.isDone(this.edit, changes)) continue
      if (cells.conflictsWith(this.edit, changes).length > 0) {
        this.getStuck(this.action(label, changes), null)
      } else this.change(label, (edit) => cells.withChanges(edit, changes))
    }
  }

  /** What is done now. */
  action(label: string, changes: readonly Change[]): Action {
    return { label, changes, at: (this.#actions += 1) }
  }

  /** The next change is a step of its own. */
  seal(): void {
    this.#steps.seal()
  }

  undo(): Turned | null {
    return this.#turn('undo')
  }

  redo(): Turned | null {
    return this.#turn('redo')
  }

  /**
   * Takes changes back, but for those of what was changed elsewhere since.
   *
   * @returns what was changed by that, and what stays.
   */
  reverse(label: string, changes: readonly Change[]): cells.Possible {
    this.seal()
    const possible = cells.possible(this.edit, cells.inverse(changes))
    const { made } = possible
    if (made.length > 0) {
      this.#show(cells.withChanges(this.edit, made))
      this.acted(this.action(label, made))
    }
    return possible
  }

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
    const taken = cells.changesBetween(mine, this.edit)
    if (taken.length > 0) {
      this.#steps.add(texts.useSaved, { of: this.#name, changes: taken })
    }
  }

  /** Takes over what another window has changed of the same edit; it is no step of this one. */
  absorb(changes: readonly Change[]): void {
    if (changes.length > 0) this.#show(cells.withChanges(this.edit, changes))
  }

  /**
   * Makes the edit anew: what is saved, and on top what is not; what does not fit any more gets stuck.
   *
   * @param sent the action that is on its way, and is decided by the site.
   * @returns the actions, as far as they fit.
   */
  replay(saved: E, actions: readonly Action[], sent?: Action): readonly Action[] {
    // What is in the same place keeps its key.
    let edit = withLayout(
      { ...saved, slots: this.edit.slots },
      { ...saved, slots: saved.slots.map(withoutKey) },
    )
    const kept = actions.flatMap((action) => {
      const open = action === sent ? action : this.#withoutStuck(edit, action)
      const fits = open === sent || cells.conflictsWith(edit, open.changes).length === 0
      const rest = fits ? open : this.split(edit, open)
      if (rest === null || rest.changes.length === 0) return []
      edit = cells.withChanges(edit, rest.changes)
      return rest
    })
    this.#show(edit)
    // What is shown but not saved may be refused still, and what is saved but not shown is changed again.
    const isDone = ({ changes }: Action): boolean =>
      [saved, edit].every((each) => cells.isDone(each, changes))
    this.stuck.value = this.stuck.value.filter((each) => !isDone(each))
    return kept
  }

  /**
   * What of an action is so already, and was made on top of what is stuck by now, is a part of that: alone it would wait
   * to be sent, and seem to change what a decision has made meanwhile.
   */
  #withoutStuck(edit: E, action: Action): Action {
    const isOfStuck = (change: Change): boolean =>
      cells.isOfCell(change) &&
      cells.isDone(edit, [change]) &&
      this.#stuckBefore(action.at, [change]) !== undefined
    const ofStuck = action.changes.filter(isOfStuck)
    if (ofStuck.length === 0) return action
    for (const change of ofStuck) this.getStuck({ ...action, changes: [change] }, null)
    const changes = action.changes.filter((change) => !ofStuck.includes(change))
    const rest = changes.some(cells.isOfCell) ? changes : []
    this.#steps.replace(action.changes, rest)
    return { ...action, changes: rest }
  }

  /** The last of what is stuck on top of which the changes were made, at this place in the order of actions. */
  #stuckBefore(at: number, changes: readonly Change[]): StuckAction | undefined {
    return this.stuck.value.findLast((each) => each.at < at && cells.follows(changes, each.changes))
  }

  /** What of an action is in the way of another person's changes gets stuck. Returns what is left to be done; or null. */
  protected split(edit: E, action: Action): Action | null {
    const { made, kept } = cells.possible(edit, action.changes)
    if (made.length === action.changes.length) return action
    if (kept.length > 0) this.getStuck({ ...action, changes: kept }, null)
    const rest = made.some(cells.isOfCell) ? made : []
    this.#steps.replace(action.changes, rest)
    return rest.length === 0 ? null : { ...action, changes: rest }
  }

  /** @param message why the site refused it; null: another person changed the same. */
  protected getStuck(action: Action, message: string | null): void {
    // What was done after something that is stuck already, to the same slots, is stuck with it; what was done before
    // it, or beside it, waits for a decision of its own.
    const first = this.#stuckBefore(action.at, action.changes)
    const changes =
      first === undefined ? action.changes : cells.joined(first.changes, action.changes)
    const others = this.stuck.value.filter((each) => each !== first)
    const made = changes.length === 0 ? [] : [{ ...action, changes, message }]
    this.stuck.value = inOrder([...others, ...made])
    this.#steps.replace(action.changes, [])
  }

  /** Called with each action, undo and redo that has changed the edit. */
  protected acted(_action: Action): void {}

  #show(edit: E): void {
    this.#edit.value = cells.keptParts(this.edit, edit)
  }

  #turn(way: Way): Turned | null {
    const step = this.#steps.take(way)
    if (step === null) return null
    const { label } = step
    const all = step.parts.map((part) => this.reverse(label, 'changes' in part ? part.changes : []))
    const made = all.flatMap((each) => (each.made.length === 0 ? [] : [each.made]))
    const kept = all.flatMap((each) => each.kept.map(({ cell }) => cells.cellWords(cell)))
    this.#steps.put(way === 'undo' ? 'redo' : 'undo', {
      label,
      parts: made.map((changes) => ({ of: this.#name, changes })),
    })
    return {
      label,
      isDone: kept.length === 0,
      isNothing: kept.length > 0 && made.length === 0,
      kept,
    }
  }

  #decide(chosen: readonly StuckAction[]): Change[] {
    this.stuck.value = this.stuck.value.filter((each) => !chosen.includes(each))
    return inOrder(chosen).flatMap(({ changes }) => changes)
  }
}

/** As they were made: what is stuck may have become so in another order. */
const inOrder = <A extends Action>(actions: readonly A[]): A[] =>
  actions.toSorted((a, b) => a.at - b.at)
