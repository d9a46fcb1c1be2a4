import { type Static, Type } from 'typebox'
import { closed, orNull, Timestamp } from './primitives.ts'
import { NEW_KEYS_PER_HOUR } from './quotas.ts'

const shown = Type.String({
  description: 'The first four characters behind the prefix (D-40).',
  minLength: 4,
  maxLength: 4,
})

/** What can be told of an API key; the key itself is not kept (D-40). */
export const KeyFacts = closed(
  {
    shown,
    createdAt: Timestamp,
    lastUsedOn: orNull<string>('string', {
      description: 'The day (UTC) of the last use; null before the first.',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      minLength: 10,
      maxLength: 10,
    }),
  },
  'What can be told of an API key.',
)
export type KeyFacts = Static<typeof KeyFacts>

/** Answer of `GET /session/key`. */
export const KeyReply = closed(
  {
    key: Type.Union([KeyFacts, Type.Null()], { description: 'null when the account has none.' }),
    newKeysLeft: Type.Integer({
      description: 'New keys that the account may still make in this hour (D-41).',
      minimum: 0,
      maximum: NEW_KEYS_PER_HOUR,
    }),
    newKeysResetSeconds: Type.Integer({
      description: 'Whole seconds to the top of the next hour.',
      minimum: 1,
      maximum: 3600,
    }),
  },
  "The account's key for this service.",
)
export type KeyReply = Static<typeof KeyReply>

/** Answer of `POST /session/key`: the only time that the key is shown. */
export const NewKeyReply = closed(
  {
    key: Type.String({ description: 'The key.', minLength: 44, maxLength: 128 }),
    shown,
    createdAt: Timestamp,
  },
  'The new key, shown this once.',
)
export type NewKeyReply = Static<typeof NewKeyReply>
