import type { FastifyInstance, FastifyReply } from 'fastify'
import type { State } from '../state.ts'
import { choicePage, pagePolicy, refusalPage } from './authorize-page.ts'
import { type AuthorizeRequest, readAuthorizeRequest, withAnswer } from './authorize-request.ts'
import { formOf, takeForms } from './form.ts'

const parameters = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state']

const sendPage = (reply: FastifyReply, html: string, redirectUri?: string): FastifyReply =>
  reply
    .header('content-security-policy', pagePolicy(redirectUri))
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .type('text/html; charset=utf-8')
    .send(html)

/** The page that asks who signs in, and what follows from its form. */
export const authorizeRoutes = (app: FastifyInstance, state: State): void => {
  takeForms(app)

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
