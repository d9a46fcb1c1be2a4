import type { packsApi } from '../../contract/services.ts'
import { listMyPacks } from '../../operations/list-my-packs.ts'
import { answerPage } from '../answer-page.ts'
import type { Handler } from '../handler.ts'

export const handleListMyPacks: Handler<typeof packsApi.listMyPacks> = async (
  context,
  { accountId, page },
) => answerPage(context, '/me/packs', page, await listMyPacks(context.ports, accountId, page))
