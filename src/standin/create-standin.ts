import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import {
  allowOnly,
  askedIds,
  controlRoutes,
  createGate,
  type Gate,
  needScope,
  playerOf,
  sentence,
} from './control.ts'
import { coverSizes, hasLeaderboard, makeRow, roll } from './library.ts'
import { type Mode, readAskedRating } from './mods.ts'
import { authorizeRoutes, meRoute } from './oauth.ts'
import { sendError, sendJson } from './replies.ts'
import { createState, type StandinOptions, type State } from './state.ts'
import { takeForms, tokenRoute } from './tokens.ts'

/**
 * The game platform's wire in a small server of its own, with failures on demand; see README.md.
 * It stores nothing. Closing it also ends the calls that a fault keeps waiting.
 */
export function createStandin(options: StandinOptions): FastifyInstance {
  const state = createState(options)
  const gate = createGate(state)
  const app = Fastify({
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true },
  })
  app.setValidatorCompiler<TSchema>(({ schema }) => bodyChecker(schema))

  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    const status = error.statusCode ?? 500
    void reply.code(status).send({ error: status < 500 ? error.message : null })
  })
  app.setNotFoundHandler((request, reply) => {
    const route = request.url.split('?')[0]!.slice(1)
    return sendError(request, reply, 404, `The route ${route} could not be found.`)
  })

  // Each has a scope, so that body parsers and hooks apply to its own routes only.
  void app.register(async (scope) => {
    takeForms(scope)
    authorizeRoutes(scope, state)
    tokenRoute(scope, state, gate)
    meRoute(scope, state, gate)
  })
  void app.register(async (scope) => beatmapRoutes(scope, state, gate))
  void app.register(async (scope) => assetRoutes(scope))
  void app.register(async (scope) => state.mirror.routes(scope))
  void app.register(async (scope) => state.chat.routes(scope))
  void app.register(async (scope) => controlRoutes(scope, state))
  return app
}

/**
 * A control body that is slightly wrong must fail: it would make a test pass for nothing. What checks it is made when it
 * is first asked, as hardly any run of the stand-in takes more than one kind.
 */
function bodyChecker(schema: TSchema): (body: unknown) => true | { readonly error: Error } {
  let check: Validator | undefined
  return (body) => {
    check ??= Compile(schema)
    if (check.Check(body)) return true
    const faults = check.Errors(body).map((each) => `body${each.instancePath} ${each.message}`)
    return { error: new Error(faults.join(', ')) }
  }
}

/** Beatmap rows by 50 and ratings one by one. */
function beatmapRoutes(app: FastifyInstance, state: State, gate: Gate): void {
  takeAnyBody(app)
  const { library, assetsUrl } = state
  const preHandler = needScope(state, 'public')

  app.get('/api/v2/beatmaps', { ...gate('beatmaps'), preHandler }, async (request, reply) => {
    const ids = [...new Set(askedIds(request))].toSorted((a, b) => a - b)
    const beatmaps = ids.flatMap((id) => {
      const facts = library.find(id)
      return facts === undefined ? [] : [makeRow(id, facts, assetsUrl)]
    })
    return sendJson(reply, 200, { beatmaps })
  })
  allowOnly(app, 'GET', '/api/v2/beatmaps')

  const url = '/api/v2/beatmaps/:id/attributes'
  app.post(url, { ...gate('attributes'), preHandler }, async (request, reply) => {
    const [id = 0] = askedIds(request)
    const facts = library.find(id)
    if (facts === undefined) {
      const error = sentence('missing', request, playerOf(state, request))
      return sendJson(reply, 404, { error })
    }
    const asked = readAskedRating(request.body, facts.mode)
    if (typeof asked === 'string') return sendJson(reply, 422, { error: asked })
    const star_rating = library.rate(id, facts, asked)
    // Only what can be played for a place has more than a rating.
    if (star_rating === 0 || !hasLeaderboard(facts.status)) {
      return sendJson(reply, 200, { attributes: { star_rating, max_combo: 0 } })
    }
    const others = otherAttributes[asked.mode](star_rating)
    const max_combo = facts.combo ?? 0
    return sendJson(reply, 200, { attributes: { star_rating, max_combo, ...others } })
  })
  allowOnly(app, 'POST', url)
}

/** A body that is broken, or no JSON, is as good as none. */
function takeAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) => {
      try {
        return JSON.parse(String(body)) as unknown
      } catch {
        return undefined
      }
    },
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, async () => undefined)
}

/** Made-up values that come with the rating, by ruleset. */
const otherAttributes: Readonly<Record<Mode, (stars: number) => object>> = {
  osu: (stars) => ({
    aim_difficulty: stars / 2,
    aim_difficult_slider_count: 40,
    speed_difficulty: stars / 2.2,
    speed_note_count: 120,
    slider_factor: 0.98,
    aim_difficult_strain_count: 70,
    speed_difficult_strain_count: 60,
  }),
  taiko: () => ({ mono_stamina_factor: 0.01 }),
  fruits: () => ({}),
  mania: () => ({}),
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
