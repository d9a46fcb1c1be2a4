import { forcedMods } from '../contract/mods.ts'
import type { Bucket, BucketMods, Slot } from '../contract/pools.ts'
import type { RoundInput, RoundSlot } from '../contract/rounds.ts'
import { isBuiltinCode } from '../pool/slots.ts'
import { findProblems } from '../pool/checks.ts'
import { readFields, type SentFields } from '../pool/pack-fields.ts'
import type { PoolDraft } from '../pool/pool.ts'
import { roundFields, slotFields } from '../pool/round-fields.ts'
import { fault, FormatError } from './format-error.ts'
import { scanJson } from './json/scan-json.ts'

export type PoolJson = {
  /** Completes, unless it has no slot. */
  readonly draft: PoolDraft
  readonly fields: SentFields
}

/**
 * Reads a pack as the API answers it (`{ "pack": … }` around it may be missing), the body that creates one, or
 * a referee program's slots, where `code` is the name of `mod`. Ignores other fields; coerces nothing.
 *
 * @param nameless the name of a pool that has none.
 * @throws FormatError with line and column for what is no JSON, else with the path: `slots[3].index`.
 */
export function readPoolJson(text: string, nameless = 'Pool'): PoolJson {
  scanJson(text)
  return poolOf(JSON.parse(text.replace(/^\ufeff/, '')), nameless)
}

/**
 * As `readPoolJson`, of a value that is parsed.
 *
 * @throws FormatError with the path of what is wrong.
 */
export function poolOf(value: unknown, nameless: string): PoolJson {
  const body = fields(value, 'the file')
  if ('packs' in body) {
    throw new FormatError(fault('severalPacks'))
  }
  const pack = 'pack' in body ? fields(body['pack'], 'pack') : body
  const read = {
    draft: readDraft({ name: nameless, ...pack }),
    fields: readFields(pack, refuseType),
  }
  refuseProblems(read.draft)
  return read
}

/**
 * A pack of which nothing is known but that it was written as the API has it, whether it is within its bounds or not.
 *
 * @throws FormatError with the path of what is of another type.
 */
export function readPack(value: unknown): PoolDraft & SentFields {
  const pack = fields(value, 'the pack')
  return { ...readDraft(pack), ...readFields(pack, refuseType) }
}

function readDraft({ name, slots, buckets }: Record<string, unknown>): PoolDraft {
  check(typeof name === 'string', 'name', 'a string')
  return {
    name,
    buckets: buckets === undefined ? null : list(buckets, 'buckets').map(readBucket),
    slots: list(slots, 'slots').map(readSlot),
  }
}

/**
 * Reads a round of a tournament as the API answers it (`{ "round": … }` around it may be missing), or the body that
 * saves one: slots may have a placeholder in place of a beatmap, or neither. Ignores other fields; coerces nothing.
 * Bounds of numbers and texts other than those of pools are left to the service.
 *
 * @throws FormatError as `readPoolJson`.
 */
export function readRoundJson(text: string): RoundInput {
  scanJson(text)
  const body = fields(JSON.parse(text.replace(/^\ufeff/, '')), 'the file')
  const round = 'round' in body ? fields(body['round'], 'round') : body
  const { name, slots = [], buckets } = round
  check(typeof name === 'string', 'name', 'a string')
  const read: RoundInput = {
    name,
    slots: list(slots, 'slots').map(readRoundSlot),
    ...roundFields.read(round, refuseType),
    ...(buckets !== undefined && { buckets: list(buckets, 'buckets').map(readBucket) }),
  }
  refuseProblems({
    name,
    buckets: read.buckets ?? null,
    slots: (read.slots ?? []).map((slot) => ({ beatmapId: 1, ...slot })),
  })
  return read
}

function readRoundSlot(value: unknown, at: number): RoundSlot {
  const place = `slots[${at}]`
  const slot = fields(value, place)
  const filling = slotFields.read(slot, (field, what) => refuseType(`${place}.${field}`, what))
  const isEither = filling.beatmapId === undefined || filling.placeholder === undefined
  check(isEither, `${place}.placeholder`, 'left out: the slot has a beatmap')
  return { ...readPlace(slot, place), ...filling }
}

function refuseProblems(draft: PoolDraft): void {
  const [problem] = findProblems(draft, 0)
  if (problem !== undefined) throw new FormatError(fault('notAPool', problem))
}

function readSlot(value: unknown, at: number): Slot {
  const place = `slots[${at}]`
  const slot = fields(value, place)
  const { mod, index } = readPlace(slot, place)
  const { beatmapId } = slot
  check(typeof beatmapId === 'number', `${place}.beatmapId`, 'a number')
  return { mod, index, beatmapId }
}

function readPlace(slot: Record<string, unknown>, place: string) {
  const name = 'mod' in slot ? 'mod' : 'code'
  const { [name]: mod, index } = slot
  check(mod === null || typeof mod === 'string', `${place}.${name}`, 'a string')
  check(typeof index === 'number', `${place}.index`, 'a number')
  return { mod, index }
}

function readBucket(value: unknown, at: number): Bucket {
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

function fields(value: unknown, place: string): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  check(isObject, place, 'an object')
  return value as Record<string, unknown>
}

function list(value: unknown, place: string): readonly unknown[] {
  check(Array.isArray(value), place, 'a list')
  return value
}

function oneOf<T extends string>(value: unknown, choices: readonly T[], place: string): T {
  const choice = choices.find((each) => each === value)
  check(choice !== undefined, place, `one of ${choices.join(', ')}`)
  return choice
}

function check(holds: boolean, place: string, what: string): asserts holds {
  if (!holds) refuseType(place, what)
}

function refuseType(place: string, what: string): never {
  throw new FormatError(fault('mustBe', { place, what }))
}
