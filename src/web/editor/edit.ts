import type { PackInput, Visibility } from '../../contract/packs.ts'
import type { Bucket, Slot } from '../../contract/pools.ts'
import { completeBuckets, isDefaultTable } from '../../pool/buckets.ts'
import { completePool } from '../../pool/checks.ts'
import { encodePackKey } from '../../pool/pack-key/pack-key.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { slotsInPoolOrder } from '../../pool/slots.ts'
import { withLayout } from './lanes/lanes.ts'

/** As `LaneSlot`; a slot of a pack always has a beatmap. */
export type EditSlot = Slot & { readonly key: number }

/** A pack while it is being edited: typed, but not known to be valid. */
export type Edit = {
  readonly name: string
  readonly description: string
  readonly visibility: Visibility
  /** The whole table in pool order; every slot's mod is in it. */
  readonly buckets: readonly Bucket[]
  readonly slots: readonly EditSlot[]
}

export const emptyEdit: Edit = {
  name: '',
  description: '',
  visibility: 'unlisted',
  buckets: completeBuckets([], []),
  slots: [],
}

/** An edit of a pack as it is saved; a new one for null. */
export function editOf(
  pack: (PoolDraft & Partial<Pick<PackInput, 'description' | 'visibility'>>) | null,
): Edit {
  if (pack === null) return emptyEdit
  const { description = '', visibility = 'unlisted', ...draft } = pack
  return { ...withDraft(emptyEdit, draft), description, visibility }
}

/** The pack as it is sent; its slots in pool order, its texts trimmed (D-19). */
export function inputOf(edit: Edit): PackInput {
  const description = edit.description.trim()
  return {
    name: edit.name.trim(),
    slots: slotsInPoolOrder(edit).map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId })),
    ...(!isDefaultTable(edit.buckets) && { buckets: [...edit.buckets] }),
    visibility: edit.visibility,
    ...(description !== '' && { description }),
  }
}

export function isSameEdit(a: Edit, b: Edit): boolean {
  return a === b || JSON.stringify(inputOf(a)) === JSON.stringify(inputOf(b))
}

/** The edit with the pool of a draft of it; codes that only slots name become buckets (D-22). */
export function withDraft(edit: Edit, { name, buckets, slots }: PoolDraft): Edit {
  return withLayout({ ...edit, name }, { buckets, slots })
}

/** The pack key that the edit would have; null while it is no pool. */
export function liveKey(edit: Edit): string | null {
  try {
    return encodePackKey(completePool(edit))
  } catch {
    return null
  }
}

/** Who may see a pack, in words, the widest last. Held to the contract by its type alone. */
export const visibilityWords: Readonly<Record<Visibility, readonly [name: string, who: string]>> = {
  private: ['Private', 'Only you'],
  unlisted: ['Unlisted', 'Anyone with the link'],
  public: ['Public', 'Everyone, listed in Browse'],
}

export const visibilityNames = Object.keys(visibilityWords) as Visibility[]
