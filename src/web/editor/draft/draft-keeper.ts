import { effect, signal } from '@preact/signals'
import { now } from '../../browser-clock.ts'
import type { EditorStore } from '../history.ts'
import type { Saver } from '../save/saver.ts'
import type { StoredDraft } from './draft.ts'

const PAUSE_MS = 300

/**
 * Keeps what is not saved in this browser, a moment after each change and before the page goes.
 * Leaving is warned of only where it could not be kept.
 */
export class DraftKeeper {
  readonly #store: EditorStore
  readonly #saver: Saver
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Where the draft is kept now. */
  stored: StoredDraft
  /** How the draft fares: nothing to keep, kept, or storage is full or off. */
  readonly state = signal<'same' | 'kept' | 'lost'>('same')
  /** Another window has changed the same draft: what is changed last is kept. */
  readonly isShared = signal(false)

  constructor(store: EditorStore, saver: Saver, stored: StoredDraft) {
    this.#store = store
    this.#saver = saver
    this.stored = stored
    if (!saver.isUnchanged) this.state.value = 'kept'
  }

  /** Begins to keep it; returns a function that stops. */
  start(): () => void {
    const stop = new AbortController()
    const { signal } = stop
    const keepNow = (): void => {
      if (this.#timer !== undefined) this.#keep()
    }
    const warn = (event: BeforeUnloadEvent): void => {
      keepNow()
      if (this.state.value === 'lost' && !this.#isSaved()) event.preventDefault()
    }
    const hear = ({ key, newValue }: StorageEvent): void => {
      if (key === this.stored.name && newValue !== null) this.isShared.value = true
    }
    addEventListener('pagehide', keepNow, { signal })
    addEventListener('storage', hear, { signal })
    addEventListener('beforeunload', warn, { signal })
    document.addEventListener('visibilitychange', keepNow, { signal })
    let seen: unknown = null
    const stopWatching = effect(() => {
      const { edit } = this.#store
      const { state } = this.#saver
      // What the page begins with is kept as it is.
      if (seen !== null) this.#timer ??= setTimeout(() => this.#keep(), PAUSE_MS)
      seen = [edit, state]
    })
    return () => {
      stop.abort()
      stopWatching()
      clearTimeout(this.#timer)
    }
  }

  #isSaved(): boolean {
    return this.#saver.state.phase === 'saved'
  }

  #keep(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isSaved()) return
    const { edit } = this.#store
    const basedOn = this.#saver.base?.updatedAt ?? null
    if (this.#saver.isUnchanged) {
      this.stored.drop()
      this.state.value = 'same'
    } else {
      const isKept = this.stored.keep({ edit, basedOn, changedAt: Math.round(now()) })
      this.state.value = isKept ? 'kept' : 'lost'
    }
  }
}
