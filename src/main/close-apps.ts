import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long requests in flight may take once the process shuts down. */
const LIMIT_MS = 10_000
const SWEEP_MS = 50

/**
 * Closes the listening sockets and nothing else. A load balancer may just have connected to send a
 * request: `graceMs` is how long it has.
 */
export const stopAccepting = async (
  apps: readonly FastifyInstance[],
  graceMs: number,
): Promise<void> => {
  // An HTTP server's own `close` would also close connections that wait for their first request.
  for (const { server } of apps) if (server.listening) Server.prototype.close.call(server)
  await pause(graceMs)
}

/** Stops accepting, waits for requests in flight, and cuts those that take too long. */
export const closeApps = async (
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
