import type { packsApi } from '../../contract/packs-api.ts'
import { listPacks } from '../../operations/list-packs.ts'
import type { Handler } from '../handler.ts'
import { answerPage } from '../answer-page.ts'

export const handleListPacks: Handler<typeof packsApi.listPacks> = async (context, { page }) =>
  answerPage(context, '/packs', page, await listPacks(context.ports, page))
