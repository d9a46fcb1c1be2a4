import * as fc from 'fast-check'
import { PackInput } from '../../src/contract/packs.ts'
import { completePool } from '../../src/pool/checks.ts'
import { type PackField, packFieldNames } from '../../src/pool/pack-fields.ts'
import { anyPool } from '../pool/pool-arbitrary.ts'
import { anyOf } from './any-of-schema.ts'

/** Any value of each field of a pack that is not its pool, from its schema: a new field is there by itself. */
const anyFields = fc.record(
  Object.fromEntries(
    Object.keys(PackInput.properties)
      .filter((name) => !['name', 'slots', 'buckets'].includes(name))
      .map((name) => [name, anyOf(PackInput.properties[name as PackField])]),
  ),
)

/** Any pack with every field, as it is sent and as it comes back. */
export const anyPack: fc.Arbitrary<PackInput> = fc
  .tuple(
    anyPool.filter(({ slots }) => slots.length > 0),
    anyFields,
  )
  .map(([pool, fields]) => {
    const { name, slots, buckets } = completePool(pool)
    return {
      name,
      slots: [...slots],
      ...(buckets !== null && { buckets: [...buckets] }),
      ...fields,
    }
  })

/** What the owner decides, of anything that has it among other things, by the schema alone. */
export const decided = (pack: object): object =>
  Object.fromEntries(
    Object.keys(PackInput.properties).flatMap((name) => {
      const value: unknown = Reflect.get(pack, name)
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )

/** `pack` without one of its fields at a time, and with what `other` has in it. */
export const withOneOther = (pack: PackInput, other: PackInput): PackInput[] =>
  packFieldNames.map((field) => ({ ...pack, [field]: other[field] }))
