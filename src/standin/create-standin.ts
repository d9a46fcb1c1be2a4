import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { assetRoutes } from './asset-routes.ts'
import { beatmapRoutes } from './beatmaps/beatmap-routes.ts'
import { controlRoutes } from './control/control-routes.ts'
import { createGate } from './control/gate.ts'
import { authorizeRoutes } from './oauth/authorize-routes.ts'
import { meRoute } from './oauth/me-route.ts'
import { tokenRoutes } from './oauth/token-routes.ts'
import type { StandinOptions } from './options.ts'
import { createState } from './state.ts'

/**
 * The game platform's wire in a small server of its own, with failures on demand; see README.md.
 * It remembers nothing beyond its life. Closing it also ends the calls that a fault keeps waiting.
 */
export const createStandin = (options: StandinOptions): FastifyInstance => {
  const state = createState(options)
  const gate = createGate(state)
  const app = Fastify({
    forceCloseConnections: true,
    // A control body that is slightly wrong must fail: it would make a test pass for nothing.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  })

  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    const status = error.statusCode ?? 500
    void reply.code(status).send({ error: status < 500 ? error.message : null })
  })
  app.setNotFoundHandler((_request, reply) => {
    void reply.code(404).send({ error: 'Not Found' })
  })

  // Each in a scope of its own, so that one's body parsers and hooks are not the others'.
  void app.register(async (scope) => authorizeRoutes(scope, state))
  void app.register(async (scope) => tokenRoutes(scope, state, gate))
  void app.register(async (scope) => meRoute(scope, state, gate))
  void app.register(async (scope) => beatmapRoutes(scope, state, gate))
  void app.register(async (scope) => assetRoutes(scope))
  void app.register(async (scope) => controlRoutes(scope, state))
  return app
}
