import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowOnly, type Gate } from './control.ts'
import { type CodeProblem, makeRefreshToken, readScopes, TOKEN_SECONDS } from './grants.ts'
import { sendError, sendJson } from './replies.ts'
import type { State } from './state.ts'

/**
 * Credentials in, tokens out. What is refused, and in which order, is as on the platform: the kind of grant first, then
 * the application with its redirect address, then the code.
 */
export function tokenRoute(app: FastifyInstance, state: State, gate: Gate): void {
  app.post('/oauth/token', gate('token'), async (request, reply) => {
    const granted = grantTokens(state, formOf(request))
    if ('problem' in granted) return sendProblem(request, reply, granted)
    return reply
      .header('cache-control', 'no-store')
      .header('pragma', 'no-cache')
      .type('application/json; charset=UTF-8')
      .send(JSON.stringify(granted))
  })
  allowOnly(app, 'POST', '/oauth/token')
}

/** Takes form bodies only: any other type counts as an empty form, so its fields are missing. */
export function takeForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) => new URLSearchParams(String(body)),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, async () => new URLSearchParams())
}

export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

/** A field of a form; undefined when it is missing, empty or repeated (RFC 6749, 3.1). */
export function field(form: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = form.getAll(name)
  return others.length > 0 || value === '' ? undefined : value
}

/** What is wrong with a token call, and what about it, where the platform says that. */
type TokenProblem = { readonly problem: keyof typeof problems; readonly hint?: string }

/** Applications must not compare the descriptions: only the status and the name of the error stay as they are. */
export const problems = {
  invalid_request: [400, 'A parameter is missing, wrong or repeated.'],
  invalid_grant: [400, 'The grant is not valid.'],
  invalid_client: [401, 'The application was not recognised.'],
  invalid_scope: [400, 'A scope is unknown.'],
  unsupported_grant_type: [400, 'This kind of grant is not supported.'],
  access_denied: [401, 'The player denied the request.'],
  /** Of the platform itself: its text is in the place of the name. */
  scope_of_client: [400, 'These scopes are not for this application.'],
} as const

/** An error as the OAuth library of the platform describes it. */
export function describeProblem(problem: keyof typeof problems, hint?: string) {
  const [, description] = problems[problem]
  return {
    error: problem,
    error_description: description,
    ...(hint !== undefined && { hint }),
    message: description,
  }
}

const checkParameter = (name: string) =>
  ({ problem: 'invalid_request', hint: `Check the \`${name}\` parameter` }) as const

const codeProblems: Readonly<Record<CodeProblem, TokenProblem>> = {
  forged: { problem: 'invalid_request', hint: 'Cannot decrypt the authorization code' },
  expired: { problem: 'invalid_request', hint: 'Authorization code has expired' },
  used: { problem: 'invalid_request', hint: 'Authorization code has been revoked' },
  otherClient: {
    problem: 'invalid_request',
    hint: 'Authorization code was not issued to this client',
  },
  noRedirect: checkParameter('redirect_uri'),
  otherRedirect: { problem: 'invalid_request', hint: 'Invalid redirect URI' },
  noVerifier: checkParameter('code_verifier'),
  noChallenge: checkParameter('code_challenge'),
  wrongVerifier: { problem: 'invalid_grant', hint: 'Failed to verify `code_verifier`.' },
}

/** What a token call is answered, with a token or without. */
function grantTokens(state: State, form: URLSearchParams): object | TokenProblem {
  const grantType = field(form, 'grant_type')
  if (grantType !== 'client_credentials' && grantType !== 'authorization_code') {
    return { problem: 'unsupported_grant_type', hint: 'Check that all parameters are there' }
  }
  return (
    checkClient(state, form) ??
    (grantType === 'authorization_code' ? tradeCode : grantOwn)(state, form)
  )
}

/** A redirect address that is not registered is a mistake of the application, as a wrong secret is. */
function checkClient({ findClient }: State, form: URLSearchParams): TokenProblem | null {
  const id = field(form, 'client_id')
  const redirectUri = field(form, 'redirect_uri')
  if (id === undefined) return checkParameter('client_id')
  const client = findClient(id)
  const isKnown = client !== undefined && field(form, 'client_secret') === client.secret
  const isRegistered = redirectUri === undefined || client?.redirectUris.includes(redirectUri)
  return isKnown && isRegistered ? null : { problem: 'invalid_client' }
}

const bearer = { token_type: 'Bearer', expires_in: TOKEN_SECONDS }

/** A token of the application's own, which is no player, whatever its scopes. */
function grantOwn({ grants }: State, form: URLSearchParams): object {
  const { scopes, unknown, isAllowed } = readScopes(field(form, 'scope'))
  if (unknown !== undefined) {
    return { problem: 'invalid_scope', hint: `Check the \`${unknown}\` scope` }
  }
  if (scopes.length === 0 || !isAllowed) return { problem: 'scope_of_client' }
  const clientId = field(form, 'client_id') ?? ''
  return { ...bearer, access_token: grants.issueToken({ clientId, playerId: null, scopes }) }
}

function tradeCode({ grants }: State, form: URLSearchParams): object {
  const code = field(form, 'code')
  if (code === undefined) return checkParameter('code')
  const grant = grants.useCode({
    code,
    clientId: field(form, 'client_id') ?? '',
    redirectUri: field(form, 'redirect_uri'),
    verifier: field(form, 'code_verifier'),
  })
  if (typeof grant === 'string') return codeProblems[grant]
  const { clientId, playerId, scopes } = grant
  const access_token = grants.issueToken({ clientId, playerId, scopes })
  return { ...bearer, access_token, refresh_token: makeRefreshToken() }
}

function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  { problem, hint }: TokenProblem,
): FastifyReply {
  const [status, description] = problems[problem]
  if (problem === 'scope_of_client') return sendError(request, reply, status, description)
  return sendJson(reply, status, describeProblem(problem, hint))
}
