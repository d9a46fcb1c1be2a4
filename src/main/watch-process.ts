import type { FastifyBaseLogger } from 'fastify'

/** What is to be ended with the process. */
export type Watched = {
  readonly log: FastifyBaseLogger
  /** Goes on serving until load balancers send requests elsewhere. */
  readonly drain: () => Promise<void>
  /** Lets requests in flight finish. */
  readonly stop: () => Promise<void>
  /** Closes all else that is open, the store last. */
  readonly close: () => Promise<void>
}

/**
 * Signals so close together are one: a terminal and npm both pass Ctrl+C on, and a supervisor that ends
 * a whole group of processes reaches us twice where npm started us.
 */
const SAME_SIGNAL_MS = { SIGINT: 500, SIGTERM: 50 }

/**
 * Ends the process in order. SIGTERM drains, then lets requests in flight finish, and exits 0 (D-54);
 * SIGINT, which a person sends, does not drain. A second signal exits at once. An error that nobody
 * caught is logged and exits 1. The store is closed in each case but that of a second signal.
 */
export const watchProcess = ({ log, drain, stop, close }: Watched): void => {
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

  const onSignal = (signal: 'SIGTERM' | 'SIGINT') => {
    if (firstSignalAt === null) {
      firstSignalAt = performance.now()
      log.info({ signal }, 'shutting down')
      void end(0, async () => {
        if (signal === 'SIGTERM') await drain()
        await stop()
      })
    } else if (performance.now() - firstSignalAt > SAME_SIGNAL_MS[signal]) {
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
