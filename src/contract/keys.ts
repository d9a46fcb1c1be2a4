import { type Static, Type } from 'typebox'
import { closed, integer, open, orNull, text, Timestamp } from './primitives.ts'
import { NEW_KEYS_PER_HOUR } from './quotas.ts'

const shown = text('The first four characters after the prefix (D-40).', 4, 4)
const DAY_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'

/** What is known of an API key; the key itself is not kept (D-40). */
export const KeyFacts = closed('What is known of an API key.', {
  shown,
  createdAt: Timestamp,
  lastUsedOn: orNull(
    text('The day (UTC) of the last use; null before the first.', 10, 10, DAY_PATTERN),
  ),
})
export type KeyFacts = Static<typeof KeyFacts>

/** Query of `DELETE /session/key`. */
export const KeyChoice = open('Which key is meant.', {
  shown: Type.Optional(shown),
})

/** Query of `POST /session/key`. */
export const KeyBefore = open('Which key the new one is to replace.', {
  shown: Type.Optional(
    text(`Its first four characters after the prefix; '' if there is none.`, 0, 4),
  ),
})

/** Response of `GET /session/key`. */
export const KeyReply = closed("The account's key for this service.", {
  key: Type.Union([KeyFacts, Type.Null()], { description: 'null when the account has none.' }),
  newKeysLeft: integer(
    'New keys that the account may still make in this hour (D-41).',
    0,
    NEW_KEYS_PER_HOUR,
  ),
  newKeysResetSeconds: integer('Whole seconds to the top of the next hour.', 1, 3600),
})
export type KeyReply = Static<typeof KeyReply>

/** Response of `POST /session/key`: the only time that the key is shown. */
export const NewKeyReply = closed('The new key, shown this once.', {
  key: text('The key.', 44, 128),
  shown,
  createdAt: Timestamp,
})
export type NewKeyReply = Static<typeof NewKeyReply>
