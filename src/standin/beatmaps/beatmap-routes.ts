import type { FastifyInstance } from 'fastify'
import { answers, sendAnswer } from '../answers.ts'
import type { Gate } from '../control/gate.ts'
import { needScope } from '../oauth/bearer.ts'
import type { State } from '../state.ts'
import { askedIds } from './asked-ids.ts'
import { readRatingRequest } from './rating-request.ts'
import { makeRow } from './row.ts'

/** Beatmap rows by 50 and ratings one by one. */
export const beatmapRoutes = (app: FastifyInstance, state: State, gate: Gate): void => {
  const { library, grants, assetsUrl } = state

  app.get(
    '/api/v2/beatmaps',
    { ...gate('beatmaps'), preHandler: needScope(grants, 'public') },
    async (request, reply) => {
      const ids = [...new Set(askedIds(request))].toSorted((a, b) => a - b)
      const found = ids.flatMap((id) => {
        const facts = library.find(id)
        return facts === undefined ? [] : [makeRow(id, facts, assetsUrl)]
      })
      return reply.send({ beatmaps: found })
    },
  )

  app.post(
    '/api/v2/beatmaps/:id/attributes',
    { ...gate('attributes'), preHandler: needScope(grants, 'public') },
    async (request, reply) => {
      const [id = 0] = askedIds(request)
      const facts = library.find(id)
      if (facts === undefined) return sendAnswer(reply, answers.missing)
      const asked = readRatingRequest(request.body, facts.mode)
      if (typeof asked === 'string') return reply.code(422).send({ error: asked })
      const stars = library.rate(id, facts, asked.mode, asked.mods)
      return {
        attributes: {
          star_rating: stars,
          max_combo: makeRow(id, facts, assetsUrl).max_combo,
          aim_difficulty: stars / 2,
        },
      }
    },
  )
}
