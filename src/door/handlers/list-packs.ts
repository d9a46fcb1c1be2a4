import type { packsApi } from '../../contract/services.ts'
import { listPacks } from '../../operations/list-packs.ts'
import { answerPage } from '../answer-page.ts'
import type { Handler } from '../handler.ts'

export const handleListPacks: Handler<typeof packsApi.listPacks> = async (context, { page }) =>
  answerPage(context, '/packs', page, await listPacks(context.ports, page))
