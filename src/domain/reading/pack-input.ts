import { Type } from 'typebox'
import { AppError } from '../../contract/errors.ts'
import { WholeVersion } from '../../contract/history.ts'
import { builtinCodes } from '../../contract/mods.ts'
import { Pack, PackInput } from '../../contract/packs.ts'
import {
  BuiltinBucket,
  CustomBucketInput,
  ForcedMods,
  FreeMods,
  SlotInput,
} from '../../contract/pools.ts'
import { type InputProblem, ofPrograms } from '../../pool/input-words.ts'
import { invalidInput } from '../invalid-input.ts'
import { findInLabel } from '../../pool/text.ts'
import { oneOf } from './bodies.ts'
import { isObject, join, LEAVE_OUT, problemFinder, trimmed } from './schema.ts'

/**
 * The body of POST and PUT as the contract has it; `bad_request` names the place and the remedy
 * (D-14). Bounds of texts hold after trimming (D-19); nothing is coerced (D-18),
 * unknown fields are left where they are (D-17). What fields mean together is `pool/`'s to check.
 */
export function readPackInput(body: unknown): PackInput {
  if (!isObject(body))
    throw new AppError('bad_request:not_an_object', 'the body must be a JSON object')
  const input = trimmed(texts, body, () => undefined) as Record<string, unknown>
  const { buckets } = input
  const directions = findDirections(input)
  const shape = [
    ...findOuter(input, ''),
    ...(Array.isArray(buckets) ? buckets : []).flatMap((bucket, at) =>
      findInBucket(bucket, `buckets[${at}]`),
    ),
  ].filter(({ place }) => !directions.has(place))
  const problems = [...directions.values(), ...shape]
  if (problems.length > 0) throw invalidInput(problems)
  return input as PackInput
}

/**
 * The fields of a pack's input that nothing is made of (D-49), as places: `visiblity`,
 * `slots[0].modd`. Never a field of a pack or a version as it is read. The input may be invalid (D-88).
 */
export function ignoredFields(input: unknown): readonly string[] {
  const look = (value: unknown, known: ReadonlySet<string>, place: string): readonly string[] =>
    isObject(value)
      ? Object.keys(value).flatMap((name) => (known.has(name) ? [] : join(place, name)))
      : []
  if (!isObject(input)) return []
  return [
    ...look(input, ofPack, ''),
    ...listIn(input['slots']).flatMap((slot, at) => look(slot, ofSlot, `slots[${at}]`)),
    ...listIn(input['buckets']).flatMap((bucket, at) =>
      isObject(bucket) && isBuiltin(bucket['code']) ? [] : look(bucket, ofBucket, `buckets[${at}]`),
    ),
  ]
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Codes with characters that their pattern would refuse without naming them, by place (D-47). */
function findDirections(input: Record<string, unknown>): ReadonlyMap<string, InputProblem> {
  const found = new Map<string, InputProblem>()
  for (const [list, field] of [
    ['buckets', 'code'],
    ['slots', 'mod'],
  ] as const) {
    const items: unknown = input[list]
    if (!Array.isArray(items)) continue
    for (const [at, item] of items.entries()) {
      const code: unknown = isObject(item) ? item[field] : null
      const what = typeof code === 'string' ? findInLabel(code) : null
      const place = `${list}[${at}].${field}`
      if (what !== null) found.set(place, { place, what })
    }
  }
  return found
}

function findInBucket(bucket: unknown, place: string): readonly InputProblem[] {
  if (!isObject(bucket)) {
    return [{ place, ...ofPrograms(oneOf([BuiltinBucket, CustomBucketInput])) }]
  }
  if (isBuiltin(bucket['code'])) return findBuiltin(bucket, place)
  return [...findCustom(bucket, place), ...findInMods(bucket['mods'], `${place}.mods`)]
}

function findInMods(mods: unknown, place: string): readonly InputProblem[] {
  if (mods === undefined) return []
  if (mods === null) return [{ place, ...ofPrograms(LEAVE_OUT) }]
  if (!isObject(mods)) return [{ place, ...ofPrograms(oneOf([ForcedMods, FreeMods])) }]
  const problems = findKind(mods, place)
  if (problems.length > 0) return problems
  return (mods['kind'] === 'free' ? findFree : findForced)(mods, place)
}

const isBuiltin = (code: unknown): boolean => builtinCodes.some((builtin) => builtin === code)

/** Shapes with a choice are checked one by one: messages are about the one that was meant. */
const open = Type.Unknown()
const bucketList = { ...PackInput.properties.buckets, items: open }
const outer = { ...PackInput, properties: { ...PackInput.properties, buckets: bucketList } }
// Slots and buckets hold no texts of people.
const { slots: _, buckets: __, ...otherFields } = PackInput.properties
const texts = Type.Object(otherFields)
const bucketFields = { ...CustomBucketInput.properties, mods: open }

const findOuter = problemFinder(outer)
const findBuiltin = problemFinder(BuiltinBucket)
const findCustom = problemFinder({ ...CustomBucketInput, properties: bucketFields })
const findKind = problemFinder(Type.Object({ kind: Type.Enum(['forced', 'free']) }))
const findForced = problemFinder(ForcedMods)
const findFree = problemFinder(FreeMods)

/** A pack may be sent back as it was read (D-17). */
const ofPack = namesOf(Pack, WholeVersion, PackInput)
const ofSlot = namesOf(SlotInput)
const ofBucket = namesOf(CustomBucketInput)

function namesOf(...schemas: readonly { readonly properties: object }[]): ReadonlySet<string> {
  return new Set(schemas.flatMap(({ properties }) => Object.keys(properties)))
}
