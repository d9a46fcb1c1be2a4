import type { PackInput, Visibility } from '../../contract/packs.ts'
import type { Bucket, CustomBucket, Slot } from '../../contract/pools.ts'
import { completeBuckets, isCustom, isDefaultTable } from '../../pool/buckets.ts'
import { completePool } from '../../pool/checks.ts'
import { encodePackKey } from '../../pool/pack-key/pack-key.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'

/** A slot with a key that is unique in its edit and stays when the slot is moved. */
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

/** A draft that was made from an edit: its slots may have their keys still. */
export type KeyedDraft = Omit<PoolDraft, 'slots'> & {
  readonly slots: readonly (Slot & { readonly key?: number })[]
}

/** The edit with the pool of a draft of it; codes that only slots name become buckets (D-22). */
export function withDraft(edit: Edit, { name, buckets, slots }: KeyedDraft): Edit {
  const keys = new Map(edit.slots.map(({ mod, index, key }) => [`${mod} ${index}`, key]))
  const taken = new Set<number>()
  let last = Math.max(0, ...keys.values())
  return {
    ...edit,
    name,
    buckets: completeBuckets(buckets ?? [], slots),
    slots: slots.map(({ mod, index, beatmapId, key: before = keys.get(`${mod} ${index}`) }) => {
      const key = before === undefined || taken.has(before) ? ++last : before
      taken.add(key)
      return { key, mod, index, beatmapId }
    }),
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
export const colorNames = 'green teal pink lime cyan fuchsia yellow red indigo stone'.split(' ')

/** The mods of a custom bucket, in words: `HDDT`. */
export function modsText(mods: NonNullable<CustomBucket['mods']>): string {
  return mods.kind === 'free' ? 'free mods' : mods.set.join('')
}

/** How two states of a pack differ, from the top of the page down; null where one has nothing. */
export function differences(mine: Edit, theirs: Edit) {
  const others = textsOf(theirs)
  const texts = Object.entries(textsOf(mine)).map(([what, text]) => {
    return { what, beatmapId: undefined, mine: text || null, theirs: others[what] || null }
  })
  return [...texts.filter((each) => each.mine !== each.theirs), ...slotDifferences(mine, theirs)]
}

function textsOf(edit: Edit): Readonly<Record<string, string>> {
  const custom = edit.buckets.filter(isCustom)
  return {
    Name: edit.name.trim(),
    Description: edit.description.trim(),
    Visibility: visibilityWords[edit.visibility][0],
    Buckets: edit.buckets.map(bucketText).join(', '),
    Colors: custom.map(({ code, color }) => `${code} ${colorNames[color] ?? ''}`).join(', '),
  }
}

function bucketText(bucket: Bucket): string {
  if (!isCustom(bucket) || bucket.mods === undefined) return bucket.code
  return `${bucket.code} (${modsText(bucket.mods)})`
}

function slotDifferences(mine: Edit, theirs: Edit) {
  const [ours, others] = [slotsInPoolOrder(mine), slotsInPoolOrder(theirs)]
  const onlyTheirs = without(others, ours)
  const moved = without(ours, others).map((slot) => {
    const other = take(onlyTheirs, ({ beatmapId }) => beatmapId === slot.beatmapId)
    return slotDifference(slot.beatmapId, slot, other)
  })
  return [...moved, ...onlyTheirs.map((slot) => slotDifference(slot.beatmapId, undefined, slot))]
}

/** Slots of `all` without one for each of `others`. */
function without(all: readonly Slot[], others: readonly Slot[]): Slot[] {
  const left = [...others]
  return all.filter(({ mod, index, beatmapId }) => {
    const isSame = (other: Slot): boolean =>
      other.mod === mod && other.index === index && other.beatmapId === beatmapId
    return take(left, isSame) === undefined
  })
}

function take(slots: Slot[], matches: (slot: Slot) => boolean): Slot | undefined {
  const at = slots.findIndex(matches)
  return at < 0 ? undefined : slots.splice(at, 1)[0]
}

function slotDifference(beatmapId: number, mine?: Slot, theirs?: Slot) {
  return { what: '', beatmapId, mine: labelIn(mine), theirs: labelIn(theirs) }
}

function labelIn(slot: Slot | undefined): string | null {
  if (slot === undefined) return null
  return slot.mod === null ? `${slotLabel(slot)} (no bucket)` : slotLabel(slot)
}
