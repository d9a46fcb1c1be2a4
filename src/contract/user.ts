import { type Static, Type } from 'typebox'
import { MAX_SAFE_INTEGER } from './bounds.ts'
import { userExample } from './examples.ts'

/** The owner of a key (spec 2.1). */
export const User = Type.Object(
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
  {
    additionalProperties: false,
    description: 'The account that a key belongs to.',
    examples: [userExample],
  },
)
export type User = Static<typeof User>

/** Answer of `GET /me` on both services. */
export const UserReply = Type.Object(
  { user: User },
  {
    additionalProperties: false,
    description: 'The owner of the key.',
    examples: [{ user: userExample }],
  },
)
export type UserReply = Static<typeof UserReply>
