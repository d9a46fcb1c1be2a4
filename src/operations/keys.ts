import { AppError } from '../contract/errors.ts'
import type { KeyReply, NewKeyReply } from '../contract/keys.ts'
import { NEW_KEYS_PER_HOUR } from '../contract/quotas.ts'
import type { ServiceName } from '../contract/services.ts'
import { checkUsername } from '../domain/accounts.ts'
import { API_KEY_BYTES, makeApiKey, newAccountId, presentKey, shownPart } from '../domain/keys.ts'
import { hourResetSeconds, timestamp } from '../domain/quotas.ts'
import type { StoredKey } from '../ports/accounts.ts'
import type { Ports } from '../ports/ports.ts'

type NewKeyPorts = Pick<Ports, 'apiKeys' | 'clock' | 'random' | 'hasher'>

export type IssueKeyPorts = NewKeyPorts & Pick<Ports, 'accounts' | 'suspensions'>

/** The service that a key is for, and the part before its underscore. */
type KeyKind = { readonly service: ServiceName; readonly keyPrefix: string }

/**
 * Makes the player's account if there is none, or updates its username, and returns a new key for it; the
 * previous key stops working at once (spec 5). Counts toward no limit of new keys (D-41).
 */
export async function issueKey(
  ports: IssueKeyPorts,
  { gameId, username, ...kind }: KeyKind & { readonly gameId: number; readonly username: string },
): Promise<string> {
  const player = { gameId, username: checkUsername(username) }
  if ((await ports.suspensions.readSuspension(gameId)) !== null) throw suspended()
  const newId = newAccountId(ports.random)
  const account = await ports.accounts.ensurePlayer(player, newId, ports.clock.now())
  return (await setNewKey(ports, { ...kind, accountId: account.id })).key
}

/**
 * Replaces the viewer's key and returns the new one, which cannot be read again (D-40). Throws `conflict` and leaves the
 * key as it is if it is not the one that begins with `replaced` ('': none), which counts as no new key; `rate_limited`
 * from the eleventh new key in an hour on (D-41).
 */
export async function makeKey(
  ports: NewKeyPorts & Pick<Ports, 'quotas'>,
  owner: KeyKind & { readonly accountId: string },
  replaced?: string,
): Promise<NewKeyReply> {
  const { apiKeys, quotas, clock } = ports
  const { service, accountId } = owner
  if (replaced !== undefined) {
    const key = await apiKeys.read(accountId, service)
    if (key !== null && key.shown !== replaced) throw anotherKey()
  }
  const made = await quotas.countNewKey(service, accountId, clock.now())
  if (made.count > NEW_KEYS_PER_HOUR) {
    const message = `you can create ${NEW_KEYS_PER_HOUR} keys per hour; wait for the next hour`
    throw new AppError('rate_limited:too_many_keys', message, hourResetSeconds(made.resetMs))
  }
  const { key, stored } = await setNewKey(ports, owner, replaced).catch(async (error: unknown) => {
    if (error instanceof AppError) await quotas.uncountNewKey(service, accountId, clock.now())
    throw error
  })
  return { key, shown: stored.shown, createdAt: timestamp(stored.createdAt) }
}

/** Replaces an account's key (spec 5). Only `stored` is kept: its hash and first characters (D-40). */
async function setNewKey(
  { apiKeys, clock, random, hasher }: NewKeyPorts,
  { service, keyPrefix, accountId }: KeyKind & { readonly accountId: string },
  replaced?: string,
): Promise<{ key: string; stored: StoredKey }> {
  const key = makeApiKey(keyPrefix, random.bytes(API_KEY_BYTES))
  const [hash, shown] = [hasher.sha256(key), shownPart(keyPrefix, key)]
  const stored = { hash, shown, createdAt: clock.now() }
  const outcome = await apiKeys.replace(accountId, service, stored, replaced)
  if (outcome === 'suspended') throw suspended()
  if (outcome === 'another key') throw anotherKey()
  return { key, stored }
}

const suspended = (): AppError =>
  new AppError(
    'conflict:suspended',
    'the account is suspended, and gets no key until the suspension is lifted',
  )

const anotherKey = (): AppError =>
  new AppError('conflict:another_key', 'you have another API key by now; read it again')

/** What the account page shows of the key, and how many new ones may be made in this hour (D-40, D-41). */
export async function showKey(
  { apiKeys, quotas, clock }: Pick<Ports, 'apiKeys' | 'quotas' | 'clock'>,
  service: ServiceName,
  accountId: string,
): Promise<KeyReply> {
  const key = await apiKeys.read(accountId, service)
  const made = await quotas.newKeys(service, accountId, clock.now())
  return {
    key: key && presentKey(key),
    newKeysLeft: NEW_KEYS_PER_HOUR - made.count,
    newKeysResetSeconds: hourResetSeconds(made.resetMs),
  }
}

/** Deletes the player's key for one service; it stops working at once (spec 5). */
export async function revokeKey(
  { accounts, apiKeys }: Pick<Ports, 'accounts' | 'apiKeys'>,
  { service, gameId }: { service: ServiceName; gameId: number },
): Promise<void> {
  const account = await accounts.findByGameId(gameId)
  if (account === null || !(await apiKeys.revoke(account.id, service))) {
    throw new AppError(
      'not_found:no_such_key',
      `player ${gameId} has no API key for the ${service} service`,
    )
  }
}

/** Deletes the viewer's key for one service, or none but the one that begins so; it stops working at once (spec 5). */
export async function revokeOwnKey(
  { apiKeys }: Pick<Ports, 'apiKeys'>,
  service: ServiceName,
  accountId: string,
  shown?: string,
): Promise<void> {
  if (!(await apiKeys.revoke(accountId, service, shown))) {
    throw new AppError('not_found:no_such_key', 'you have no such API key for this service')
  }
}
