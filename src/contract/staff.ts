import { type Static, Type } from 'typebox'
import { User } from './accounts.ts'
import { INVITATION_DAYS, MAX_INVITATIONS, MAX_ROUNDS, MAX_STAFF } from './bounds.ts'
import { about, closed, list, open, text, Timestamp } from './primitives.ts'
import { Round } from './rounds.ts'
import { staffRoles, TournamentSummary } from './tournaments.ts'

const Role = Type.Enum(staffRoles, {
  description:
    '`host`: may do everything. `pooler`: drafts. `tester`: sees drafts, proposes, votes and remarks. `referee`: sees drafts.',
})

/** Somebody as the staff see them. */
export const { gameId: GameId, username: Username } = User.properties

export const memberExample = { gameId: 1_000_007, username: 'Peridot', role: 'pooler' }
const limitedExample = { ...memberExample, role: 'referee', rounds: ['b3JkZXIgbX'] }

const LIMIT =
  'The ids of the rounds that they are limited to: for all others they are strangers. Left out: all rounds, later ones too.'
const limit = (more = '') =>
  Type.Optional(
    Type.Array(Round.properties.id, { description: LIMIT + more, maxItems: MAX_ROUNDS }),
  )

/** Somebody on the staff of a tournament. */
export const StaffMember = closed(about('Somebody on the staff.', memberExample, limitedExample), {
  gameId: GameId,
  username: Username,
  role: Role,
  rounds: limit(),
})
export type StaffMember = Static<typeof StaffMember>

/** Response of `GET /tournaments/{slug}/staff`. */
export const StaffReply = closed(
  about('The staff: hosts, poolers, testers, referees; of each role, who joined first.', {
    staff: [memberExample],
  }),
  { staff: list(StaffMember, 'At least one of them is a host.', MAX_STAFF) },
)
export type StaffReply = Static<typeof StaffReply>

/** Response of `PUT /tournaments/{slug}/staff/{gameId}`. */
export const MemberReply = closed(about('A member of the staff.', { member: memberExample }), {
  member: StaffMember,
})
export type MemberReply = Static<typeof MemberReply>

/** Body of `PUT /tournaments/{slug}/staff/{gameId}`, and of a new invitation. */
export const RoleInput = open(
  about(
    'The role, and the rounds that it is limited to; a host cannot be limited.',
    { role: 'pooler' },
    { role: 'referee', rounds: ['b3JkZXIgbX'] },
  ),
  { role: Role, rounds: limit(' Empty only for a member of whose rounds all were deleted.') },
)
export type RoleInput = Static<typeof RoleInput>

/** An invitation that is unused; only its maker has seen its link. */
export const Invitation = closed(
  `Who opens its link joins the staff: one account, within ${INVITATION_DAYS} days.`,
  {
    id: text('Names it; opens nothing.', 10, 10),
    role: Role,
    rounds: limit(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  },
)
export type Invitation = Static<typeof Invitation>

/** Response of `GET /session/tournaments/{slug}/invitations`. */
export const InvitationsReply = closed('The open invitations, newest first.', {
  invitations: list(Invitation, 'Those that are valid.', MAX_INVITATIONS),
})

/** Response of `POST /session/tournaments/{slug}/invitations`. */
export const NewInvitationReply = closed(
  'The invitation, and its link, which is shown this once.',
  {
    invitation: Invitation,
    url: text('The address of the page `/invite/{token}`.', 1, 2_048),
  },
)

/** What somebody with a valid link learns of the tournament before they join. */
export const InvitationReply = closed('What the link invites to.', {
  tournament: Type.Pick(TournamentSummary, ['slug', 'name'], { additionalProperties: false }),
  role: Role,
  rounds: Type.Optional(
    list(
      closed('A round that the invitation is limited to.', {
        id: Round.properties.id,
        name: Round.properties.name,
      }),
      'What the role is limited to, in order. Left out: all rounds, later ones too.',
      MAX_ROUNDS,
    ),
  ),
  currentRole: Type.Optional({ ...Role, description: 'Your role, if you are on the staff.' }),
  isMore: Type.Optional(
    Type.Boolean({
      description:
        'True if you are on the staff, and joining gives you a higher role or more rounds; otherwise left out.',
    }),
  ),
})
export type InvitationReply = Static<typeof InvitationReply>
