import { type Static, Type } from 'typebox'
import {
  MAX_BEATMAP_ID,
  MAX_FORCED_MODS,
  MAX_SAFE_INTEGER,
  MAX_SLOTS,
  PLATFORM_TEXT_LENGTH,
} from './bounds.ts'
import { forcedMods, rulesets } from './mods.ts'
import { closed, integer, list, open, orNull, Slug } from './primitives.ts'

const text = (description: string) => Type.String({ description, maxLength: PLATFORM_TEXT_LENGTH })
const difficulty = (description: string) =>
  Type.Number({ description, minimum: -MAX_SAFE_INTEGER, maximum: MAX_SAFE_INTEGER })
const beatmapId = Type.Integer({ minimum: 1, maximum: MAX_BEATMAP_ID })

/** What is known of a beatmap; lengths, BPM and stars are without mods. */
export const BeatmapDetails = closed('What is known of a beatmap, without mods.', {
  id: beatmapId,
  setId: integer('The set it belongs to; covers go by it.', 0, MAX_SAFE_INTEGER),
  ruleset: Type.Enum(rulesets),
  difficulty: text("The difficulty's name."),
  stars: difficulty('Stars, not rounded.'),
  length: difficulty('Seconds.'),
  bpm: orNull(Type.Number({ description: 'May be fractional; null when not known.' })),
  circleSize: difficulty('CS; keys in mania.'),
  approachRate: difficulty('AR.'),
  overallDifficulty: difficulty('OD.'),
  healthDrain: difficulty('HP.'),
  maxCombo: orNull(Type.Integer({ description: 'null when not known.' })),
  checksum: orNull(Type.String({ description: 'MD5 of the file; null when not known.' })),
  status: text("The platform's word: ranked, loved, graveyard …"),
  title: text('In Latin letters.'),
  titleUnicode: text('In its own letters.'),
  artist: text('In Latin letters.'),
  artistUnicode: text('In its own letters.'),
  mapper: text('Who made it.'),
})
export type BeatmapDetails = Static<typeof BeatmapDetails>

const BeatmapQuestion = open('A beatmap, and the mods that its slot forces.', {
  id: beatmapId,
  mods: Type.Array(Type.Enum(forcedMods), {
    description: 'The mods that the slot forces, in any order; empty for none.',
    maxItems: MAX_FORCED_MODS,
    uniqueItems: true,
  }),
})

/** Body of `POST /session/beatmaps`. */
export const BeatmapLook = open('What a page asks about beatmaps.', {
  beatmaps: Type.Array(BeatmapQuestion, { minItems: 1, maxItems: MAX_SLOTS }),
  slug: Type.Optional({
    ...Slug,
    description:
      'The pack that shows them: the ratings of its slots are looked up for visitors, too, who are not signed in.',
  }),
  tournament: Type.Optional({
    ...Slug,
    description:
      'The tournament whose drafts show them: its staff share what was looked up for it.',
  }),
})
export type BeatmapLook = Static<typeof BeatmapLook>

export const BeatmapAnswer = closed('What is known of one beatmap.', {
  id: beatmapId,
  state: Type.Enum(['known', 'gone', 'pending'], {
    description: '`gone`: the platform has no such beatmap. `pending`: not known yet.',
  }),
  details: Type.Optional(BeatmapDetails),
  stars: Type.Optional(
    orNull(
      Type.Number({
        description:
          'With `details`: stars with the mods asked for; plain where the platform rates them no differently or has no rating; null while that rating is not known.',
        minimum: 0,
        maximum: MAX_SAFE_INTEGER,
      }),
    ),
  ),
  noRating: Type.Optional(
    Type.Literal(true, {
      description: 'The platform has no rating with these mods: `stars` are those without.',
    }),
  ),
})
export type BeatmapAnswer = Static<typeof BeatmapAnswer>

/** Response of `POST /session/beatmaps`. */
export const BeatmapLookReply = closed('What is known of the beatmaps.', {
  beatmaps: list(BeatmapAnswer, 'In the order asked.', MAX_SLOTS),
  retryAfter: orNull(
    integer('Seconds after which asking again may bring more; null when nothing is open.', 1, 3600),
  ),
})
export type BeatmapLookReply = Static<typeof BeatmapLookReply>
