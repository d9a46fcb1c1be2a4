import * as texts from '#texts/editing'
import type { Bucket } from '../../contract/pools.ts'
import { completeBuckets, isCustom, slotLabel } from '../../pool/slots.ts'
import type { Place } from '../../pool/pool.ts'
import { fieldNames, isFieldName } from '../field-names.ts'
import { type LaneEdit, type LaneSlot, withLayout } from './lanes/lanes.ts'

/**
 * What can change of an edit by itself: `slot NM 1`, `bucket RC`, `order` of the buckets, `field name` for all else.
 * Values are JSON, so that equal ones are equal texts; null is what is not there. What a slot or a field holds does
 * not matter here.
 */
export type Change = {
  readonly cell: string
  readonly from: string | null
  readonly to: string | null
}

export const EMPTY = '{}'
export const ORDER = 'order'
export const slotCell = ({ mod, index }: Place): string => ['slot', mod ?? '', index].join(' ')
export const bucketCell = (code: string): string => ['bucket', code].join(' ')
export const fieldCell = (name: string): string => ['field', name].join(' ')

/** The place of a slot's cell; null of another cell. */
export function placeOfCell(cell: string): Place | null {
  const [, mod, index] = /^slot (.*) (\d+)\+*$/s.exec(cell) ?? []
  return index === undefined ? null : { mod: mod || null, index: Number(index) }
}

/** What a cell is, in words: `NM1`, `Bucket RC`, `Best of`. */
export function cellWords(cell: string): string {
  const place = placeOfCell(cell)
  if (place !== null) return slotLabel(place)
  if (cell === ORDER) return texts.bucketOrder
  const name = cell.slice(cell.indexOf(' ') + 1)
  if (cell.startsWith('bucket ')) return texts.bucket({ bucket: name })
  return isFieldName(name) ? fieldNames[name] : name
}

/** Equal values, equal text, whatever the order of their fields. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each !== 'object' || each === null || Array.isArray(each)
      ? each
      : Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )

/** What a slot holds, as the value of its cell. */
export function contentText(slot: object): string {
  const { mod: _, index: __, key: ___, ...content } = slot as Partial<LaneSlot>
  return textOf(content)
}

/** The slots by their cells; of several in one place, which no pool has, each has one. */
function slotCells<S extends Place>(slots: readonly S[]): Map<string, S> {
  const cells = new Map<string, S>()
  for (const slot of slots) {
    let cell = slotCell(slot)
    while (cells.has(cell)) cell += '+'
    cells.set(cell, slot)
  }
  return cells
}

/** The values of all cells, by their cells. */
export function cellsOf({ buckets, slots, ...fields }: LaneEdit): ReadonlyMap<string, string> {
  const cells = new Map<string, string>()
  for (const [cell, slot] of slotCells(slots)) cells.set(cell, contentText(slot))
  for (const bucket of buckets.filter(isCustom)) {
    cells.set(bucketCell(bucket.code), textOf(bucket))
  }
  cells.set(ORDER, textOf(buckets.map(({ code }) => code)))
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) cells.set(fieldCell(name), textOf(value))
  }
  return cells
}

