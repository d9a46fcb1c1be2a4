import { type Static, Type } from 'typebox'
import { BeatmapDetails } from './beatmap-details.ts'
import { MAX_BEATMAP_ID, MAX_FORCED_MODS, MAX_SAFE_INTEGER, MAX_SLOTS } from './bounds.ts'
import { forcedMods } from './mods.ts'
import { Slug } from './primitives.ts'

const beatmapId = Type.Integer({ minimum: 1, maximum: MAX_BEATMAP_ID })

/** A beatmap, and the mods that its slot forces. Other fields are ignored. */
export const BeatmapQuestion = Type.Object(
  {
    id: beatmapId,
    mods: Type.Array(Type.Enum(forcedMods), {
      description: 'The mods that the slot forces, in any order; empty for none.',
      maxItems: MAX_FORCED_MODS,
      uniqueItems: true,
    }),
  },
  { description: 'A beatmap, and the mods that its slot forces.' },
)
export type BeatmapQuestion = Static<typeof BeatmapQuestion>

/** Body of `POST /session/beatmaps`. Other fields are ignored. */
export const BeatmapLook = Type.Object(
  {
    beatmaps: Type.Array(BeatmapQuestion, { minItems: 1, maxItems: MAX_SLOTS }),
    slug: Type.Optional({
      ...Slug,
      description:
        'The pack that shows them: the ratings of its slots are looked up for visitors, too, who are not signed in.',
    }),
  },
  { description: 'What a page wants to know of beatmaps.' },
)
export type BeatmapLook = Static<typeof BeatmapLook>

/** What is known of one beatmap asked for. */
export const BeatmapAnswer = Type.Object(
  {
    id: beatmapId,
    state: Type.Enum(['known', 'gone', 'pending'], {
      description: '`gone`: the platform has no such beatmap. `pending`: not known yet.',
    }),
    details: Type.Optional(BeatmapDetails),
    stars: Type.Optional(
      Type.Unsafe<number | null>({
        description:
          'With `details`: stars with the mods asked for, 2 decimals; plain where the platform rates them no differently or refuses to; null while that rating is not known.',
        type: ['number', 'null'],
        minimum: 0,
        maximum: MAX_SAFE_INTEGER,
      }),
    ),
  },
  { additionalProperties: false, description: 'What is known of one beatmap.' },
)
export type BeatmapAnswer = Static<typeof BeatmapAnswer>

/** Answer of `POST /session/beatmaps`. */
export const BeatmapLookReply = Type.Object(
  {
    beatmaps: Type.Array(BeatmapAnswer, {
      description: 'In the order asked.',
      maxItems: MAX_SLOTS,
    }),
    retryAfter: Type.Unsafe<number | null>({
      description: 'Seconds after which asking again may tell more; null when nothing is open.',
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 3600,
    }),
  },
  { additionalProperties: false, description: 'What is known of the beatmaps.' },
)
export type BeatmapLookReply = Static<typeof BeatmapLookReply>
