import * as texts from '#texts/editor'
import { computed, signal } from '@preact/signals'
import type { PackInput, SitePack } from '../../../contract/packs.ts'
import { changesBetween, grouped, inverse, withChanges } from '../../editing/changes.ts'
import type { EditStore } from '../../editing/edit-store.ts'
import { sessionEnd } from '../../editing/session-end.ts'
import { waitAfter } from '../../lost-answers.ts'
import { CallFailure, explain, isUnknown } from '../../site-failure.ts'
import { type Edit, editOf, inputOf, isSameEdit } from '../edit.ts'
import { readRefusal, type Refusal } from '../problems.ts'
import { withSent, without } from './sent.ts'

/** The state of saving. In each of them, the edit and its draft are as they were. */
type PackSaveState =
  | {
      readonly phase:
        | 'idle'
        | 'saved'
        | 'signed-out'
        | 'other-session'
        | (typeof blockedBy)[keyof typeof blockedBy]
    }
  /** `waited`: it was told to wait before. */
  | { readonly phase: 'saving'; readonly waited: Wait | null }
  /** The site has asked to wait; it is then tried again. */
  | ({ readonly phase: 'waiting' } & Wait)
  | { readonly phase: 'refused'; readonly refusal: Refusal }
  /** Something was changed here and in what was saved elsewhere: it is stuck. */
  | { readonly phase: 'conflict'; readonly isAtStart: boolean }
  /** `isOpen`: it may have been saved. */
  | { readonly phase: 'failed'; readonly message: string; readonly isOpen?: boolean }

export type Wait = {
  /** Milliseconds since 1970. */
  readonly until: number
  /** Why nothing can be saved for now, in a sentence; null: there were too many saves. */
  readonly message: string | null
}

type Deps = {
  /** @param base the version that the edit is based on; null for a new pack. */
  readonly send: (input: PackInput, base: SitePack | null) => Promise<SitePack>
  readonly read: (slug: string) => Promise<SitePack>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls back after so many ms; returns a function that cancels it. */
  readonly later: (ms: number, then: () => void) => () => void
  /** Whether an edit that has changed since the person pressed Save is saved without asking. */
  readonly isSavedChanged: () => boolean
  /** Saved; `isAll`: nothing was changed meanwhile. `isLate`: when the person does not wait for it any more. */
  readonly onSaved: (pack: SitePack, isAll: boolean, isLate: boolean) => void
}

/**
 * Saves the edit of a store. What was saved elsewhere meanwhile is merged; where both have changed the same, the person
 * decides.
 */
