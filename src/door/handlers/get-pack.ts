import type { packsApi } from '../../contract/services.ts'
import { getPack } from '../../operations/get-pack.ts'
import type { Handler } from '../handler.ts'
import { packBody } from '../present-pack.ts'

export const handleGetPack: Handler<typeof packsApi.getPack> = async (
  { ports, settings },
  { accountId, slug },
) => ({ json: packBody(await getPack(ports, accountId, slug), settings.poolsOwnerName) })