export function changesBetween(before: LaneEdit, after: LaneEdit): Change[] {
  const [old, now] = [cellsOf(before), cellsOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((cell) => {
    const [from, to] = [old.get(cell) ?? null, now.get(cell) ?? null]
    return from === to ? [] : [{ cell, from, to }]
  })
}

/** The changes of which the cells are neither as they were seen nor as they are to be. Orders never differ: they join. */
export function conflictsWith(edit: LaneEdit, changes: readonly Change[]): Change[] {
  const cells = cellsOf(edit)
  return changes.filter(({ cell, from, to }) => {
    const now = cells.get(cell) ?? null
    return cell !== ORDER && now !== to && now !== from
  })
}

/** Of changes, those that can be made and are to be, and those that cannot. */
export type Possible = { readonly made: readonly Change[]; readonly kept: readonly Change[] }

/**
 * What of the changes can be made, where each is worth making by itself: but for those whose cells were changed since.
 * What has moved between slots goes whole or not at all, and no bucket goes that has slots.
 */
export function possible(edit: LaneEdit, changes: readonly Change[]): Possible {
  const now = cellsOf(edit)
  const open = changes.filter(({ cell, to }) => cell === ORDER || (now.get(cell) ?? null) !== to)
  const inTheWay = new Set(conflictsWith(edit, open))
  const isSlot = ({ cell }: Change): boolean => placeOfCell(cell) !== null
  const slots = grouped(open.filter(isSlot))
  const stay = slots.filter((group) => group.some((each) => inTheWay.has(each))).flat()
  const going = open.filter((each) => isSlot(each) && !stay.includes(each))
  const left = new Set(withChanges(edit, going).slots.map(({ mod }) => bucketCell(mod ?? '')))
  const kept = open.filter(
    (each) =>
      stay.includes(each) || inTheWay.has(each) || (each.to === null && left.has(each.cell)),
  )
  return { made: open.filter((each) => !kept.includes(each)), kept }
}

/** Whether a change is of something: an order alone says little. */
export const isOfCell = ({ cell }: Change): boolean => cell !== ORDER

/** Whether all is as the changes make it. */
export function isDone(edit: LaneEdit, changes: readonly Change[]): boolean {
  const cells = cellsOf(edit)
  return changes.every(({ cell, to }) => cell === ORDER || (cells.get(cell) ?? null) === to)
}

/** The edit with these changes, whatever was there before. Slots keep the keys of their places. */
export function withChanges<E extends LaneEdit>(edit: E, changes: readonly Change[]): E {
  const slots = slotCells<Place & { readonly key?: number }>(edit.slots)
  const before = edit.buckets.map(({ code }) => code)
  const customs = new Map<string, Bucket>()
  for (const bucket of edit.buckets.filter(isCustom)) customs.set(bucket.code, bucket)
  let order: readonly string[] = before
  const fields: Record<string, unknown> = {}
  for (const { cell, to } of changes) {
    const value: unknown = to === null ? undefined : JSON.parse(to)
    const place = placeOfCell(cell)
    const name = cell.slice(cell.indexOf(' ') + 1)
    if (place !== null) {
      const { key } = slots.get(cell) ?? {}
      if (value === undefined) slots.delete(cell)
      else slots.set(cell, { ...place, ...(value as object), ...(key !== undefined && { key }) })
    } else if (cell === ORDER) order = (value as string[] | undefined) ?? before
    else if (!cell.startsWith('bucket ')) fields[name] = value
    else if (value === undefined) customs.delete(name)
    else customs.set(name, value as Bucket)
  }
  const buckets = inOrder(order, before, customs)
  const made = { ...withLayout(edit, { buckets, slots: [...slots.values()] }), ...fields }
  return withoutNone(made) as E
}

/** The object without the fields that are undefined. */
const withoutNone = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

/** A table in the wanted order; custom buckets that it does not name come before TB. */
function inOrder(
  wanted: readonly string[],
  before: readonly string[],
  customs: ReadonlyMap<string, Bucket>,
): Bucket[] {
  const builtin = completeBuckets([], []).map(({ code }) => code)
  const isThere = (code: string): boolean => customs.has(code) || builtin.includes(code)
  const named = wanted.filter(isThere)
  const others = [...new Set([...before, ...customs.keys()])].filter(
    (code) => customs.has(code) && !named.includes(code),
  )
  const end = named.indexOf('TB')
  const codes = end < 0 ? [...named, ...others] : named.toSpliced(end, 0, ...others)
  return completeBuckets(
    codes.map((code) => customs.get(code) ?? ({ code } as Bucket)),
    [],
  )
}

/** `after`, with the very objects of `before` for all that is the same: what is shown of them is not rendered again. */
export function keptParts<E extends LaneEdit>(before: E, after: E): E {
  const same = <T>(was: T | undefined, is: T): T =>
    was !== undefined && textOf(was) === textOf(is) ? was : is
  const byKey = new Map(before.slots.map((slot) => [slot.key, slot]))
  const slots = after.slots.map((slot) => same(byKey.get(slot.key), slot))
  const old: Readonly<Record<string, unknown>> = before
  const parts = Object.entries({ ...after, slots })
  return Object.fromEntries(parts.map(([name, part]) => [name, same(old[name], part)])) as E
}

/** Whether the changes begin where the first ones end, in all cells of both, of which there is one at least. */
export function follows(changes: readonly Change[], first: readonly Change[]): boolean {
  const ends = new Map(first.map(({ cell, to }) => [cell, to]))
  const shared = changes.filter(({ cell }) => cell !== ORDER && ends.has(cell))
  return shared.length > 0 && shared.every(({ cell, from }) => ends.get(cell) === from)
}

/** First one, then the other, as one. */
export function joined(first: readonly Change[], then: readonly Change[]): Change[] {
  const all = new Map(first.map((change) => [change.cell, change]))
  for (const change of then) {
    all.set(change.cell, { ...change, from: (all.get(change.cell) ?? change).from })
  }
  return [...all.values()].filter(({ from, to }) => from !== to)
}

export const inverse = (changes: readonly Change[]): Change[] =>
  changes.map(({ cell, from, to }) => ({ cell, from: to, to: from }))

/** The changes in groups of those that make sense together alone: slots between which something has moved, a bucket with its slots. */
export function grouped(changes: readonly Change[]): Change[][] {
  let groups: Change[][] = []
  for (const change of changes) {
    const belongs = (group: Change[]): boolean => group.some((each) => isLinked(each, change))
    const others = groups.filter((group) => !belongs(group))
    groups = [...others, [...groups.filter(belongs).flat(), change]]
  }
  return groups
}

function isLinked(a: Change, b: Change): boolean {
  const [one, other] = [placeOfCell(a.cell), placeOfCell(b.cell)]
  if (one === null || other === null) {
    return a.cell === `bucket ${other?.mod}` || b.cell === `bucket ${one?.mod}`
  }
  const isMoved = ({ from }: Change, { to }: Change): boolean =>
    (from ?? EMPTY) !== EMPTY && from === to
  return isMoved(a, b) || isMoved(b, a)
}
