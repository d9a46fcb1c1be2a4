import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import type { CallKind, createWindows, LoggedCall } from './calls.ts'
import { failCall, type Fault, FaultInput, isInFront, sendAnswer, spoilAnswer } from './faults.ts'
import { KnownBeatmap } from './library.ts'
import { ChatInput } from './chat.ts'
import { MirrorInput } from './mirror.ts'
import { sendError } from './replies.ts'
import type { Player, State } from './state.ts'

export type Gate = ReturnType<typeof createGate>

/** Makes the hooks of a call of the wire: it is counted, admitted, and then met by its fault. */
export function createGate(state: State) {
  const { calls, throttle, faults } = state
  const visits = new WeakMap<FastifyRequest, { readonly call: LoggedCall; fault?: Fault }>()

  return (kind: CallKind) => ({
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      visits.set(request, { call: calls.note(kind, askedIds(request)) })
      return throttle.admit() ? undefined : sendThrottled(request, reply)
    },
    async preValidation(request: FastifyRequest, reply: FastifyReply) {
      const visit = visits.get(request)!
      if (kind === 'attributes') visit.call.asked = request.body
      const fault = faults.find(kind, visit.call.ids)
      const refused =
        fault !== undefined && isInFront(fault) ? null : admit(state, kind, request, reply)
      if (refused !== null) return refused
      if (fault === undefined) return undefined
      visit.fault = fault
      fault.met += 1
      if (fault.delay !== undefined) await sleep(fault.delay, undefined, { ref: false })
      return failCall(fault, request, reply) ? reply : undefined
    },
    async onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
      const { call, fault } = visits.get(request)!
      call.status = reply.statusCode
      if (fault === undefined || typeof payload !== 'string') return payload
      return spoilAnswer(fault, payload, reply)
    },
  })
}

