import { Type } from 'typebox'
import { BuiltinBucket, CustomBucketInput, ForcedMods, FreeMods } from '../../contract/bucket.ts'
import { Failure, invalidInput } from '../../contract/failure.ts'
import { builtinCodes } from '../../contract/mods.ts'
import { PackInput } from '../../contract/pack.ts'
import { checkLabel } from '../../pool/text.ts'
import { problemFinder } from './check-shape.ts'

/**
 * The shapes with a choice inside are checked one by one, so that a message speaks of the shape
 * that was meant and not of every shape that it is not.
 */
const open = Type.Unknown()
const bucketList = { ...PackInput.properties.buckets, items: open }
const outer = { ...PackInput, properties: { ...PackInput.properties, buckets: bucketList } }
const custom = {
  ...CustomBucketInput,
  properties: { ...CustomBucketInput.properties, mods: open },
}

const findOuter = problemFinder(outer)
const findBuiltin = problemFinder(BuiltinBucket)
const findCustom = problemFinder(custom)
const findKind = problemFinder(Type.Object({ kind: Type.Enum(['forced', 'free']) }))
const findForced = problemFinder(ForcedMods)
const findFree = problemFinder(FreeMods)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isBuiltin = (code: unknown): boolean => builtinCodes.some((builtin) => builtin === code)

const findInMods = (mods: unknown, place: string): readonly string[] => {
  if (mods === undefined) return []
  if (mods === null) return [`${place} must not be null: leave it out`]
  const problems = findKind(mods, place)
  if (problems.length > 0) return problems
  return ((mods as { kind: string }).kind === 'free' ? findFree : findForced)(mods, place)
}

const findInBucket = (bucket: unknown, place: string): readonly string[] => {
  if (!isObject(bucket)) return findCustom(bucket, place)
  if (isBuiltin(bucket['code'])) return findBuiltin(bucket, place)
  return [...findCustom(bucket, place), ...findInMods(bucket['mods'], `${place}.mods`)]
}

const trimmed = (body: Record<string, unknown>): Record<string, unknown> => {
  const copy = { ...body }
  for (const field of ['name', 'description']) {
    const text = copy[field]
    if (typeof text === 'string') copy[field] = text.trim()
  }
  return copy
}

/** Codes with characters that their pattern would refuse without naming them, by place (D-47). */
const findDirections = (input: Record<string, unknown>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const [list, field] of [
    ['buckets', 'code'],
    ['slots', 'mod'],
  ] as const) {
    const items: unknown = input[list]
    if (!Array.isArray(items)) continue
    for (const [at, item] of items.entries()) {
      const code: unknown = isObject(item) ? item[field] : null
      const remedy = typeof code === 'string' ? checkLabel(code) : null
      const place = `${list}[${at}].${field}`
      if (remedy !== null) found.set(place, `${place} ${remedy}`)
    }
  }
  return found
}

/**
 * The body of POST and PUT as the contract has it; `bad_request` names the place and the remedy
 * (D-14). Bounds of name and description hold after trimming (D-19); nothing is coerced (D-18),
 * unknown fields are left where they are (D-17). What fields mean together is `pool/`'s to check.
 */
export const readPackInput = (body: unknown): PackInput => {
  if (!isObject(body)) throw new Failure('bad_request', 'the body must be a JSON object')
  const input = trimmed(body)
  const { buckets } = input
  const directions = findDirections(input)
  const shape = [
    ...findOuter(input, ''),
    ...(Array.isArray(buckets) ? buckets : []).flatMap((bucket, at) =>
      findInBucket(bucket, `buckets[${at}]`),
    ),
  ].filter((problem) => !directions.has(problem.split(' ', 1)[0] ?? ''))
  const problems = [...directions.values(), ...shape]
  if (problems.length > 0) throw invalidInput(problems)
  return input as PackInput
}
