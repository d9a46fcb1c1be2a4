import type { packsApi } from '../../contract/packs-api.ts'
import { replacePack } from '../../operations/replace-pack.ts'
import type { Handler } from '../handler.ts'
import { packBody } from '../present-pack.ts'

export const handleReplacePack: Handler<typeof packsApi.replacePack> = async (
  { ports, settings },
  { accountId, slug, body },
) => ({ json: packBody(await replacePack(ports, accountId, slug, body), settings.poolsOwnerName) })
