import { type Static, Type } from 'typebox'
import * as bounds from './bounds.ts'
import examples from './examples.json' with { type: 'json' }
import { Slot } from './pools.ts'
import { about, closed, integer, list, open, pageFields, text, Timestamp } from './primitives.ts'
import { GameId, Username } from './staff.ts'

const { mod, index, beatmapId } = Slot.properties

/** Candidates, votes and remarks of the staff on the slots of a round. */

export const ItemId = Type.String({
  ...text('Names it in paths.', 10, 10, bounds.SLUG_PATTERN),
  examples: ['Y2FuZGlkYX'],
})

const person = { gameId: 1_000_007, username: 'Peridot' }

/** Left out when the account was deleted. */
export const Speaker = closed(
  about('Who it was; left out when they have no account any more.', person),
  {
    gameId: GameId,
    username: Username,
  },
)
const By = Type.Optional(Speaker)

/** For, abstaining, against. */
const votes = [-1, 0, 1] as const

const Vote = Type.Unsafe<(typeof votes)[number]>(
  Type.Integer({
    description: '1 for, -1 against, 0 takes a vote back.',
    minimum: -1,
    maximum: 1,
    enum: [...votes],
  }),
)

export const candidateExample = {
  id: 'Y2FuZGlkYX',
  mod: 'NM',
  index: 3,
  beatmapId: 1860169,
  note: 'Easier than the one we have',
  proposedBy: person,
  score: 1,
  votes: [{ ...person, vote: 1 }],
  createdAt: examples.pack.createdAt,
}

export const CandidateVote = closed(
  about('A vote of somebody on the staff.', { ...person, vote: 1 }),
  {
    gameId: GameId,
    username: Username,
    vote: Vote,
  },
)

/** A beatmap that is proposed for a slot. */
export const Candidate = closed(about('A beatmap that is proposed for a slot.', candidateExample), {
  id: ItemId,
  mod,
  index,
  beatmapId,
  note: Type.Optional(text('Why.', 1, bounds.REMARK_LENGTH)),
  proposedBy: By,
  score: integer('The sum of the votes.', -bounds.MAX_STAFF, bounds.MAX_STAFF),
  votes: list(CandidateVote, 'One of each voter.', bounds.MAX_STAFF),
  createdAt: Timestamp,
})
export type Candidate = Static<typeof Candidate>

/** Response of the endpoints that return one candidate. */
export const CandidateReply = closed(about('One candidate.', { candidate: candidateExample }), {
  candidate: Candidate,
})
export type CandidateReply = Static<typeof CandidateReply>

/** Response of `POST …/candidates` to several. */
export const CandidatesReply = closed(
  about('The new candidates, in the order in which they were sent.', {
    candidates: [{ ...candidateExample, score: 0, votes: [] }],
  }),
  { candidates: list(Candidate, 'They have no votes yet.', bounds.MAX_PROPOSED) },
)
export type CandidatesReply = Static<typeof CandidatesReply>

/** Response of `POST …/candidates`. */
export const ProposalReply = Type.Union([CandidateReply, CandidatesReply], {
  description: 'One candidate, or several, as they were sent.',
})
export type ProposalReply = Static<typeof ProposalReply>

/** Response of `GET …/candidates`. */
export const CandidatePage = closed(
  about('One page of candidates, in the order of their proposal.', {
    candidates: [candidateExample],
    page: 1,
    pageCount: 1,
    total: 1,
  }),
  {
    candidates: list(Candidate, 'Empty past the last page.', bounds.PAGE_SIZE),
    ...pageFields('Candidates on all pages.'),
  },
)
export type CandidatePage = Static<typeof CandidatePage>

/** One candidate as it is sent. */
export const CandidateInput = open(
  about('A beatmap for a slot of the round.', { mod: 'NM', index: 3, beatmapId: 1860169 }),
  { mod, index, beatmapId, note: Candidate.properties.note },
)
export type CandidateInput = Static<typeof CandidateInput>

