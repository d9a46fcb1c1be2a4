import { type Static, Type } from 'typebox'
import { MAX_SAFE_INTEGER } from './bounds.ts'
import { userExample } from './examples.ts'
import { KeyFacts } from './keys.ts'
import { LogEntry } from './moderation.ts'
import { Pack } from './packs.ts'
import { closed, orNull, Timestamp } from './primitives.ts'

/** The owner of a key (spec 2.1). */
export const User = closed(
  {
    id: Type.String({ description: 'Account identifier.', minLength: 1, maxLength: 64 }),
    gameId: Type.Integer({
      description: "The player's numeric id on the game platform.",
      minimum: 1,
      maximum: MAX_SAFE_INTEGER,
    }),
    username: Type.String({
      description: "The account's game username, as of the last sign-in.",
      minLength: 1,
      maxLength: 64,
    }),
  },
  'The account that a key belongs to.',
  userExample,
)
export type User = Static<typeof User>

/** Answer of `GET /me` on both services. */
export const UserReply = closed({ user: User }, 'The owner of the key.', { user: userExample })
export type UserReply = Static<typeof UserReply>

const count = (description: string) => Type.Integer({ description, minimum: 0, maximum: 1000 })

/** Who is signed in. */
export const Viewer = closed(
  {
    ...User.properties,
    isModerator: Type.Boolean({ description: 'May open `/moderation`.' }),
    csrf: Type.String({
      description: 'What every state change sends back in the header `X-CSRF-Token`.',
      pattern: '^[A-Za-z0-9_-]{43}$',
      minLength: 43,
      maxLength: 43,
    }),
  },
  'Who is signed in.',
)
export type Viewer = Static<typeof Viewer>

const share = (what: string) =>
  closed(
    { limit: count(`${what} a minute.`), left: count('How many are left in this minute.') },
    `${what} of this account.`,
  )

/** What the account may still do in this minute on this service (spec 8). */
export const SiteQuota = closed(
  {
    requests: share('Requests'),
    writes: share('Writes'),
    resetSeconds: Type.Integer({
      description: 'Whole seconds to the top of the next minute.',
      minimum: 1,
      maximum: 60,
    }),
  },
  'What is left of this minute.',
)
export type SiteQuota = Static<typeof SiteQuota>

/** Answer of `GET /session`; both are null when nobody is signed in. */
export const SessionReply = closed(
  {
    viewer: Type.Union([Viewer, Type.Null()]),
    quota: Type.Union([SiteQuota, Type.Null()]),
  },
  'Who is signed in, and what they have left.',
)
export type SessionReply = Static<typeof SessionReply>

/** Body of `POST /session/sign-out`. Other fields are ignored. */
export const SignOutInput = Type.Object(
  {
    everywhere: Type.Optional(
      Type.Boolean({ description: 'End all sessions of the account, not this one alone.' }),
    ),
  },
  { description: 'Which sessions to end.' },
)
export type SignOutInput = Static<typeof SignOutInput>

/** Characters of a session's `id`. */
export const SESSION_ID_LENGTH = 16

const sessionId = Type.String({
  description: 'Names the session among those of its account.',
  pattern: `^[A-Za-z0-9_-]{${SESSION_ID_LENGTH}}$`,
  minLength: SESSION_ID_LENGTH,
  maxLength: SESSION_ID_LENGTH,
})

/** Where and since when an account is signed in. */
export const SessionPlace = closed(
  {
    service: Type.Enum(['packs', 'pools'], { description: 'The service that it belongs to.' }),
    device: orNull<string>('string', {
      description: 'Browser and system, `Firefox on Windows`; null when they are not known.',
      maxLength: 64,
    }),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
  },
  'Where and since when an account is signed in.',
)

/** One of the account's sessions. */
export const SessionFacts = closed(
  {
    id: sessionId,
    ...SessionPlace.properties,
    isCurrent: Type.Boolean({ description: 'The session that this request was made with.' }),
  },
  "One of the account's sessions.",
)
export type SessionFacts = Static<typeof SessionFacts>

/** Answer of `GET /session/sessions`. */
export const SessionsReply = closed(
  { sessions: Type.Array(SessionFacts, { description: 'Most recently begun first.' }) },
  "The account's sessions, on both services.",
)
export type SessionsReply = Static<typeof SessionsReply>

/** Body of `DELETE /session/sessions`. Other fields are ignored. */
export const SessionEnding = Type.Object({ id: sessionId }, { description: 'Which one to end.' })
export type SessionEnding = Static<typeof SessionEnding>

const key = Type.Union([KeyFacts, Type.Null()])

/** Everything that is kept about an account, for its owner to download. */
export const MyData = closed(
  {
    account: Type.Object(
      { ...User.properties, createdAt: Timestamp, isModerator: Type.Boolean() },
      { additionalProperties: false },
    ),
    keys: Type.Object({ packs: key, pools: key }, { additionalProperties: false }),
    packs: Type.Array(Pack, { description: 'All of them, most recently updated first.' }),
    sessions: Type.Array(SessionPlace, {
      description: 'Where the account is signed in, newest first.',
    }),
    moderation: Type.Array(Type.Omit(LogEntry, ['moderator'], { additionalProperties: false }), {
      description: 'What moderators did about these packs, newest first.',
    }),
  },
  'Everything that is kept about an account.',
)
export type MyData = Static<typeof MyData>

/** Body of `DELETE /session/account`. Other fields are ignored. */
export const AccountDeletion = Type.Object(
  { username: { ...User.properties.username, description: "The account's own username, typed." } },
  { description: 'Shows that it is meant.' },
)
export type AccountDeletion = Static<typeof AccountDeletion>