export class Saver {
  readonly #store: EditStore<Edit>
  readonly #deps: Deps
  readonly #state = signal<PackSaveState>({ phase: 'idle' })
  readonly #saved = signal<SitePack | null>(null)
  /** The cells that were taken over from what was saved elsewhere, since the last save. */
  readonly merged = signal<readonly string[]>([])
  /** Whether the edit equals what the site has; a new pack, an empty one. */
  readonly isUnchanged = computed(
    () =>
      this.sent.value.length + this.#store.stuck.value.length === 0 &&
      isSameEdit(this.#store.edit, editOf(this.saved)),
  )
  #cancelWait: (() => void) | null = null
  /** The edit as the last merge has left it; null: there was none. */
  #joined: Edit | null = null
  /** What the person pressed Save for; null: they do not wait for it any more. */
  #asked: Edit | null = null
  /** Failures since the person pressed Save. */
  #failures = 0
  /** What was sent since the last answer that said it was saved, and may have been; by windows that share the draft, too. */
  readonly sent = signal<readonly Edit[]>([])

  /** @param base what it began from, if not the pack as it is. @param sent what an earlier page may have saved. */
  constructor(
    store: EditStore<Edit>,
    saved: SitePack | null,
    base: Edit | null,
    deps: Deps,
    sent: readonly Edit[] = [],
  ) {
    this.#store = store
    this.#deps = deps
    this.#saved.value = saved
    this.sent.value = sent
    if (base !== null) this.#take(base)
  }

  get state(): PackSaveState {
    return this.#state.value
  }

  /** The pack as the site has it, as far as is known; null for a new one. */
  get saved(): SitePack | null {
    return this.#saved.value
  }

  /** The edit with what is stuck in it, unless it was changed again since, what it began from, and what was sent: for the draft. */
  get kept(): { readonly edit: Edit; readonly base: Edit; readonly sent: readonly Edit[] } {
    const { edit } = this.#store
    const again = new Set(changesBetween(this.#joined ?? edit, edit).map(({ cell }) => cell))
    const stuck = this.#store.stuck.value
      .flatMap(({ changes }) => changes)
      .filter(({ cell }) => !again.has(cell))
    return {
      edit: withChanges(edit, stuck),
      // What is the first change of a cell begins with what it was.
      base: withChanges(editOf(this.saved), inverse(stuck).toReversed()),
      sent: this.sent.value,
    }
  }

  /**
   * Takes over what was saved in another window. `seenIn` gives what both had before; null: there is a draft of theirs.
   *
   * @returns whether nothing was; null while something is in the way.
   */
  async follow(seenIn: (theirs: SitePack) => Edit | null): Promise<boolean | null> {
    if (this.saved === null) return null
    const theirs = await this.#deps.read(this.saved.slug)
    if (['saving', 'saved', 'conflict'].includes(this.state.phase)) return null
    if (theirs.updatedAt === this.saved.updatedAt) return true
    const seen = seenIn(theirs)
    this.#saved.value = theirs
    this.sent.value = []
    if (seen !== null) this.#take(seen)
    if (this.isUnchanged.value) this.stop()
    return false
  }

  async save(): Promise<void> {
    if (this.state.phase === 'saving' || this.state.phase === 'saved') return
    this.#cancelWait?.()
    this.#asked = this.#store.edit
    this.#failures = 0
    this.merged.value = []
    await this.#send()
  }

  /** Drops what went wrong, or cancels the wait; an attempt that is on its way is the last one. */
  stop(): void {
    this.#cancelWait?.()
    this.#asked = null
    this.#state.value =
      this.state.phase === 'saving' ? { phase: 'saving', waited: null } : { phase: 'idle' }
  }

  /** Saves an edit of a pack that was deleted as a new pack. */
  async saveAsNew(): Promise<void> {
    this.#saved.value = null
    await this.save()
  }

  /** Keeps what is stuck over what is saved, and saves it, if that was asked for. */
  async keepMine(): Promise<void> {
    const isAsked = this.state.phase === 'conflict' && !this.state.isAtStart
    this.#store.keepMine(...this.#store.stuck.value)
    this.#decided()
    if (isAsked) await this.save()
  }

  /** Continues with what is saved; an undo restores what was stuck. */
  takeTheirs(): void {
    this.#store.takeTheirs(...this.#store.stuck.value)
    this.#decided()
  }

  #take(base: Edit): void {
    this.#merge(base)
    const isAsked = this.#store.stuck.value.length > 0
    if (isAsked) this.#state.value = { phase: 'conflict', isAtStart: true }
  }

  #addSent(edit: Edit): void {
    this.sent.value = withSent(this.sent.value, [edit])
  }

  #decided(): void {
    this.merged.value = []
    this.#state.value = { phase: 'idle' }
  }

