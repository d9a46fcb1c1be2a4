import type { packsApi } from '../../contract/services.ts'
import { deletePack } from '../../operations/delete-pack.ts'
import type { Handler } from '../handler.ts'
import { packPrecondition } from '../present-pack.ts'

export const handleDeletePack: Handler<typeof packsApi.deletePack> = async (
  { ports, settings },
  { accountId, slug, ifMatch },
) => {
  await deletePack(ports, accountId, slug, packPrecondition(ifMatch, settings.poolsOwnerName))
  return {}
}
