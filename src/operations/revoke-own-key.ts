import { Failure } from '../contract/errors.ts'
import type { ServiceName } from '../contract/services.ts'
import type { ApiKeyStore } from '../ports/keys.ts'

/** Deletes the viewer's key for one service; it stops working at once (spec 5). */
export const revokeOwnKey = async (
  { apiKeys }: { apiKeys: ApiKeyStore },
  service: ServiceName,
  accountId: string,
): Promise<void> => {
  if (!(await apiKeys.revoke(accountId, service))) {
    throw new Failure('not_found', 'you have no API key for this service')
  }
}