  async #send(waited: Wait | null = null): Promise<void> {
    this.#state.value = { phase: 'saving', waited }
    const { edit } = this.#store
    const base = this.saved
    const isFirst = without([edit], this.sent.value).length > 0
    // Before it is sent: the page may be left meanwhile.
    this.#addSent(edit)
    try {
      this.#finish(await this.#deps.send(inputOf(edit), base), edit)
    } catch (error) {
      if (isUnknown(error)) this.#addSent(edit)
      else if (isFirst) this.sent.value = without(this.sent.value, [edit])
      const isConflict = error instanceof CallFailure && error.code === 'conflict'
      if (isConflict && base !== null) await this.#goOn(base, edit, error)
      else this.#fail(error, edit)
    }
  }

  /** Merges what was saved elsewhere, and saves that, unless something has to be decided first. */
  async #goOn(base: SitePack, sent: Edit, conflict: CallFailure): Promise<void> {
    try {
      const theirs = await this.#deps.read(base.slug)
      if (theirs.updatedAt === base.updatedAt) {
        this.#state.value = { phase: 'failed', message: conflict.message }
        return
      }
      this.#saved.value = theirs
      // The response to our own save was lost.
      const now = editOf(theirs)
      if (isSameEdit(now, sent)) return this.#finish(theirs, sent)
      // Or to an earlier one, or it came to another window.
      const isOwn = this.sent.value.some((each) => isSameEdit(now, each))
      this.#merge(isOwn ? now : editOf(base))
      this.sent.value = []
    } catch (error) {
      return this.#fail(error, sent)
    }
    const { edit, stuck } = this.#store
    if (stuck.value.length > 0) this.#state.value = { phase: 'conflict', isAtStart: false }
    else if (this.isUnchanged.value) this.#finish(this.saved!, edit)
    else if (this.#deps.isSavedChanged()) await this.#send()
    else this.#state.value = { phase: 'idle' }
  }

  /** Puts what is not saved on top of what is; what both have changed since `base` is stuck. */
  #merge(base: Edit): void {
    const { edit } = this.#store
    // A space too many at the end of a name is no change.
    const own = grouped(changesBetween(base, editOf(inputOf(edit))))
    const actions = own.map((changes) => this.#store.action(texts.keepMineStep, changes))
    this.#store.replay(editOf(this.saved), actions)
    this.#joined = this.#store.edit
    const stuck = this.#store.stuck.value.flatMap(({ changes }) => changes.map(({ cell }) => cell))
    const taken = changesBetween(edit, this.#store.edit).map(({ cell }) => cell)
    // The answer to a save may be that somebody else has saved once more.
    const all = new Set([...this.merged.value, ...taken])
    this.merged.value = [...all].filter((cell) => !stuck.includes(cell))
  }

  #finish(pack: SitePack, sent: Edit): void {
    const isAll = this.#store.edit === sent
    const waited = this.state.phase === 'saving' ? this.state.waited : null
    const isLate = this.#asked === null || (waited?.message ?? null) !== null
    this.sent.value = []
    this.#saved.value = pack
    const isOver = isAll && !isLate && this.merged.value.length === 0
    this.#state.value = { phase: isOver ? 'saved' : 'idle' }
    this.#deps.onSaved(pack, isAll, isLate)
  }

  #fail(error: unknown, edit: Edit): void {
    const { now, later } = this.#deps
    const state = stateAfter(error, edit, now(), this.#failures++)
    if (state.phase !== 'waiting') this.#state.value = state
    else if (this.#asked === null) this.#state.value = { phase: 'idle' }
    else {
      this.#state.value = state
      this.#cancelWait = later(state.until - now(), () => void this.#tryAgain(state))
    }
  }

  async #tryAgain({ until, message }: Wait): Promise<void> {
    const isAsked = this.#store.edit === this.#asked
    if (isAsked || this.#deps.isSavedChanged()) await this.#send({ until, message })
    else this.#state.value = { phase: 'failed', message: texts.changedSinceThen }
  }
}

/** What keeps a save from succeeding until the person acts, by the code of the error. */
const blockedBy = {
  // A new pack, and the account has as many as it may. Other packs are compared first.
  conflict: 'full',
  not_found: 'deleted',
} as const

function stateAfter(error: unknown, edit: Edit, now: number, failures: number): PackSaveState {
  if (!(error instanceof CallFailure)) return { phase: 'failed', message: explain(error) }
  const { code, message } = error
  const until = now + waitAfter(error, failures)
  if (code === 'bad_request') return { phase: 'refused', refusal: readRefusal(error, edit) }
  if (code === 'rate_limited') return { phase: 'waiting', until, message: null }
  if (code === 'unavailable') return { phase: 'waiting', until, message }
  const ended = sessionEnd(error)
  if (ended !== null) return { phase: ended }
  if (code in blockedBy) return { phase: blockedBy[code as keyof typeof blockedBy] }
  const isOpen = isUnknown(error)
  return { phase: 'failed', message: isOpen ? explain(error) : message, isOpen }
}
