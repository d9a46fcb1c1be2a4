import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preHandlerAsyncHookHandler,
} from 'fastify'
import type { Gate } from './control.ts'
import { answers, sendAnswer } from './faults.ts'
import { type Grants, readScopes, type Scope, TOKEN_SECONDS, type TokenGrant } from './grants.ts'
import { choicePage, pagePolicy, refusalPage } from './sign-in-page.ts'
import type { Client, State } from './state.ts'

/** Signing in: the authorize page, tokens, and who signed in. */
export function oauthRoutes(app: FastifyInstance, state: State, gate: Gate): void {
  takeForms(app)
  authorizeRoutes(app, state)
  tokenRoutes(app, state, gate)
  meRoute(app, state, gate)
}

/** Lets a request through whose token lives (else 401) and holds the scope (else 403). */
export const needScope =
  (grants: Grants, scope: Scope): preHandlerAsyncHookHandler =>
  async (request, reply) => {
    const grant = grantOf(grants, request)
    if (grant === undefined) return sendAnswer(reply, answers.unauthorized)
    return grant.scopes.includes(scope) ? undefined : sendAnswer(reply, answers.forbidden)
  }

/** What the request's bearer token stands for; undefined when it has none that lives. */
function grantOf(grants: Grants, request: FastifyRequest): TokenGrant | undefined {
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return token === undefined ? undefined : grants.findToken(token)
}

/** The page that asks who signs in, and what follows from its form. */
function authorizeRoutes(app: FastifyInstance, state: State): void {
  const answer = (
    reply: FastifyReply,
    params: URLSearchParams,
    goOn: (request: AuthorizeRequest) => FastifyReply,
  ): FastifyReply => {
    const reading = readAuthorizeRequest(state.client, params)
    if (reading.kind === 'ask') return goOn(reading.request)
    return reading.kind === 'sendBack'
      ? reply.redirect(reading.location)
      : sendPage(reply.code(reading.status), refusalPage(reading.message))
  }

  app.get('/oauth/authorize', async (request, reply) => {
    const query = new URL(request.url, 'http://standin').searchParams
    const params = new URLSearchParams([...query].filter(([name]) => parameters.includes(name)))
    return answer(reply, params, ({ redirectUri }) =>
      sendPage(reply, choicePage(params, state.players.values()), redirectUri),
    )
  })

  app.post('/oauth/authorize', async (request, reply) => {
    const form = formOf(request.body)
    return answer(reply, form, (asked) => {
      const sendBack = (query: Record<string, string>) =>
        reply.redirect(withAnswer(asked.redirectUri, query, asked.state))
      if (form.get('decision') === 'deny') return sendBack({ error: 'access_denied' })
      const player = state.players.get(Number(form.get('player')))
      if (player === undefined) {
        return sendPage(reply.code(400), refusalPage('player must be one of the page.'))
      }
      const { redirectUri, scopes } = asked
      return sendBack({
        code: state.grants.issueCode({ playerId: player.id, redirectUri, scopes }),
      })
    })
  })
}

const sendPage = (reply: FastifyReply, html: string, redirectUri?: string): FastifyReply =>
  reply
    .header('content-security-policy', pagePolicy(redirectUri))
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .type('text/html; charset=utf-8')
    .send(html)

const parameters = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state']

/** A request to sign somebody in, as it stood in the query or came back in the page's form. */
type AuthorizeRequest = {
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  /** Goes back as it came. */
  readonly state: string | undefined
}

/**
 * What a request amounts to. It is told back to the application (`sendBack`) only when its redirect address
 * is registered; anything else is told to the person in front of the page.
 */
type Reading =
  | { readonly kind: 'ask'; readonly request: AuthorizeRequest }
  | { readonly kind: 'sendBack'; readonly location: string }
  | { readonly kind: 'refuse'; readonly status: 400 | 401; readonly message: string }

/** Reads and checks the five parameters of `/oauth/authorize`. */
function readAuthorizeRequest(client: Client, params: URLSearchParams): Reading {
  const redirectUri = field(params, 'redirect_uri')
  if (field(params, 'client_id') !== client.id) {
    return refuse(401, 'client_id names no registered application.')
  }
  if (redirectUri === undefined || !client.redirectUris.includes(redirectUri)) {
    return refuse(400, 'redirect_uri must equal a registered address exactly.')
  }
  if (params.getAll('state').length > 1) return refuse(400, 'state must stand once.')

  const state = params.get('state') ?? undefined
  const sendBack = (error: string): Reading => ({
    kind: 'sendBack',
    location: withAnswer(redirectUri, { error }, state),
  })
  if (field(params, 'response_type') !== 'code') return sendBack('unsupported_response_type')
  const scopes = readScopes(field(params, 'scope'))
  return scopes === undefined
    ? sendBack('invalid_scope')
    : { kind: 'ask', request: { redirectUri, scopes, state } }
}

const refuse = (status: 400 | 401, message: string): Reading => ({
  kind: 'refuse',
  status,
  message,
})

/** The redirect address with an answer in its query. */
function withAnswer(
  redirectUri: string,
  answer: Readonly<Record<string, string>>,
  state: string | undefined,
): string {
  const location = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) location.searchParams.append(name, value)
  if (state !== undefined) location.searchParams.append('state', state)
  return location.href
}

/** Codes and client credentials in, tokens out; failures in the shape of OAuth 2 (RFC 6749, 5.2). */
function tokenRoutes(app: FastifyInstance, state: State, gate: Gate): void {
  app.post('/oauth/token', gate('token'), async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const granted = grantTokens(state, formOf(request.body))
    if (typeof granted !== 'string') return granted
    const [status, description] = problems[granted]
    return reply.code(status).send({ error: granted, error_description: description })
  })
}

type Tokens = {
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly access_token: string
  readonly refresh_token?: string
}

function grantTokens({ client, grants }: State, form: URLSearchParams): Tokens | Problem {
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

const problems = {
  invalid_request: [400, 'A parameter is missing, empty or repeated.'],
  invalid_client: [401, 'The client id or secret is wrong.'],
  invalid_grant: [400, 'The code is wrong, used, expired or was given to another redirect_uri.'],
  invalid_scope: [400, 'A scope is missing or not available here.'],
  unsupported_grant_type: [400, 'Only authorization_code and client_credentials are supported.'],
} as const

type Problem = keyof typeof problems

/** Who signed in. The application's own token has no `identify` scope and gets 403. */
function meRoute(app: FastifyInstance, state: State, gate: Gate): void {
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

/** Takes form bodies, and nothing else: any other type counts as an empty form, so its fields are missing. */
function takeForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) => new URLSearchParams(String(body)),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, async () => new URLSearchParams())
}

/** The form that was sent. */
const formOf = (body: unknown): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

/** A field that stands once; undefined when it is missing, empty or repeated (RFC 6749, 3.1). */
function field(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name)
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}
