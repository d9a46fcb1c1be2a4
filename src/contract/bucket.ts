import { type Static, Type } from 'typebox'
import { MAX_COLOR, MAX_FORCED_MODS } from './bounds.ts'
import { builtinCodes, forcedMods } from './mods.ts'
import { Code } from './primitives.ts'

/** One of the six buckets that every pool has (spec 2.4). Closed: another field is refused. */
export const BuiltinBucket = Type.Object(
  { code: Type.Enum(builtinCodes) },
  {
    additionalProperties: false,
    description: 'One of the six buckets that every pool has.',
    examples: [{ code: 'NM' }],
  },
)
export type BuiltinBucket = Static<typeof BuiltinBucket>

/** Every map of the bucket is played with exactly these mods. */
export const ForcedMods = Type.Object(
  {
    kind: Type.Literal('forced'),
    set: Type.Array(Type.Enum(forcedMods), {
      description: 'Never EZ with HR nor DT with HT. Stored in the order EZ HD HR DT HT FL.',
      minItems: 1,
      maxItems: MAX_FORCED_MODS,
      uniqueItems: true,
    }),
  },
  {
    additionalProperties: false,
    description: 'Every map of the bucket is played with exactly these mods.',
    examples: [{ kind: 'forced', set: ['HD', 'DT'] }],
  },
)
export type ForcedMods = Static<typeof ForcedMods>

/** Players choose their mods. */
export const FreeMods = Type.Object(
  { kind: Type.Literal('free') },
  {
    additionalProperties: false,
    description: 'Players choose their mods.',
    examples: [{ kind: 'free' }],
  },
)
export type FreeMods = Static<typeof FreeMods>

/** What a custom bucket says of mods (spec 2.4). */
export const BucketMods = Type.Union([ForcedMods, FreeMods], {
  description: 'What the bucket says of mods; left out: nothing.',
})
export type BucketMods = Static<typeof BucketMods>

const fields = {
  code: Code,
  color: Type.Integer({
    description: 'Position in the palette of ten colours.',
    minimum: 0,
    maximum: MAX_COLOR,
  }),
  mods: Type.Optional(BucketMods),
}

const examples = [{ code: 'RC', color: 3, mods: { kind: 'free' } }]

/** A group of slots that the host made (spec 2.4). */
export const CustomBucket = Type.Object(fields, {
  additionalProperties: false,
  description: 'A group of slots that the host made.',
  examples,
})
export type CustomBucket = Static<typeof CustomBucket>

/** A custom bucket as it is sent: other fields are ignored (D-17). */
export const CustomBucketInput = Type.Object(fields, {
  description:
    "A group of slots that the host made; its code is no built-in's in any case. Other fields are ignored.",
  examples,
})

/** A bucket of either shape. */
export const Bucket = Type.Union([BuiltinBucket, CustomBucket], {
  description: 'A bucket of either shape.',
})
export type Bucket = Static<typeof Bucket>

/** A bucket of either shape, as it is sent. */
export const BucketInput = Type.Union([BuiltinBucket, CustomBucketInput], {
  description: 'A bucket of either shape, as it is sent.',
})
