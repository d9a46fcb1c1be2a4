import { setTimeout as sleep } from 'node:timers/promises'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onSendAsyncHookHandler,
  preValidationAsyncHookHandler,
} from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import type { Call, CallKind } from './calls.ts'
import { answers, failCall, type Fault, FaultInput, sendAnswer, spoilAnswer } from './faults.ts'
import { modes } from './real-beatmaps.ts'
import type { State } from './state.ts'

/** The hooks that every call of the wire passes: it is counted and held to the limit, then meets its fault. */
export type Gate = (kind: CallKind) => {
  readonly onRequest: onRequestAsyncHookHandler
  readonly preValidation: preValidationAsyncHookHandler
  readonly onSend: onSendAsyncHookHandler
}

type Visit = { readonly call: Call; fault?: Fault }

export function createGate({ calls, throttle, faults }: State): Gate {
  const visits = new WeakMap<FastifyRequest, Visit>()

  const enter = async (kind: CallKind, request: FastifyRequest, reply: FastifyReply) => {
    visits.set(request, { call: calls.note(kind, askedIds(request)) })
    const wait = throttle.admit()
    return wait > 0 ? sendAnswer(reply.header('retry-after', wait), answers.throttled) : undefined
  }

  const meetFault = async (request: FastifyRequest, reply: FastifyReply) => {
    const visit = visits.get(request)
    if (visit === undefined) return undefined
    const { call } = visit
    if (call.kind === 'attributes') call.asked = request.body
    const fault = faults.meet(call.kind, call.ids)
    if (fault === undefined) return undefined
    visit.fault = fault
    if (fault.delay !== undefined) await sleep(fault.delay, undefined, { ref: false })
    return failCall(fault, request, reply) ? reply : undefined
  }

  const leave = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const visit = visits.get(request)
    if (visit === undefined) return payload
    visit.call.status = reply.statusCode
    if (visit.fault === undefined || typeof payload !== 'string') return payload
    return spoilAnswer(visit.fault, payload, reply)
  }

  return (kind) => ({
    onRequest: async (request, reply) => enter(kind, request, reply),
    preValidation: meetFault,
    onSend: leave,
  })
}

/** The beatmaps that a call asks for, in its path or its query; none for the calls that ask for none. */
export function askedIds(request: FastifyRequest): number[] {
  const { id } = request.params as { id?: string }
  if (id !== undefined) return toIds([id])
  const query = new URL(request.url, 'http://standin').searchParams
  return toIds(query.getAll('ids[]').slice(0, MAX_IDS))
}

/** The platform cuts silently behind so many. */
const MAX_IDS = 50

const toIds = (texts: readonly string[]): number[] =>
  texts.filter((text) => /^[0-9]{1,15}$/.test(text)).map(Number)

/** What only the stand-in has: orders of failures, changes and a look at the calls. None of it counts as a call. */
export function controlRoutes(app: FastifyInstance, state: State): void {
  const { faults, calls, library, players, grants, throttle } = state

  app.get('/standin/faults', async () => ({ faults: faults.list() }))
  post('faults', FaultInput, (fault, reply) => reply.code(201).send(faults.add(fault)))
  remove('faults', faults.clear)

  app.get('/standin/calls', async () => calls.report())
  remove('calls', calls.clear)

  post('gone', Gone, ({ ids }) => library.remove(ids))
  post('beatmaps', Changed, ({ id, facts }) => library.change(id, facts))
  remove('beatmaps', library.restore)

  post('players', Renamed, ({ id, username }, reply) => {
    const player = players.get(id)
    if (player === undefined) return reply.code(404).send({ error: 'no such player' })
    players.set(id, { ...player, username })
    return undefined
  })
  app.post('/standin/tokens/expire', async () => ({ expired: grants.revokeTokens() }))
  post('limit', Limit, ({ perMinute }) => throttle.setLimit(perMinute))

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

const closed = { additionalProperties: false }

const Gone = Type.Object({ ids: Type.Array(Type.Integer({ minimum: 1 })) }, closed)

const Limit = Type.Object(
  { perMinute: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 }) },
  closed,
)

const Changed = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    facts: Type.Partial(
      Type.Object({
        set: Type.Integer(),
        artist: Type.String(),
        title: Type.String(),
        creator: Type.String(),
        version: Type.String(),
        mode: Type.Enum(modes),
        stars: Type.Number(),
        seconds: Type.Integer(),
        bpm: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
        ratings: Type.Record(Type.String(), Type.Number()),
      }),
      closed,
    ),
  },
  closed,
)

const Renamed = Type.Object({ id: Type.Integer(), username: Type.String({ minLength: 1 }) }, closed)
