import { AppError } from '../contract/errors.ts'
import type { Difference } from '../contract/history.ts'
import type { Bucket, Slot } from '../contract/pools.ts'
import { isDefaultTable, placeOf, slotLabel, slotsInPoolOrder, wholeTable } from './slots.ts'
import {
  type AnyFields,
  fieldDifferences,
  type PackField,
  packFieldNames,
  packFields,
  sentFields,
  type SentFields,
  storedField,
} from './pack-fields.ts'
import type { Pool, PoolDraft } from './pool.ts'

/**
 * A pack as its owner decides it. One that has no field is a pool alone, whose fields are not known: a decoded
 * pack key. Otherwise a field that is left out, null and what a form shows for none are the same.
 */
export type PackContent = PoolDraft & AnyFields

/**
 * What has changed between two states of a pack (D-72): name, fields that both know, buckets, then slots in pool
 * order of where they are now. Bucket tables are compared whole, so that one that is written out equals
 * none, and texts trimmed. The order of `slots` is no difference (D-27).
 */
export function comparePacks(before: PackContent, after: PackContent): Difference[] {
  return [
    ...textDifferences(before, after),
    ...bucketDifferences(wholeTable(before), wholeTable(after)),
    ...slotDifferences(before, after),
  ]
}

function textDifferences(before: PackContent, after: PackContent): Difference[] {
  const names = { kind: 'name' as const, from: before.name.trim(), to: after.name.trim() }
  const fields = fieldDifferences(before, after).filter(
    ({ kind }) => isKnown(kind, before) && isKnown(kind, after),
  )
  return [...(names.from === names.to ? [] : [names]), ...(fields as Difference[])]
}

/** What every pack has is not known where it is left out; of the others, nothing is where all are. */
const isKnown = (field: PackField, pack: PackContent): boolean =>
  pack[field] !== undefined ||
  (packFields[field].complete(undefined) === null &&
    packFieldNames.some((each) => pack[each] !== undefined))

function bucketDifferences(before: readonly Bucket[], after: readonly Bucket[]): Difference[] {
  const found: Difference[] = []
  const [old, now] = [byCode(before), byCode(after)]
  for (const [at, from] of old) if (!now.has(at)) found.push({ kind: 'bucket', at, from })
  for (const [at, to] of now) {
    const from = old.get(at)
    if (from === undefined) found.push({ kind: 'bucket', at, to })
    else if (!isSame(from, to)) found.push({ kind: 'bucket', at, from, to })
  }
  const [from, to] = [[...changedTable(before, found).keys()], [...now.keys()]]
  return isSame(from, to) ? found : [...found, { kind: 'bucket', from, to }]
}

const byCode = (table: readonly Bucket[]) => new Map(table.map((bucket) => [bucket.code, bucket]))

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The table with its differences other than the order: new buckets are directly before TB. */
function changedTable(before: readonly Bucket[], differences: readonly Difference[]) {
  const table = byCode(before)
  const added: Bucket[] = []
  for (const each of differences) {
    if (each.kind !== 'bucket' || !('at' in each)) continue
    if (each.to === undefined) table.delete(each.at)
    else if (table.has(each.at)) table.set(each.at, each.to)
    else added.push(each.to)
  }
  const kept = [...table.values()]
  const end = kept.findIndex(({ code }) => code === 'TB')
  return byCode(kept.toSpliced(end, 0, ...added))
}

