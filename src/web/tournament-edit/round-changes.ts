import type { Bucket } from '../../contract/pools.ts'
import type { Round, RoundInput, SlotChanges } from '../../contract/rounds.ts'
import {
  completeBuckets,
  isCustom,
  isDefaultTable,
  slotLabel,
  slotsInPoolOrder,
} from '../../pool/slots.ts'
import type { Place } from '../../pool/pool.ts'
import {
  type Held,
  isSameHeld,
  type LaneEdit,
  type LaneSlot,
  withLayout,
} from '../editor/lanes/lanes.ts'

export const roundFacts = ['name', 'bestOf', 'bans', 'packName', 'targets'] as const
export type RoundFact = (typeof roundFacts)[number]
export type RoundFacts = Pick<Round, RoundFact>

/** A round while it is edited. */
export type RoundEdit = LaneEdit & { readonly facts: RoundFacts }

/**
 * What can change of a round by itself: `slot NM 1`, `bucket RC`, `order` of the buckets, `fact bestOf`. Values are
 * JSON, so that equal ones are equal texts; null is what is not there.
 */
export type Change = {
  readonly cell: string
  readonly from: string | null
  readonly to: string | null
}

type Cells = ReadonlyMap<string, string>

const EMPTY = '{}'
const ORDER = 'order'
export const slotCell = ({ mod, index }: Place): string => `slot ${mod ?? ''} ${index}`
const bucketCell = (code: string): string => `bucket ${code}`
export const factCell = (fact: RoundFact): string => `fact ${fact}`
const isSlotCell = (cell: string): boolean => cell.startsWith('slot ')

/** The place of a slot's cell; null of another cell. */
export function placeOfCell(cell: string): Place | null {
  const [, mod, index] = /^slot (.*) (\d+)$/s.exec(cell) ?? []
  return index === undefined ? null : { mod: mod || null, index: Number(index) }
}

/** What a cell is, in words: `NM1`, `Bucket RC`, `Best of`. */
export function cellWords(cell: string): string {
  const place = placeOfCell(cell)
  if (place !== null) return slotLabel(place)
  if (cell === ORDER) return 'Order of buckets'
  const [kind, ...name] = cell.split(' ')
  return kind === 'bucket' ? `Bucket ${name.join(' ')}` : factWords[name.join(' ') as RoundFact]
}

export const factWords: Readonly<Record<RoundFact, string>> = {
  name: 'Name',
  bestOf: 'Best of',
  bans: 'Bans',
  packName: 'Pack name',
  targets: 'Targets',
}

export const heldOf = ({ beatmapId, placeholder }: Held): Held => ({
  ...(beatmapId !== undefined && { beatmapId }),
  ...(placeholder !== undefined && { placeholder }),
})

/** The round as it is saved; its slots have the keys that `before` has for their places. */
export function roundEditOf(round: Round, before: RoundEdit | null = null): RoundEdit {
  const { slots, buckets = [], name, bestOf, bans, packName, targets } = round
  const facts = {
    name,
    ...(bestOf !== undefined && { bestOf }),
    ...(bans !== undefined && { bans }),
    ...(packName !== undefined && { packName }),
    ...(targets !== undefined && { targets }),
  }
  return withLayout({ facts, buckets: [], slots: before?.slots ?? [] }, { buckets, slots })
}

/** The body that replaces the round. */
export function roundInputOf({ facts, buckets, slots }: RoundEdit): RoundInput {
  return {
    ...facts,
    slots: slotsInPoolOrder({ buckets, slots }).map((slot) => ({
      mod: slot.mod,
      index: slot.index,
      ...heldOf(slot),
    })),
    ...(!isDefaultTable(buckets) && { buckets: [...buckets] }),
  }
}

export function cellsOf({ facts, buckets, slots }: RoundEdit): Cells {
  const cells = new Map<string, string>()
  for (const slot of slots) cells.set(slotCell(slot), JSON.stringify(heldOf(slot)))
  for (const bucket of buckets) {
    if (isCustom(bucket)) cells.set(bucketCell(bucket.code), bucketText(bucket))
  }
  cells.set(ORDER, JSON.stringify(buckets.map(({ code }) => code)))
  for (const fact of roundFacts) {
    if (facts[fact] !== undefined) cells.set(factCell(fact), JSON.stringify(facts[fact]))
  }
  return cells
}

function bucketText(bucket: Bucket): string {
  if (!isCustom(bucket)) return EMPTY
  const { code, color, mods } = bucket
  return JSON.stringify({ code, color, ...(mods && { mods }) })
}

