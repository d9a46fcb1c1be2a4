import { API_PREFIX } from '../../contract/endpoint.ts'
import type { packsApi } from '../../contract/services.ts'
import { createPack } from '../../operations/create-pack.ts'
import type { Handler } from '../handler.ts'
import { packBody } from '../present-pack.ts'

export const handleCreatePack: Handler<typeof packsApi.createPack> = async (
  { ports, settings },
  { accountId, body, idempotencyKey },
) => {
  const pack = await createPack(ports, accountId, body, idempotencyKey)
  return {
    json: packBody(pack, settings.poolsOwnerName),
    headers: { location: `${settings.apiUrl}${API_PREFIX}/packs/${pack.slug}` },
  }
}
