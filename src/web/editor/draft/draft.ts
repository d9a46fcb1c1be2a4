import { effect, signal } from '@preact/signals'
import { type ForcedMod, forcedMods } from '../../../contract/mods.ts'
import type { SitePack, Visibility } from '../../../contract/packs.ts'
import type { Bucket, Slot } from '../../../contract/pools.ts'
import { isBuiltinCode } from '../../../pool/buckets.ts'
import { fromStorage, listen } from '../../browser.ts'
import { now } from '../../format.ts'
import { type Edit, editOf, isSameEdit, visibilityNames } from '../edit.ts'
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
/** Longer texts and lists are no draft of ours. */
const LONGEST = 100_000
const MOST = 500

export function writeDraft({ edit, basedOn, changedAt }: Draft): string {
  const slots = edit.slots.map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId }))
  return JSON.stringify({ v: VERSION, basedOn, changedAt, pack: { ...edit, slots } })
}

/** The draft that a text holds; null when it is damaged or of another version. */
export function readDraft(text: string): Draft | null {
  try {
    if (text.length > LONGEST) return null
    const { v, basedOn, changedAt, pack } = fieldsOf(JSON.parse(text))
    const { name, description, visibility, buckets, slots } = fieldsOf(pack)
    const isSound =
      v === VERSION &&
      (basedOn === null || isText(basedOn)) &&
      isNumber(changedAt) &&
      isText(name) &&
      isText(description) &&
      isOneOf<Visibility>(visibility, visibilityNames) &&
      isListOf<Bucket>(buckets, isBucket) &&
      isListOf<Slot>(slots, isSlot)
    if (!isSound) return null
    return { edit: editOf({ name, description, visibility, buckets, slots }), basedOn, changedAt }
  } catch {
    return null
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value)

function isOneOf<T>(value: unknown, all: readonly T[]): value is T {
  return (all as readonly unknown[]).includes(value)
}

function isListOf<T>(value: unknown, isOne: (each: unknown) => boolean): value is T[] {
  return Array.isArray(value) && value.length <= MOST && value.every(isOne)
}

function isSlot(value: unknown): boolean {
  const { mod, index, beatmapId } = fieldsOf(value)
  return (mod === null || isText(mod)) && isNumber(index) && isNumber(beatmapId)
}

function isBucket(value: unknown): boolean {
  const { code, color, mods } = fieldsOf(value)
  if (!isText(code)) return false
  if (isBuiltinCode(code)) return color === undefined && mods === undefined
  return isNumber(color) && color >= 0 && color <= 9 && (mods === undefined || isMods(mods))
}

function isMods(value: unknown): boolean {
  const { kind, set } = fieldsOf(value)
  if (kind !== 'forced') return kind === 'free'
  return isListOf(set, (mod) => isOneOf<ForcedMod>(mod, forcedMods))
}
