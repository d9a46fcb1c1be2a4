import { effect, signal } from '@preact/signals'
import type { SitePack } from '../../../contract/packs.ts'
import { readPack } from '../../../formats/pool-values.ts'
import { packInputOf } from '../../../pool/pack-fields.ts'
import { fromStorage, listen } from '../../browser.ts'
import { now } from '../../format.ts'
import { type KeptKey, isLeft, ownKey, storageOf } from '../../kept.ts'
import { changesBetween } from '../../editing/changes.ts'
import type { EditStore } from '../../editing/edit-store.ts'
import type { TypedKey } from '../../editing/typed.ts'
import { type Keeping, readUnsaved, writeUnsaved } from '../../editing/unsaved.ts'
import { type Edit, editOf, emptyEdit, isSameEdit } from '../edit.ts'
import type { Attempt } from '../../pack/create-pack.ts'
import type { Saver } from '../save/saver.ts'
import { withSent, without } from '../save/sent.ts'
import { windowsOf } from './windows.ts'

export type Draft = {
  readonly edit: Edit
  /** What the edit began from; null where an earlier version of the page has not kept it. */
  readonly base: Edit | null
  /** What was sent, and may be saved. */
  readonly sent: readonly Edit[]
  /** `updatedAt` of the pack that the edit began from; null for a new pack. */
  readonly basedOn: string | null
  /** The time of the last change, in milliseconds since 1970. */
  readonly changedAt: number
}

export type DraftName = KeptKey & `draft:${string}`

/** The name of the draft of a saved pack: all windows in which an account edits it share it. */
export const draftNameOf = (slug: string): DraftName => ownKey('draft', slug)

/** Where text that is typed but not yet part of a draft is kept. */
export const typedKeyOf = (name: DraftName): TypedKey => `typed:${name.slice('draft:'.length)}`

/** The place of one draft in the browser's storage. Throws nothing if storage is off or full. */
export function storedDraft(
  name: DraftName,
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = () => storageOf(name),
) {
  const drop = (): void => fromStorage(() => storage().removeItem(name), undefined)
  const read = (): string | null => fromStorage(() => storage().getItem(name), null)
  let attempt = readAttempt(read())
  const write = (draft: Draft): boolean =>
    fromStorage(() => {
      storage().setItem(name, writeDraft(draft, attempt))
      return true
    }, false)
  return {
    name,
    drop,
    /** The attempt to save it as a new pack. */
    attempt: {
      find: () => attempt,
      keep: (next: Attempt | null): void => {
        attempt = next
        const draft = readDraft(read() ?? '')
        if (draft !== null) write(draft)
      },
    },
    /** Drops a damaged one. */
    find: (): Draft | 'none' | 'damaged' => {
      const text = read()
      if (text === null) return 'none'
      const draft = readDraft(text)
      if (draft === null) drop()
      return draft ?? 'damaged'
    },
    /** Returns whether it could be stored. */
    keep: write,
  }
}

type StoredDraft = ReturnType<typeof storedDraft>

type Kept = Pick<Draft, 'edit' | 'sent' | 'basedOn'>

const draftIn = (found: ReturnType<StoredDraft['find']>): Kept | null =>
  typeof found === 'object' ? found : null

/** What the page begins with. */
export function openingOf(pack: SitePack | null, found: ReturnType<StoredDraft['find']>) {
  const saved = editOf(pack)
  const kept = typeof found === 'object' ? found : null
  const isOutdated = kept !== null && kept.basedOn !== (pack?.updatedAt ?? null)
  // Something else was saved first: what was sent and is not there will not come.
  const sent = isOutdated ? [] : (kept?.sent ?? [])
  const draft = kept && sent.length === 0 && isSameEdit(kept.edit, saved) ? null : kept
  const isOwn = draft?.sent.some((each) => isSameEdit(each, saved))
  return {
    edit: draft?.edit ?? saved,
    draft,
    sent,
    /** What the draft began from, if that is not the pack as it is. */
    base: draft && isOutdated ? (isOwn ? saved : (draft.base ?? emptyEdit)) : null,
    wasDamaged: found === 'damaged',
  }
}

