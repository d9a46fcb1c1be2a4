import { type Static, Type } from 'typebox'
import * as bounds from './bounds.ts'
import { changeExample, Cursor } from './changes.ts'
import { about, closed, list, Slug, Timestamp } from './primitives.ts'
import { Round } from './rounds.ts'

const tournamentChangeKinds = [
  'released',
  'changed',
  'filled',
  'withdrawn',
  'shown',
  'hidden',
  'draft',
  'staff',
  'candidate',
  'remark',
] as const
export type TournamentChangeKind = (typeof tournamentChangeKinds)[number]

export const tournamentChangeExample = {
  cursor: changeExample.cursor,
  at: '2026-11-28T18:00:01.000Z',
  kind: 'released',
  tournament: 'Zr81Kq_oT4',
  round: 'b7Nw2_pQ9x',
  packSlug: changeExample.slug,
}

/** What has happened to a tournament, as the caller may know it (D-89). */
export const TournamentChange = closed(
  about('What has happened to a tournament.', tournamentChangeExample),
  {
    cursor: Cursor,
    at: Timestamp,
    kind: Type.Enum(tournamentChangeKinds, {
      description:
        'What has changed, so that it can be read again. For everybody who may read it: `released`, a round has a pack; `changed`, a released round, or without `round` the tournament’s own fields or the order of its rounds; `filled`, slots that were released without a beatmap got one; `withdrawn`, a round has no pack any more; `shown` and `hidden`, the whole tournament can be read from now on, or not any more. For the staff, of the rounds they may see: `draft`, a round’s draft or schedule, or without `round` the order of rounds; `staff`, who is on it with which role, yourself included; `candidate`, a candidate or a vote; `remark`, a remark.',
    }),
    tournament: { ...Slug, description: "The tournament's slug." },
    round: Type.Optional({
      ...Round.properties.id,
      description: 'Its id; left out where it is not about one round.',
    }),
    packSlug: Type.Optional({ ...Slug, description: 'Of the pack that the round has, or had.' }),
  },
)
export type TournamentChange = Static<typeof TournamentChange>

/** Response of `GET /changes` of the tournament-pools service. */
export const TournamentChangePage = closed(
  about('Changes in the order of their commits.', {
    changes: [tournamentChangeExample],
    cursor: changeExample.cursor,
    more: false,
  }),
  {
    changes: list(TournamentChange, 'Oldest first; empty if nothing has come.', bounds.MAX_CHANGES),
    cursor: { ...Cursor, description: 'Send it as `after` to continue.' },
    more: Type.Boolean({ description: 'Whether more can be read at once.' }),
  },
)
export type TournamentChangePage = Static<typeof TournamentChangePage>
