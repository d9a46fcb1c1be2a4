import type { packsApi } from '../../contract/services.ts'
import { replacePack } from '../../operations/replace-pack.ts'
import type { Handler } from '../handler.ts'
import { packBody, packPrecondition } from '../present-pack.ts'

export const handleReplacePack: Handler<typeof packsApi.replacePack> = async (
  { ports, settings: { poolsOwnerName } },
  { accountId, slug, body, ifMatch },
) => {
  const check = packPrecondition(ifMatch, poolsOwnerName)
  return { json: packBody(await replacePack(ports, accountId, slug, body, check), poolsOwnerName) }
}
