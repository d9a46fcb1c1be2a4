import type { packsApi } from '../../contract/packs-api.ts'
import { deletePack } from '../../operations/delete-pack.ts'
import type { Handler } from '../handler.ts'

export const handleDeletePack: Handler<typeof packsApi.deletePack> = async (
  { ports },
  { accountId, slug },
) => {
  await deletePack(ports, accountId, slug)
  return {}
}
