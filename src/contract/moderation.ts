import { type Static, Type } from 'typebox'
import { MAX_PINNED, MAX_SAFE_INTEGER, NAME_LENGTH, PAGE_SIZE, SEARCH_LENGTH } from './bounds.ts'
import { Reason, SitePack } from './packs.ts'
import { closed, orNull, pageFields, Slug, Timestamp } from './primitives.ts'

/** A pack as moderators see it; never a private one (D-30). */
export const ModeratedPack = closed(
  {
    ...SitePack.properties,
    ownerGameId: orNull<number>('integer', {
      description: "The owner's id on the platform; null for tournament pools.",
      minimum: 1,
      maximum: MAX_SAFE_INTEGER,
    }),
    hiddenBy: Type.Optional(
      Type.String({
        description:
          'The username of the moderator who hid it; left out when the operator did, or when the moderator has no account any more.',
        minLength: 1,
        maxLength: 64,
      }),
    ),
  },
  'A pack as moderators see it.',
)
export type ModeratedPack = Static<typeof ModeratedPack>

/** Answer of the endpoints that moderate one pack. */
export const ModeratedPackReply = closed({ pack: ModeratedPack }, 'The pack as it is now.')
export type ModeratedPackReply = Static<typeof ModeratedPackReply>

/** What else `GET /session/moderation/packs` takes in its query. */
export const ModerationSearch = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        description:
          'A part of the name or of the owner’s name, in any case, or a whole slug; empty finds all.',
        maxLength: SEARCH_LENGTH,
      }),
    ),
    only: Type.Optional(Type.Enum(['hidden', 'pinned'])),
  },
  { description: 'Which packs to find.' },
)
export type ModerationSearch = Static<typeof ModerationSearch>

/** One page of public and unlisted packs, most recently updated first; pinned ones in their order. */
export const ModeratedPage = closed(
  { packs: Type.Array(ModeratedPack, { maxItems: PAGE_SIZE }), ...pageFields('On all pages.') },
  'One page of public and unlisted packs.',
)
export type ModeratedPage = Static<typeof ModeratedPage>

/** Body of hide and unhide. Other fields are ignored. */
export const ReasonedVerdict = Type.Object(
  { reason: Reason },
  { description: 'Why; the owner and other moderators can read it.' },
)
export type ReasonedVerdict = Static<typeof ReasonedVerdict>

/** Body of pin and unpin. Other fields are ignored. */
export const PlainVerdict = Type.Object(
  { reason: Type.Optional(Reason) },
  { description: 'Why, if that is to stand in the log.' },
)
export type PlainVerdict = Static<typeof PlainVerdict>

/** Body of `PUT /session/moderation/pins`. Other fields are ignored. */
export const PinOrder = Type.Object(
  {
    slugs: Type.Array(Slug, {
      description: 'The pinned packs in their new order: all of them, each once.',
      maxItems: MAX_PINNED,
    }),
  },
  { description: 'The pinned row in its new order.' },
)
export type PinOrder = Static<typeof PinOrder>

/** What a moderator can have done; `move`: given a pinned pack another place in the row. */
export const moderationActions = ['hide', 'unhide', 'pin', 'unpin', 'move'] as const
export type ModerationAction = (typeof moderationActions)[number]

/** One line of the moderation log. */
export const LogEntry = closed(
  {
    at: Timestamp,
    moderator: orNull<string>('string', {
      description: 'Their username now; null when it was the operator.',
      minLength: 1,
      maxLength: 64,
    }),
    action: Type.Enum(moderationActions),
    slug: Slug,
    packName: Type.String({
      description: "The pack's name at that time; empty once its owner's account is deleted.",
      maxLength: NAME_LENGTH,
    }),
    reason: Type.Optional(Reason),
  },
  'Who did what when.',
)
export type LogEntry = Static<typeof LogEntry>

/** One page of the moderation log, newest first. */
export const LogPage = closed(
  { entries: Type.Array(LogEntry, { maxItems: PAGE_SIZE }), ...pageFields('On all pages.') },
  'One page of the moderation log, newest first.',
)
export type LogPage = Static<typeof LogPage>
