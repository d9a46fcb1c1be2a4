import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import { answers, sendAnswer } from '../answers.ts'
import type { Grants, Scope, TokenGrant } from './grants.ts'

/** What the request's bearer token stands for; undefined when it has none that lives. */
export const grantOf = (grants: Grants, request: FastifyRequest): TokenGrant | undefined => {
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return token === undefined ? undefined : grants.findToken(token)
}

/** Lets a request through whose token lives (else 401) and holds the scope (else 403). */
export const needScope =
  (grants: Grants, scope: Scope): preHandlerAsyncHookHandler =>
  async (request, reply) => {
    const grant = grantOf(grants, request)
    if (grant === undefined) return sendAnswer(reply, answers.unauthorized)
    return grant.scopes.includes(scope) ? undefined : sendAnswer(reply, answers.forbidden)
  }
