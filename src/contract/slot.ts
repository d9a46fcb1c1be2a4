import { type Static, Type } from 'typebox'
import { CODE_PATTERN, MAX_BEATMAP_ID, MAX_SLOT_INDEX } from './bounds.ts'

const fields = {
  mod: Type.Unsafe<string | null>({
    description: 'The code of the bucket that the slot stands in; null for a slot without one.',
    type: ['string', 'null'],
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

const examples = [{ mod: 'NM', index: 1, beatmapId: 4392947 }]

/** One beatmap of a pack in its place (spec 2.3). */
export const Slot = Type.Object(fields, {
  additionalProperties: false,
  description: 'One beatmap in its place.',
  examples,
})
export type Slot = Static<typeof Slot>

/** A slot as it is sent: other fields are ignored (D-17). */
export const SlotInput = Type.Object(fields, {
  description: 'One beatmap in its place. Other fields are ignored.',
  examples,
})
