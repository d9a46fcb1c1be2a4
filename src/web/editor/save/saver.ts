import { computed, signal } from '@preact/signals'
import type { PackInput, SitePack } from '../../../contract/packs.ts'
import { count } from '../../format.ts'
import { CallFailure, explain } from '../../site-failure.ts'
import { type Edit, editOf, inputOf, isSameEdit } from '../edit.ts'
import type { EditorStore } from '../history.ts'
import { readRefusal, type Refusal } from '../problems.ts'

/** The state of saving. In each of them, the edit and its draft are as they were. */
export type SaveState =
  | { readonly phase: 'idle' | 'saving' | 'saved' | (typeof blockedBy)[keyof typeof blockedBy] }
  /** The site said to wait; then it is tried again. Milliseconds since 1970. */
  | { readonly phase: 'waiting'; readonly until: number }
  | { readonly phase: 'refused'; readonly refusal: Refusal }
  /** The pack is another one than the edit began from. */
  | { readonly phase: 'conflict'; readonly theirs: SitePack; readonly isAtStart: boolean }
  | { readonly phase: 'failed'; readonly message: string }

/** The pack that an edit is of, and the version that the edit began from; null for a new pack. */
export type Base = Pick<SitePack, 'slug' | 'updatedAt'> | null

type Deps = {
  readonly send: (input: PackInput, base: Base) => Promise<SitePack>
  readonly read: (slug: string) => Promise<SitePack>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls back after so many ms; returns a function that cancels it. */
  readonly later: (ms: number, then: () => void) => () => void
  /** Saved; `isAll`: nothing was changed meanwhile. */
  readonly onSaved: (pack: SitePack, isAll: boolean) => void
}

/** Saves the edit of a store, and overwrites nothing that the edit did not begin from. */
export class Saver {
  readonly #store: EditorStore
  readonly #deps: Deps
  readonly #state = signal<SaveState>({ phase: 'idle' })
  readonly #saved = signal<SitePack | null>(null)
  /** Whether the edit equals what the site has; a new pack, an empty one. */
  readonly isUnchanged = computed(() => isSameEdit(this.#store.edit, editOf(this.saved)))
  #cancelWait: (() => void) | null = null
  base: Base

  /** @param basedOn what the edit began from, when that is not the pack as it is. */
  constructor(store: EditorStore, saved: SitePack | null, basedOn: string | null, deps: Deps) {
    this.#store = store
    this.#deps = deps
    this.#saved.value = saved
    this.base = saved && { slug: saved.slug, updatedAt: basedOn ?? saved.updatedAt }
    if (saved !== null && this.base?.updatedAt !== saved.updatedAt) {
      this.#state.value = { phase: 'conflict', theirs: saved, isAtStart: true }
    }
  }

  get state(): SaveState {
    return this.#state.value
  }

  /** The pack as the site has it, as far as is known; null for a new one. */
  get saved(): SitePack | null {
    return this.#saved.value
  }

  async save(): Promise<void> {
    if (this.state.phase === 'saving' || this.state.phase === 'saved') return
    this.#cancelWait?.()
    this.#state.value = { phase: 'saving' }
    const { edit } = this.#store
    try {
      this.#finish(await this.#deps.send(inputOf(edit), this.base), edit)
    } catch (error) {
      const isConflict = error instanceof CallFailure && error.code === 'conflict'
      if (isConflict && this.base !== null) await this.#compare(this.base.slug)
      else this.#fail(error, edit)
    }
  }

  /** Drops what went wrong, or cancels the wait. */
  stop(): void {
    this.#cancelWait?.()
    this.#state.value = { phase: 'idle' }
  }

  /** Saves an edit of a pack that was deleted as a new pack. */
  async saveAsNew(): Promise<void> {
    this.#saved.value = null
    this.base = null
    await this.save()
  }

  /** Keeps this edit over what is saved, and saves it, if that was asked for. */
  async keepMine(): Promise<void> {
    if (this.state.phase !== 'conflict') return
    const { theirs, isAtStart } = this.state
    this.#continueFrom(theirs, 'idle')
    if (!isAtStart) await this.save()
  }

  /** Continues with what is saved; an undo restores this edit. */
  takeTheirs(): void {
    if (this.state.phase !== 'conflict') return
    const { theirs } = this.state
    this.#continueFrom(theirs, 'idle')
    this.#store.change('use the saved version', () => editOf(theirs))
  }

  /** Reads what was saved elsewhere; it equals the edit when the response to our own save was lost. */
  async #compare(slug: string): Promise<void> {
    const { edit } = this.#store
    try {
      const theirs = await this.#deps.read(slug)
      if (isSameEdit(editOf(theirs), edit)) this.#finish(theirs, edit)
      else this.#state.value = { phase: 'conflict', theirs, isAtStart: false }
    } catch (error) {
      this.#fail(error, edit)
    }
  }

  #finish(pack: SitePack, sent: Edit): void {
    const isAll = this.#store.edit === sent
    this.#continueFrom(pack, isAll ? 'saved' : 'idle')
    this.#deps.onSaved(pack, isAll)
  }

  #continueFrom(pack: SitePack, phase: 'idle' | 'saved'): void {
    this.base = { slug: pack.slug, updatedAt: pack.updatedAt }
    this.#saved.value = pack
    this.#state.value = { phase }
  }

  #fail(error: unknown, edit: Edit): void {
    const { now, later } = this.#deps
    const state = stateAfter(error, edit, now())
    this.#state.value = state
    if (state.phase === 'waiting') {
      this.#cancelWait = later(state.until - now(), () => void this.save())
    }
  }
}

/** What keeps a save from succeeding until somebody acts, by the code of the error. */
const blockedBy = {
  not_signed_in: 'signed-out',
  // Another session has begun.
  forbidden: 'other-session',
  // A new pack, and the account has as many as it may. Other packs are compared first.
  conflict: 'full',
  not_found: 'deleted',
} as const

function stateAfter(error: unknown, edit: Edit, now: number): SaveState {
  if (!(error instanceof CallFailure)) return { phase: 'failed', message: explain(error) }
  const { code, message, retryAfter } = error
  if (code === 'bad_request') return { phase: 'refused', refusal: readRefusal(message, edit) }
  if (code === 'rate_limited') return { phase: 'waiting', until: now + (retryAfter ?? 60) * 1000 }
  if (code in blockedBy) return { phase: blockedBy[code as keyof typeof blockedBy] }
  return { phase: 'failed', message }
}

/** A new pack key clears the magnet links (D-27); a pack that is not public loses its pin (D-30). */
export function sideEffects(saved: SitePack | null, edit: Edit, packKey: string | null) {
  const links = packKey === null || packKey === saved?.packKey ? 0 : (saved?.exports.length ?? 0)
  const unpins = saved?.isPinned && edit.visibility !== 'public'
  const removal = `Saving removes ${count(links, 'magnet link')}, because the beatmaps have changed.`
  return {
    magnets: links > 0 ? removal : null,
    pin: unpins ? 'Saving unpins this pack, because only public packs can be pinned.' : null,
  }
}
