import type { FastifyBaseLogger } from 'fastify'
import { DAY_MS, HOUR_MS } from '../contract/quotas.ts'
import type { PageFile, PageFiles } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'

/** A page that is open in a browser keeps working for this long after its version is gone. */
const KEPT_MS = 30 * DAY_MS
/** Of all versions together; one has a few megabytes. */
const KEPT_BYTES = 67_108_864

type Log = Pick<FastifyBaseLogger, 'warn'>

/**
 * Publishes this version's page files for processes of other versions, now and every six hours.
 * Resolves after the first time: no page may be sent before. A failure of the store is logged, and
 * delays nothing.
 */
export async function publishPages(files: readonly PageFile[], store: PageFiles, clock: Clock) {
  let log: Log | null = null
  let failure: unknown = null

  function report(): void {
    if (failure === null) return
    log?.warn(
      { err: failure },
      'the page files are not published: other versions cannot serve them',
    )
    if (log) failure = null
  }
  async function publish(): Promise<void> {
    if (files.length === 0) return
    const now = clock.now()
    await store
      .publish(files, now, { since: now - KEPT_MS, bytes: KEPT_BYTES })
      .catch((error: unknown) => (failure = error))
    report()
  }

  await publish()
  const timer = setInterval(() => void publish(), 6 * HOUR_MS)
  return {
    /** Sets the log for failures; an earlier one is reported at once. */
    logTo: (to: Log): void => {
      log = to
      report()
    },
    stop: () => clearInterval(timer),
  }
}
