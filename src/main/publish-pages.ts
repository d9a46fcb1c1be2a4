import type { FastifyBaseLogger } from 'fastify'
import type { PageFile, PageFiles } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'

const HOUR_MS = 3_600_000
const EVERY_MS = 6 * HOUR_MS
/** A page that somebody has open keeps working for so long after its version is gone. */
const KEPT_MS = 30 * 24 * HOUR_MS
/** Of all versions together; one has a few megabytes. */
const KEPT_BYTES = 67_108_864

export type PagePublication = {
  /** Where failures are reported from now on; those from before, too. */
  readonly logTo: (log: Pick<FastifyBaseLogger, 'warn'>) => void
  readonly stop: () => void
}

/**
 * Publishes this version's page files for processes of other versions, now and every few hours.
 * Resolves after the first time: before that no page may be sent. A store that fails holds nothing
 * up; it is tried again.
 */
export const publishPages = async (
  files: readonly PageFile[],
  store: PageFiles,
  clock: Clock,
): Promise<PagePublication> => {
  let log: Pick<FastifyBaseLogger, 'warn'> | null = null
  let failure: unknown = null
  const report = (): void => {
    if (failure === null || log === null) return
    log.warn({ err: failure }, 'the page files are not published: other versions cannot serve them')
    failure = null
  }
  const publish = async (): Promise<void> => {
    const now = clock.now()
    const keep = { since: now - KEPT_MS, bytes: KEPT_BYTES }
    await store.publish(files, now, keep).catch((error: unknown) => {
      failure = error
    })
    report()
  }
  if (files.length === 0) return { logTo: () => {}, stop: () => {} }
  await publish()
  const timer = setInterval(() => void publish(), EVERY_MS)
  return {
    logTo: (to) => {
      log = to
      report()
    },
    stop: () => clearInterval(timer),
  }
}
