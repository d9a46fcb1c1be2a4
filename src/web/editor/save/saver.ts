import type { PackInput } from '../../../contract/pack.ts'
import type { SitePack } from '../../../contract/site-pack.ts'
import { editOf, inputOf, isSameEdit } from '../edit.ts'
import type { EditorStore } from '../editor-store.ts'
import { afterFailure, type SaveState } from './save-state.ts'

/** Which pack an edit is of, and which state of it the edit began from; null for a new pack. */
export type Base = { readonly slug: string; readonly updatedAt: string } | null

/** What saving needs of the page around it. */
export type Surroundings = {
  readonly send: (input: PackInput, base: Base) => Promise<SitePack>
  readonly read: (slug: string) => Promise<SitePack>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls back after so many ms; the function that it gives calls it off. */
  readonly later: (ms: number, then: () => void) => () => void
  /** Saved; `isAll`: nothing was changed while that was under way. */
  readonly onSaved: (pack: SitePack, isAll: boolean) => void
}

/** Saves the edit of a store, and overwrites nothing that the edit did not begin from. */
export class Saver {
  readonly #store: EditorStore
  readonly #surroundings: Surroundings
  readonly #listeners = new Set<() => void>()
  #callOff: (() => void) | null = null
  state: SaveState = { phase: 'idle' }
  /** The pack as the site is known to hold it; null for a new one. */
  saved: SitePack | null
  base: Base

  /** @param basedOn what the edit began from, when that is not the pack as it is. */
  constructor(
    store: EditorStore,
    saved: SitePack | null,
    basedOn: string | null,
    surroundings: Surroundings,
  ) {
    this.#store = store
    this.#surroundings = surroundings
    this.saved = saved
    this.base = saved && { slug: saved.slug, updatedAt: basedOn ?? saved.updatedAt }
    if (saved !== null && this.base?.updatedAt !== saved.updatedAt) {
      this.state = { phase: 'conflict', theirs: saved, isAtStart: true }
    }
  }

  /** Hears of every change of `state` until the function that it gives is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async save(): Promise<void> {
    if (this.state.phase === 'saving' || this.state.phase === 'saved') return
    this.#callOff?.()
    this.#go({ phase: 'saving' })
    const { edit } = this.#store
    try {
      this.#keep(await this.#surroundings.send(inputOf(edit), this.base), edit)
    } catch (error) {
      const next = afterFailure(error, edit, this.base === null, this.#surroundings.now())
      if (next === 'look') await this.#look()
      else this.#go(next)
      if (this.state.phase === 'waiting') this.#wait(this.state.until)
    }
  }

  /** Puts aside what went wrong, or calls off what is waited for. */
  stop(): void {
    this.#callOff?.()
    this.#go({ phase: 'idle' })
  }

  /** The pack was deleted: what is here becomes a new one. */
  async saveAsNew(): Promise<void> {
    this.saved = null
    this.base = null
    await this.save()
  }

  /** Goes on with what is here, over what is saved; saves it where that was asked for. */
  async keepMine(): Promise<void> {
    if (this.state.phase !== 'conflict') return
    const { theirs, isAtStart } = this.state
    this.#goOnFrom(theirs)
    if (!isAtStart) await this.save()
  }

  /** Goes on with what is saved; an undo brings back what was here. */
  takeTheirs(): void {
    if (this.state.phase !== 'conflict') return
    const { theirs } = this.state
    this.#goOnFrom(theirs)
    this.#store.change('use the saved version', () => editOf(theirs))
  }

  /** What was saved elsewhere; the same as here when the answer to our own save was lost. */
  async #look(): Promise<void> {
    const { edit } = this.#store
    const slug = this.base?.slug ?? ''
    try {
      const theirs = await this.#surroundings.read(slug)
      if (isSameEdit(editOf(theirs), edit)) this.#keep(theirs, edit)
      else this.#go({ phase: 'conflict', theirs, isAtStart: false })
    } catch (error) {
      const next = afterFailure(error, edit, false, this.#surroundings.now())
      this.#go(next === 'look' ? { phase: 'idle' } : next)
    }
  }

  #keep(pack: SitePack, sent: EditorStore['edit']): void {
    const isAll = this.#store.edit === sent
    this.saved = pack
    this.base = { slug: pack.slug, updatedAt: pack.updatedAt }
    this.#go({ phase: isAll ? 'saved' : 'idle' })
    this.#surroundings.onSaved(pack, isAll)
  }

  #goOnFrom(theirs: SitePack): void {
    this.saved = theirs
    this.base = { slug: theirs.slug, updatedAt: theirs.updatedAt }
    this.#go({ phase: 'idle' })
  }

  #wait(until: number): void {
    const ms = until - this.#surroundings.now()
    this.#callOff = this.#surroundings.later(ms, () => void this.save())
  }

  #go(state: SaveState): void {
    this.state = state
    for (const listener of this.#listeners) listener()
  }
}
