import { type Static, Type } from 'typebox'
import { MAX_SAFE_INTEGER } from './bounds.ts'
import examples from './examples.json' with { type: 'json' }
import { about, closed, integer, open, orNull, text, Timestamp } from './primitives.ts'

/** The owner of a key (spec 2.1). */
export const User = closed(about('The account that a key belongs to.', examples.user), {
  id: text('Account identifier.', 1, 64),
  gameId: integer("The player's numeric id on the game platform.", 1, MAX_SAFE_INTEGER),
  username: text("The account's game username, as of the last sign-in.", 1, 64),
})
export type User = Static<typeof User>

/** Response of `GET /me` on both services. */
export const UserReply = closed(about('The owner of the key.', { user: examples.user }), {
  user: User,
})

export const Viewer = closed('Who is signed in.', {
  ...User.properties,
  isModerator: Type.Boolean({ description: 'May open `/moderation`.' }),
  language: Type.Optional(text('The language of the pages that the account has chosen.', 2, 35)),
  csrf: base64url('What every state change sends back in the header `X-CSRF-Token`.', 43),
})
export type Viewer = Static<typeof Viewer>

function base64url(description: string, length: number) {
  return text(description, length, length, `^[A-Za-z0-9_-]{${length}}$`)
}

const share = (what: string) =>
  closed(`${what} of this account.`, {
    limit: integer(`${what} a minute.`, 0, 1000),
    left: integer('How many are left in this minute.', 0, 1000),
  })

/** What the account may still do in this minute on this service (spec 8). */
export const SiteQuota = closed('What is left of this minute.', {
  requests: share('Requests'),
  writes: share('Writes'),
  resetSeconds: integer('Whole seconds to the top of the next minute.', 1, 60),
})
export type SiteQuota = Static<typeof SiteQuota>

/** Response of `GET /session`; both are null without a session. */
export const SessionReply = closed('Who is signed in, and what they have left.', {
  viewer: Type.Union([Viewer, Type.Null()]),
  quota: Type.Union([SiteQuota, Type.Null()]),
})

/** Body of `POST /session/sign-out`. */
export const SignOutInput = open('Which sessions to end.', {
  everywhere: Type.Optional(
    Type.Boolean({ description: 'End all sessions of the account, not this one alone.' }),
  ),
})

/** Body of `PUT /session/language`. */
export const LanguageChoice = open('The language of the pages.', {
  language: Type.Union([text('As BCP 47 has it, one of those of the site.', 2, 35), Type.Null()], {
    description: 'null: what the browser asks for.',
  }),
})

/** Characters of a session's `id`. */
export const SESSION_ID_LENGTH = 16

/** Where and since when an account is signed in. */
export const SessionPlace = closed('Where and since when an account is signed in.', {
  service: Type.Enum(['packs', 'pools'], { description: 'The service that it belongs to.' }),
  device: orNull(
    text('Browser and system, `Firefox on Windows`; null when they are not known.', 0, 64),
  ),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
})

export const SessionFacts = closed("One of the account's sessions.", {
  id: base64url('Names the session among those of its account.', SESSION_ID_LENGTH),
  ...SessionPlace.properties,
  isCurrent: Type.Boolean({ description: 'The session that this request was made with.' }),
})
export type SessionFacts = Static<typeof SessionFacts>

/** Response of `GET /session/sessions`. */
export const SessionsReply = closed("The account's sessions, on both services.", {
  sessions: Type.Array(SessionFacts, { description: 'Most recently begun first.' }),
})
export type SessionsReply = Static<typeof SessionsReply>

/** Body of `DELETE /session/sessions`. */
export const SessionEnding = open('Which one to end.', { id: SessionFacts.properties.id })

/** Body of `DELETE /session/account`. */
export const AccountDeletion = open('Shows that it is meant.', {
  username: { ...User.properties.username, description: "The account's own username, typed." },
})
