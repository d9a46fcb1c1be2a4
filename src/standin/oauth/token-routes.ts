import type { FastifyInstance } from 'fastify'
import type { Gate } from '../control/gate.ts'
import type { State } from '../state.ts'
import { field, formOf, takeForms } from './form.ts'
import { readScopes, TOKEN_SECONDS } from './grants.ts'

const problems = {
  invalid_request: [400, 'A parameter is missing, empty or repeated.'],
  invalid_client: [401, 'The client id or secret is wrong.'],
  invalid_grant: [400, 'The code is wrong, used, expired or was given to another redirect_uri.'],
  invalid_scope: [400, 'A scope is missing or not available here.'],
  unsupported_grant_type: [400, 'Only authorization_code and client_credentials are supported.'],
} as const
type Problem = keyof typeof problems

type Tokens = {
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly access_token: string
  readonly refresh_token?: string
}

const grantTokens = ({ client, grants }: State, form: URLSearchParams): Tokens | Problem => {
  const grantType = field(form, 'grant_type')
  const id = field(form, 'client_id')
  const secret = field(form, 'client_secret')
  if (grantType === undefined || id === undefined) return 'invalid_request'
  if (id !== client.id || secret !== client.secret) return 'invalid_client'

  const bearer = { token_type: 'Bearer', expires_in: TOKEN_SECONDS } as const
  if (grantType === 'client_credentials') {
    const asked = readScopes(field(form, 'scope'))
    // Who asks for itself is no player whom `identify` could name.
    if (asked === undefined || asked.includes('identify')) return 'invalid_scope'
    return { ...bearer, access_token: grants.issueToken(null, asked) }
  }
  if (grantType !== 'authorization_code') return 'unsupported_grant_type'
  const code = field(form, 'code')
  const redirectUri = field(form, 'redirect_uri')
  if (code === undefined || redirectUri === undefined) return 'invalid_request'
  const grant = grants.useCode(code, redirectUri)
  if (grant === undefined) return 'invalid_grant'
  return {
    ...bearer,
    access_token: grants.issueToken(grant.playerId, grant.scopes),
    refresh_token: grants.newRefreshToken(),
  }
}

/** Codes and client credentials in, tokens out; failures in the shape of OAuth 2 (RFC 6749, 5.2). */
export const tokenRoutes = (app: FastifyInstance, state: State, gate: Gate): void => {
  takeForms(app)
  app.post('/oauth/token', gate('token'), async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const granted = grantTokens(state, formOf(request.body))
    if (typeof granted !== 'string') return granted
    const [status, description] = problems[granted]
    return reply.code(status).send({ error: granted, error_description: description })
  })
}
