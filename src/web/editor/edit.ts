import type { PackInput, Visibility } from '../../contract/packs.ts'
import type { Bucket, Slot } from '../../contract/pools.ts'
import { completeBuckets, isCustom, isDefaultTable } from '../../pool/buckets.ts'
import { completePool } from '../../pool/checks.ts'
import { encodePackKey } from '../../pool/pack-key/pack-key.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'

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

/** A new pack. */
export const emptyEdit: Edit = {
  name: '',
  description: '',
  visibility: 'unlisted',
  buckets: completeBuckets([], []),
  slots: [],
}

type PackLike = PoolDraft & {
  readonly description?: string | undefined
  readonly visibility?: Visibility | undefined
}

/** An edit of a pack as it is saved. */
export function editOf({ name, description, visibility, buckets, slots }: PackLike): Edit {
  return {
    ...withDraft(emptyEdit, { name, buckets, slots }),
    description: description ?? '',
    visibility: visibility ?? 'unlisted',
  }
}

/** The pack as it is sent; its slots in pool order, its texts without white space around (D-19). */
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

/** Would saving both give the same pack? */
export function isSameEdit(a: Edit, b: Edit): boolean {
  return a === b || JSON.stringify(inputOf(a)) === JSON.stringify(inputOf(b))
}

type KeyedDraft = PoolDraft & { readonly slots: readonly (Slot & { readonly key?: number })[] }

/**
 * The edit with the pool of a draft that was made from it. Slots keep their keys, those that are new
 * get one; codes that only slots name become buckets (D-22).
 */
export function withDraft<E extends Edit>(edit: E, { name, buckets, slots }: KeyedDraft): E {
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
    slots: slots.map((slot) => ({
      key: keyOf(slot),
      mod: slot.mod,
      index: slot.index,
      beatmapId: slot.beatmapId,
    })),
  }
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

/** The palette of custom buckets, by position. */
export const colorNames = [
  'green',
  'teal',
  'pink',
  'lime',
  'cyan',
  'fuchsia',
  'yellow',
  'red',
  'indigo',
  'stone',
] as const

/** What one side has and the other has not, in words; null where a side has nothing. */
type Difference = {
  /** `Name`, `Buckets`; empty for a slot. */
  readonly what: string
  /** Of a slot. */
  readonly beatmapId?: number
  readonly mine: string | null
  readonly theirs: string | null
}

/** How two states of a pack differ, from the top of the page down; none when both are the same. */
export function differences(mine: Edit, theirs: Edit): Difference[] {
  const others = textsOf(theirs)
  const changed = textsOf(mine).flatMap(([what, text], at): Difference[] => {
    const other = others[at]?.[1] ?? ''
    return text === other ? [] : [{ what, mine: text || null, theirs: other || null }]
  })
  return [...changed, ...slotDifferences(mine, theirs)]
}

function textsOf(edit: Edit): readonly (readonly [what: string, text: string])[] {
  const custom = edit.buckets.filter(isCustom)
  return [
    ['Name', edit.name.trim()],
    ['Description', edit.description.trim()],
    ['Visibility', visibilityWords[edit.visibility][0]],
    ['Buckets', edit.buckets.map(bucketText).join(', ')],
    ['Colors', custom.map(({ code, color }) => `${code} ${colorNames[color] ?? ''}`).join(', ')],
  ]
}

function bucketText(bucket: Bucket): string {
  if (!isCustom(bucket) || bucket.mods === undefined) return bucket.code
  return `${bucket.code} (${bucket.mods.kind === 'free' ? 'free mods' : bucket.mods.set.join('')})`
}

function slotDifferences(mine: Edit, theirs: Edit): Difference[] {
  const [ours, others] = [slotsInPoolOrder(mine), slotsInPoolOrder(theirs)]
  const onlyMine = without(ours, others)
  const onlyTheirs = without(others, ours)
  const found = onlyMine.map((slot): Difference => {
    const { beatmapId } = slot
    const at = onlyTheirs.findIndex((other) => other.beatmapId === beatmapId)
    const [other] = at < 0 ? [] : onlyTheirs.splice(at, 1)
    const label = other === undefined ? null : labelIn(other)
    return { what: '', beatmapId, mine: labelIn(slot), theirs: label }
  })
  const rest = onlyTheirs.map((slot): Difference => {
    return { what: '', beatmapId: slot.beatmapId, mine: null, theirs: labelIn(slot) }
  })
  return [...found, ...rest]
}

/** Slots of `all` without one for each of `others`. */
function without(all: readonly Slot[], others: readonly Slot[]): Slot[] {
  const left = [...others]
  return all.filter(({ mod, index, beatmapId }) => {
    const at = left.findIndex(
      (other) => other.mod === mod && other.index === index && other.beatmapId === beatmapId,
    )
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

function labelIn(slot: Slot): string {
  return slot.mod === null ? `${slotLabel(slot)} (no bucket)` : slotLabel(slot)
}
