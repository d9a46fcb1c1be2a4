import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from './control.ts'
import { answers, sendAnswer } from './faults.ts'
import { makeSecret, readScopes, type Scope, TOKEN_SECONDS } from './grants.ts'
import type { Player, State } from './state.ts'

/** Signing in: the authorize page, tokens, and who signed in. */
export function oauthRoutes(app: FastifyInstance, state: State, gate: Gate): void {
  takeForms(app)
  authorizeRoutes(app, state)
  tokenRoute(app, state, gate)
  meRoute(app, state, gate)
}

/** Takes form bodies only: any other type counts as an empty form, so its fields are missing. */
function takeForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) => new URLSearchParams(String(body)),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, async () => new URLSearchParams())
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

/** A field of a form; undefined when it is missing, empty or repeated (RFC 6749, 3.1). */
function field(form: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = form.getAll(name)
  return others.length > 0 || value === '' ? undefined : value
}

type AuthorizeRequest = {
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  /** Redirects to the application with an answer in the query, and `state` as it came. */
  readonly sendBack: (answer: Readonly<Record<string, string>>) => FastifyReply
}

/** The page that asks who signs in, and the redirects that its form leads to. */
function authorizeRoutes(app: FastifyInstance, { client, players, grants }: State): void {
  app.get('/oauth/authorize', async (request, reply) => {
    const query = new URL(request.url, 'http://standin').searchParams
    const params = new URLSearchParams([...query].filter(([name]) => parameters.includes(name)))
    return readRequest(params, reply, ({ redirectUri }) =>
      sendPage(reply, choicePage(params, players.values()), redirectUri),
    )
  })

  app.post('/oauth/authorize', async (request, reply) => {
    const form = formOf(request)
    return readRequest(form, reply, ({ redirectUri, scopes, sendBack }) => {
      if (form.get('decision') === 'deny') return sendBack({ error: 'access_denied' })
      const player = players.get(Number(form.get('player')))
      if (player === undefined) return refuse(reply, 400, 'player must be one of the page.')
      return sendBack({ code: grants.issueCode({ playerId: player.id, redirectUri, scopes }) })
    })
  })

  /** Reports a mistake to the application if its redirect address is registered, else on a page. */
  function readRequest(
    params: URLSearchParams,
    reply: FastifyReply,
    proceed: (request: AuthorizeRequest) => FastifyReply,
  ): FastifyReply {
    if (field(params, 'client_id') !== client.id) {
      return refuse(reply, 401, 'client_id names no registered application.')
    }
    const redirectUri = field(params, 'redirect_uri')
    if (redirectUri === undefined || !client.redirectUris.includes(redirectUri)) {
      return refuse(reply, 400, 'redirect_uri must equal a registered address exactly.')
    }
    const states = params.getAll('state')
    if (states.length > 1) return refuse(reply, 400, 'state must stand once.')

    const sendBack: AuthorizeRequest['sendBack'] = (answer) => {
      const location = new URL(redirectUri)
      for (const [name, value] of Object.entries(answer)) location.searchParams.append(name, value)
      for (const state of states) location.searchParams.append('state', state)
      return reply.redirect(location.href)
    }
    if (field(params, 'response_type') !== 'code') {
      return sendBack({ error: 'unsupported_response_type' })
    }
    const scopes = readScopes(field(params, 'scope'))
    if (scopes === undefined) return sendBack({ error: 'invalid_scope' })
    return proceed({ redirectUri, scopes, sendBack })
  }
}

const parameters = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state']

/** Credentials in, tokens out; failures in the shape of OAuth 2 (RFC 6749, 5.2). */
function tokenRoute(app: FastifyInstance, state: State, gate: Gate): void {
  app.post('/oauth/token', gate('token'), async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const granted = grantTokens(state, formOf(request))
    if (typeof granted !== 'string') return granted
    const [status, description] = problems[granted]
    return reply.code(status).send({ error: granted, error_description: description })
  })
}

const problems = {
  invalid_request: [400, 'A parameter is missing, empty or repeated.'],
  invalid_client: [401, 'The client id or secret is wrong.'],
  invalid_grant: [400, 'The code is wrong, used, expired or was given to another redirect_uri.'],
  invalid_scope: [400, 'A scope is missing or not available here.'],
  unsupported_grant_type: [400, 'Only authorization_code and client_credentials are supported.'],
} as const