/** How long a change waits for others before the draft is stored. */
const PAUSE_MS = 300

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
  const found = (): Kept | null => draftIn(stored.value.find())
  const opened: Kept = found() ?? { ...saver.kept, basedOn: basedOn() }
  /** The draft as this window has last stored or read it. */
  let known = opened.edit
  /** What it had of what was sent, for which version. */
  let told: Omit<Kept, 'edit'> = opened
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Takes over what another window has; returns whether that is all there is to store. */
  const absorb = (draft = found()): boolean => {
    if (draft === null) return false
    const own = new Set(changesBetween(known, saver.kept.edit).map(({ cell }) => cell))
    store.absorb(changesBetween(known, draft.edit).filter(({ cell }) => !own.has(cell)))
    known = draft.edit
    const { sent } = saver
    const before = told.basedOn === basedOn() ? told.sent : []
    const [added, over] = [without(sent.value, before), without(before, sent.value)]
    if (draft.basedOn === basedOn()) {
      sent.value = withSent(without(draft.sent, over), added)
      told = draft
    }
    return own.size + added.length + over.length === 0
  }
  const keep = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (saver.state.phase === 'saved') return
    const isKept = absorb()
    const draft = { ...saver.kept, basedOn: basedOn(), changedAt: Math.round(now()) }
    if (saver.isUnchanged.value) {
      stored.value.drop()
      state.value = 'same'
    } else state.value = isKept || stored.value.keep(draft) ? 'kept' : 'lost'
    known = draft.edit
    told = draft
  }
  let following = 0
  /** What another window has saved is taken over first: stored again, it would go on as a change that undoes it. */
  const keepLater = (): void => {
    if (following > 0) timer = setTimeout(keepLater, PAUSE_MS)
    else keep()
  }
  /** Another window has saved, or has nothing to save any more. */
  const follow = async (): Promise<void> => {
    following += 1
    // A draft that is there still is on top of what was saved.
    const isSame = await saver.follow(() => (found() === null ? known : null)).catch(() => null)
    following -= 1
    // What is in the way ends with another look at what is saved, which may be this.
    if (isSame === null) saver.sent.value = withSent(saver.sent.value, [known])
    if (found() !== null) absorb()
    else if (isSame) absorb({ edit: editOf(saver.saved), sent: [], basedOn: basedOn() })
  }
  const keepNow = (): void => {
    if (timer !== undefined) keep()
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
        absorb()
        if (found()?.basedOn !== basedOn()) void follow()
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
    const watched = [store.edit, store.stuck.value, saver.state]
    // What the page begins with is stored already.
    if (seen !== null) timer ??= setTimeout(keepLater, PAUSE_MS)
    seen = watched
  })
  return { stored, state, isShared }
}

/** Longer texts are no draft of ours. */
const LONGEST = 100_000

export const writeDraft = (
  { edit, base, sent, basedOn, changedAt }: Draft,
  attempt: Attempt | null = null,
): string =>
  writeUnsaved({
    basedOn,
    changedAt,
    pack: packInputOf(edit),
    ...(base && { base: packInputOf(base) }),
    sent: sent.map(packInputOf),
    ...(attempt && { attempt }),
  })

const readAttempt = (text: string | null): Attempt | null =>
  readUnsaved(text ?? '', (content) => {
    const { key, body, at } = content['attempt'] as Attempt
    readPack(body)
    return typeof key === 'string' && Number.isSafeInteger(at) ? { key, body, at } : null
  })

const readEdit = (from: unknown): Edit => editOf(readPack(from))

/** The draft that a text holds; null when it is damaged or of another version. */
export const readDraft = (text: string): Draft | null =>
  text.length > LONGEST
    ? null
    : readUnsaved(text, ({ basedOn, changedAt, pack, base, sent = [] }) => {
        const isBase = basedOn === null || typeof basedOn === 'string'
        if (!isBase || !Number.isSafeInteger(changedAt)) return null
        return {
          edit: readEdit(pack),
          base: base === undefined ? null : readEdit(base),
          sent: (sent as unknown[]).map(readEdit),
          basedOn,
          changedAt: changedAt as number,
        }
      })
