import { Type } from 'typebox'
import { BuiltinBucket, CustomBucketInput, ForcedMods, FreeMods } from '../../contract/bucket.ts'
import { Failure } from '../../contract/failure.ts'
import { builtinCodes } from '../../contract/mods.ts'
import { PackInput } from '../../contract/pack.ts'
import { checkLabel } from '../../pool/check-text.ts'
import { shapeChecker } from './check-shape.ts'

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

const checkOuter = shapeChecker(outer)
const checkBuiltin = shapeChecker(BuiltinBucket)
const checkCustom = shapeChecker(custom)
const checkKind = shapeChecker(Type.Object({ kind: Type.Enum(['forced', 'free']) }))
const checkForced = shapeChecker(ForcedMods)
const checkFree = shapeChecker(FreeMods)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isBuiltin = (code: unknown): boolean => builtinCodes.some((builtin) => builtin === code)

const checkBucket = (bucket: unknown, place: string): void => {
  if (isObject(bucket) && isBuiltin(bucket['code'])) return checkBuiltin(bucket, place)
  checkCustom(bucket, place)
  const mods = isObject(bucket) ? bucket['mods'] : undefined
  if (mods === undefined) return
  checkKind(mods, `${place}.mods`)
  const { kind } = mods as { kind: 'forced' | 'free' }
  ;(kind === 'free' ? checkFree : checkForced)(mods, `${place}.mods`)
}

const trimmed = (body: Record<string, unknown>): Record<string, unknown> => {
  const copy = { ...body }
  for (const field of ['name', 'description']) {
    const text = copy[field]
    if (typeof text === 'string') copy[field] = text.trim()
  }
  return copy
}

/** The pattern of codes would refuse these characters without naming them (D-47). */
const refuseDirection = (input: Record<string, unknown>): void => {
  for (const [list, field] of [
    ['buckets', 'code'],
    ['slots', 'mod'],
  ] as const) {
    const items: unknown = input[list]
    if (!Array.isArray(items)) continue
    for (const [at, item] of items.entries()) {
      const code: unknown = isObject(item) ? item[field] : null
      const remedy = typeof code === 'string' ? checkLabel(code) : null
      if (remedy !== null) throw new Failure('bad_request', `${list}[${at}].${field} ${remedy}`)
    }
  }
}

/**
 * The body of POST and PUT as the contract has it; `bad_request` names the place and the remedy
 * (D-14). Bounds of name and description hold after trimming (D-19); nothing is coerced (D-18),
 * unknown fields are left where they are (D-17). What fields mean together is `pool/`'s to check.
 */
export const readPackInput = (body: unknown): PackInput => {
  if (!isObject(body)) throw new Failure('bad_request', 'the body must be a JSON object')
  const input = trimmed(body)
  refuseDirection(input)
  checkOuter(input, '')
  const { buckets } = input as { buckets?: unknown[] }
  buckets?.forEach((bucket, at) => checkBucket(bucket, `buckets[${at}]`))
  return input as PackInput
}