function grantTokens({ client, grants }: State, form: URLSearchParams) {
  const grantType = field(form, 'grant_type')
  const id = field(form, 'client_id')
  if (grantType === undefined || id === undefined) return 'invalid_request'
  if (id !== client.id || field(form, 'client_secret') !== client.secret) return 'invalid_client'

  const bearer = { token_type: 'Bearer', expires_in: TOKEN_SECONDS }
  if (grantType === 'client_credentials') {
    const scopes = readScopes(field(form, 'scope'))
    // An application that asks for itself is no player whom `identify` could name.
    if (scopes === undefined || scopes.includes('identify')) return 'invalid_scope'
    return { ...bearer, access_token: grants.issueToken({ playerId: null, scopes }) }
  }
  if (grantType !== 'authorization_code') return 'unsupported_grant_type'
  const code = field(form, 'code')
  const redirectUri = field(form, 'redirect_uri')
  if (code === undefined || redirectUri === undefined) return 'invalid_request'
  const grant = grants.useCode(code, redirectUri)
  if (grant === undefined) return 'invalid_grant'
  const { playerId, scopes } = grant
  const access_token = grants.issueToken({ playerId, scopes })
  return { ...bearer, access_token, refresh_token: makeSecret() }
}

/** Who signed in. The application's own token has no `identify` scope and gets 403. */
function meRoute(app: FastifyInstance, { grants, players, avatarUrl }: State, gate: Gate): void {
  const preHandler = needScope(grants, 'identify')
  app.get('/api/v2/me', { ...gate('me'), preHandler }, async (request, reply) => {
    const player = players.get(grantOf(grants, request)?.playerId ?? 0)
    if (player === undefined) return sendAnswer(reply, answers.unauthorized)
    return {
      id: player.id,
      username: player.username,
      avatar_url: avatarUrl(player.id),
      country_code: player.countryCode,
      is_restricted: player.isRestricted,
      is_bot: player.isBot,
      is_deleted: player.isDeleted,
      playmode: player.playmode,
    }
  })
}

/** Admits a request whose token is valid (else 401) and has the scope (else 403). */
export function needScope(grants: State['grants'], scope: Scope) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const grant = grantOf(grants, request)
    if (grant === undefined) return sendAnswer(reply, answers.unauthorized)
    return grant.scopes.includes(scope) ? undefined : sendAnswer(reply, answers.forbidden)
  }
}

function grantOf(grants: State['grants'], { headers }: FastifyRequest) {
  const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  return token === undefined ? undefined : grants.findToken(token)
}

function refuse(reply: FastifyReply, status: 400 | 401, message: string): FastifyReply {
  const body = `<p>${escape(message)}</p>
<p>Nobody was signed in. The application that sent you here has to be set up differently.</p>`
  return sendPage(reply.code(status), page('This sign-in request is wrong', body))
}

/** @param redirectUri browsers hold the redirect after a form to `form-action`, too, so it needs the origin. */
function sendPage(reply: FastifyReply, html: string, redirectUri?: string): FastifyReply {
  const origin = redirectUri === undefined ? '' : ` ${new URL(redirectUri).origin}`
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'${origin}; base-uri 'none'; frame-ancestors 'none'`
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .type('text/html; charset=utf-8')
    .send(html)
}

/** @param params travel through the form. */
function choicePage(params: URLSearchParams, players: Iterable<Player>): string {
  const hidden = [...params].map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  )
  const buttons = Array.from(
    players,
    ({ id, username, about }) =>
      `<li><button name="player" value="${id}"><strong>${escape(username)}</strong> ${escape(about)}</button></li>`,
  )
  return page(
    'Who signs in?',
    `<p>This is a stand-in for the game platform: its players are made up and have no passwords.
An application asks to know who you are. Pick a player to go back to it.</p>
<form method="post" action="authorize">
${hidden.join('\n')}
<ul>
${buttons.join('\n')}
</ul>
<button class="deny" name="decision" value="deny">Deny</button>
</form>`,
  )
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
}

const style = `
:root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 32rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
ul { list-style: none; margin: 1.5rem 0; padding: 0; display: grid; gap: .6rem; }
button { font: inherit; color: inherit; text-align: left; width: 100%; padding: .7rem 1rem;
  border: 1px solid GrayText; border-radius: .6rem; background: transparent; cursor: pointer; }
button:hover { background: color-mix(in srgb, CanvasText 8%, transparent); }
button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
button strong { display: block; }
.deny { width: auto; }
`
const styleHash = createHash('sha256').update(style).digest('base64')
