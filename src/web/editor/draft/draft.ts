import { effect, signal } from '@preact/signals'
import { type ForcedMod, forcedMods } from '../../../contract/mods.ts'
import type { SitePack, Visibility } from '../../../contract/packs.ts'
import type { Bucket, Slot } from '../../../contract/pools.ts'
import { isBuiltinCode } from '../../../pool/buckets.ts'
import { now } from '../../format.ts'
import { type Edit, editOf, emptyEdit, isSameEdit, visibilityNames } from '../edit.ts'
import type { EditorStore } from '../history.ts'
import type { Saver } from '../save/saver.ts'

/** An edit that was not saved yet, as it is kept in the browser. */
export type Draft = {
  readonly edit: Edit
  /** `updatedAt` of the pack that the edit began from; null for a new pack. */
  readonly basedOn: string | null
  /** When it was last changed, in milliseconds since 1970. */
  readonly changedAt: number
}

/** What was found: nothing, a draft, or something damaged, which is thrown away. */
export type Found = Draft | 'none' | 'damaged'

/** The place of one draft in the browser's storage. Storage that is off or full throws nothing. */
export type StoredDraft = {
  readonly name: string
  find: () => Found
  /** Returns whether it could be kept. */
  keep: (draft: Draft) => boolean
  drop: () => void
}

/** Where the unsaved changes of a saved pack are: all windows that edit it share them. */
export function draftNameOf(slug: string): string {
  return `draft:${slug}`
}

/** @param storage what of a browser's storage is used; getting it throws where storage is off. */
export function storedDraft(
  name: string,
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = () => localStorage,
): StoredDraft {
  const drop = (): void => fromStorage(() => storage().removeItem(name), undefined)
  return {
    name,
    drop,
    find: () => {
      const text = fromStorage(() => storage().getItem(name), null)
      if (text === null) return 'none'
      const draft = readDraft(text)
      if (draft === null) drop()
      return draft ?? 'damaged'
    },
    keep: (draft) => {
      const text = writeDraft(draft)
      return fromStorage(() => {
        storage().setItem(name, text)
        return true
      }, false)
    },
  }
}

/** What storage gives; `otherwise` where it is off or full. */
export function fromStorage<T>(use: () => T, otherwise: T): T {
  try {
    return use()
  } catch {
    return otherwise
  }
}

/** What the page begins with. */
export type Opening = {
  readonly edit: Edit
  /** `pack`: as it is saved, or nothing. `draft`: what was left unsaved. */
  readonly from: 'pack' | 'draft'
  /** When the draft was changed last, in milliseconds since 1970. */
  readonly draftedAt: number | null
  /** The pack has been saved elsewhere since the draft began. */
  readonly isOutdated: boolean
  /** There was a draft, but nothing could be read in it. */
  readonly wasDamaged: boolean
}

/** Goes on with a draft where there is one that says more than the pack. */
export function openingOf(pack: SitePack | null, found: Found): Opening {
  const saved = pack === null ? emptyEdit : editOf(pack)
  if (found === 'none' || found === 'damaged' || isSameEdit(found.edit, saved)) {
    const wasDamaged = found === 'damaged'
    return { edit: saved, from: 'pack', draftedAt: null, isOutdated: false, wasDamaged }
  }
  return {
    edit: found.edit,
    from: 'draft',
    draftedAt: found.changedAt,
    isOutdated: found.basedOn !== (pack?.updatedAt ?? null),
    wasDamaged: false,
  }
}

/** How long a change waits for others before the draft is kept. */
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

/** Another one than this was written by another version of the page, and is not read. */
const VERSION = 1
/** More would be no draft of ours. */
const LONGEST = 100_000
const MOST = 500

/** The draft as text. */
export function writeDraft({ edit, basedOn, changedAt }: Draft): string {
  const { name, description, visibility, buckets } = edit
  const slots = edit.slots.map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId }))
  return JSON.stringify({
    v: VERSION,
    basedOn,
    changedAt,
    pack: { name, description, visibility, buckets, slots },
  })
}

/** The draft that a text holds; null when it is damaged or of another version. */
export function readDraft(text: string): Draft | null {
  try {
    const { v, basedOn, changedAt, pack } = fieldsOf(
      text.length > LONGEST ? null : JSON.parse(text),
    )
    const { name, description, visibility, buckets, slots } = fieldsOf(pack)
    const isSound =
      v === VERSION &&
      (basedOn === null || isText(basedOn)) &&
      isNumber(changedAt) &&
      isText(name) &&
      isText(description) &&
      isOneOf<Visibility>(visibility, visibilityNames) &&
      isListOf(buckets, isBucket) &&
      isListOf(slots, isSlot)
    if (!isSound) return null
    return { edit: editOf({ name, description, visibility, buckets, slots }), basedOn, changedAt }
  } catch {
    return null
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isOneOf<T>(value: unknown, all: readonly T[]): value is T {
  return (all as readonly unknown[]).includes(value)
}

function isListOf<T>(value: unknown, isOne: (each: unknown) => each is T): value is T[] {
  return Array.isArray(value) && value.length <= MOST && value.every(isOne)
}

function isSlot(value: unknown): value is Slot {
  const { mod, index, beatmapId } = fieldsOf(value)
  return (mod === null || isText(mod)) && isNumber(index) && isNumber(beatmapId)
}

function isBucket(value: unknown): value is Bucket {
  const { code, color, mods } = fieldsOf(value)
  if (!isText(code)) return false
  if (isBuiltinCode(code)) return color === undefined && mods === undefined
  return isNumber(color) && color >= 0 && color <= 9 && (mods === undefined || isMods(mods))
}

function isMods(value: unknown): boolean {
  const { kind, set } = fieldsOf(value)
  return kind === 'free' || (kind === 'forced' && isListOf(set, isForcedMod))
}

function isForcedMod(value: unknown): value is ForcedMod {
  return isOneOf(value, forcedMods)
}
