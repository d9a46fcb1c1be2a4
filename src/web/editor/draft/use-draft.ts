import { useEffect, useState } from 'preact/hooks'
import { now } from '../../browser-clock.ts'
import type { StoredDraft } from './drafts.ts'
import { editOf, emptyEdit, isSameEdit } from '../edit.ts'
import type { EditorStore } from '../editor-store.ts'
import type { Saver } from '../save/saver.ts'

/** How the draft fares: nothing to keep, kept, or storage is full or off. */
export type DraftState = 'same' | 'kept' | 'lost'

export type DraftNews = {
  readonly state: DraftState
  /** Another window has changed the same draft: what is changed last is kept. */
  readonly isShared: boolean
}

const PAUSE_MS = 300

/**
 * Keeps what is not saved in this browser, a moment after each change and before the page goes.
 * Leaving is warned of only where it could not be kept.
 */
export const useDraft = (
  store: EditorStore,
  saver: Saver,
  draftNow: () => StoredDraft,
): DraftNews => {
  const isSaved = (): boolean =>
    isSameEdit(store.edit, saver.saved === null ? emptyEdit : editOf(saver.saved))
  const [state, setState] = useState<DraftState>(() => (isSaved() ? 'same' : 'kept'))
  const [isShared, setShared] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let latest = state
    const keep = (): void => {
      clearTimeout(timer)
      timer = undefined
      if (saver.state.phase === 'saved') return
      const stored = draftNow()
      const basedOn = saver.base?.updatedAt ?? null
      const draft = { edit: store.edit, basedOn, changedAt: Math.round(now()) }
      if (isSaved()) {
        stored.drop()
        latest = 'same'
      } else latest = stored.keep(draft) ? 'kept' : 'lost'
      setState(latest)
    }
    const keepSoon = (): void => {
      timer ??= setTimeout(keep, PAUSE_MS)
    }
    const keepNow = (): void => {
      if (timer !== undefined) keep()
    }
    const warn = (event: BeforeUnloadEvent): void => {
      keepNow()
      if (latest === 'lost' && saver.state.phase !== 'saved') event.preventDefault()
    }
    const hear = ({ key, newValue }: StorageEvent): void => {
      if (key === draftNow().name && newValue !== null) setShared(true)
    }
    const ends = [store.onChange(keepSoon), saver.onChange(keepSoon)]
    addEventListener('pagehide', keepNow)
    addEventListener('storage', hear)
    addEventListener('beforeunload', warn)
    document.addEventListener('visibilitychange', keepNow)
    return () => {
      clearTimeout(timer)
      for (const end of ends) end()
      removeEventListener('pagehide', keepNow)
      removeEventListener('storage', hear)
      removeEventListener('beforeunload', warn)
      document.removeEventListener('visibilitychange', keepNow)
    }
  }, [])
  return { state, isShared }
}
