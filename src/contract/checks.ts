import { type Static, type TInteger, type TOptional, Type } from 'typebox'
import { MAX_ROUNDS, MAX_SAFE_INTEGER, MAX_SLOTS } from './bounds.ts'
import { Slot } from './pools.ts'
import { about, closed, list, open, text } from './primitives.ts'
import { Round } from './rounds.ts'

/**
 * What a check finds, what weighs most first (D-115); `pool/check-words.ts` says how it is called. `unknown`: the platform
 * could not be asked, so nothing is known of the beatmap or of its rating with the mods of the slot. `pooled`: not a
 * fault; the beatmap is known from earlier pools (D-67).
 */
export const checkKinds = [
  'empty',
  'placeholder',
  'gone',
  'duplicate',
  'stars',
  'length',
  'bpm',
  'keys',
  'ruleset',
  'status',
  'many',
  'unknown',
  'pooled',
] as const
export type CheckKind = (typeof checkKinds)[number]

const { mod, index, beatmapId } = Slot.properties
const { id, name } = Round.properties

export const checkExample = {
  kind: 'stars',
  round: { id: 'b3JkZXIgbX', name: 'Quarterfinals' },
  mod: 'DT',
  index: 2,
  beatmapId: 1860169,
  message: 'DT2 has 6.52 stars with DT, 0.22 more than 6.30',
  value: 6.52,
  max: 6.3,
}

export const CheckedRound = closed(about('The round.', checkExample.round), { id, name })
export const CheckedPlace = closed(
  about('Of a duplicate: where the beatmap is, too.', {
    round: checkExample.round,
    mod: 'NM',
    index: 3,
  }),
  { round: CheckedRound, mod, index },
)

const number = (description: string) =>
  Type.Number({ description, minimum: 0, maximum: MAX_SAFE_INTEGER })

const MAX_CHECKS = MAX_ROUNDS * MAX_SLOTS * checkKinds.length

/** Placeholder, details and link of a slot are shown whole. */
const MESSAGE_LENGTH = 1500

/** Something about a slot of a draft that its hosts may want to change. */
export const Check = closed(about('A finding: where, what, and by how much.', checkExample), {
  kind: Type.Enum(checkKinds, {
    description:
      'What it is: an empty slot, one of which only a placeholder, details or a link are known; a beatmap that the platform no longer has, that is there twice, that is outside a target with the mods of the slot (stars, length in seconds, bpm, keys), that is of another ruleset, that is not ranked (nor approved or loved); `many`: too many beatmaps of the round are by one mapper, at the first of their slots; `unknown`: the platform could not be asked; or `pooled`, which is no fault: public packs of others than this tournament have the beatmap.',
  }),
  round: CheckedRound,
  mod,
  index,
  beatmapId: Type.Optional(beatmapId),
  message: text('For people.', 1, MESSAGE_LENGTH),
  value: Type.Optional(
    number(
      'What it is with the mods of the slot; of `pooled`, how many times; of `many`, how many beatmaps.',
    ),
  ),
  min: Type.Optional(number('The lower end of the target, if below it.')),
  max: Type.Optional(number('The upper end of the target, if above it.')),
  other: Type.Optional(CheckedPlace),
})
export type Check = Static<typeof Check>

const counts = Object.fromEntries(
  checkKinds.map((kind) => [
    kind,
    Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_CHECKS })),
  ]),
) as Record<CheckKind, TOptional<TInteger>>

/** How many findings there are of each kind. */
export const CheckCounts = closed(
  about('How many there are of each kind; kinds without any are left out.', { stars: 1 }),
  counts,
)
export type CheckCounts = Static<typeof CheckCounts>

/** Response of `GET …/rounds/{round}/checks` and `GET /tournaments/{slug}/checks`. */
export const ChecksReply = closed(
  about(
    'All findings by kind, what weighs most first; of a kind, in the order of rounds and slots.',
    {
      checks: [checkExample],
      counts: { stars: 1 },
    },
  ),
  {
    checks: list(Check, 'Empty if all is well.', MAX_CHECKS),
    counts: CheckCounts,
  },
)
export type ChecksReply = Static<typeof ChecksReply>

/** Query of `GET /tournaments/{slug}/checks`. */
export const ChecksQuery = open('Which rounds to check.', {
  round: Type.Optional({ ...id, description: 'The only round to check. Left out: all.' }),
})
export type ChecksQuery = Static<typeof ChecksQuery>
