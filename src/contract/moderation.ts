import { type Static, Type } from 'typebox'
import { MAX_PINNED, MAX_SAFE_INTEGER, NAME_LENGTH, PAGE_SIZE, SEARCH_LENGTH } from './bounds.ts'
import { Reason, SitePack } from './packs.ts'
import {
  closed,
  integer,
  list,
  open,
  orNull,
  pageFields,
  Slug,
  text,
  Timestamp,
} from './primitives.ts'

/** A pack as moderators see it; never a private one (D-30). */
export const ModeratedPack = closed('A pack as moderators see it.', {
  ...SitePack.properties,
  ownerGameId: orNull(
    integer("The owner's id on the platform; null for tournament pools.", 1, MAX_SAFE_INTEGER),
  ),
  hiddenBy: Type.Optional(
    text(
      'The username of the moderator who hid it; left out when the operator did, or when the moderator has no account any more.',
      1,
      64,
    ),
  ),
  isSuspended: Type.Optional(
    Type.Literal(true, {
      description:
        'It is hidden as long as its owner, or the hosts of its tournament, are suspended.',
    }),
  ),
})
export type ModeratedPack = Static<typeof ModeratedPack>

/** Response of the endpoints that moderate one pack. */
export const ModeratedPackReply = closed('The pack as it is now.', { pack: ModeratedPack })
export type ModeratedPackReply = Static<typeof ModeratedPackReply>

/** Query of `GET /session/moderation/packs`, in addition to `page`. */
export const ModerationSearch = open('Which packs to find.', {
  query: Type.Optional(
    text(
      'A part of the name or of the owner’s name, in any case, or a whole slug; empty finds all.',
      0,
      SEARCH_LENGTH,
    ),
  ),
  only: Type.Optional(Type.Enum(['hidden', 'pinned'])),
})
export type ModerationSearch = Static<typeof ModerationSearch>

/** Most recently updated first; pinned ones in their order. */
export const ModeratedPage = closed('One page of public and unlisted packs.', {
  packs: Type.Array(ModeratedPack, { maxItems: PAGE_SIZE }),
  ...pageFields('On all pages.'),
})
export type ModeratedPage = Static<typeof ModeratedPage>

/** A tournament as moderators see it; never a private one (D-60). */
export const ModeratedTournament = closed('A tournament as moderators see it.', {
  slug: Slug,
  name: text('Its name.', 1, NAME_LENGTH),
  hiddenAt: Type.Optional({
    ...Timestamp,
    description: 'When it was hidden; left out if it is not.',
  }),
  hiddenReason: Type.Optional(Reason),
  isSuspended: Type.Optional(
    Type.Literal(true, { description: 'It is hidden as long as all its hosts are suspended.' }),
  ),
})
export type ModeratedTournament = Static<typeof ModeratedTournament>

/** Query of `GET /session/moderation/tournaments`, in addition to `page`. */
export const ModeratedTournamentSearch = open('Which tournaments to find.', {
  query: Type.Optional(
    text(
      'A part of the name or of the short name, in any case, or a whole slug; empty finds all.',
      0,
      SEARCH_LENGTH,
    ),
  ),
  only: Type.Optional(Type.Enum(['hidden'])),
})

/** Last updated in what others see first. */
export const ModeratedTournamentPage = closed('One page of public tournaments.', {
  tournaments: Type.Array(ModeratedTournament, { maxItems: PAGE_SIZE }),
  ...pageFields('On all pages.'),
})
export type ModeratedTournamentPage = Static<typeof ModeratedTournamentPage>

/** Response of the endpoints that moderate one tournament. */
export const ModeratedTournamentReply = closed('The tournament as it is now.', {
  tournament: ModeratedTournament,
})
export type ModeratedTournamentReply = Static<typeof ModeratedTournamentReply>

/** A player as moderators see them. */
export const ModeratedPlayer = closed('A player as moderators see them.', {
  gameId: integer('Their id on the platform.', 1, MAX_SAFE_INTEGER),
  username: Type.Optional(text('Left out when none is known.', 1, 64)),
  isModerator: Type.Boolean(),
  suspendedAt: Type.Optional({
    ...Timestamp,
    description: 'Since when they are suspended; left out if they are not.',
  }),
  suspendedBy: Type.Optional(
    text('The username of the moderator who did it; left out when it was the operator.', 1, 64),
  ),
  reason: Type.Optional(Reason),
})
export type ModeratedPlayer = Static<typeof ModeratedPlayer>

/** Response of the endpoints that suspend a player, and lift that. */
export const ModeratedPlayerReply = closed('The player as they are now.', {
  player: ModeratedPlayer,
})
export type ModeratedPlayerReply = Static<typeof ModeratedPlayerReply>

/** Query of `GET /session/moderation/players`, in addition to `page`. */
export const PlayerSearch = open('Which players to find.', {
  query: Type.Optional(
    text(
      'A part of the username, in any case, or a whole id on the platform; empty finds all who are suspended.',
      0,
      SEARCH_LENGTH,
    ),
  ),
})

export const PlayerPage = closed('One page of players.', {
  players: Type.Array(ModeratedPlayer, { maxItems: PAGE_SIZE }),
  ...pageFields('On all pages.'),
})
export type PlayerPage = Static<typeof PlayerPage>

/** Body of hide and unhide. */
export const ReasonedVerdict = open('Why; the owner and other moderators can read it.', {
  reason: Reason,
  replaces: Type.Optional(
    Type.Boolean({
      description:
        'Whether it may replace another reason for what is hidden or suspended already; true if left out. Pages send false first.',
    }),
  ),
})
export type ReasonedVerdict = Static<typeof ReasonedVerdict>

/** Body of pin and unpin. */
export const PlainVerdict = open('Why, if the log is to say so.', { reason: Type.Optional(Reason) })

/** Body of `PUT /session/moderation/pins`. */
export const PinOrder = open('The pinned row in its new order.', {
  slugs: list(Slug, 'The pinned packs in their new order: all of them, each once.', MAX_PINNED),
})

/**
 * What a moderator can have done; `move`: given a pinned pack another place in the row. The operator alone appoints and
 * dismisses moderators, and deletes accounts.
 */
const moderationActions = [
  'hide',
  'unhide',
  'pin',
  'unpin',
  'move',
  'suspend',
  'unsuspend',
  'appoint',
  'dismiss',
  'delete',
] as const
export type ModerationAction = (typeof moderationActions)[number]

/** One line of the moderation log. */
export const LogEntry = closed('Who did what when.', {
  at: Timestamp,
  moderator: orNull(text('Their username now; null when it was the operator.', 1, 64)),
  action: Type.Enum(moderationActions),
  subject: Type.Optional(
    Type.Enum(['tournament', 'player'], {
      description: 'What it was done to; left out for a pack.',
    }),
  ),
  slug: Type.Optional({ ...Slug, description: 'Left out for a player.' }),
  packName: Type.Optional(
    text(
      "The name at that time; of a pack, empty once its owner's account is deleted. Left out for a player.",
      0,
      NAME_LENGTH,
    ),
  ),
  gameId: Type.Optional(integer("The player's id on the platform.", 1, MAX_SAFE_INTEGER)),
  username: Type.Optional(
    text("The player's username at that time, until the account is deleted.", 1, 64),
  ),
  reason: Type.Optional(Reason),
})
export type LogEntry = Static<typeof LogEntry>

export const LogPage = closed('One page of the moderation log, newest first.', {
  entries: Type.Array(LogEntry, { maxItems: PAGE_SIZE }),
  ...pageFields('On all pages.'),
})
export type LogPage = Static<typeof LogPage>
