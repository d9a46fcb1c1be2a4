import type { ChangeQuery } from '../../contract/changes.ts'
import type { followApi } from '../../contract/pools-api.ts'
import type { packsApi } from '../../contract/services.ts'
import type { FeedEntry } from '../../domain/changes.ts'
import type { ChangeHub } from '../../operations/changes.ts'
import { jsonBody } from '../answer.ts'
import type { AdmittedRequest, HandlerTable } from '../handler.ts'

/** The feed of what happens to packs (D-73). */
export const packChangeHandlers: HandlerTable<Pick<typeof packsApi, 'getChanges'>> = {
  getChanges: ({ packChanges }, call) => readFrom(packChanges, call),
}

/** The feed of what happens to tournaments (D-89). */
export const tournamentChangeHandlers: HandlerTable<typeof followApi> = {
  getChanges: ({ tournamentChanges }, call) => readFrom(tournamentChanges, call),
}

type ChangeCall = Pick<AdmittedRequest, 'accountId' | 'whenClosed' | 'readmit'> & {
  readonly query: ChangeQuery
}

async function readFrom<Entry extends FeedEntry, Change>(
  hub: ChangeHub<Entry, Change>,
  { accountId, query, whenClosed, readmit }: ChangeCall,
) {
  const { after = null, wait = '0' } = query
  const request = { accountId, after, waitMs: Number(wait) * 1000, whenClosed, readmit }
  const { page, waitedMs } = await hub.read(request)
  return { json: jsonBody(page), waitedMs }
}