function slotDifferences(before: PackContent, after: PackContent): Difference[] {
  const gone = without(slotsInPoolOrder(before), after.slots)
  const found: (Slot & { readonly difference: Difference })[] = []
  const put = (slot: Slot, difference: Difference) => found.push({ ...slot, difference })
  let come = without(slotsInPoolOrder(after), before.slots)
  // A beatmap that is in several places has rather moved within a bucket than between two.
  for (const isNear of [isSameBucket, () => true]) {
    come = come.filter((slot) => {
      const old = take(gone, (each) => isSameBeatmap(each, slot) && isNear(each, slot))
      if (old === undefined) return true
      const at = slotLabel(slot)
      put(slot, { kind: 'moved', at, from: slotLabel(old), to: at })
      return false
    })
  }
  for (const slot of come) {
    const old = take(gone, (each) => isSamePlace(each, slot))
    const [at, to] = [slotLabel(slot), slot.beatmapId]
    put(slot, old ? { kind: 'replaced', at, from: old.beatmapId, to } : { kind: 'filled', at, to })
  }
  const emptied = gone.map((slot) => {
    const difference = { kind: 'emptied' as const, at: slotLabel(slot), from: slot.beatmapId }
    return { ...slot, difference }
  })
  const table = byCode([...wholeTable(after), ...wholeTable(before)])
  const slots = [...emptied, ...found]
  return slotsInPoolOrder({ buckets: [...table.values()], slots }).map((slot) => slot.difference)
}

/** Slots of `all` without one for each of `others`. */
function without(all: readonly Slot[], others: readonly Slot[]): Slot[] {
  const left = [...others]
  return all.filter((slot) => {
    const isEqual = (other: Slot) => isSamePlace(other, slot) && isSameBeatmap(other, slot)
    return take(left, isEqual) === undefined
  })
}

function take(slots: Slot[], matches: (slot: Slot) => boolean): Slot | undefined {
  const at = slots.findIndex(matches)
  return at < 0 ? undefined : slots.splice(at, 1)[0]
}

const isSameBucket = (a: Slot, b: Slot): boolean => a.mod === b.mod
const isSamePlace = (a: Slot, b: Slot): boolean => a.mod === b.mod && a.index === b.index
const isSameBeatmap = (a: Slot, b: Slot): boolean => a.beatmapId === b.beatmapId

/** A pack as `applyDifferences` returns it, its slots in pool order; fields that are not known are left out. */
export type ChangedPack = Pool & SentFields

/**
 * The state that `comparePacks` compared `before` with.
 *
 * @throws AppError `bad_request` if `before` has other beatmaps in the places of the differences.
 */
export function applyDifferences(
  differences: readonly Difference[],
  before: PackContent,
): ChangedPack {
  let name = before.name.trim()
  const fields: Record<string, unknown> = Object.fromEntries(
    packFieldNames.map((field) => [field, before[field] && storedField(field, before)]),
  )
  let table = [...changedTable(wholeTable(before), differences).values()]
  for (const each of differences) {
    if (each.kind === 'name') name = each.to
    else if (each.kind in packFields) fields[each.kind] = 'to' in each ? each.to : null
    else if (each.kind === 'bucket' && !('at' in each)) {
      table = table.toSorted((a, b) => each.to.indexOf(a.code) - each.to.indexOf(b.code))
    }
  }
  const buckets = isDefaultTable(table) ? null : table
  return {
    name,
    buckets,
    slots: slotsInPoolOrder({ buckets, slots: changedSlots(before.slots, differences) }),
    ...sentFields(fields),
  }
}

function changedSlots(before: readonly Slot[], differences: readonly Difference[]): Slot[] {
  const old = new Map(before.map((slot) => [slotLabel(slot), slot.beatmapId]))
  const slots = new Map(old)
  const put = new Map<string, number>()
  for (const each of differences) {
    if (each.kind === 'emptied' || each.kind === 'replaced' || each.kind === 'moved') {
      const from = each.kind === 'moved' ? each.from : each.at
      const beatmapId = old.get(from)
      if (beatmapId === undefined || (each.kind !== 'moved' && beatmapId !== each.from)) {
        const message = `${from} must be as it was when the packs were compared`
        throw new AppError('bad_request:invalid_field', message, null, { problems: [] })
      }
      slots.delete(from)
      if (each.kind === 'moved') put.set(each.at, beatmapId)
    }
    if (each.kind === 'filled' || each.kind === 'replaced') put.set(each.at, each.to)
  }
  return [...slots, ...put].map(([label, beatmapId]) => ({ ...placeOf(label), beatmapId }))
}
