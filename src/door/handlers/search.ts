import type { sessionApi } from '../../contract/session-api.ts'
import { searchPacks } from '../../operations/search.ts'
import { jsonBody } from '../answer.ts'
import type { HandlerTable } from '../handler.ts'

export const searchHandlers: HandlerTable<Pick<typeof sessionApi, 'searchPacks'>> = {
  async searchPacks({ ports, settings }, { query }) {
    return { json: jsonBody(await searchPacks(ports, query, settings.poolsOwnerName)) }
  },
}
