import { Failure } from '../contract/errors.ts'
import type { NewKeyReply } from '../contract/keys.ts'
import { NEW_KEYS_PER_HOUR } from '../contract/quotas.ts'
import { hourResetSeconds } from '../domain/quotas.ts'
import { timestamp } from '../domain/time.ts'
import type { QuotaStore } from '../ports/quotas.ts'
import { type NewKeyPorts, type NewKeyWish, setNewKey } from './set-new-key.ts'

/**
 * Makes a key for the viewer in place of the one before, and shows it this once (D-40). Throws
 * `rate_limited` from the eleventh in an hour on (D-41); the key that they have stays then.
 */
export const makeKey = async (
  ports: NewKeyPorts & { readonly quotas: QuotaStore },
  wish: NewKeyWish,
): Promise<NewKeyReply> => {
  const { quotas, clock } = ports
  const made = await quotas.countNewKey(wish.service, wish.accountId, clock.now())
  if (made.count > NEW_KEYS_PER_HOUR) {
    const message = `you can create ${NEW_KEYS_PER_HOUR} keys per hour; wait for the next hour`
    throw new Failure('rate_limited', message, hourResetSeconds(made.resetMs))
  }
  const { key, stored } = await setNewKey(ports, wish)
  return { key, shown: stored.shown, createdAt: timestamp(stored.createdAt) }
}
