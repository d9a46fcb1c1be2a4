import { setTimeout as sleep } from 'node:timers/promises'
import type { sessionApi } from '../../contract/session-api.ts'
import { lookAtBeatmaps } from '../../operations/beatmap-look.ts'
import { jsonBody } from '../answer.ts'
import type { HandlerTable } from '../handler.ts'

/** How long a page may wait for the platform; it asks again for the rest. */
const TIMEOUT_MS = 2_000

export const beatmapHandlers: HandlerTable<Pick<typeof sessionApi, 'lookAtBeatmaps'>> = {
  async lookAtBeatmaps({ ports, failures, lookUps }, { viewer, requester, body }) {
    const answered = new AbortController()
    const deadline = async (): Promise<void> => {
      await sleep(TIMEOUT_MS, undefined, { signal: answered.signal }).catch(() => {})
    }
    try {
      const looker = { viewer, requester, deadline, failures, lookUps }
      return { json: jsonBody(await lookAtBeatmaps(ports, looker, body)) }
    } finally {
      answered.abort()
    }
  },
}
