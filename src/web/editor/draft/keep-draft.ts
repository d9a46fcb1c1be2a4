import { effect, signal } from '@preact/signals'
import type { SitePack } from '../../../contract/packs.ts'
import { listen } from '../../browser.ts'
import { now } from '../../format.ts'
import { isLeft } from '../../kept.ts'
import { changesBetween, withChanges } from '../../editing/changes.ts'
import type { EditStore } from '../../editing/edit-store.ts'
import type { Keeping } from '../../editing/unsaved.ts'
import { type Edit, editOf, isSameEdit } from '../edit.ts'
import type { Saver } from '../save/saver.ts'
import { withSent, without } from '../save/sent.ts'
import type { Draft, StoredDraft } from './draft.ts'
import { windowsOf } from './windows.ts'

type Kept = Omit<Draft, 'changedAt'>

/** How long a change waits for others before the draft is stored. */
const PAUSE_MS = 300
/** How many pauses a window waits at most to be told why a draft is gone. */
const MOST_WAITS = 10

/**
 * Stores what is not saved, a moment after each change and before the page goes. Windows that share a draft take over
 * what is changed in another one.
 */
export function keepDraft(store: EditStore<Edit>, saver: Saver, first: StoredDraft) {
  const stored = signal(first)
  const state = signal<Keeping>(saver.isUnchanged.value ? 'same' : 'kept')
  const isShared = signal(false)
  const windows = windowsOf(first.name)
  const basedOn = (): string | null => saver.saved?.updatedAt ?? null
  const found = (): Kept | null => {
    const draft = stored.value.find()
    return typeof draft === 'object' ? draft : null
  }
  const opened: Kept = found() ?? { ...saver.kept, basedOn: basedOn() }
  /** The draft as this window last stored or read it. */
  let known = opened.edit
  /** The edit without the changes that only this window has. */
  let shared = saver.kept.edit
  /** The version of the pack that `shared` is an edit of. */
  let savedThen = saver.saved
  /** What else was in that draft. */
  let told: Omit<Kept, 'edit'> = opened
  /** How many reads of the pack are under way. */
  let following = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const ownChanges = () => changesBetween(shared, saver.kept.edit)
  /** Takes over what another window has; returns whether that is all there is to store. */
  const absorb = (draft = found()): boolean => {
    if (draft === null) return false
    const own = new Set(ownChanges().map(({ cell }) => cell))
    const isSame = draft.basedOn === basedOn()
    const isNext = draft.basedOn === told.basedOn
    // Of one for another version, what it changes in that.
    const from = isNext ? known : isSame ? shared : (draft.base ?? known)
    const taken = changesBetween(from, draft.edit).filter(({ cell }) => !own.has(cell))
    store.absorb(taken)
    shared = withChanges(shared, taken)
    known = draft.edit
    const { sent } = saver
    const before = told.basedOn === basedOn() ? told.sent : []
    told = draft
    if (!isSame) return false
    const [added, over] = [without(sent.value, before), without(before, sent.value)]
    sent.value = withSent(without(draft.sent, over), added)
    return own.size + added.length + over.length === 0
  }
  /** Whether another window has saved or dropped the draft, and this one has still to take that over. */
  const isOvertaken = (): boolean => {
    const draft = found()
    if (following > 0 || draft === null) return following > 0 || stored.value.isGone()
    return draft.basedOn !== told.basedOn
  }
  /** The draft that this window stored last. */
  let put: Edit | null = null
  const write = (draft: Kept): boolean => {
    put = draft.edit
    return stored.value.keep({ ...draft, changedAt: Math.round(now()) })
  }
  const keep = (): void => {
    clearTimeout(timer)
    timer = undefined
    waits = 0
    if (saver.state.phase === 'saved') return
    const isKept = absorb()
    const draft = { ...saver.kept, basedOn: basedOn() }
    if (saver.isUnchanged.value) {
      stored.value.drop()
      state.value = 'same'
    } else state.value = isKept || write(draft) ? 'kept' : 'lost'
    known = draft.edit
    shared = draft.edit
    told = draft
  }
  /** Takes over what was saved in another window: below the draft of that version, or in place of the one before. */
  const look = async (): Promise<boolean | null> => {
    following += 1
    const seenIn = (theirs: SitePack): Edit | null => {
      savedThen = theirs
      const draft = found()
      if (draft?.basedOn === theirs.updatedAt) return null
      if (draft === null) stored.value.drop()
      const seen = shared
      known = editOf(theirs)
      shared = known
      told = { base: known, sent: [], basedOn: theirs.updatedAt }
      return seen
    }
    const isSame = await saver.follow(seenIn).catch(() => null)
    following -= 1
    return isSame
  }
  let waits = 0
  const keepLater = async (): Promise<void> => {
    if (following === 0 && waits === 0 && isOvertaken()) await look()
    // What is dropped and not saved is heard of in a moment.
    const isOpen = following > 0 || (stored.value.isGone() && (waits += 1) < MOST_WAITS)
    if (isOpen) timer = setTimeout(() => void keepLater(), PAUSE_MS)
    else keep()
  }
  /** Another window has saved, or has nothing to save any more. */
  const follow = async (): Promise<void> => {
    // It may be saved by now, and be in the way of a save of this one.
    const saved = without([known], [editOf(saver.saved), ...saver.sent.value])
    saver.sent.value = withSent(saver.sent.value, saved)
    const isSame = await look()
    if (isSame) saver.sent.value = without(saver.sent.value, saved)
    if (found() !== null) absorb()
    else {
      stored.value.drop()
      if (isSame) absorb({ ...saver.kept, edit: editOf(saver.saved), sent: [], basedOn: basedOn() })
    }
  }
  /** Now, without a look at what another window has saved: only what is this one's own goes on top of that. */
  const keepNow = (): void => {
    if (timer === undefined) return
    const draft = found()
    const isOlder = draft?.basedOn && draft.basedOn < (basedOn() ?? '')
    if (!isOvertaken() || isOlder) return keep()
    const changes = ownChanges()
    // Of no version: what it changes is all that counts.
    const gone = { ...saver.kept, edit: shared, base: shared, basedOn: saver.saved && '' }
    const under = draft ?? gone
    if (changes.length > 0 && saver.state.phase !== 'saved')
      write({ ...under, edit: withChanges(under.edit, changes) })
  }
  /** The draft was saved; but what another window has stored since stays. */
  const dropSaved = (): void => {
    const draft = found()
    const isOwn = draft && [known, put].some((each) => each && isSameEdit(each, draft.edit))
    if (isOwn) stored.value.drop()
  }
  document.addEventListener('visibilitychange', keepNow)
  listen({
    pagehide: keepNow,
    // From the back/forward cache, where no window is told of what others do.
    pageshow: ({ persisted }) => {
      if (!persisted) return
      const now = found()?.edit
      const isSame = state.value === 'lost' || (now && isSameEdit(now, saver.kept.edit))
      // What is saved already would be saved as a second pack.
      if (saver.isUnchanged.value || !isSame) location.reload()
    },
    storage: ({ key, newValue }) => {
      if (key !== stored.value.name) return
      if (newValue === null) void follow()
      else {
        isShared.value = true
        void windows.whenAlone(() => (isShared.value = false))
        if (found()?.basedOn === basedOn()) absorb()
        else void follow()
      }
    },
    beforeunload: (event) => {
      keepNow()
      if (state.value === 'lost' && saver.state.phase !== 'saved' && !isLeft()) {
        event.preventDefault()
      }
    },
  })
  let seen: unknown = null
  effect(() => {
    shared = withChanges(shared, changesBetween(editOf(savedThen), editOf(saver.saved)))
    savedThen = saver.saved
    const watched = [store.edit, store.stuck.value, saver.state]
    // What the page begins with is stored already.
    if (seen !== null) timer ??= setTimeout(() => void keepLater(), PAUSE_MS)
    // Others take over what is sent before they hear that it is saved.
    if (saver.state.phase === 'saving') queueMicrotask(keepNow)
    seen = watched
  })
  return { stored, state, isShared, dropSaved }
}
