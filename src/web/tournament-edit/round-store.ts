import { effect, type Signal, signal } from '@preact/signals'
import { NO_SLOT } from '../../contract/bounds.ts'
import type { Round, RoundInput, SlotChanges } from '../../contract/rounds.ts'
import {
  type RoundField,
  roundFields,
  slotContent,
  slotFields,
  type SlotFilling,
} from '../../pool/round-fields.ts'
import { isDefaultTable, slotsInPoolOrder } from '../../pool/slots.ts'
import {
  type Change,
  EMPTY,
  isDone,
  placeOfCell,
  possible,
  withChanges,
} from '../editing/changes.ts'
import { type Action, EditStore } from '../editing/edit-store.ts'
import { sessionEnd } from '../editing/session-end.ts'
import type { Steps } from '../editing/steps.ts'
import { type LaneEdit, type LaneSlot, withLayout, withoutKey } from '../editing/lanes/lanes.ts'
import { join } from '../format.ts'
import { waitAfter } from '../lost-answers.ts'
import { slotText } from '../pool/slot-words.ts'
import { CallFailure } from '../site-failure.ts'

/** The fields of a round other than its pool. */
export type RoundHead = Pick<Round, RoundField | 'name'>

/** A round while it is edited. */
export type RoundEdit = LaneEdit & RoundHead

const headOf = (round: RoundHead): RoundHead => ({ name: round.name, ...roundFields.sent(round) })

/** The round as it is saved. */
export const roundEditOf = (round: Round): RoundEdit =>
  withLayout(
    { ...headOf(round), buckets: [], slots: [] },
    { buckets: round.buckets ?? [], slots: round.slots },
  )

/** The body that replaces the round. */
export const roundInputOf = (edit: RoundEdit): RoundInput => ({
  ...headOf(edit),
  slots: slotsInPoolOrder(edit).map(withoutKey),
  ...(!isDefaultTable(edit.buckets) && { buckets: [...edit.buckets] }),
})

/** The changes as `changeSlots` takes them; null when some are of something else. */
function slotChangesOf(changes: readonly Change[]): SlotChanges['changes'] | null {
  const found = changes.flatMap(({ cell, from, to }) => {
    const place = placeOfCell(cell)
    return place === null ? [] : [{ ...place, from: contentOf(from), to: contentOf(to) }]
  })
  return found.length === changes.length ? found : null
}

type Content = SlotChanges['changes'][number]['to']

function contentOf(value: string | null): Content {
  if (value === null) return NO_SLOT
  return value === EMPTY ? null : (JSON.parse(value) as Content)
}

/** What is in a slot, in words. */
export function fillingWords(slot: SlotFilling, nameOf: (beatmapId: number) => string): string {
  const { beatmapId, ...others } = slotFields.sent(slot)
  if (beatmapId === undefined) return slotText(others)
  const { placeholder: _, ...rest } = others
  const details = slotContent(rest) === null ? [] : [slotText(rest)]
  return join([nameOf(beatmapId), ...details], 'unit')
}

/** The slots without a beatmap, in pool order: what keeps a round from its release. */
export const openSlots = (edit: LaneEdit): LaneSlot[] =>
  slotsInPoolOrder(edit).filter(({ beatmapId }) => beatmapId === undefined)

/** A round as it was read, with its ETag. */
export type TaggedRound = { readonly round: Round; readonly tag: string }

export type RoundCalls = {
  readonly changeSlots: (changes: SlotChanges['changes']) => Promise<TaggedRound>
  readonly replace: (input: RoundInput, tag: string) => Promise<TaggedRound>
  readonly read: () => Promise<TaggedRound>
  /** Calls back after so many ms; returns a function that cancels it. */
  readonly later: (ms: number, then: () => void) => () => void
}

/** `waiting`: it will be tried again by itself. `failure`: of the attempt before; null if there was none. */
export type RoundSaveState =
  | { readonly phase: 'saved' | 'signed-out' | 'other-session'; readonly failure?: null }
  | { readonly phase: 'saving'; readonly failure: CallFailure | null }
  | { readonly phase: 'waiting'; readonly failure: CallFailure }

/**
 * A round that several people edit: what the person does is sent one action after another, each with what was seen
 * (D-62).
 */
export class RoundStore extends EditStore<RoundEdit> {
  readonly #calls: RoundCalls
  readonly #saved: Signal<TaggedRound>
  /** In order; the first one may be on its way. */
  readonly #queue = signal<readonly Action[]>([])
  #isSending = false
  #failures = 0
  #lastFailure: CallFailure | null = null
  #cancelWait: (() => void) | null = null
  readonly #state = signal<RoundSaveState>({ phase: 'saved' })

  constructor(saved: TaggedRound, calls: RoundCalls, steps?: Steps) {
    super(roundEditOf(saved.round), steps, saved.round.id)
    this.#calls = calls
    this.#saved = signal(saved)
  }

