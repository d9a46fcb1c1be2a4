import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { modes } from '../beatmaps/facts.ts'
import type { State } from '../state.ts'
import { FaultInput } from './fault-book.ts'

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

/** What only the stand-in has: orders of failures, changes and a look at the calls. None of it counts as a call. */
export const controlRoutes = (app: FastifyInstance, state: State): void => {
  const { faults, calls, library, players, grants, throttle } = state

  app.get('/standin/faults', async () => ({ faults: faults.list() }))
  app.post<{ Body: FaultInput }>(
    '/standin/faults',
    { schema: { body: FaultInput } },
    async (request, reply) => reply.code(201).send(faults.add(request.body)),
  )
  app.delete('/standin/faults', async (_request, reply) => {
    faults.clear()
    return reply.code(204).send()
  })

  app.get('/standin/calls', async () => calls.report())
  app.delete('/standin/calls', async (_request, reply) => {
    calls.clear()
    return reply.code(204).send()
  })

  app.post<{ Body: Static<typeof Gone> }>(
    '/standin/gone',
    { schema: { body: Gone } },
    async (request, reply) => {
      library.remove(request.body.ids)
      return reply.code(204).send()
    },
  )
  app.post<{ Body: Static<typeof Changed> }>(
    '/standin/beatmaps',
    { schema: { body: Changed } },
    async (request, reply) => {
      library.change(request.body.id, request.body.facts)
      return reply.code(204).send()
    },
  )
  app.delete('/standin/beatmaps', async (_request, reply) => {
    library.restore()
    return reply.code(204).send()
  })

  app.post<{ Body: Static<typeof Renamed> }>(
    '/standin/players',
    { schema: { body: Renamed } },
    async (request, reply) => {
      const player = players.get(request.body.id)
      if (player === undefined) return reply.code(404).send({ error: 'no such player' })
      players.set(player.id, { ...player, username: request.body.username })
      return reply.code(204).send()
    },
  )

  app.post('/standin/tokens/expire', async () => ({ expired: grants.revokeTokens() }))
  app.post<{ Body: Static<typeof Limit> }>(
    '/standin/limit',
    { schema: { body: Limit } },
    async (request, reply) => {
      throttle.setLimit(request.body.perMinute)
      return reply.code(204).send()
    },
  )
}
