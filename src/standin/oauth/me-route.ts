import type { FastifyInstance } from 'fastify'
import { answers, sendAnswer } from '../answers.ts'
import type { Gate } from '../control/gate.ts'
import type { State } from '../state.ts'
import { grantOf, needScope } from './bearer.ts'

/** Who signed in. The application's own token has no `identify` scope and gets 403. */
export const meRoute = (app: FastifyInstance, state: State, gate: Gate): void => {
  app.get(
    '/api/v2/me',
    { ...gate('me'), preHandler: needScope(state.grants, 'identify') },
    async (request, reply) => {
      const player = state.players.get(grantOf(state.grants, request)?.playerId ?? 0)
      if (player === undefined) return sendAnswer(reply, answers.unauthorized)
      return {
        id: player.id,
        username: player.username,
        avatar_url: state.avatarUrl(player.id),
        country_code: player.countryCode,
        is_restricted: player.isRestricted,
        is_bot: player.isBot,
        is_deleted: player.isDeleted,
        playmode: player.playmode,
      }
    },
  )
}