  /** The round as the site has it, as far as is known. */
  get saved(): Round {
    return this.#saved.value.round
  }

  /** The ETag of `saved`. */
  get tag(): string {
    return this.#saved.value.tag
  }

  get state(): RoundSaveState {
    return this.#state.value
  }

  /** What is not saved, to be restored by the next page. */
  get unsaved(): readonly Action[] {
    return [...this.stuck.value, ...this.#queue.value]
  }

  /** Changes that are neither saved nor being sent: they wait for the person, or for a connection. */
  get unsent(): readonly Action[] {
    const { phase, failure } = this.state
    return phase === 'saving' && failure === null ? this.stuck.value : this.unsaved
  }

  /** What the site has, read because it changed, or in answer to a call. Older states than known ones are ignored. */
  merge(saved: TaggedRound): void {
    if (this.#learn(saved)) this.#replay()
  }

  /** Tries again at once what waits: the connection is back, or the person has signed in. */
  resume(): void {
    this.#cancelWait?.()
    this.#cancelWait = null
    void this.#send()
  }

  /** Resolves when nothing is on its way; then all is saved, or cannot be for now. */
  async whenIdle(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = effect(() => {
      if (this.state.phase !== 'saving') resolve()
    })
    await promise
    stop()
  }

  protected override acted(action: Action): void {
    this.#queue.value = [...this.#queue.value, action]
    void this.#send()
  }

  #learn(saved: TaggedRound): boolean {
    const isNew = saved.round.updatedAt >= this.saved.updatedAt
    if (isNew) this.#saved.value = saved
    return isNew
  }

  #replay(): void {
    const [sent] = this.#isSending ? this.#queue.value : []
    this.#queue.value = this.replay(roundEditOf(this.saved), this.#queue.value, sent)
  }

  async #send(): Promise<void> {
    const [action] = this.#queue.value
    if (this.#isSending || this.#cancelWait !== null) return
    if (action === undefined) {
      this.#lastFailure = null
      this.#state.value = { phase: 'saved' }
      return
    }
    this.#isSending = true
    this.#state.value = { phase: 'saving', failure: this.#lastFailure }
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
    const slots = slotChangesOf(changes)
    if (slots !== null) return this.#calls.changeSlots(slots)
    const { round, tag } = this.#saved.value
    return this.#calls.replace(roundInputOf(withChanges(roundEditOf(round), changes)), tag)
  }

  #finish(action: Action, saved: TaggedRound | null): void {
    this.#failures = 0
    this.#lastFailure = null
    this.#queue.value = this.#queue.value.filter((each) => each !== action)
    if (saved !== null) this.#learn(saved)
    this.#isSending = false
    this.#replay()
  }

  async #afterFailure(action: Action, tag: string, error: unknown): Promise<void> {
    const failure = asFailure(error)
    const { code, message } = failure
    const ended = sessionEnd(failure)
    if (code === 'conflict' || code === 'precondition_failed') {
      try {
        const now = await this.#calls.read()
        this.#learn(now)
        const edit = roundEditOf(this.saved)
        // The answer to an earlier attempt was lost.
        if (isDone(edit, action.changes)) this.#finish(action, null)
        else if (tag === now.tag && isOpen(edit, action.changes)) this.#refuse(action, message)
        else this.#narrow(action, this.split(edit, action))
      } catch (later) {
        this.#wait(asFailure(later))
      }
    } else if (ended !== null) {
      this.#lastFailure = null
      this.#state.value = { phase: ended }
    } else if (failure.mayPass) this.#wait(failure)
    else this.#refuse(action, message)
  }

  /** Goes on with what of an action is not in the way of other changes, or not made yet. */
  #narrow(action: Action, rest: Action | null): void {
    if (rest === null) return this.#finish(action, null)
    this.#queue.value = this.#queue.value.map((each) => (each === action ? rest : each))
    this.#replay()
  }

  /** Takes an action back that the site does not make; it waits for a decision of the person. */
  #refuse(action: Action, message: string): void {
    this.getStuck(action, message)
    this.#finish(action, null)
  }

  #wait(failure: CallFailure): void {
    this.#lastFailure = failure
    this.#state.value = { phase: 'waiting', failure }
    this.#cancelWait = this.#calls.later(waitAfter(failure, this.#failures++), () => {
      this.#cancelWait = null
      void this.#send()
    })
  }
}

/** Whether all of the changes are still to be made, and nothing is in their way. */
const isOpen = (edit: LaneEdit, changes: readonly Change[]): boolean =>
  possible(edit, changes).made.length === changes.length

function asFailure(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error
  // A mistake of ours: nothing gets better by trying again.
  return new CallFailure('internal_error', String(error), { status: 400 })
}
