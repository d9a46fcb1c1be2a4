import { computed, signal } from '@preact/signals'
import type { PackInput, SitePack } from '../../../contract/packs.ts'
import { count } from '../../format.ts'
import { CallFailure, explain } from '../../site-failure.ts'
import { type Edit, editOf, emptyEdit, inputOf, isSameEdit } from '../edit.ts'
import type { EditorStore } from '../history.ts'
import { readRefusal, type Refusal } from '../problems.ts'

/** How saving stands. Whatever it is, the edit and its draft are as they were. */
export type SaveState =
  | { readonly phase: 'idle' | 'saving' | 'saved' }
  /** The site told to wait; saving goes on by itself then. Milliseconds since 1970. */
  | { readonly phase: 'waiting'; readonly until: number }
  /** The session has ended, or another one began. */
  | { readonly phase: 'signed-out' | 'other-session' }
  /** The account holds as many packs as it may. */
  | { readonly phase: 'full' }
  /** This pack was deleted elsewhere. */
  | { readonly phase: 'deleted' }
  | { readonly phase: 'refused'; readonly refusal: Refusal }
  /** The pack is another one than the edit began from. */
  | { readonly phase: 'conflict'; readonly theirs: SitePack; readonly isAtStart: boolean }
  | { readonly phase: 'failed'; readonly message: string }

/** Which pack an edit is of, and which state of it the edit began from; null for a new pack. */
export type Base = { readonly slug: string; readonly updatedAt: string } | null

/** What saving needs of the page around it. */
type Context = {
  readonly send: (input: PackInput, base: Base) => Promise<SitePack>
  readonly read: (slug: string) => Promise<SitePack>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls back after so many ms; returns a function that cancels it. */
  readonly later: (ms: number, then: () => void) => () => void
  /** Saved; `isAll`: nothing was changed while that was under way. */
  readonly onSaved: (pack: SitePack, isAll: boolean) => void
}

/** Saves the edit of a store, and overwrites nothing that the edit did not begin from. */
export class Saver {
  readonly #store: EditorStore
  readonly #context: Context
  readonly #state = signal<SaveState>({ phase: 'idle' })
  readonly #saved = signal<SitePack | null>(null)
  readonly #isUnchanged = computed(() =>
    isSameEdit(this.#store.edit, this.saved === null ? emptyEdit : editOf(this.saved)),
  )
  #cancelWait: (() => void) | null = null
  base: Base

  /** @param basedOn what the edit began from, when that is not the pack as it is. */
  constructor(
    store: EditorStore,
    saved: SitePack | null,
    basedOn: string | null,
    context: Context,
  ) {
    this.#store = store
    this.#context = context
    this.#saved.value = saved
    this.base = saved && { slug: saved.slug, updatedAt: basedOn ?? saved.updatedAt }
    if (saved !== null && this.base?.updatedAt !== saved.updatedAt) {
      this.#state.value = { phase: 'conflict', theirs: saved, isAtStart: true }
    }
  }

  get state(): SaveState {
    return this.#state.value
  }

  /** The pack as the site is known to hold it; null for a new one. */
  get saved(): SitePack | null {
    return this.#saved.value
  }

  /** The edit says what the site holds; of a new pack, nothing. */
  get isUnchanged(): boolean {
    return this.#isUnchanged.value
  }

  async save(): Promise<void> {
    if (this.state.phase === 'saving' || this.state.phase === 'saved') return
    this.#cancelWait?.()
    this.#state.value = { phase: 'saving' }
    const { edit } = this.#store
    try {
      this.#keep(await this.#context.send(inputOf(edit), this.base), edit)
    } catch (error) {
      const next = afterFailure(error, edit, this.base === null, this.#context.now())
      if (next === 'look') await this.#look()
      else this.#state.value = next
      if (this.state.phase === 'waiting') this.#wait(this.state.until)
    }
  }

  /** Puts aside what went wrong, or cancels what is waited for. */
  stop(): void {
    this.#cancelWait?.()
    this.#state.value = { phase: 'idle' }
  }

  /** The pack was deleted: what is here becomes a new one. */
  async saveAsNew(): Promise<void> {
    this.#saved.value = null
    this.base = null
    await this.save()
  }

  /** Goes on with what is here, over what is saved; saves it where that was asked for. */
  async keepMine(): Promise<void> {
    if (this.state.phase !== 'conflict') return
    const { theirs, isAtStart } = this.state
    this.#goOnFrom(theirs, 'idle')
    if (!isAtStart) await this.save()
  }

  /** Goes on with what is saved; an undo brings back what was here. */
  takeTheirs(): void {
    if (this.state.phase !== 'conflict') return
    const { theirs } = this.state
    this.#goOnFrom(theirs, 'idle')
    this.#store.change('use the saved version', () => editOf(theirs))
  }

  /** What was saved elsewhere; the same as here when the answer to our own save was lost. */
  async #look(): Promise<void> {
    const { edit } = this.#store
    try {
      const theirs = await this.#context.read(this.base?.slug ?? '')
      if (isSameEdit(editOf(theirs), edit)) this.#keep(theirs, edit)
      else this.#state.value = { phase: 'conflict', theirs, isAtStart: false }
    } catch (error) {
      const next = afterFailure(error, edit, false, this.#context.now())
      this.#state.value = next === 'look' ? { phase: 'idle' } : next
    }
  }

  #keep(pack: SitePack, sent: Edit): void {
    const isAll = this.#store.edit === sent
    this.#goOnFrom(pack, isAll ? 'saved' : 'idle')
    this.#context.onSaved(pack, isAll)
  }

  #goOnFrom(pack: SitePack, phase: 'idle' | 'saved'): void {
    this.base = { slug: pack.slug, updatedAt: pack.updatedAt }
    this.#saved.value = pack
    this.#state.value = { phase }
  }

  #wait(until: number): void {
    const ms = until - this.#context.now()
    this.#cancelWait = this.#context.later(ms, () => void this.save())
  }
}

/** What a failed save leads to; `look` means that the pack was changed elsewhere. */
function afterFailure(error: unknown, edit: Edit, isNew: boolean, now: number): SaveState | 'look' {
  if (!(error instanceof CallFailure)) return { phase: 'failed', message: explain(error) }
  const { code, message, retryAfter } = error
  switch (code) {
    case 'bad_request':
      return { phase: 'refused', refusal: readRefusal(message, edit) }
    case 'not_signed_in':
      return { phase: 'signed-out' }
    case 'forbidden':
      return { phase: 'other-session' }
    case 'conflict':
      return isNew ? { phase: 'full' } : 'look'
    case 'not_found':
      return { phase: 'deleted' }
    case 'rate_limited':
      return { phase: 'waiting', until: now + (retryAfter ?? 60) * 1000 }
    default:
      return { phase: 'failed', message }
  }
}

/**
 * What saving does beside saving, said before: a new pack key clears the magnet links (D-27), and a
 * pack that is not public loses its pin (D-30).
 *
 * @param packKey what the edit's would be; null while it has none.
 */
export function sideEffects(
  saved: SitePack | null,
  edit: Edit,
  packKey: string | null,
): { readonly magnets: string | null; readonly pin: string | null } {
  if (saved === null) return { magnets: null, pin: null }
  const { exports, isPinned } = saved
  const clears = exports.length > 0 && packKey !== null && packKey !== saved.packKey
  return {
    magnets: clears
      ? `Saving removes ${count(exports.length, 'magnet link')}, because the beatmaps have changed.`
      : null,
    pin:
      isPinned && edit.visibility !== 'public'
        ? 'Saving unpins this pack, because only public packs can be pinned.'
        : null,
  }
}
