import type { Bucket } from '../../contract/bucket.ts'
import type { PackInput, Visibility } from '../../contract/pack.ts'
import type { Slot } from '../../contract/slot.ts'
import { completeBuckets, isDefaultTable } from '../../pool/buckets.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { slotsInPoolOrder } from '../../pool/slots.ts'

/** A slot that can be told from all others of its edit, wherever it goes. */
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

/** A pack wherever it is kept. */
type PackLike = PoolDraft & {
  readonly description?: string | undefined
  readonly visibility?: Visibility | undefined
}

type KeyedDraft = PoolDraft & { readonly slots: readonly (Slot & { readonly key?: number })[] }

/**
 * The edit with the pool of a draft that was made from it. Slots keep their keys, those that are new
 * get one; codes that only slots name become buckets (D-22).
 */
export const withDraft = <E extends Edit>(edit: E, { name, buckets, slots }: KeyedDraft): E => {
  const known = new Map(edit.slots.map((slot) => [`${slot.mod} ${slot.index}`, slot.key]))
  let last = Math.max(0, ...edit.slots.map(({ key }) => key))
  const taken = new Set<number>()
  const keyOf = (slot: KeyedDraft['slots'][number]): number => {
    const wish = slot.key ?? known.get(`${slot.mod} ${slot.index}`)
    const key = wish === undefined || taken.has(wish) ? ++last : wish
    taken.add(key)
    return key
  }
  return {
    ...edit,
    name,
    buckets: completeBuckets(buckets ?? [], slots),
    slots: slots.map(({ mod, index, beatmapId, ...rest }) => ({
      key: keyOf({ mod, index, beatmapId, ...rest }),
      mod,
      index,
      beatmapId,
    })),
  }
}

/** A new pack. */
export const emptyEdit: Edit = {
  name: '',
  description: '',
  visibility: 'unlisted',
  buckets: completeBuckets([], []),
  slots: [],
}

/** An edit of a pack as it is saved. */
export const editOf = ({ name, description, visibility, buckets, slots }: PackLike): Edit => ({
  ...withDraft(emptyEdit, { name, buckets, slots }),
  description: description ?? '',
  visibility: visibility ?? 'unlisted',
})

/** The pack as it is sent; its slots in pool order, its texts without white space around (D-19). */
export const inputOf = (edit: Edit): PackInput => {
  const description = edit.description.trim()
  return {
    name: edit.name.trim(),
    slots: slotsInPoolOrder(edit).map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId })),
    ...(!isDefaultTable(edit.buckets) && { buckets: [...edit.buckets] }),
    visibility: edit.visibility,
    ...(description !== '' && { description }),
  }
}

/** Would saving both give the same pack? */
export const isSameEdit = (a: Edit, b: Edit): boolean =>
  a === b || JSON.stringify(inputOf(a)) === JSON.stringify(inputOf(b))
