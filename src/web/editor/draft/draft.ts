import { type ForcedMod, forcedMods } from '../../../contract/mods.ts'
import type { SitePack, Visibility } from '../../../contract/packs.ts'
import type { Bucket, Slot } from '../../../contract/pools.ts'
import { isBuiltinCode } from '../../../pool/buckets.ts'
import { type Edit, editOf, emptyEdit, isSameEdit, visibilityNames } from '../edit.ts'

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

/** @param storage what of a browser's storage is used; getting it throws where storage is off. */
export function storedDraft(
  name: string,
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = () => localStorage,
): StoredDraft {
  const drop = (): void => {
    try {
      storage().removeItem(name)
    } catch {
      // Where nothing can be removed, nothing could be kept.
    }
  }
  return {
    name,
    drop,
    find: () => {
      let text: string | null
      try {
        text = storage().getItem(name)
      } catch {
        return 'none'
      }
      if (text === null) return 'none'
      const draft = readDraft(text)
      if (draft === null) drop()
      return draft ?? 'damaged'
    },
    keep: (draft) => {
      try {
        storage().setItem(name, writeDraft(draft))
        return true
      } catch {
        return false
      }
    },
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
