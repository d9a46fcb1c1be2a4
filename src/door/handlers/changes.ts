import type { packsApi } from '../../contract/services.ts'
import { jsonBody } from '../answer.ts'
import type { HandlerTable } from '../handler.ts'

/** The feed of changes (D-73). */
export const changeHandlers: HandlerTable<Pick<typeof packsApi, 'getChanges'>> = {
  async getChanges({ changeHub }, { accountId, query, whenClosed }) {
    const { after = null, wait = '0' } = query
    const request = { accountId, after, waitMs: Number(wait) * 1000, whenClosed }
    const { page, waitedMs } = await changeHub.read(request)
    return { json: jsonBody(page), waitedMs }
  },
}
