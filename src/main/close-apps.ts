import type { FastifyInstance } from 'fastify'

/** How long requests in flight may take once the process shuts down. */
const LIMIT_MS = 10_000
const SWEEP_MS = 50

/** Stops accepting, waits for requests in flight, and cuts those that take too long. */
export const drain = async (
  apps: readonly FastifyInstance[],
  limitMs = LIMIT_MS,
): Promise<void> => {
  // A connection whose last request has just been answered would be kept alive for more.
  const sweep = setInterval(() => {
    for (const { server } of apps) server.closeIdleConnections()
  }, SWEEP_MS)
  const limit = setTimeout(() => {
    for (const { server } of apps) server.closeAllConnections()
  }, limitMs)
  try {
    await Promise.all(apps.map((app) => app.close()))
  } finally {
    clearInterval(sweep)
    clearTimeout(limit)
  }
}
