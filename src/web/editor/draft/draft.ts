import { effect, signal } from '@preact/signals'
import type { SitePack } from '../../../contract/packs.ts'
import { readPack } from '../../../formats/read-pool-json.ts'
import { packInputOf } from '../../../pool/pack-fields.ts'
import { fromStorage, listen } from '../../browser.ts'
import { now } from '../../format.ts'
import { type Edit, editOf, isSameEdit } from '../edit.ts'
import type { EditorStore } from '../history.ts'
import type { Saver } from '../save/saver.ts'

export type Draft = {
  readonly edit: Edit
  /** `updatedAt` of the pack that the edit began from; null for a new pack. */
  readonly basedOn: string | null
  /** The time of the last change, in milliseconds since 1970. */
  readonly changedAt: number
}

/** The name of the draft of a saved pack: all windows that edit it share it. */
export const draftNameOf = (slug: string): string => `draft:${slug}`

/** The place of one draft in the browser's storage. Throws nothing if storage is off or full. */
export function storedDraft(
  name: string,
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = () => localStorage,
) {
  const drop = (): void => fromStorage(() => storage().removeItem(name), undefined)
  return {
    name,
    drop,
    /** Drops a damaged one. */
    find: (): Draft | 'none' | 'damaged' => {
      const text = fromStorage(() => storage().getItem(name), null)
      if (text === null) return 'none'
      const draft = readDraft(text)
      if (draft === null) drop()
      return draft ?? 'damaged'
    },
    /** Returns whether it could be stored. */
    keep: (draft: Draft): boolean =>
      fromStorage(() => {
        storage().setItem(name, writeDraft(draft))
        return true
      }, false),
  }
}

type StoredDraft = ReturnType<typeof storedDraft>

/** What the page begins with. `isOutdated`: the pack was saved elsewhere since the draft began. */
export function openingOf(pack: SitePack | null, found: ReturnType<StoredDraft['find']>) {
  const saved = editOf(pack)
  const draft = typeof found === 'object' && !isSameEdit(found.edit, saved) ? found : null
  return {
    edit: draft?.edit ?? saved,
    draft,
    isOutdated: draft !== null && draft.basedOn !== (pack?.updatedAt ?? null),
    wasDamaged: found === 'damaged',
  }
}

/** How long a change waits for others before the draft is stored. */
const PAUSE_MS = 300

/** Stores what is not saved, a moment after each change and before the page goes. */
export function keepDraft(store: EditorStore, saver: Saver, first: StoredDraft) {
  const stored = signal(first)
  /** `same`: nothing to store. `lost`: storage is full or off. */
  const state = signal<'same' | 'kept' | 'lost'>(saver.isUnchanged.value ? 'same' : 'kept')
  /** Another window has changed the same draft: the last change wins. */
  const isShared = signal(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  const keep = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (saver.state.phase === 'saved') return
    if (saver.isUnchanged.value) {
      stored.value.drop()
      state.value = 'same'
    } else {
      const basedOn = saver.base?.updatedAt ?? null
      const draft = { edit: store.edit, basedOn, changedAt: Math.round(now()) }
      state.value = stored.value.keep(draft) ? 'kept' : 'lost'
    }
  }
  const keepNow = (): void => {
    if (timer !== undefined) keep()
  }
  document.addEventListener('visibilitychange', keepNow)
  listen({
    pagehide: keepNow,
    storage: ({ key, newValue }) => {
      if (key === stored.value.name && newValue !== null) isShared.value = true
    },
    beforeunload: (event) => {
      keepNow()
      if (state.value === 'lost' && saver.state.phase !== 'saved') event.preventDefault()
    },
  })
  let seen: unknown = null
  effect(() => {
    const watched = [store.edit, saver.state]
    // What the page begins with is stored already.
    if (seen !== null) timer ??= setTimeout(keep, PAUSE_MS)
    seen = watched
  })
  return { stored, state, isShared }
}

/** Drafts with another one were written by another version of the page, and are not read. */
const VERSION = 1
/** Longer texts are no draft of ours. */
const LONGEST = 100_000

export const writeDraft = ({ edit, basedOn, changedAt }: Draft): string =>
  JSON.stringify({ v: VERSION, basedOn, changedAt, pack: packInputOf(edit) })

/** The draft that a text holds; null when it is damaged or of another version. */
export function readDraft(text: string): Draft | null {
  try {
    if (text.length > LONGEST) return null
    const { v, basedOn, changedAt, pack } = JSON.parse(text)
    const isBase = basedOn === null || typeof basedOn === 'string'
    if (v !== VERSION || !isBase || !Number.isSafeInteger(changedAt)) return null
    return { edit: editOf(readPack(pack)), basedOn, changedAt }
  } catch {
    return null
  }
}
