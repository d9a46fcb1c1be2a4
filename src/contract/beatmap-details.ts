import { type Static, Type } from 'typebox'
import { MAX_BEATMAP_ID, MAX_SAFE_INTEGER } from './bounds.ts'
import { rulesets } from './mods.ts'

/** Longer than any text of the platform that was seen; the platform itself states no bound. */
const LONGEST_TEXT = 1024

const text = (description: string) => Type.String({ description, maxLength: LONGEST_TEXT })
const difficulty = (description: string) =>
  Type.Number({ description, minimum: -MAX_SAFE_INTEGER, maximum: MAX_SAFE_INTEGER })
const orNull = <T>(type: 'number' | 'integer' | 'string', rest: object) =>
  Type.Unsafe<T | null>({ type: [type, 'null'], ...rest })

/** What is known of a beatmap; lengths, BPM and stars are without mods. */
export const BeatmapDetails = Type.Object(
  {
    id: Type.Integer({ minimum: 1, maximum: MAX_BEATMAP_ID }),
    setId: Type.Integer({
      description: 'The set it belongs to; covers go by it.',
      minimum: 0,
      maximum: MAX_SAFE_INTEGER,
    }),
    ruleset: Type.Enum(rulesets),
    difficulty: text("The difficulty's name."),
    stars: difficulty('Stars, not rounded.'),
    length: difficulty('Seconds.'),
    bpm: orNull<number>('number', { description: 'May be fractional; null when not known.' }),
    circleSize: difficulty('CS; keys in mania.'),
    approachRate: difficulty('AR.'),
    overallDifficulty: difficulty('OD.'),
    healthDrain: difficulty('HP.'),
    maxCombo: orNull<number>('integer', { description: 'null when not known.' }),
    checksum: orNull<string>('string', { description: 'MD5 of the file; null when not known.' }),
    status: text("The platform's word: ranked, loved, graveyard …"),
    title: text('In Latin letters.'),
    titleUnicode: text('In its own letters.'),
    artist: text('In Latin letters.'),
    artistUnicode: text('In its own letters.'),
    mapper: text('Who made it.'),
  },
  { additionalProperties: false, description: 'What is known of a beatmap, without mods.' },
)
export type BeatmapDetails = Static<typeof BeatmapDetails>