const severalInputs = [
  { mod: 'NM', index: 3, beatmapId: 1860169 },
  { mod: 'HD', index: 1, beatmapId: 129891, note: 'For the reading' },
]

/** Several candidates: all of them are proposed, or none. */
export const CandidatesInput = open(
  about('Beatmaps for slots of the round: all are proposed, or none.', {
    candidates: severalInputs,
  }),
  {
    candidates: Type.Array(CandidateInput, {
      description: 'Each beatmap at most once for a slot.',
      minItems: 1,
      maxItems: bounds.MAX_PROPOSED,
    }),
  },
)

/** Body of `POST …/candidates`. */
export const ProposalInput = Type.Union([CandidateInput, CandidatesInput], {
  description: 'One candidate, or several.',
})
export type ProposalInput = Static<typeof ProposalInput>

/** Body of `PATCH …/candidates/{id}`. */
export const CandidateMove = open(
  about('The slot of the round that it is for from now on.', { mod: 'NM', index: 2 }),
  { mod, index },
)
export type CandidateMove = Static<typeof CandidateMove>

/** Body of `PUT …/candidates/{id}/vote`. */
export const VoteInput = open(about('Your vote.', { vote: 1 }), { vote: Vote })
export type VoteInput = Static<typeof VoteInput>

export const remarkExample = {
  id: 'cmVtYXJrcy',
  mod: 'NM',
  index: 3,
  text: 'Too long for this round',
  writtenBy: person,
  settled: false,
  createdAt: examples.pack.createdAt,
  updatedAt: examples.pack.updatedAt,
}

/** Of a remark on the round as a whole, both are left out. */
const slotOfRemark = { mod: Type.Optional(mod), index: Type.Optional(index) }
const remarkText = text('White space around it is removed.', 1, bounds.REMARK_LENGTH)

/** A remark on a slot, or on the round. */
export const Remark = closed(about('A remark on a slot, or on the round.', remarkExample), {
  id: ItemId,
  ...slotOfRemark,
  text: remarkText,
  writtenBy: By,
  settled: Type.Boolean({ description: 'Nothing is left to do about it.' }),
  settledBy: By,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Remark = Static<typeof Remark>

/** Response of the endpoints that return one remark. */
export const RemarkReply = closed(about('One remark.', { remark: remarkExample }), {
  remark: Remark,
})
export type RemarkReply = Static<typeof RemarkReply>

/** Response of `GET …/remarks`. */
export const RemarkPage = closed(
  about('One page of remarks, oldest first.', {
    remarks: [remarkExample],
    page: 1,
    pageCount: 1,
    total: 1,
  }),
  {
    remarks: list(Remark, 'Empty past the last page.', bounds.PAGE_SIZE),
    ...pageFields('Remarks on all pages.'),
  },
)
export type RemarkPage = Static<typeof RemarkPage>

/** Body of `POST …/remarks`. */
export const RemarkInput = open(
  about('A remark on a slot (`mod` and `index`), or on the round.', {
    mod: 'NM',
    index: 3,
    text: 'Too long for this round',
  }),
  { ...slotOfRemark, text: remarkText },
)
export type RemarkInput = Static<typeof RemarkInput>

/** Body of `PATCH …/remarks/{id}`. */
export const RemarkPatch = open(
  about(
    'What to change. `mod` and `index` together move it to this slot.',
    { settled: true },
    { mod: 'NM', index: 2 },
  ),
  {
    ...slotOfRemark,
    text: Type.Optional(remarkText),
    settled: Type.Optional(Remark.properties.settled),
  },
)
export type RemarkPatch = Static<typeof RemarkPatch>

/** Response of `GET /session/tournaments/{slug}/rounds/{round}/discussion`: everything, for the workspace. */
export const Discussion = closed('All that is said of a round.', {
  candidates: list(
    Candidate,
    'In the order of their proposal.',
    bounds.MAX_SLOTS * bounds.MAX_CANDIDATES,
  ),
  remarks: list(Remark, 'Oldest first.', bounds.MAX_REMARKS),
})
export type Discussion = Static<typeof Discussion>
