import { type Static, Type } from 'typebox'
import { MAX_ROUNDS, MAX_SAFE_INTEGER, MAX_SLOTS } from './bounds.ts'
import { Slot } from './pools.ts'
import { about, closed, list, text } from './primitives.ts'
import { Round } from './rounds.ts'

/**
 * What a check finds. `unknown`: the platform could not be asked, so nothing is known of the beatmap or of its
 * rating with the mods of the slot. `pooled`: not a fault; the beatmap is known from earlier pools (D-67).
 */
export const checkKinds = [
  'empty',
  'placeholder',
  'duplicate',
  'gone',
  'status',
  'stars',
  'length',
  'bpm',
  'ruleset',
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

/** Something about a slot of a draft that its hosts may want to change. */
export const Check = closed(about('A finding: where, what, and by how much.', checkExample), {
  kind: Type.Enum(checkKinds, {
    description:
      'What it is: an empty slot, a placeholder, a beatmap that is there twice, that the platform no longer has, that is neither ranked nor approved nor loved, that is outside a target with the mods of the slot (stars, length in seconds, bpm), that is of another ruleset; `unknown`: the platform could not be asked; or `pooled`, which is no fault: public packs of others than this tournament have the beatmap.',
  }),
  round: CheckedRound,
  mod,
  index,
  beatmapId: Type.Optional(beatmapId),
  message: text('For people.', 1, 500),
  value: Type.Optional(
    number('What it is with the mods of the slot; of `pooled`, how many times.'),
  ),
  min: Type.Optional(number('The lower end of the target, if below it.')),
  max: Type.Optional(number('The upper end of the target, if above it.')),
  other: Type.Optional(CheckedPlace),
})
export type Check = Static<typeof Check>

/** Response of `GET …/rounds/{round}/checks` and `GET /tournaments/{slug}/checks`. */
export const ChecksReply = closed(
  about('All findings, in the order of rounds and slots.', { checks: [checkExample] }),
  {
    checks: list(Check, 'Empty if all is well.', MAX_ROUNDS * MAX_SLOTS * 8),
  },
)
export type ChecksReply = Static<typeof ChecksReply>
