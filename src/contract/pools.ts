import { type Static, Type } from 'typebox'
import * as bounds from './bounds.ts'
import { builtinCodes, forcedMods } from './mods.ts'
import { about, closed, Code, integer, open, orNull, text } from './primitives.ts'

const slotFields = {
  mod: orNull(
    text(
      'The code of the bucket of the slot; null for a slot without one.',
      1,
      12,
      bounds.CODE_PATTERN,
    ),
  ),
  index: integer('The number after the code: 2 in NM2.', 1, bounds.MAX_SLOT_INDEX),
  beatmapId: integer("The beatmap's id on the game platform.", 1, bounds.MAX_BEATMAP_ID),
}

const slotExample = { mod: 'NM', index: 1, beatmapId: 4392947 }

/** One beatmap of a pack in its place (spec 2.3). */
export const Slot = closed(about('One beatmap in its place.', slotExample), slotFields)
export type Slot = Static<typeof Slot>

/** A slot as it is sent. */
export const SlotInput = open(
  about('One beatmap in its place. Other fields are ignored.', slotExample),
  slotFields,
)

/** One of the six buckets that every pool has (spec 2.4). Closed: another field is refused. */
export const BuiltinBucket = closed(
  about('One of the six buckets that every pool has.', { code: 'NM' }),
  { code: Type.Enum(builtinCodes) },
)
export type BuiltinBucket = Static<typeof BuiltinBucket>

const forcedExample = { kind: 'forced', set: ['HD', 'DT'] }

export const ForcedMods = closed(
  about('Every map of the bucket is played with exactly these mods.', forcedExample),
  {
    kind: Type.Literal('forced'),
    set: Type.Array(Type.Enum(forcedMods), {
      description: 'Never EZ with HR nor DT with HT. Stored in the order EZ HD HR DT HT FL.',
      minItems: 1,
      maxItems: bounds.MAX_FORCED_MODS,
      uniqueItems: true,
    }),
  },
)
export type ForcedMods = Static<typeof ForcedMods>

export const FreeMods = closed(about('Players choose their mods.', { kind: 'free' }), {
  kind: Type.Literal('free'),
})
export type FreeMods = Static<typeof FreeMods>

/** The mods of a custom bucket (spec 2.4). */
export const BucketMods = Type.Union([ForcedMods, FreeMods], {
  description: 'What the bucket says of mods; left out: nothing.',
})
export type BucketMods = Static<typeof BucketMods>

const bucketFields = {
  code: Code,
  color: integer('Position in the palette of ten colours.', 0, bounds.MAX_COLOR),
  mods: Type.Optional(BucketMods),
}

const bucketExample = { code: 'RC', color: 3, mods: { kind: 'free' } }

/** A group of slots that the host made (spec 2.4). */
export const CustomBucket = closed(
  about('A group of slots that the host made.', bucketExample),
  bucketFields,
)
export type CustomBucket = Static<typeof CustomBucket>

/** A custom bucket as it is sent. */
export const CustomBucketInput = open(
  about(
    "A group of slots that the host made; its code is no built-in's in any case. Other fields are ignored.",
    bucketExample,
  ),
  bucketFields,
)

export const Bucket = Type.Union([BuiltinBucket, CustomBucket], {
  description: 'A bucket of either shape.',
})
export type Bucket = Static<typeof Bucket>

export const BucketInput = Type.Union([BuiltinBucket, CustomBucketInput], {
  description: 'A bucket of either shape, as it is sent.',
})
