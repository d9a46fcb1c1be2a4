import { type Static, Type } from 'typebox'
import {
  CODE_PATTERN,
  MAX_BEATMAP_ID,
  MAX_COLOR,
  MAX_FORCED_MODS,
  MAX_SLOT_INDEX,
} from './bounds.ts'
import { builtinCodes, forcedMods } from './mods.ts'
import { closed, Code, orNull } from './primitives.ts'

const slotFields = {
  mod: orNull<string>('string', {
    description: 'The code of the bucket that the slot stands in; null for a slot without one.',
    pattern: CODE_PATTERN,
    minLength: 1,
    maxLength: 12,
  }),
  index: Type.Integer({
    description: 'The number behind the code: 2 in NM2.',
    minimum: 1,
    maximum: MAX_SLOT_INDEX,
  }),
  beatmapId: Type.Integer({
    description: "The beatmap's id on the game platform.",
    minimum: 1,
    maximum: MAX_BEATMAP_ID,
  }),
}

const slotExamples = [{ mod: 'NM', index: 1, beatmapId: 4392947 }]

/** One beatmap of a pack in its place (spec 2.3). */
export const Slot = closed(slotFields, 'One beatmap in its place.', ...slotExamples)
export type Slot = Static<typeof Slot>

/** A slot as it is sent: other fields are ignored (D-17). */
export const SlotInput = Type.Object(slotFields, {
  description: 'One beatmap in its place. Other fields are ignored.',
  examples: slotExamples,
})

/** One of the six buckets that every pool has (spec 2.4). Closed: another field is refused. */
export const BuiltinBucket = closed(
  { code: Type.Enum(builtinCodes) },
  'One of the six buckets that every pool has.',
  { code: 'NM' },
)
export type BuiltinBucket = Static<typeof BuiltinBucket>

/** Every map of the bucket is played with exactly these mods. */
export const ForcedMods = closed(
  {
    kind: Type.Literal('forced'),
    set: Type.Array(Type.Enum(forcedMods), {
      description: 'Never EZ with HR nor DT with HT. Stored in the order EZ HD HR DT HT FL.',
      minItems: 1,
      maxItems: MAX_FORCED_MODS,
      uniqueItems: true,
    }),
  },
  'Every map of the bucket is played with exactly these mods.',
  { kind: 'forced', set: ['HD', 'DT'] },
)
export type ForcedMods = Static<typeof ForcedMods>

/** Players choose their mods. */
export const FreeMods = closed({ kind: Type.Literal('free') }, 'Players choose their mods.', {
  kind: 'free',
})
export type FreeMods = Static<typeof FreeMods>

/** What a custom bucket says of mods (spec 2.4). */
export const BucketMods = Type.Union([ForcedMods, FreeMods], {
  description: 'What the bucket says of mods; left out: nothing.',
})
export type BucketMods = Static<typeof BucketMods>

const bucketFields = {
  code: Code,
  color: Type.Integer({
    description: 'Position in the palette of ten colours.',
    minimum: 0,
    maximum: MAX_COLOR,
  }),
  mods: Type.Optional(BucketMods),
}

const bucketExamples = [{ code: 'RC', color: 3, mods: { kind: 'free' } }]

/** A group of slots that the host made (spec 2.4). */
export const CustomBucket = closed(
  bucketFields,
  'A group of slots that the host made.',
  ...bucketExamples,
)
export type CustomBucket = Static<typeof CustomBucket>

/** A custom bucket as it is sent: other fields are ignored (D-17). */
export const CustomBucketInput = Type.Object(bucketFields, {
  description:
    "A group of slots that the host made; its code is no built-in's in any case. Other fields are ignored.",
  examples: bucketExamples,
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
