import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import type { CallKind, LoggedCall } from './calls.ts'
import { answers, failCall, type Fault, FaultInput, sendAnswer, spoilAnswer } from './faults.ts'
import { KnownBeatmap } from './library.ts'
import type { State } from './state.ts'

export type Gate = ReturnType<typeof createGate>

/** Makes the hooks of a call of the wire: it is counted, held to the limit, and then met by its fault. */
export function createGate({ calls, throttle, faults }: State) {
  const visits = new WeakMap<FastifyRequest, { readonly call: LoggedCall; fault?: Fault }>()

  return (kind: CallKind) => ({
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      visits.set(request, { call: calls.note(kind, askedIds(request)) })
      const wait = throttle.admit()
      return wait > 0 ? sendAnswer(reply.header('retry-after', wait), answers.throttled) : undefined
    },
    async preValidation(request: FastifyRequest, reply: FastifyReply) {
      const visit = visits.get(request)!
      if (kind === 'attributes') visit.call.asked = request.body
      const fault = faults.meet(kind, visit.call.ids)
      if (fault === undefined) return undefined
      visit.fault = fault
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

/** The beatmaps that a call asks for, in its path or its query; the platform silently ignores more than 50. */
export function askedIds(request: FastifyRequest): number[] {
  const { id } = request.params as { id?: string }
  const query = new URL(request.url, 'http://standin').searchParams
  const texts = id === undefined ? query.getAll('ids[]').slice(0, 50) : [id]
  return texts.filter((text) => /^[0-9]{1,15}$/.test(text)).map(Number)
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
    if (player === undefined) return reply.code(404).send({ error: 'no such player' })
    players.set(id, { ...player, username })
    return undefined
  })
  app.post('/standin/tokens/expire', async () => ({ expired: grants.revokeTokens() }))
  const perMinute = Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 })
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

function closed<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}
