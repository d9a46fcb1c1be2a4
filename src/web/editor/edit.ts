import type { PackInput } from '../../contract/packs.ts'
import type { Bucket, Slot } from '../../contract/pools.ts'
import { completeBuckets, isDefaultTable, slotsInPoolOrder } from '../../pool/slots.ts'
import { findInPool, wholePool } from '../../pool/checks.ts'
import {
  type AnyFields,
  type FieldValues,
  formFields,
  inputText,
  packInputOf,
  storedFields,
} from '../../pool/pack-fields.ts'
import { encodePackKey } from '../../pool/pack-key/encode.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { withLayout } from '../editing/lanes/lanes.ts'

/** As `LaneSlot`; a slot of a pack always has a beatmap. */
type EditSlot = Slot & { readonly key: number }

/** A pack while it is being edited: typed, but not known to be valid. */
export type Edit = FieldValues & {
  readonly name: string
  /** The whole table in pool order; every slot's mod is in it. */
  readonly buckets: readonly Bucket[]
  readonly slots: readonly EditSlot[]
}

export const emptyEdit: Edit = {
  name: '',
  ...formFields({}),
  buckets: completeBuckets([], []),
  slots: [],
}

/** An edit of a pack as it is saved; a new one for null. */
export const editOf = (pack: (PoolDraft & AnyFields) | null): Edit =>
  pack === null ? emptyEdit : { ...withDraft(emptyEdit, pack), ...formFields(pack) }

/** The pack as it is sent; its slots in pool order, its texts trimmed (D-19). */
export const inputOf = (edit: Edit): PackInput =>
  packInputOf({
    ...storedFields(edit),
    name: edit.name.trim(),
    slots: slotsInPoolOrder(edit),
    buckets: isDefaultTable(edit.buckets) ? null : edit.buckets,
  })

export function isSameEdit(a: Edit, b: Edit): boolean {
  return a === b || inputText(inputOf(a)) === inputText(inputOf(b))
}

/** The edit with the pool of a draft of it; codes that only slots name become buckets (D-22). */
export function withDraft(edit: Edit, { name, buckets, slots }: PoolDraft): Edit {
  return withLayout({ ...edit, name }, { buckets, slots })
}

/** The pack key that the edit would have; null while it is no pool. */
export function liveKey(edit: Edit): string | null {
  return findInPool(edit).length > 0 ? null : encodePackKey(wholePool(edit))
}
