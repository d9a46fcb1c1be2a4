import { ChecksQuery, ChecksReply } from './checks.ts'
import {
  CandidateMove,
  CandidatePage,
  CandidateReply,
  ProposalInput,
  ProposalReply,
  RemarkInput,
  RemarkPage,
  RemarkPatch,
  RemarkReply,
  VoteInput,
} from './discussion.ts'
import { DraftHistoryPage, DraftVersionReply } from './draft-history.ts'
import { ChangeQuery } from './changes.ts'
import { routed } from './endpoint.ts'
import { followRoutes, tournamentRoutes, usageRoutes } from './pools-routes.ts'
import { MemberReply, RoleInput, StaffReply } from './staff.ts'
import { DeletedRoundsReply, RestoredRoundReply } from './deleted-rounds.ts'
import { ReleaseInput, RoundInput, RoundReply, RoundsInput, SlotChanges } from './rounds.ts'
import { TournamentChangePage } from './tournament-feed.ts'
import {
  TournamentInput,
  TournamentPage,
  TournamentPatch,
  TournamentReply,
  TournamentSearch,
  TournamentView,
} from './tournaments.ts'
import { UsagePage, UsageQuery, UsagesPage } from './usage.ts'

const tournament = { auth: 'key', topic: 'Tournaments' } as const
const round = { auth: 'key', topic: 'Rounds' } as const
const staff = { auth: 'key', topic: 'Staff' } as const
const usage = { auth: 'key', topic: 'Beatmaps', paged: true } as const
const discussion = { auth: 'key', topic: 'Discussion' } as const

