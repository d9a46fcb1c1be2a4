import { Failure } from '../contract/errors.ts'
import type { ServiceName } from '../contract/services.ts'
import type { AccountStore } from '../ports/accounts.ts'
import type { ApiKeyStore } from '../ports/keys.ts'

/** Deletes the player's key for one service; it stops working at once (spec 5). */
export const revokeKey = async (
  { accounts, apiKeys }: { accounts: AccountStore; apiKeys: ApiKeyStore },
  { service, gameId }: { service: ServiceName; gameId: number },
): Promise<void> => {
  const account = await accounts.findByGameId(gameId)
  const revoked = account !== null && (await apiKeys.revoke(account.id, service))
  if (!revoked) {
    throw new Failure('not_found', `player ${gameId} has no API key for the ${service} service`)
  }
}
