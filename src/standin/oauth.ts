import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from './control.ts'
import { answers, sendAnswer } from './faults.ts'
import { readScopes, type Scope } from './grants.ts'
import { type Player, type State, TOKENS_PER_MINUTE } from './state.ts'
import { field, grantTokens, isProblem, problems, type TokenProblem } from './tokens.ts'

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

/**
 * Credentials in, tokens out. What is refused, and in which order, is as on the platform: the kind of grant first, then
 * the application with its redirect address, then the code.
 */
function tokenRoute(app: FastifyInstance, state: State, gate: Gate): void {
  const gated = gate('token')
  const hooks = {
    ...gated,
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      const refused = await gated.onRequest(request, reply)
      return refused ?? holdToTokenLimit(state, request, reply)
    },
  }
  app.post('/oauth/token', hooks, async (request, reply) => {
    const granted = grantTokens(state, formOf(request))
    if (isProblem(granted)) return sendTokenError(reply, granted)
    return reply
      .header('cache-control', 'no-store')
      .header('pragma', 'no-cache')
      .type('application/json; charset=UTF-8')
      .send(JSON.stringify(granted))
  })
  app.get('/oauth/token', async (_request, reply) =>
    reply.code(405).send({
      error: 'The GET method is not supported for route oauth/token. Supported methods: POST.',
    }),
  )
}

/** From each address so many calls pass in a minute, right or wrong; more get 429 without a `Retry-After`. */
function holdToTokenLimit(
  { tokenWindows }: State,
  { ip, headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const left = tokenWindows.admit(ip)
  if (left !== null) {
    if (left < Infinity) {
      void reply.header('x-ratelimit-limit', TOKENS_PER_MINUTE)
      void reply.header('x-ratelimit-remaining', left)
    }
    return undefined
  }
  if (/\bjson\b/.test(headers.accept ?? '')) return sendAnswer(reply, answers.throttled)
  return sendPage(reply.code(429), page('Too Many Requests', ''))
}

function sendTokenError(reply: FastifyReply, { problem, hint }: TokenProblem): FastifyReply {
  const [status, description] = problems[problem]
  const body =
    problem === 'scope_of_client'
      ? { error: description }
      : {
          error: problem,
          error_description: description,
          ...(hint !== undefined && { hint }),
          message: description,
        }
  return reply
    .code(status)
    .header('cache-control', 'no-cache, private')
    .header('content-type', 'application/json')
    .send(JSON.stringify(body))
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
