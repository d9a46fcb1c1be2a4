import type { FastifyBaseLogger } from 'fastify'

/** What is to be ended with the process. */
export type Watched = {
  readonly log: FastifyBaseLogger
  /** Lets requests in flight finish. */
  readonly stop: () => Promise<void>
  /** Closes all else that is open, the store last. */
  readonly close: () => Promise<void>
}

/** A terminal and npm both pass Ctrl+C on: two signals so close together are one. */
const SAME_SIGNAL_MS = 500

/**
 * Ends the process in order: SIGTERM and SIGINT let requests in flight finish and exit 0, a second
 * one exits at once; an error that nobody caught is logged and exits 1. The store is closed in
 * either case.
 */
export const watchProcess = ({ log, stop, close }: Watched): void => {
  let firstSignalAt: number | null = null

  const end = async (code: number, before: () => Promise<void>) => {
    try {
      await before()
      await close()
    } catch (error) {
      log.fatal({ err: error }, 'could not end in order')
      process.exit(1)
    }
    process.exit(code)
  }

  const onSignal = (signal: string) => {
    if (firstSignalAt === null) {
      firstSignalAt = performance.now()
      log.info({ signal }, 'shutting down')
      void end(0, stop)
    } else if (performance.now() - firstSignalAt > SAME_SIGNAL_MS) {
      process.exit(1)
    }
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)

  const onFault = (error: unknown) => {
    log.fatal({ err: error }, 'an error that nobody caught')
    void end(1, async () => {})
  }
  process.on('uncaughtException', onFault)
  process.on('unhandledRejection', onFault)
}
