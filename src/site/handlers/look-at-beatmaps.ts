import { setTimeout as sleep } from 'node:timers/promises'
import type { siteApi } from '../../contract/session-api.ts'
import { lookAtBeatmaps } from '../../operations/look-at-beatmaps.ts'
import type { SiteHandler } from '../session/site-handler.ts'

/** As long as a page may wait for the platform; the rest comes when it asks again. */
const PATIENCE_MS = 2_000

export const handleLookAtBeatmaps: SiteHandler<typeof siteApi.lookAtBeatmaps> = async (
  { ports, troubles, looks },
  { viewer, requester, body },
) => {
  const answered = new AbortController()
  const patience = async (): Promise<void> => {
    await sleep(PATIENCE_MS, undefined, { signal: answered.signal }).catch(() => {})
  }
  try {
    const looker = { viewer, requester, patience, troubles, looks }
    return { json: await lookAtBeatmaps(ports, looker, body) }
  } finally {
    answered.abort()
  }
}