/** Tournaments, their rounds and their staff. */
export const draftingApi = routed(tournamentRoutes, {
  listTournaments: {
    ...tournament,
    paged: true,
    query: TournamentSearch,
    summary: 'Public tournaments',
    description:
      'Public tournaments, last updated first, 50 a page: all of them, or those that match the parameters.',
    success: { status: 200, description: 'One page of tournaments.', schema: TournamentPage },
  },
  listMyTournaments: {
    ...tournament,
    paged: true,
    summary: 'Your tournaments',
    description: 'The tournaments that you are on the staff of, last updated first, 50 a page.',
    success: { status: 200, description: 'One page of your tournaments.', schema: TournamentPage },
  },
  createTournament: {
    ...tournament,
    summary: 'Make a tournament',
    description:
      'Makes a tournament of which you are the host; private unless the body says otherwise. Without rounds, or `from` another tournament: with copies of its rounds, of their drafts where you may read these, else of what is released.',
    body: TournamentInput,
    success: { status: 201, description: 'The new tournament.', schema: TournamentReply },
    refusals: [404, 409],
  },
  getTournament: {
    ...tournament,
    query: TournamentView,
    summary: 'One tournament',
    description:
      'A tournament of yours with all rounds as they are drafted, or a public one with what is released of it; with `as=public`, always what everybody reads.',
    success: { status: 200, description: 'The tournament.', schema: TournamentReply },
  },
  updateTournament: {
    ...tournament,
    summary: 'Change a tournament',
    description:
      'A JSON merge patch: changes the fields that are in the body; null removes an optional one. For hosts.',
    body: TournamentPatch,
    success: { status: 200, description: 'The tournament as it is now.', schema: TournamentReply },
    refusals: [409],
  },
  deleteTournament: {
    ...tournament,
    summary: 'Delete a tournament',
    description:
      'Deletes a tournament for good, with its drafts and with the packs of its rounds. For hosts.',
    success: { status: 204, description: 'The tournament is gone.', schema: null },
  },
  createRound: {
    ...round,
    summary: 'Add a round',
    description: 'Adds a round after the others. For hosts and poolers.',
    body: RoundInput,
    success: { status: 201, description: 'The new round.', schema: RoundReply },
    refusals: [409],
  },
  replaceRounds: {
    ...round,
    summary: 'Replace all rounds',
    description:
      'Makes the rounds those of the body, in its order: a whole sheet in one write. An entry replaces the round with its `id` or, without one, the round of its name; others are new. Needs `If-Match` with the ETag of the tournament, which changes with every round. For hosts and poolers.',
    conditional: 'required',
    body: RoundsInput,
    success: { status: 200, description: 'The tournament as it is now.', schema: TournamentReply },
    refusals: [409],
  },
  getRound: {
    ...round,
    query: TournamentView,
    summary: 'One round',
    description:
      'The draft of a round of yours, or what is released of a round of a public tournament; with `as=public`, always what everybody reads.',
    success: { status: 200, description: 'The round.', schema: RoundReply },
  },
  replaceRound: {
    ...round,
    summary: 'Replace a round',
    description:
      'Replaces the whole draft of a round: what the body leaves out is cleared. Its pack, if it has one, changes with the next release. Needs `If-Match`. For hosts and poolers.',
    conditional: 'required',
    body: RoundInput,
    success: { status: 200, description: 'The round as it is now.', schema: RoundReply },
    refusals: [409],
  },
  deleteRound: {
    ...round,
    summary: 'Delete a round',
    description:
      'Deletes a round with its candidates and remarks, and with its pack if it is released. For 30 days it can be restored. Needs `If-Match`. For hosts; poolers, before the release.',
    conditional: 'required',
    success: { status: 204, description: 'The round is gone.', schema: null },
  },
  changeSlots: {
    ...round,
    summary: 'Change slots',
    description:
      'Changes slots one by one, all of them or none: each must still be as in `from`. If one is not, the response is 409 with `slots`, those that differ as they are now. `null` is a slot that is there and empty, `none` one that is not there: a change may add and remove slots. For hosts and poolers.',
    body: SlotChanges,
    success: { status: 200, description: 'The round as it is now.', schema: RoundReply },
    refusals: [409],
  },
  releaseRound: {
    ...round,
    summary: 'Release a round',
    description:
      'Makes a public pack of the round, now or at a time; a round that has one replaces it. Needs a beatmap in every slot, from then until the release; or, with `incomplete`, in one: then slots without one go out as they are planned, and each by itself when it gets its beatmap. Null withdraws what is scheduled or, if nothing is, the pack. For hosts.',
    body: ReleaseInput,
    success: { status: 200, description: 'The round as it is now.', schema: RoundReply },
    refusals: [409],
  },
  listDeletedRounds: {
    ...round,
    summary: 'Deleted rounds',
    description:
      'The rounds that were deleted in the last 30 days, the last first; at most 100 of a tournament are kept. For the staff.',
    success: { status: 200, description: 'The deleted rounds.', schema: DeletedRoundsReply },
  },
  restoreRound: {
    ...round,
    summary: 'Restore a deleted round',
    description:
      'Makes a deleted round the last one again, as a draft, with its history, candidates and remarks. If its name is taken meanwhile, it gets a number after it. For hosts and poolers.',
    success: { status: 200, description: 'The round as it is now.', schema: RestoredRoundReply },
    refusals: [409],
  },
  getDraftHistory: {
    ...round,
    paged: true,
    summary: 'History of a draft',
    description:
      'The newest 100 states of the draft of a round, the newest first, 50 a page: who saved them, and what they changed. For the staff.',
    success: { status: 200, description: 'One page of versions.', schema: DraftHistoryPage },
  },
  getDraftVersion: {
    ...round,
    summary: 'One state of a draft',
    description: 'What the draft of a round was. For the staff.',
    success: { status: 200, description: 'The version.', schema: DraftVersionReply },
  },
  listStaff: {
    ...staff,
    summary: 'The staff',
    description: 'Who is on the staff, with their roles. For the staff.',
    success: { status: 200, description: 'The staff.', schema: StaffReply },
  },
  getMember: {
    ...staff,
    summary: 'One of the staff',
    description: 'A member of the staff, with their role. For the staff.',
    success: { status: 200, description: 'The member of the staff.', schema: MemberReply },
  },
  setRole: {
    ...staff,
    summary: 'Add to the staff, or change a role',
    description:
      'Gives a player with an account here a role, for all rounds or for some. The last host keeps theirs. For hosts.',
    body: RoleInput,
    success: { status: 200, description: 'The member of the staff.', schema: MemberReply },
    refusals: [409],
  },
  removeMember: {
    ...staff,
    summary: 'Remove from the staff',
    description:
      'Removes somebody from the staff; everybody may leave, but for the last host. For hosts.',
    success: { status: 204, description: 'They are no longer on the staff.', schema: null },
    refusals: [409],
  },
})

