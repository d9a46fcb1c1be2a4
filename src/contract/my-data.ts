import { type Static, Type } from 'typebox'
import { LogEntry } from './moderated-pack.ts'
import { Pack } from './pack.ts'
import { Timestamp } from './primitives.ts'
import { KeyFacts } from './site-key.ts'
import { User } from './user.ts'
import { SessionPlace } from './viewer.ts'

const key = Type.Union([KeyFacts, Type.Null()])

/** Everything that is kept about an account, for its owner to download. */
export const MyData = Type.Object(
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
  { additionalProperties: false, description: 'Everything that is kept about an account.' },
)
export type MyData = Static<typeof MyData>

/** Body of `DELETE /session/account`. Other fields are ignored. */
export const AccountDeletion = Type.Object(
  { username: { ...User.properties.username, description: "The account's own username, typed." } },
  { description: 'Shows that it is meant.' },
)
export type AccountDeletion = Static<typeof AccountDeletion>
