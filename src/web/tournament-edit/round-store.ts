import { computed, type Signal, signal } from '@preact/signals'
import type { Round, RoundInput, SlotChanges } from '../../contract/rounds.ts'
import type { LaneStore } from '../editor/lanes/lane-actions.ts'
import { CallFailure } from '../site-failure.ts'
import * as rounds from './round-changes.ts'
import type { Change, RoundEdit } from './round-changes.ts'

/** A round as it was read, with its ETag. */
export type TaggedRound = { readonly round: Round; readonly tag: string }

export type RoundCalls = {
  readonly changeSlots: (changes: SlotChanges['changes']) => Promise<TaggedRound>
  readonly replace: (input: RoundInput, tag: string) => Promise<TaggedRound>
  readonly read: () => Promise<TaggedRound>
  /** Calls back after so many ms; returns a function that cancels it. */
  readonly later: (ms: number, then: () => void) => () => void
}

/** One action of the person, as what it changes. */
export type Action = { readonly label: string; readonly changes: readonly Change[] }

/** An action that could not be saved: somebody else changed the same, or the site refused it. It waits for a decision. */
export type StuckAction = Action & { readonly message: string | null }

/** `waiting`: it will be tried again by itself. */
export type SaveState =
  | { readonly phase: 'saved' | 'saving' | 'signed-out' }
  | { readonly phase: 'waiting'; readonly why: 'limit' | 'connection' }

type Steps = Signal<readonly Action[]>

/** What an undo took back, or could not because somebody else has changed it since. */
type Step = { readonly label: string; readonly isDone: boolean }

const LONGEST_WAIT_MS = 30_000
const MOST_STEPS = 200

/**
 * A round that several people edit. What the person does is shown at once and sent one action after another, each
 * with what was seen; what the server has instead is never overwritten unseen.
 */
export class RoundStore implements LaneStore {
  readonly #calls: RoundCalls
  readonly #saved: Signal<TaggedRound>
  readonly #edit: Signal<RoundEdit>
  readonly #slots = computed(() => this.edit.slots)
  readonly #buckets = computed(() => this.edit.buckets)
  /** In order; the first one may be on its way. */
  readonly #queue = signal<readonly Action[]>([])
  #isSending = false
  #failures = 0
  #cancelWait: (() => void) | null = null
  readonly #state = signal<SaveState>({ phase: 'saved' })
  readonly stuck = signal<readonly StuckAction[]>([])
  readonly #done = signal<readonly Action[]>([])
  readonly #undone = signal<readonly Action[]>([])

  constructor(saved: TaggedRound, calls: RoundCalls) {
    this.#calls = calls
    this.#saved = signal(saved)
    this.#edit = signal(rounds.roundEditOf(saved.round))
  }

  get edit(): RoundEdit {
    return this.#edit.value
  }

  get slots(): RoundEdit['slots'] {
    return this.#slots.value
  }

  get buckets(): RoundEdit['buckets'] {
    return this.#buckets.value
  }

  /** The round as the site has it, as far as is known. */
  get saved(): Round {
    return this.#saved.value.round
  }

  /** The ETag of `saved`. */
  get tag(): string {
    return this.#saved.value.tag
  }

  get state(): SaveState {
    return this.#state.value
  }

  /** What the next undo takes back; null when there is nothing. */
  get undoes(): string | null {
    return this.#done.value.at(-1)?.label ?? null
  }

  get redoes(): string | null {
    return this.#undone.value.at(-1)?.label ?? null
  }

  /** What is not saved, to be restored by the next page. */
  get unsaved(): readonly Action[] {
    return [...this.stuck.value, ...this.#queue.value]
  }

  /** Does again what an earlier page could not save; what is in the way of it is a conflict. */
  restore(actions: readonly Action[]): void {
    for (const { label, changes } of actions) {
      const action = { label, changes }
      if (rounds.isDone(this.edit, changes)) continue
      if (rounds.conflictsWith(this.edit, changes).length > 0) this.#getStuck(action, null)
      else this.change(label, (edit) => rounds.withChanges(edit, changes))
    }
  }

  change(label: string, change: (edit: RoundEdit) => RoundEdit): void {
    const before = this.edit
    const after = change(before)
    const changes = after === before ? [] : rounds.changesBetween(before, after)
    if (changes.length === 0) return
    this.#edit.value = after
    this.#push({ label, changes })
  }

  /** Makes a change of one cell of which the person has seen this value; another one there now is a conflict. */
  set(label: string, change: Change): void {
    if (change.from === change.to) return
    const action = { label, changes: [change] }
    if (rounds.conflictsWith(this.edit, action.changes).length > 0) this.#getStuck(action, null)
    else this.change(label, (edit) => rounds.withChanges(edit, action.changes))
  }

  /** Returns what it took back; null when there is nothing, or it has changed since. */
  undo(): Step | null {
    return this.#step(this.#done, this.#undone)
  }

  redo(): Step | null {
    return this.#step(this.#undone, this.#done)
  }

  /** Makes what somebody else's change is in the way of, now that the person has seen that one. */
  keepMine(stuck: StuckAction): void {
    this.#drop(stuck)
    this.change(stuck.label, (edit) => rounds.withChanges(edit, stuck.changes))
  }

  /** Leaves everything as it is now. */
  takeTheirs(stuck: StuckAction): void {
    this.#drop(stuck)
  }

  /** What the site has, read because it changed, or in answer to a call. Older states than known ones are ignored. */
  merge(saved: TaggedRound): void {
    if (saved.round.updatedAt < this.saved.updatedAt) return
    this.#saved.value = saved
    this.#replay()
  }

  /** Tries again at once what waits: the connection is back, or the person has signed in. */
  resume(): void {
    this.#cancelWait?.()
    this.#cancelWait = null
    void this.#send()
  }

  #push(action: Action): void {
    this.#queue.value = [...this.#queue.value, action]
    this.#done.value = [...this.#done.value, action].slice(-MOST_STEPS)
    this.#undone.value = []
    void this.#send()
  }

