import {
  MAX_BEATMAP_ID,
  MAX_BUCKETS,
  MAX_COLOR,
  MAX_CUSTOM_BUCKETS,
  MAX_SLOT_INDEX,
  MAX_SLOTS,
  NAME_LENGTH,
} from '../contract/bounds.ts'
import { AppError } from '../contract/errors.ts'
import { builtinCodes } from '../contract/mods.ts'
import type { Bucket, Slot } from '../contract/pools.ts'
import {
  findInForcedSet,
  foldCode,
  isBuiltinCode,
  isCode,
  isCustom,
  isDefaultTable,
  plainSlot,
  wholeTable,
} from './slots.ts'
import type { Item } from './message.ts'
import type { Found, Pool, PoolDraft, PoolProblem } from './pool.ts'
import { type Remedy, remedy } from './remedies.ts'
import { inEnglish } from './remedy-words.ts'
import { findInLabel, findInName, findUnseen } from './text.ts'

/**
 * The pool that a draft stands for: checked, its name trimmed, its bucket table whole, fields that
 * are not ours left out (D-17, D-19 to D-23). A pool is returned equal.
 *
 * @throws AppError `bad_request` with the place and the remedy of the first problem.
 */
export function completePool(draft: PoolDraft, fewestSlots: FewestSlots = 1): Pool {
  const [problem] = findInPool(draft, fewestSlots)
  if (problem !== undefined) {
    const message = `${problem.place} ${inEnglish(problem.what)}`
    throw new AppError('bad_request:invalid_field', message, null, { problems: [problem] })
  }
  return wholePool(draft)
}

/** `completePool` of a draft that has no problems. */
export function wholePool(draft: PoolDraft): Pool {
  const table = wholeTable(draft)
  return {
    name: draft.name.trim(),
    buckets: isDefaultTable(table) ? null : table,
    slots: draft.slots.map(plainSlot),
  }
}

/** How few slots a pool may have: a draft and a pack key may be empty, a saved pack may not (spec 2.8). */
type FewestSlots = 0 | 1

/** Everything that keeps a draft from being a pool (D-19 to D-23); none when it can be completed. */
export function findProblems(draft: PoolDraft, fewestSlots: FewestSlots = 1): PoolProblem[] {
  return inEnglishAll(findInPool(draft, fewestSlots))
}

/** In English. */
export function inEnglishAll(found: readonly Found[]): PoolProblem[] {
  return found.map(({ place, what }) => ({ place, remedy: inEnglish(what) }))
}

/** What `findProblems` says, as data. */
export function findInPool(draft: PoolDraft, fewestSlots: FewestSlots = 1): Found[] {
  const what = findInName(draft.name.trim(), NAME_LENGTH)
  const ofName = what === null ? [] : [{ place: 'name', what }]
  return [...ofName, ...findInSlots(draft, fewestSlots)]
}

/** As `findInPool`, of buckets and slots alone. */
export function findInSlots(
  { slots, buckets: sent }: Pick<PoolDraft, 'slots' | 'buckets'>,
  fewestSlots: FewestSlots,
): Found[] {
  const problems: Found[] = []
  const report: Report = (place, what) => {
    if (what !== null) problems.push({ place, what })
  }
  const taken: TakenCodes = new Map(
    builtinCodes.map((code) => [foldCode(code), { code, where: aBuiltin }]),
  )
  const buckets = sent ?? []
  checkBuckets(buckets, taken, report)
  if (slots.length < fewestSlots) report('slots', remedy('fewSlots', { least: fewestSlots }))
  if (slots.length > MAX_SLOTS) report('slots', remedy('manySlots', { most: MAX_SLOTS }))
  checkSlots(slots, taken, MAX_CUSTOM_BUCKETS - buckets.filter(isCustom).length, report)
  return problems
}

/** What is wrong with a number; null when nothing is. */
function findInNumber(value: number, least: number, most: number): Remedy | null {
  if (!Number.isInteger(value)) return remedy('wholeNumber', { least, most })
  return value < least || value > most ? remedy('bounds', { least, most }) : null
}

/** What is wrong with a number, in English, to be read after its place; null when nothing is. */
export function checkNumber(value: number, least: number, most: number): string | null {
  const found = findInNumber(value, least, most)
  return found && inEnglish(found)
}

type Report = (place: string, what: Remedy | null) => void

