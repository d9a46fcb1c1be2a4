import { setTimeout as sleep } from 'node:timers/promises'
import type { sessionApi } from '../../contract/session-api.ts'
import { lookAtBeatmaps } from '../../operations/beatmap-look.ts'
import { jsonBody } from '../answer.ts'
import type { HandlerTable } from '../handler.ts'

/** How long an answer may wait for the platform; who asks again gets the rest. */
const TIMEOUT_MS = 2_000

export const beatmapHandlers: HandlerTable<Pick<typeof sessionApi, 'lookAtBeatmaps'>> = {
  async lookAtBeatmaps({ ports, failures, lookUps }, { viewer, requester, body }) {
    const reply = await withDeadline((deadline) => {
      const looker = { viewer, requester, deadline, failures, lookUps }
      return lookAtBeatmaps(ports, looker, body)
    })
    return { json: jsonBody(reply) }
  },
}

/** Calls `work` with what resolves when it should not wait for the platform any longer. */
export async function withDeadline<T>(
  work: (deadline: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const answered = new AbortController()
  const deadline = async (): Promise<void> => {
    await sleep(TIMEOUT_MS, undefined, { signal: answered.signal }).catch(() => {})
  }
  try {
    return await work(deadline)
  } finally {
    answered.abort()
  }
}
