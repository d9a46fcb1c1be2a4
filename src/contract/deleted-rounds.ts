import { type Static, Type } from 'typebox'
import { MAX_DELETED_ROUNDS, MAX_SLOTS } from './bounds.ts'
import { candidateExample, Discussion, remarkExample } from './discussion.ts'
import { about, closed, integer, list, Timestamp } from './primitives.ts'
import { Round, roundExample } from './rounds.ts'
import { Username } from './staff.ts'

const { id, name } = Round.properties

export const deletedRoundExample = {
  id: roundExample.id,
  name: roundExample.name,
  slotCount: roundExample.slots.length,
  deletedAt: '2026-11-24T18:00:00.000Z',
  deletedBy: 'Peridot',
  restorableUntil: '2026-12-24T18:00:00.000Z',
}

/** A round that can be restored (D-82). */
export const DeletedRound = closed(about('A deleted round.', deletedRoundExample), {
  id,
  name,
  slotCount: integer('How many slots it has.', 0, MAX_SLOTS),
  deletedAt: Timestamp,
  deletedBy: Type.Optional({
    ...Username,
    description: 'Who deleted it; left out when they have no account any more.',
  }),
  restorableUntil: { ...Timestamp, description: 'From then on it is gone for good.' },
})
export type DeletedRound = Static<typeof DeletedRound>

/** Response of `GET /tournaments/{slug}/deleted-rounds`. */
export const DeletedRoundsReply = closed(
  about('The deleted rounds, the last one first.', { rounds: [deletedRoundExample] }),
  { rounds: list(DeletedRound, 'Those that can be restored.', MAX_DELETED_ROUNDS) },
)
export type DeletedRoundsReply = Static<typeof DeletedRoundsReply>

export const restoredExample = {
  round: roundExample,
  candidates: [candidateExample],
  remarks: [remarkExample],
}

/** Response of `POST …/deleted-rounds/{round}/restore`. */
export const RestoredRoundReply = closed(
  about('The round, and what was said of it.', restoredExample),
  { round: Round, ...Discussion.properties },
)
export type RestoredRoundReply = Static<typeof RestoredRoundReply>