/** The platform looks at the token first, then at the player, then at the limit; null when the call may go on. */
function admit(
  state: State,
  kind: CallKind,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | null {
  if (kind === 'token') return hold(state.addressWindows, request.ip, request, reply)
  const grant = grantOf(state, request)
  if (grant === undefined) return sendAnswer(reply, 'unauthorized')
  const player = playerOf(state, request)
  if (player !== undefined && player.disabled !== null) {
    return sendError(request, reply, 403, sentence('disabled', request, player))
  }
  return hold(state.tokenWindows, grant.token, request, reply)
}

/** Spends a call of the limit, and says in the headers what is left. */
function hold(
  windows: ReturnType<typeof createWindows>,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | null {
  const left = windows.admit(key)
  if (left === null) return sendThrottled(request, reply)
  if (windows.perMinute === null) return null
  void reply.header('x-ratelimit-limit', windows.perMinute)
  void reply.header('x-ratelimit-remaining', left)
  return null
}

function sendThrottled(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(request, reply, 429, 'Too Many Attempts.')
}

/** Admits a call whose token has the scope. */
export function needScope(state: State, scope: string) {
  return async (request: FastifyRequest, reply: FastifyReply) =>
    grantOf(state, request)?.scopes.includes(scope) === true
      ? undefined
      : sendAnswer(reply, 'forbidden')
}

function grantOf({ grants }: State, { headers }: FastifyRequest) {
  const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  return token === undefined ? undefined : grants.findToken(token)
}

/** Whose token it is; undefined of a token of the application's own. */
export function playerOf(state: State, request: FastifyRequest): Player | undefined {
  return state.players.get(grantOf(state, request)?.playerId ?? 0)
}

/** Made up, besides the English one of `missing`: nobody can rely on their wording. */
const sentences: Readonly<Record<'disabled' | 'missing', Readonly<Record<string, string>>>> = {
  disabled: {
    en: 'This account has been disabled.',
    de: 'Dieses Konto ist gesperrt.',
    ja: 'このアカウントは使えません。',
    nl: 'Dit account is uitgeschakeld.',
  },
  missing: {
    en: "Specified beatmap difficulty couldn't be found.",
    de: 'Diesen Schwierigkeitsgrad gibt es nicht.',
    ja: 'その難易度はありません。',
    nl: 'Deze moeilijkheidsgraad bestaat niet.',
  },
}

/** In the language that the request names; if it names none or `*`, as programs do, in the player's. */
export function sentence(
  name: keyof typeof sentences,
  { headers }: FastifyRequest,
  player: Player | undefined,
): string {
  const asked = headers['accept-language'] ?? '*'
  const language = asked === '*' ? player?.language : /^[a-z]+/.exec(asked.toLowerCase())?.[0]
  const { [language ?? 'en']: text, en = '' } = sentences[name]
  return text ?? en
}

/**
 * The beatmaps that a call asks for, in its path or its query, read as the platform reads integers: what is none is 0.
 * It silently ignores more than 50.
 */
export function askedIds(request: FastifyRequest): number[] {
  const { id } = request.params as { id?: string }
  const query = new URL(request.url, 'http://standin').searchParams
  const texts = id === undefined ? query.getAll('ids[]').filter((text) => text !== '') : [id]
  return texts.slice(0, 50).map((text) => Number(/^\s*([0-9]{1,15})/.exec(text)?.[1] ?? 0))
}

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Answers every other method of a route, for every caller. */
export function allowOnly(app: FastifyInstance, method: 'GET' | 'POST', url: string): void {
  const supported = method === 'GET' ? 'GET, HEAD' : method
  app.route({
    method: methods.filter((each) => each !== method),
    url,
    handler: async (request, reply) => {
      const route = request.url.split('?')[0]!.slice(1)
      const text = `The ${request.method} method is not supported for route ${route}. Supported methods: ${supported}.`
      return sendError(request, reply, 405, text)
    },
  })
}

/** Calls that drive the stand-in: faults, changes and a look at the calls. They are not counted. */
export function controlRoutes(app: FastifyInstance, state: State): void {
  const { faults, calls, library, players, grants, throttle } = state
  const integer = Type.Integer({ minimum: 1 })

  app.get('/standin/faults', async () => ({ faults: faults.list() }))
  post('faults', FaultInput, (fault, reply) => reply.code(201).send(faults.add(fault)))
  remove('faults', faults.clear)

  app.get('/standin/calls', async () => calls.report())
  remove('calls', calls.clear)

  post('gone', closed({ ids: Type.Array(integer) }), ({ ids }) => library.remove(ids))
  const changed = closed({ id: integer, facts: KnownBeatmap })
  post('beatmaps', changed, ({ id, facts }) => library.change(id, facts))
  remove('beatmaps', library.restore)

  const renamed = closed({ id: Type.Integer(), username: Type.String({ minLength: 1 }) })
  post('players', renamed, ({ id, username }, reply) => {
    const player = players.get(id)
    if (player === undefined) return reply.code(404).send(noPlayer)
    players.set(id, { ...player, username })
    return undefined
  })
  const visitor = closed({ player: Type.Integer(), isConfirmed: Type.Optional(Type.Boolean()) })
  post('visitor', visitor, ({ player, isConfirmed = true }, reply) => {
    if (!players.has(player)) return reply.code(404).send(noPlayer)
    state.visitor = { player, isConfirmed }
    return undefined
  })
  remove('visitor', () => {
    state.visitor = null
  })
  app.post('/standin/tokens/expire', async () => ({ expired: grants.revokeTokens() }))
  const perMinute = Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 })
  app.get('/standin/mirror', async () => state.mirror.report())
  post('mirror', MirrorInput, (input) => state.mirror.behave(input))
  remove('mirror', () => state.mirror.clear())
  app.get('/standin/chat', async () => state.chat.report())
  post('chat', ChatInput, (input) => state.chat.behave(input))
  remove('chat', () => state.chat.clear())
  post('limit', closed({ perMinute }), (limit) => throttle.setLimit(limit.perMinute))

  /** Answers 204, unless `run` answers something else. */
  function post<S extends TSchema>(
    path: string,
    schema: S,
    run: (body: Static<S>, reply: FastifyReply) => FastifyReply | void,
  ): void {
    app.post<{ Body: Static<S> }>(
      `/standin/${path}`,
      { schema: { body: schema } },
      async ({ body }, reply) => run(body as Static<S>, reply) ?? reply.code(204).send(),
    )
  }

  function remove(path: string, run: () => void): void {
    app.delete(`/standin/${path}`, async (_request, reply) => {
      run()
      return reply.code(204).send()
    })
  }
}

const noPlayer = { error: 'no such player' }

function closed<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}
