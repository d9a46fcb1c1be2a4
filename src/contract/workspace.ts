import { type Static, Type } from 'typebox'
import { MAX_ROUNDS, MAX_STAFF, SLUG_PATTERN } from './bounds.ts'
import { closed, list, open, text } from './primitives.ts'
import { Round } from './rounds.ts'
import { GameId, Username } from './staff.ts'
import { Tournament } from './tournaments.ts'

const Mark = text('Opaque; another one when it has changed.', 1, 64)

const RoundId = text('The id of a round.', 10, 10, SLUG_PATTERN)

function ofEachRound(description: string) {
  return Type.Record(Type.String({ pattern: SLUG_PATTERN }), Mark, {
    description,
    additionalProperties: false,
  })
}

const Marks = closed('Says what to read again: that of which the mark has changed.', {
  tournament: {
    ...Mark,
    description: 'Of the tournament and the order of its rounds, without the drafts.',
  },
  staff: { ...Mark, description: 'Of the staff and their roles.' },
  rounds: ofEachRound('Of each draft, by the id of its round.'),
  discussion: ofEachRound('Of the candidates, votes and remarks, by the id of the round.'),
})

const here = list(
  closed('Somebody on the staff who has the workspace open.', {
    gameId: GameId,
    username: Username,
    round: Type.Optional({ ...RoundId, description: 'The round that they look at.' }),
  }),
  'Each of them once, who came first in front; the reader included.',
  MAX_STAFF,
)

/** The data of each event of `GET /session/tournaments/{slug}/events`. */
export const WorkspaceEvent = closed('What has changed, and who is here now.', {
  marks: Marks,
  here,
  changed: Type.Optional(
    list(
      closed('A draft as `GET …/rounds/{round}` returns it.', {
        round: Round,
        tag: text('Its `ETag`.', 1, 64),
      }),
      'Drafts of which the mark has changed. Others are to be read: an event may have been left out.',
      MAX_ROUNDS,
    ),
  ),
})
export type WorkspaceEvent = Static<typeof WorkspaceEvent>

/** Query of `GET /session/tournaments/{slug}/events`. */
export const WorkspaceQuery = open('What others see of the reader.', {
  round: Type.Optional({
    ...RoundId,
    description: 'The id of the round that the reader looks at.',
  }),
})
export type WorkspaceQuery = Static<typeof WorkspaceQuery>

/** Response of `GET /session/tournaments/{slug}/workspace`. */
export const Workspace = closed('A tournament, with the marks that it had when it was read.', {
  tournament: Tournament,
  isLimited: Type.Boolean({
    description: 'Whether the reader is limited to rounds, which are those that have marks (D-81).',
  }),
  marks: Marks,
  here,
})
export type Workspace = Static<typeof Workspace>
