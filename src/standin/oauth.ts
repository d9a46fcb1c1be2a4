import type { FastifyInstance, FastifyReply } from 'fastify'
import { allowOnly, type Gate, needScope, playerOf } from './control.ts'
import { sendAnswer } from './faults.ts'
import { type Challenge, readScopes } from './grants.ts'
import { escape, page, sendJson, sendPage } from './replies.ts'
import type { Player, State } from './state.ts'
import { describeProblem, field, formOf, problems } from './tokens.ts'

type AuthorizeRequest = {
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly challenge: Challenge | null
  readonly states: readonly string[]
}

const parameters =
  'client_id redirect_uri response_type scope state code_challenge code_challenge_method'.split(' ')

/**
 * The page that asks who signs in, and the redirects that its form leads to. A person who is not signed in at the platform
 * sees it whatever the parameters are: only then does the platform look at them. Sending the form is both, signing in
 * and agreeing.
 */
export function authorizeRoutes(app: FastifyInstance, state: State): void {
  const { findClient, players, grants } = state

  app.get('/oauth/authorize', async (request, reply) => {
    const query = new URL(request.url, 'http://standin').searchParams
    const params = new URLSearchParams([...query].filter(([name]) => parameters.includes(name)))
    const redirectUri = field(params, 'redirect_uri')
    const client = findClient(field(params, 'client_id') ?? '')
    const knownUri = client?.redirectUris.find((uri) => uri === redirectUri)
    const visitor = players.get(state.visitor?.player ?? 0)
    if (state.visitor === null || visitor === undefined) {
      return sendPage(reply, choicePage(params, players.values(), grants.issueForm()), knownUri)
    }
    if (visitor.disabled === 'before') return reply.redirect('/users/disabled')
    if (!state.visitor.isConfirmed) {
      state.visitor.isConfirmed = true
      return sendPage(reply.code(401), page('Enter the code that was mailed to you', ''))
    }
    const asked = readRequest(state, params, reply)
    if (!('scopes' in asked)) return asked
    if (grants.hasToken({ ...asked, playerId: visitor.id })) {
      return sendBack(reply, asked, { code: grants.issueCode({ ...asked, playerId: visitor.id }) })
    }
    return sendPage(reply, choicePage(params, [visitor], grants.issueForm()), knownUri)
  })

  app.post('/oauth/authorize', async (request, reply) => {
    const form = formOf(request)
    const token = field(form, '_token')
    if (token !== undefined && !grants.hasForm(token)) {
      return sendPage(reply.code(422), page('This form has expired', ''))
    }
    const player = players.get(Number(form.get('player')))
    if (player?.disabled === 'before') return reply.redirect('/users/disabled')
    const asked = readRequest(state, form, reply)
    if (!('scopes' in asked)) return asked
    if (form.get('decision') === 'deny') {
      const hint = 'The player denied the request'
      return sendBack(reply, asked, describeProblem('access_denied', hint))
    }
    if (player === undefined) return refuse(reply, 'player must be one of the page.')
    return sendBack(reply, asked, { code: grants.issueCode({ ...asked, playerId: player.id }) })
  })
}

/** Checks as the platform does, in its order; what is wrong is answered at once. */
function readRequest(
  { findClient }: State,
  params: URLSearchParams,
  reply: FastifyReply,
): AuthorizeRequest | FastifyReply {
  const clientId = field(params, 'client_id') ?? ''
  const client = findClient(clientId)
  if (client === undefined) return refuse(reply, 'client_id names no registered application.')
  // A player's token can always say who they are.
  const { scopes, unknown, isAllowed } = readScopes(`${field(params, 'scope') ?? ''} identify`)
  if (!isAllowed) return refuse(reply, 'A scope is not for this application.')
  const states = params.getAll('state')
  if (states.length > 1) return refuse(reply, 'state must stand once.')
  if (field(params, 'response_type') !== 'code') {
    return sendJson(reply, 400, describeProblem('unsupported_grant_type', 'Check the parameters'))
  }
  const redirectUri = field(params, 'redirect_uri')
  if (redirectUri === undefined || !client.redirectUris.includes(redirectUri)) {
    return sendJson(reply, problems.invalid_client[0], describeProblem('invalid_client'))
  }
  const value = field(params, 'code_challenge')
  const method = field(params, 'code_challenge_method') ?? 'plain'
  const challenge = value === undefined ? null : { value, method }
  const asked = { clientId, redirectUri, scopes, challenge, states }
  if (unknown === undefined) return asked
  // The platform's library forgets the state here.
  const problem = describeProblem('invalid_scope', `Check the \`${unknown}\` scope`)
  return sendBack(reply, { ...asked, states: [] }, problem)
}

/** Redirects to the application with an answer in the query, and `state` as it came. */
function sendBack(
  reply: FastifyReply,
  { redirectUri, states }: AuthorizeRequest,
  answer: Readonly<Record<string, string>>,
): FastifyReply {
  const location = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) location.searchParams.append(name, value)
  for (const state of states) location.searchParams.append('state', state)
  return reply.redirect(location.href)
}

function refuse(reply: FastifyReply, message: string): FastifyReply {
  const body = `<p>${escape(message)}</p>
<p>Nobody was signed in. The application that sent you here has to be set up differently.</p>`
  return sendPage(reply.code(400), page('This sign-in request is wrong', body))
}

/** @param params travel through the form; so does `token`, which says how old it is. */
function choicePage(params: URLSearchParams, players: Iterable<Player>, token: string): string {
  const hidden = [...params, ['_token', token] as const].map(
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

/** Who signed in. The application's own token belongs to no player: it is refused as if it were none, whatever its scopes. */
export function meRoute(app: FastifyInstance, state: State, gate: Gate): void {
  const checkScope = needScope(state, 'identify')
  const hooks = gate('me')
  app.get('/api/v2/me', hooks, async (request, reply) => {
    const player = playerOf(state, request)
    if (player === undefined) return sendAnswer(reply, 'unauthorized')
    const refused = await checkScope(request, reply)
    if (refused !== undefined) return refused
    return sendJson(reply, 200, {
      id: player.id,
      username: player.username,
      avatar_url: state.avatarUrl(player.id),
      country_code: player.countryCode,
      default_group: player.isBot ? 'bot' : 'default',
      is_active: true,
      is_bot: player.isBot,
      is_deleted: player.isDeleted,
      is_online: false,
      is_supporter: false,
      is_restricted: player.isRestricted,
      last_visit: null,
      profile_colour: null,
      playmode: player.playmode,
      account_history: player.isSilenced ? [silence] : [],
    })
  })
  allowOnly(app, 'GET', '/api/v2/me')
}

/** The only sign of a player who may not chat; nothing says whether it is over. */
const silence = {
  id: 1,
  type: 'silence',
  description: 'made up',
  length: 3600,
  permanent: false,
  timestamp: '2026-01-01T00:00:00+00:00',
}