/** Candidates, votes and remarks on drafts, and what the checks find in them. */
export const discussionApi = routed(tournamentRoutes, {
  listCandidates: {
    ...discussion,
    paged: true,
    summary: 'Candidates',
    description:
      'The candidates for the slots of a round with their votes, 50 a page. For the staff.',
    success: { status: 200, description: 'One page of candidates.', schema: CandidatePage },
  },
  proposeCandidate: {
    ...discussion,
    summary: 'Propose candidates',
    description:
      'Proposes a beatmap for a slot, or up to 32 for any slots as one write: all of them, or none. At most eight a slot. For hosts, poolers and testers.',
    body: ProposalInput,
    success: { status: 201, description: 'What is new.', schema: ProposalReply },
    refusals: [409],
  },
  getCandidate: {
    ...discussion,
    summary: 'One candidate',
    description: 'A candidate with its votes. For the staff.',
    success: { status: 200, description: 'The candidate.', schema: CandidateReply },
  },
  voteOnCandidate: {
    ...discussion,
    summary: 'Vote on a candidate',
    description: 'Sets your vote. For hosts, poolers and testers.',
    body: VoteInput,
    success: { status: 200, description: 'The candidate as it is now.', schema: CandidateReply },
  },
  moveCandidate: {
    ...discussion,
    summary: 'Move a candidate',
    description:
      'Moves a candidate with its votes to another slot of the round. For hosts, poolers, and who proposed it.',
    body: CandidateMove,
    success: { status: 200, description: 'The candidate as it is now.', schema: CandidateReply },
    refusals: [409],
  },
  removeCandidate: {
    ...discussion,
    summary: 'Remove a candidate',
    description: 'Removes a candidate with its votes. For hosts, poolers, and who proposed it.',
    success: { status: 204, description: 'The candidate is gone.', schema: null },
  },
  listRemarks: {
    ...discussion,
    paged: true,
    summary: 'Remarks',
    description: 'The remarks on a round and its slots, 50 a page. For the staff.',
    success: { status: 200, description: 'One page of remarks.', schema: RemarkPage },
  },
  addRemark: {
    ...discussion,
    summary: 'Add a remark',
    description: 'Adds a remark on a slot or on the round. For hosts, poolers and testers.',
    body: RemarkInput,
    success: { status: 201, description: 'The new remark.', schema: RemarkReply },
    refusals: [409],
  },
  getRemark: {
    ...discussion,
    summary: 'One remark',
    description: 'A remark on a round or on one of its slots. For the staff.',
    success: { status: 200, description: 'The remark.', schema: RemarkReply },
  },
  updateRemark: {
    ...discussion,
    summary: 'Change a remark',
    description:
      'Changes the text (for who wrote it), or whether it is settled or its slot (for hosts, poolers, and who wrote it).',
    body: RemarkPatch,
    success: { status: 200, description: 'The remark as it is now.', schema: RemarkReply },
  },
  removeRemark: {
    ...discussion,
    summary: 'Remove a remark',
    description: 'Removes a remark. For hosts, and who wrote it.',
    success: { status: 204, description: 'The remark is gone.', schema: null },
  },
  getTournamentChecks: {
    ...round,
    query: ChecksQuery,
    summary: 'Check all rounds',
    description:
      'What the checks find in the drafts of all rounds, or of one: what weighs most first. For the staff.',
    success: { status: 200, description: 'The findings.', schema: ChecksReply },
  },
  getRoundChecks: {
    ...round,
    summary: 'Check a round',
    description:
      'What the checks find in the draft of a round: what weighs most first. For the staff.',
    success: { status: 200, description: 'The findings.', schema: ChecksReply },
  },
})

/** Where beatmaps were pooled, for everybody (D-67). */
export const usageApi = routed(usageRoutes, {
  getBeatmapUsage: {
    ...usage,
    summary: 'Where a beatmap was pooled',
    description:
      'The slots of public packs that hold the beatmap, most recently saved packs first, 50 a page, with the tournament and round that released the pack. A save is in it after a few seconds. A beatmap that nobody has pooled has none, whether or not there is such a beatmap.',
    success: { status: 200, description: 'One page of uses.', schema: UsagePage },
  },
  listBeatmapUsage: {
    ...usage,
    query: UsageQuery,
    summary: 'Where several beatmaps were pooled',
    description:
      'As the usage of one beatmap, of up to 50 at once: all their uses in one list, 50 a page, and how many each of them has.',
    success: { status: 200, description: 'One page of uses.', schema: UsagesPage },
  },
})

/** What happens to tournaments, for everybody (D-89). */
export const followApi = routed(followRoutes, {
  getChanges: {
    ...tournament,
    summary: 'What has changed',
    description:
      'What has happened to public tournaments and to those that you are on the staff of, in the order in which it was saved: of the former what everybody may read, of the latter drafts, staff, candidates and remarks, too. Read again what a change names. With `wait`, the answer comes as soon as there is something. Send the `cursor` of each answer as `after` of the next request, and you get every change once. Changes are kept for 30 days.',
    query: ChangeQuery,
    success: { status: 200, description: 'Up to 100 changes.', schema: TournamentChangePage },
    refusals: [410],
  },
})

/** Everything of tournaments, on the tournament-pools service. */
export const tournamentApi = { ...draftingApi, ...discussionApi }
