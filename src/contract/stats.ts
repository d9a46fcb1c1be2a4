import { type Static, Type } from 'typebox'
import { MAX_SAFE_INTEGER } from './bounds.ts'
import { statsExample } from './examples.ts'
import { rulesets, statsMods } from './mods.ts'
import { Timestamp, Whole } from './primitives.ts'

const stars = (description: string) =>
  Type.Unsafe<number | null>({
    description,
    type: ['number', 'null'],
    minimum: 0,
    maximum: MAX_SAFE_INTEGER,
  })
const whole = (description: string) =>
  Type.Unsafe<number | null>({
    description,
    type: ['integer', 'null'],
    minimum: 0,
    maximum: MAX_SAFE_INTEGER,
  })

/** Summary of a pack's beatmaps, computed on the server after a save (spec 2.6, D-32 to D-36). */
export const Stats = Type.Object(
  {
    srMin: stars('Lowest star rating, 2 decimals; null when no map gave one.'),
    srMax: stars('Highest star rating, 2 decimals.'),
    srAvg: stars('Average star rating over the slots, 2 decimals.'),
    lenMin: whole('Shortest map in seconds, after DT and HT.'),
    lenMax: whole('Longest map in seconds, after DT and HT.'),
    bpmMin: whole('Lowest BPM, after DT and HT.'),
    bpmMax: whole('Highest BPM, after DT and HT.'),
    mods: Type.Array(Type.Enum(statsMods), {
      description: 'Built-in slot mods first, then the mods that custom slots force.',
      maxItems: statsMods.length,
      uniqueItems: true,
    }),
    modes: Type.Array(Type.Enum(rulesets), {
      description: 'Rulesets of the maps.',
      maxItems: rulesets.length,
      uniqueItems: true,
    }),
    count: Type.Integer({ ...Whole, description: 'Number of slots.' }),
    complete: Type.Boolean({
      description: 'False while a map or a rating could not be looked up; it is tried again later.',
    }),
    computedAt: Timestamp,
  },
  {
    additionalProperties: false,
    description: "Summary of the pack's maps, computed a few seconds after a save.",
    examples: [statsExample],
  },
)
export type Stats = Static<typeof Stats>
