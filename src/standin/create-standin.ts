import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { beatmapRoutes } from './beatmaps.ts'
import { controlRoutes, createGate } from './control.ts'
import { roll } from './dice.ts'
import { oauthRoutes } from './oauth.ts'
import { createState, type StandinOptions } from './state.ts'

/**
 * The game platform's wire in a small server of its own, with failures on demand; see README.md.
 * It remembers nothing beyond its life. Closing it also ends the calls that a fault keeps waiting.
 */
export function createStandin(options: StandinOptions): FastifyInstance {
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
  void app.register(async (scope) => oauthRoutes(scope, state, gate))
  void app.register(async (scope) => beatmapRoutes(scope, state, gate))
  void app.register(async (scope) => assetRoutes(scope))
  void app.register(async (scope) => controlRoutes(scope, state))
  return app
}

/**
 * Pictures in place of covers and avatars, for an application that is told to look for them here.
 * They are SVG, whatever the name says: browsers go by the type.
 */
function assetRoutes(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    void reply.header('cache-control', 'public, max-age=86400')
  })

  app.get<{ Params: { set: string; file: string } }>(
    '/assets/beatmaps/:set/covers/:file',
    async ({ params }, reply) => {
      const [, kind = '', large] = /^([a-z]+)(@2x)?\.jpg$/.exec(params.file) ?? []
      const size = sizes[kind]
      if (size === undefined) return reply.callNotFound()
      const [width, height] = size
      const scale = large === undefined ? 1 : 2
      return reply
        .type('image/svg+xml')
        .send(picture(Number(params.set), width * scale, height * scale))
    },
  )

  app.get<{ Params: { id: string } }>('/assets/avatars/:id', async ({ params }, reply) =>
    reply.type('image/svg+xml').send(picture(Number(params.id), 256, 256)),
  )
}

const sizes: Readonly<Record<string, readonly [width: number, height: number]>> = {
  cover: [900, 250],
  card: [400, 140],
  list: [150, 150],
  slimcover: [1920, 360],
}

/** A quiet picture whose colours follow from the number. */
function picture(seed: number, width: number, height: number): string {
  const hue = Math.floor(roll(seed, 'hue') * 360)
  const colour = (turn: number, light: number) => `hsl(${(hue + turn) % 360} 45% ${light}%)`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${colour(0, 28)}"/><stop offset="1" stop-color="${colour(60, 52)}"/></linearGradient></defs>
<rect width="100%" height="100%" fill="url(#g)"/>
<circle cx="50%" cy="50%" r="${height / 4}" fill="none" stroke="${colour(120, 78)}" stroke-width="${height / 16}"/>
</svg>`
}
