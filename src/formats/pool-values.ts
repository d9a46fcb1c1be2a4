import { forcedMods } from '../contract/mods.ts'
import type { Bucket, BucketMods, Slot } from '../contract/pools.ts'
import { isBuiltinCode } from '../pool/slots.ts'
import { readFields, type SentFields } from '../pool/pack-fields.ts'
import type { PoolDraft } from '../pool/pool.ts'

/** A value that is of another type than the API has there. */
export class WrongType extends Error {
  /** The path: `slots[3].index`. */
  readonly place: string
  /** What it must be: `a number`. */
  readonly what: string

  constructor(place: string, what: string) {
    super(`${place} must be ${what}`)
    this.place = place
    this.what = what
  }
}

/**
 * A pack of which nothing is known but that it was written as the API has it, whether it is within its bounds or not.
 *
 * @throws WrongType.
 */
export function readPack(value: unknown): PoolDraft & SentFields {
  const pack = fields(value, 'the pack')
  return { ...readDraft(pack), ...readFields(pack, refuseType) }
}

export function readDraft({ name, slots, buckets }: Record<string, unknown>): PoolDraft {
  check(typeof name === 'string', 'name', 'a string')
  return {
    name,
    buckets: buckets === undefined ? null : list(buckets, 'buckets').map(readBucket),
    slots: list(slots, 'slots').map(readSlot),
  }
}

function readSlot(value: unknown, at: number): Slot {
  const place = `slots[${at}]`
  const slot = fields(value, place)
  const { mod, index } = readPlace(slot, place)
  const { beatmapId } = slot
  check(typeof beatmapId === 'number', `${place}.beatmapId`, 'a number')
  return { mod, index, beatmapId }
}

export function readPlace(slot: Record<string, unknown>, place: string) {
  const name = 'mod' in slot ? 'mod' : 'code'
  const { [name]: mod, index } = slot
  check(mod === null || typeof mod === 'string', `${place}.${name}`, 'a string')
  check(typeof index === 'number', `${place}.index`, 'a number')
  return { mod, index }
}

export function readBucket(value: unknown, at: number): Bucket {
  const place = `buckets[${at}]`
  const { code, color, mods } = fields(value, place)
  check(typeof code === 'string', `${place}.code`, 'a string')
  if (isBuiltinCode(code) && color === undefined && mods === undefined) return { code }
  check(typeof color === 'number', `${place}.color`, 'a number')
  return { code, color, ...(mods !== undefined && { mods: readMods(mods, `${place}.mods`) }) }
}

function readMods(value: unknown, place: string): BucketMods {
  const { kind, set } = fields(value, place)
  if (oneOf(kind, ['forced', 'free'], `${place}.kind`) === 'free') return { kind: 'free' }
  const mods = list(set, `${place}.set`)
  const forced = mods.map((mod, at) => oneOf(mod, forcedMods, `${place}.set[${at}]`))
  return { kind: 'forced', set: forced }
}

export function fields(value: unknown, place: string): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  check(isObject, place, 'an object')
  return value as Record<string, unknown>
}

export function list(value: unknown, place: string): readonly unknown[] {
  check(Array.isArray(value), place, 'a list')
  return value
}

function oneOf<T extends string>(value: unknown, choices: readonly T[], place: string): T {
  const choice = choices.find((each) => each === value)
  check(choice !== undefined, place, `one of ${choices.join(', ')}`)
  return choice
}

export function check(holds: boolean, place: string, what: string): asserts holds {
  if (!holds) refuseType(place, what)
}

export function refuseType(place: string, what: string): never {
  throw new WrongType(place, what)
}
