import { type Static, Type } from 'typebox'
import { MAX_ANNOUNCEMENTS, MAX_TRIALS, NAME_LENGTH } from './bounds.ts'
import { closed, integer, list, Slug, text, Timestamp } from './primitives.ts'

/**
 * The address of a webhook, as Discord shows it (https://discord.com/developers/docs/resources/webhook): the id is a
 * number of 64 bits, the token has 68 characters of base64url today. The version of the API may be in it, and the
 * older name of the host or that of a test version; `thread_id` names a thread of the channel.
 */
export const DISCORD_URL_PATTERN =
  '^https://(?:(?:canary|ptb)\\.)?discord(?:app)?\\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,20}/[A-Za-z0-9_-]{40,120}(?:\\?thread_id=[0-9]{15,20})?$'

export const DISCORD_URL_EXAMPLE = `https://discord.com/api/webhooks/112233445566778899/${'token-of-the-webhook-'.repeat(4).slice(0, 68)}`

/** Why nothing is announced any more (D-99). */
export const chatProblems = ['gone', 'failing'] as const
export type ChatProblem = (typeof chatProblems)[number]

/** `fill`: a slot that was released without a beatmap got one. `links`: the round got a map pack or a showcase. */
const announcementKinds = ['release', 'change', 'fill', 'links', 'withdrawal', 'trial'] as const
export type AnnouncementKind = (typeof announcementKinds)[number]

const announcementStates = ['waiting', 'sent', 'given-up'] as const
export type AnnouncementState = (typeof announcementStates)[number]

/**
 * Why an announcement was not sent, or not yet. `hidden`: what it announces is no longer readable; `tournament-hidden`: it
 * waits for moderators to show the tournament again.
 */
const sendingProblems = [
  'no-answer',
  'refused-address',
  'status',
  'rejected',
  'gone',
  'limited',
  'too-old',
  'hidden',
  'tournament-hidden',
  'removed',
] as const
export type SendingProblem = (typeof sendingProblems)[number]

/** Discord's codes have up to six digits (https://discord.com/developers/docs/topics/opcodes-and-status-codes, JSON). */
export const MAX_CHAT_CODE = 999_999_999

/** A message in the log of a tournament's channel, for its hosts. */
export const Announcement = closed('An announcement.', {
  id: { ...Slug, description: 'Is in the message, so that copies of it are known as such.' },
  kind: Type.Enum(announcementKinds),
  round: Type.Optional(text('The name of the round.', 1, NAME_LENGTH)),
  at: Timestamp,
  state: Type.Enum(announcementStates),
  finishedAt: Type.Optional({ ...Timestamp, description: 'When it was sent or given up.' }),
  attempts: integer('How often it was tried.', 0, 1_000_000),
  problem: Type.Optional(Type.Enum(sendingProblems)),
  nextAttemptAt: Type.Optional({
    ...Timestamp,
    description: 'When it is tried next; of the first one that is waiting.',
  }),
  status: Type.Optional(integer('Of the answer to the last attempt, of HTTP.', 100, 999)),
  code: Type.Optional(integer('That Discord has given in that answer, of JSON.', 0, MAX_CHAT_CODE)),
})
export type Announcement = Static<typeof Announcement>

export const AnnouncementsReply = closed('What was announced, the last first.', {
  isAllowed: Type.Boolean({ description: 'This installation sends to Discord.' }),
  discord: Type.Boolean({ description: 'The tournament has an address.' }),
  discordOff: Type.Optional(Type.Enum(chatProblems)),
  announcements: list(Announcement, 'The last ones.', MAX_ANNOUNCEMENTS + MAX_TRIALS),
})
export type AnnouncementsReply = Static<typeof AnnouncementsReply>