const aBuiltin = { message: remedy('aBuiltin') }

/** Codes and their places, `buckets[2]` or `a built-in bucket`, by `foldCode`. */
type TakenCodes = Map<string, { readonly code: string; readonly where: Item }>

/** Checks a bucket list as it was sent, partial or whole (D-21 to D-23). Its codes are added to `taken`. */
function checkBuckets(buckets: readonly Bucket[], taken: TakenCodes, report: Report): void {
  if (buckets.length > MAX_BUCKETS) report('buckets', remedy('manyBuckets', { most: MAX_BUCKETS }))
  if (buckets.filter(isCustom).length > MAX_CUSTOM_BUCKETS) {
    report('buckets', remedy('manyCustom', { most: MAX_CUSTOM_BUCKETS }))
  }
  const builtins = new Map<string, string>()
  for (const [position, bucket] of buckets.entries()) {
    const where = `buckets[${position}]`
    const { code } = bucket
    if (isBuiltinCode(code)) {
      const first = builtins.get(code)
      if (isCustom(bucket)) {
        report(`${where}.color`, remedy('noColor', { code }))
      } else if (first !== undefined) {
        report(`${where}.code`, remedy('sameCode', { code, where: first }))
      }
      builtins.set(code, first ?? where)
      continue
    }
    report(`${where}.code`, takeCode(code, where, taken, 'bucket'))
    if (isCustom(bucket)) {
      report(`${where}.color`, findInNumber(bucket.color, 0, MAX_COLOR))
      const forced = bucket.mods?.kind === 'forced' ? bucket.mods.set : null
      report(`${where}.mods.set`, forced && findInForcedSet(forced))
    } else {
      report(`${where}.color`, remedy('customColor', { most: MAX_COLOR }))
    }
  }
}

/**
 * Checks the slots (spec 2.3, D-20 to D-22). Codes that they add are added to `taken`.
 *
 * @param room how many custom buckets the slots may still add.
 */
function checkSlots(slots: readonly Slot[], taken: TakenCodes, room: number, report: Report): void {
  const seen = new Map<string, number>()
  let left = room
  for (const [position, { mod, index, beatmapId }] of slots.entries()) {
    if (mod !== null && taken.get(foldCode(mod))?.code !== mod) {
      const where = `slots[${position}]`
      const what = takeCode(mod, where, taken, 'slot')
      report(`${where}.mod`, what)
      if (what === null) {
        const tooMany = remedy('noRoom', { code: mod, most: MAX_CUSTOM_BUCKETS })
        if (left <= 0) report(`${where}.mod`, tooMany)
        left -= 1
      }
    }
    const place = `${index} ${mod ?? ''}`
    const first = seen.get(place)
    const badIndex = findInNumber(index, 1, MAX_SLOT_INDEX)
    // Texts are made of what is wrong alone: nearly all slots are right.
    if (badIndex !== null) report(`slots[${position}].index`, badIndex)
    if (first === undefined) seen.set(place, position)
    else if (badIndex === null) {
      report(`slots[${position}].index`, remedy('sameSlot', { where: `slots[${first}]` }))
    }
    const badId = findInNumber(beatmapId, 1, MAX_BEATMAP_ID)
    if (badId !== null) report(`slots[${position}].beatmapId`, badId)
  }
}

/** Adds a code of a bucket, or one that only slots have so far, to `taken`; or returns why it cannot be (D-21). */
function takeCode(code: string, where: string, taken: TakenCodes, of: 'bucket' | 'slot') {
  if (!isCode(code)) {
    return findInLabel(code) ?? remedy(of === 'slot' ? 'badCodeOfSlot' : 'badCode')
  }
  const hidden = findUnseen(code)
  if (hidden !== null) return hidden
  const holder = taken.get(foldCode(code))
  if (holder === undefined) {
    taken.set(foldCode(code), { code, where })
    return null
  }
  const { code: other, where: held } = holder
  if (of === 'slot') return remedy('spelling', { code, other, where: held })
  return other === code
    ? remedy('sameCode', { code, where: held })
    : remedy('likeCode', { code, other, where: held })
}