export function changesBetween(before: RoundEdit, after: RoundEdit): Change[] {
  const [old, now] = [cellsOf(before), cellsOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((cell) => {
    const [from, to] = [old.get(cell) ?? null, now.get(cell) ?? null]
    return from === to ? [] : [{ cell, from, to }]
  })
}

/** The changes of which the cells are neither as they were seen nor as they are to be. Orders never differ: they join. */
export function conflictsWith(edit: RoundEdit, changes: readonly Change[]): Change[] {
  const cells = cellsOf(edit)
  return changes.filter(({ cell, from, to }) => {
    const now = cells.get(cell) ?? null
    return cell !== ORDER && now !== to && !isSeen(cell, now, from)
  })
}

/** A slot that is empty can be seen as one that is not there, and the other way round, as the server does (D-62). */
function isSeen(cell: string, now: string | null, from: string | null): boolean {
  return now === from || (isSlotCell(cell) && (now ?? EMPTY) === (from ?? EMPTY))
}

/** Whether all is as the changes make it. */
export function isDone(edit: RoundEdit, changes: readonly Change[]): boolean {
  const cells = cellsOf(edit)
  return changes.every(({ cell, to }) => cell === ORDER || (cells.get(cell) ?? null) === to)
}

/** The edit with these changes, whatever was there before. Slots keep the keys of their places. */
export function withChanges(edit: RoundEdit, changes: readonly Change[]): RoundEdit {
  const to = new Map(changes.map((change) => [change.cell, change.to]))
  const slots = new Map<string, Place & Held & { key?: number }>()
  for (const slot of edit.slots) slots.set(slotCell(slot), slot)
  for (const [cell, value] of to) {
    const place = placeOfCell(cell)
    if (place === null) continue
    if (value === null) slots.delete(cell)
    else slots.set(cell, { ...place, ...(JSON.parse(value) as Held), ...keyOf(slots.get(cell)) })
  }
  const customs = new Map(
    edit.buckets.filter(isCustom).map((bucket): [string, Bucket] => [bucket.code, bucket]),
  )
  for (const [cell, value] of to) {
    if (!cell.startsWith('bucket ')) continue
    const code = cell.slice('bucket '.length)
    if (value === null) customs.delete(code)
    else customs.set(code, JSON.parse(value) as Bucket)
  }
  const facts: Record<string, unknown> = { ...edit.facts }
  for (const fact of roundFacts) {
    const value = to.get(factCell(fact))
    if (value === null) delete facts[fact]
    else if (value !== undefined) facts[fact] = JSON.parse(value)
  }
  const order = to.get(ORDER)
  const before = edit.buckets.map(({ code }) => code)
  const buckets = inOrder(order ? (JSON.parse(order) as string[]) : before, before, customs)
  const layout = withLayout(edit, { buckets, slots: [...slots.values()] })
  return { ...layout, facts: facts as RoundFacts }
}

const keyOf = (slot: { readonly key?: number } | undefined) =>
  slot?.key === undefined ? {} : { key: slot.key }

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
export function keptParts(before: RoundEdit, after: RoundEdit): RoundEdit {
  const old = new Map(before.slots.map((slot) => [slot.key, slot]))
  const all = after.slots.map((slot) => {
    const was = old.get(slot.key)
    return was && slotCell(was) === slotCell(slot) && isSameHeld(was, slot) ? was : slot
  })
  const isSame =
    all.length === before.slots.length && all.every((slot) => old.get(slot.key) === slot)
  const slots = isSame ? before.slots : all
  const buckets = sameOr(before.buckets, after.buckets)
  const facts = sameOr(before.facts, after.facts)
  const isUnchanged = isSame && buckets === before.buckets && facts === before.facts
  return isUnchanged ? before : { slots, buckets, facts }
}

const sameOr = <T>(before: T, after: T): T =>
  JSON.stringify(before) === JSON.stringify(after) ? before : after

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

/** The changes as `changeSlots` takes them; null when some are of the structure. */
export function slotChangesOf(changes: readonly Change[]): SlotChanges['changes'] | null {
  const found = changes.map(({ cell, from, to }) => {
    const place = placeOfCell(cell)
    return place === null || to === null
      ? null
      : { ...place, from: contentOf(from), to: contentOf(to) }
  })
  return found.some((each) => each === null) ? null : found.filter((each) => each !== null)
}

type Content = SlotChanges['changes'][number]['to']

const contentOf = (value: string | null): Content =>
  value === null || value === EMPTY ? null : (JSON.parse(value) as Content)

/** A value of a cell in words; null for nothing. */
export function valueWords(value: string | null, nameOf: (beatmapId: number) => string) {
  if (value === null) return null
  const parsed = JSON.parse(value) as Held | string | number
  if (typeof parsed !== 'object') return String(parsed)
  if (parsed.beatmapId !== undefined) return nameOf(parsed.beatmapId)
  if (parsed.placeholder !== undefined) return parsed.placeholder
  return value === EMPTY ? 'empty' : value
}

/** The slots without a beatmap, in pool order: what keeps a round from its release. */
export const openSlots = (edit: LaneEdit): LaneSlot[] =>
  slotsInPoolOrder(edit).filter(({ beatmapId }) => beatmapId === undefined)
