import type { FastifyReply } from 'fastify'

/** The platform's answers that are not 200, as they come over the wire. */
export const answers = {
  unauthorized: { status: 401, body: { authentication: 'basic' } },
  forbidden: { status: 403, body: { error: 'A required scope is missing.' } },
  missing: { status: 404, body: { error: "The beatmap couldn't be found." } },
  refused: { status: 422, body: { error: 'invalid mod for ruleset: ZZ' } },
  throttled: { status: 429, body: { error: 'Too Many Attempts.' } },
  down: { status: 500, body: { error: null } },
} as const

type Answer = { readonly status: number; readonly body: object }

/** Sends one of the answers. */
export const sendAnswer = (reply: FastifyReply, answer: Answer): FastifyReply =>
  reply.code(answer.status).send(answer.body)