/** How a field that people decide apart from a pool is read, checked and kept. */
export type FieldDeclaration<V, Stored> = {
  /**
   * What is read of any JSON, as it is there: not trimmed, within bounds or not.
   *
   * @param refuse throws for what is of another type: what it must be and, if that is a part of it, where (`.min`).
   */
  read(this: void, value: unknown, refuse: (remedy: string, within?: string) => never): V
  /** What is wrong with a value of its type, or the problems within; null: nothing (D-19). */
  find(this: void, value: V): Remedy | readonly Found[] | null
  /** As it is stored; what is left out takes its default (spec 2.8). */
  complete(this: void, value: V | undefined): Stored
  /** What people have typed in it, for the content rule (D-24): a text, or the texts of a list or by their place within. */
  texts(this: void, value: V): string | readonly (string | PlacedText)[]
}

/** A text of a field, at `.title` for example. */
type PlacedText = { readonly place: string; readonly text: string }

export type AnyOf<Values> = { readonly [F in keyof Values]?: Values[F] | null | undefined }
export type SentOf<Values> = { readonly [F in keyof Values]?: Values[F] }

/** What can be done with fields, by their declarations. Of any fields, null and undefined are none. */
export function fieldTable<Values extends object, Stored extends object>(declared: {
  readonly [F in keyof Values & keyof Stored]: FieldDeclaration<Values[F], Stored[F]>
}) {
  type Field = keyof Values & keyof Stored & string
  type Any = AnyOf<Values>
  const entries = Object.entries(declared) as [Field, FieldDeclaration<unknown, unknown>][]
  const valueOf = (from: Any, field: Field): unknown => from[field] ?? undefined
  /** An object with what `make` returns for each field; undefined is left out. */
  const each = (
    make: (field: Field, its: FieldDeclaration<unknown, unknown>) => unknown,
  ): object => {
    const made: Record<string, unknown> = {}
    // Not by `fromEntries`: a change of one slot comes here for every slot of the tournament.
    for (const [field, its] of entries) {
      const value = make(field, its)
      if (value !== undefined) made[field] = value
    }
    return made
  }
  const storedOne = (field: Field, from: Any): unknown =>
    (declared[field] as FieldDeclaration<unknown, unknown>).complete(valueOf(from, field))
  /** What a save changes, as it is stored; a side that is none is left out. */
  const differences = (before: Any, after: Any) =>
    entries.flatMap(([kind]) => {
      const [from, to] = [storedOne(kind, before), storedOne(kind, after)]
      if (JSON.stringify(from) === JSON.stringify(to)) return []
      return [{ kind, ...(from !== null && { from }), ...(to !== null && { to }) }]
    })
  const findIn = (from: Any): Found[] =>
    entries.flatMap(([place, { find }]) => {
      const value = valueOf(from, place)
      const found = (value === undefined ? null : find(value)) ?? []
      return typeof found === 'string'
        ? [{ place, what: found }]
        : found.map((within) => ({ ...within, place: place + within.place }))
    })
  return {
    names: entries.map(([field]) => field) as readonly Field[],
    /** As they are sent. */
    sent: (from: Any) => each((field) => valueOf(from, field)) as SentOf<Values>,
    /** As they are stored. */
    stored: (from: Any) => each((field) => storedOne(field, from)) as Stored,
    storedOne,
    /**
     * The fields of an object of which nothing is known, as they are there; null is of another type.
     *
     * @param refuse throws for a field of another type, or for a part of one.
     */
    read: (
      from: Readonly<Record<string, unknown>>,
      refuse: (place: string, remedy: string) => never,
    ) =>
      each((field, { read }) =>
        from[field] === undefined
          ? undefined
          : read(from[field], (remedy, within = '') => refuse(field + within, remedy)),
      ) as SentOf<Values>,
    /** What is wrong with them. */
    find: findIn,
    /** What people have typed, by place: `tags[2]` in a list, `details.title` in an object. */
    texts: (from: Any): PlacedText[] =>
      entries.flatMap(([place, { texts }]) => {
        const value = valueOf(from, place)
        const found = value === undefined ? [] : texts(value)
        if (typeof found === 'string') return [{ place, text: found }]
        return found.map((each, at) =>
          typeof each === 'string'
            ? { place: `${place}[${at}]`, text: each }
            : { place: place + each.place, text: each.text },
        )
      }),
    differences,
    /** Whether a save stores the same. */
    isSame: (a: Any, b: Any): boolean => differences(a, b).length === 0,
  }
}

export type FieldTable<Values extends object, Stored extends object> = ReturnType<
  typeof fieldTable<Values, Stored>
>
