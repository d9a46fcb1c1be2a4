import type { Bucket } from '../../../contract/bucket.ts'
import { type ForcedMod, forcedMods } from '../../../contract/mods.ts'
import type { Slot } from '../../../contract/slot.ts'
import { isBuiltinCode } from '../../../pool/buckets.ts'
import { type Edit, editOf } from '../edit.ts'
import { isVisibility } from '../visibilities.ts'

/** An edit that was not saved yet, as it is kept in the browser. */
export type Draft = {
  readonly edit: Edit
  /** `updatedAt` of the pack that the edit began from; null for a new pack. */
  readonly basedOn: string | null
  /** When it was last changed, in milliseconds since 1970. */
  readonly changedAt: number
}

/** Another one than this was written by another version of the page, and is not read. */
const VERSION = 1
/** More would be no draft of ours. */
const LONGEST = 100_000
const MOST = 500

/** The draft as text. */
export const writeDraft = ({ edit, basedOn, changedAt }: Draft): string => {
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
export const readDraft = (text: string): Draft | null => {
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
      isVisibility(visibility) &&
      isListOf(buckets, isBucket) &&
      isListOf(slots, isSlot)
    if (!isSound) return null
    return { edit: editOf({ name, description, visibility, buckets, slots }), basedOn, changedAt }
  } catch {
    return null
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value)

const isListOf = <T>(value: unknown, isOne: (each: unknown) => each is T): value is T[] =>
  Array.isArray(value) && value.length <= MOST && value.every(isOne)

const isSlot = (value: unknown): value is Slot => {
  const { mod, index, beatmapId } = fieldsOf(value)
  return (mod === null || isText(mod)) && isNumber(index) && isNumber(beatmapId)
}

const isBucket = (value: unknown): value is Bucket => {
  const { code, color, mods } = fieldsOf(value)
  if (!isText(code)) return false
  if (isBuiltinCode(code)) return color === undefined && mods === undefined
  return isNumber(color) && color >= 0 && color <= 9 && (mods === undefined || isMods(mods))
}

const isMods = (value: unknown): boolean => {
  const { kind, set } = fieldsOf(value)
  return kind === 'free' || (kind === 'forced' && isListOf(set, isForcedMod))
}

const isForcedMod = (value: unknown): value is ForcedMod =>
  (forcedMods as readonly unknown[]).includes(value)
