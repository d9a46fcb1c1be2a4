import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { askedIds, controlRoutes, createGate, type Gate } from './control.ts'
import { answers, sendAnswer } from './faults.ts'
import { coverSizes, makeRow, type Mode, modes, refusedMod, roll } from './library.ts'
import { needScope, oauthRoutes } from './oauth.ts'
import { createState, type StandinOptions, type State } from './state.ts'

/**
 * The game platform's wire in a small server of its own, with failures on demand; see README.md.
 * It stores nothing. Closing it also ends the calls that a fault keeps waiting.
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

  // Each has a scope, so that body parsers and hooks apply to its own routes only.
  void app.register(async (scope) => oauthRoutes(scope, state, gate))
  void app.register(async (scope) => beatmapRoutes(scope, state, gate))
  void app.register(async (scope) => assetRoutes(scope))
  void app.register(async (scope) => controlRoutes(scope, state))
  return app
}

/** Beatmap rows by 50 and ratings one by one. */
function beatmapRoutes(app: FastifyInstance, state: State, gate: Gate): void {
  const { library, grants, assetsUrl } = state
  const preHandler = needScope(grants, 'public')

  app.get('/api/v2/beatmaps', { ...gate('beatmaps'), preHandler }, async (request, reply) => {
    const ids = [...new Set(askedIds(request))].toSorted((a, b) => a - b)
    const beatmaps = ids.flatMap((id) => {
      const facts = library.find(id)
      return facts === undefined ? [] : [makeRow(id, facts, assetsUrl)]
    })
    return reply.send({ beatmaps })
  })

  app.post(
    '/api/v2/beatmaps/:id/attributes',
    { ...gate('attributes'), preHandler },
    async (request, reply) => {
      const [id = 0] = askedIds(request)
      const facts = library.find(id)
      if (facts === undefined) return sendAnswer(reply, answers.missing)
      const asked = readRatingRequest(request.body, facts.mode)
      if (typeof asked === 'string') return reply.code(422).send({ error: asked })
      const stars = library.rate(id, facts, asked.mode, asked.mods)
      const { max_combo } = makeRow(id, facts, assetsUrl)
      return { attributes: { star_rating: stars, max_combo, aim_difficulty: stars / 2 } }
    },
  )
}

/**
 * What the body of an attributes call asks for, or why it is refused (422).
 *
 * @param own the beatmap's ruleset; only an `osu` beatmap converts to another one.
 */
function readRatingRequest(body: unknown, own: Mode): { mode: Mode; mods: string[] } | string {
  const { mods = [], ruleset = own } = (body ?? {}) as { mods?: unknown; ruleset?: unknown }
  const mode = modes.find((name) => name === ruleset)
  if (mode === undefined) return 'invalid ruleset'
  if (mode !== own && own !== 'osu') return `a beatmap of ${own} cannot be converted to ${mode}`
  if (!Array.isArray(mods)) return 'mods must be a list'
  const names = mods.map(String)
  const refused = refusedMod(mode, names)
  return refused === undefined ? { mode, mods: names } : `invalid mod for ruleset: ${refused}`
}

/**
 * Pictures in place of covers and avatars, for an application that is configured to look for them here.
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
      const size = coverSizes[kind]
      if (size === undefined) return reply.callNotFound()
      const scale = large === undefined ? 1 : 2
      return sendPicture(reply, params.set, size[0] * scale, size[1] * scale)
    },
  )

  app.get<{ Params: { id: string } }>('/assets/avatars/:id', async ({ params }, reply) =>
    sendPicture(reply, params.id, 256, 256),
  )
}

/** A picture whose colours follow from the id. */
function sendPicture(reply: FastifyReply, id: string, width: number, height: number) {
  const hue = Math.floor(roll(Number(id), 'hue') * 360)
  const colour = (turn: number, light: number) => `hsl(${(hue + turn) % 360} 45% ${light}%)`
  return reply.type('image/svg+xml')
    .send(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${colour(0, 28)}"/><stop offset="1" stop-color="${colour(60, 52)}"/></linearGradient></defs>
<rect width="100%" height="100%" fill="url(#g)"/>
<circle cx="50%" cy="50%" r="${height / 4}" fill="none" stroke="${colour(120, 78)}" stroke-width="${height / 16}"/>
</svg>`)
}