  #step(from: Steps, into: Steps): Step | null {
    const action = from.value.at(-1)
    if (action === undefined) return null
    from.value = from.value.slice(0, -1)
    const changes = rounds.inverse(action.changes)
    const { label } = action
    if (rounds.conflictsWith(this.edit, changes).length > 0) return { label, isDone: false }
    into.value = [...into.value, { label, changes }]
    this.#edit.value = rounds.withChanges(this.edit, changes)
    this.#queue.value = [...this.#queue.value, { label, changes }]
    void this.#send()
    return { label, isDone: true }
  }

  #getStuck(action: Action, message: string | null): void {
    const isTouched = (other: Action): boolean =>
      other.changes.some(({ cell }) => action.changes.some((change) => change.cell === cell))
    // What was done after something that is stuck already, to the same slots, is stuck with it.
    const first = this.stuck.value.find(isTouched)
    const changes =
      first === undefined ? action.changes : rounds.joined(first.changes, action.changes)
    const others = this.stuck.value.filter((each) => each !== first)
    this.stuck.value = [...others, { label: action.label, changes, message }]
    this.#done.value = this.#done.value.filter((each) => each !== action)
  }

  #drop(stuck: StuckAction): void {
    this.stuck.value = this.stuck.value.filter((each) => each !== stuck)
  }

  /** Makes the edit anew: what the site has, and on top what is not saved. */
  #replay(): void {
    const [sending] = this.#isSending ? this.#queue.value : []
    let edit = rounds.roundEditOf(this.saved, this.edit)
    const kept: Action[] = []
    for (const action of this.#queue.value) {
      if (action !== sending && rounds.conflictsWith(edit, action.changes).length > 0) {
        this.#getStuck(action, null)
        continue
      }
      kept.push(action)
      edit = rounds.withChanges(edit, action.changes)
    }
    this.#queue.value = kept
    this.#edit.value = rounds.keptParts(this.edit, edit)
    this.stuck.value = this.stuck.value.filter(({ changes }) => !rounds.isDone(edit, changes))
  }

  async #send(): Promise<void> {
    const [action] = this.#queue.value
    if (this.#isSending || this.#cancelWait !== null) return
    if (action === undefined) {
      this.#state.value = { phase: 'saved' }
      return
    }
    this.#isSending = true
    this.#state.value = { phase: 'saving' }
    const { tag } = this.#saved.value
    try {
      this.#finish(action, await this.#request(action))
    } catch (error) {
      await this.#afterFailure(action, tag, error)
    }
    this.#isSending = false
    if (this.#state.value.phase === 'saving') void this.#send()
  }

  #request({ changes }: Action): Promise<TaggedRound> {
    const slots = rounds.slotChangesOf(changes)
    if (slots !== null) return this.#calls.changeSlots(slots)
    const { round, tag } = this.#saved.value
    const edit = rounds.withChanges(rounds.roundEditOf(round), changes)
    return this.#calls.replace(rounds.roundInputOf(edit), tag)
  }

  #finish(action: Action, saved: TaggedRound | null): void {
    this.#failures = 0
    this.#queue.value = this.#queue.value.filter((each) => each !== action)
    if (saved !== null && saved.round.updatedAt >= this.saved.updatedAt) this.#saved.value = saved
    this.#isSending = false
    this.#replay()
  }

  async #afterFailure(action: Action, tag: string, error: unknown): Promise<void> {
    const { code, status, message, retryAfter } = asFailure(error)
    if (code === 'conflict' || code === 'precondition_failed') {
      try {
        const now = await this.#calls.read()
        if (now.round.updatedAt >= this.saved.updatedAt) this.#saved.value = now
        const edit = rounds.roundEditOf(this.saved)
        // The answer to an earlier attempt was lost.
        if (rounds.isDone(edit, action.changes)) this.#finish(action, null)
        else if (rounds.conflictsWith(edit, action.changes).length > 0) this.#refuse(action, null)
        else if (tag === now.tag) this.#refuse(action, message)
        else this.#replay()
      } catch (failure) {
        this.#wait(asFailure(failure))
      }
    } else if (code === 'not_signed_in') this.#state.value = { phase: 'signed-out' }
    else if (code === 'rate_limited' || status === 0 || status >= 500 || code === 'unreadable') {
      this.#wait({ code, retryAfter })
    } else this.#refuse(action, message)
  }

  /** Takes an action back that the site does not make; it waits for a decision of the person. */
  #refuse(action: Action, message: string | null): void {
    this.#getStuck(action, message)
    this.#finish(action, null)
  }

  #wait({ code, retryAfter }: Pick<CallFailure, 'code' | 'retryAfter'>): void {
    const backoff = Math.min(1000 * 2 ** this.#failures, LONGEST_WAIT_MS)
    this.#failures += 1
    const why = code === 'rate_limited' ? 'limit' : 'connection'
    this.#state.value = { phase: 'waiting', why }
    this.#cancelWait = this.#calls.later(retryAfter === null ? backoff : retryAfter * 1000, () => {
      this.#cancelWait = null
      void this.#send()
    })
  }
}

function asFailure(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error
  // A mistake of ours: nothing gets better by trying again.
  return new CallFailure('internal_error', String(error), { status: 400 })
}
