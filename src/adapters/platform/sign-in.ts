import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type AuthorizationServer,
  ClientSecretPost,
  customFetch,
  nopkce,
  processAuthorizationCodeResponse,
  ResponseBodyError,
  skipStateCheck,
  validateAuthResponse,
} from 'oauth4webapi'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { CALLS_PER_SIGN_IN, type PlatformError } from '../../domain/platform.ts'
import type { CallBudget, Platform } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'
import { BudgetSpent, type MakeCall, PAID, TOKEN_PATH, unusable, type WireCall } from './calls.ts'
import type { Credentials } from './tokens.ts'

/** Whether somebody may sign in hangs on these flags (D-42): none of them may be guessed. */
const playerAnswer = Compile(
  Type.Object({
    id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    username: Type.String({ minLength: 1 }),
    is_restricted: Type.Boolean(),
    is_deleted: Type.Boolean(),
    is_bot: Type.Boolean(),
  }),
)

const meCall: WireCall = { method: 'GET', path: '/api/v2/me' }
const tradeCall: WireCall = { method: 'POST', path: TOKEN_PATH }

/** What a header can carry; anything else is no token. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/

/** Where players sign in. */
export function createSignInAddress(
  url: string,
  { clientId }: Credentials,
): Platform['signInAddress'] {
  return (state, redirectUri) => {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'identify public',
      state,
    })
    return `${url.replace(/\/+$/, '')}/oauth/authorize?${query.toString()}`
  }
}

/**
 * Who came back. The player's token serves for this one question and is kept nowhere. Both calls are
 * taken from the budget before the first: a code that was traded and then cannot be used is lost.
 */
export function createReadPlayer(
  makeCall: MakeCall,
  url: string,
  credentials: Credentials,
  budget: CallBudget,
  clock: Clock,
): Platform['readPlayer'] {
  const tradeCode = createTradeCode(makeCall, url, credentials)

  return async (code, redirectUri) => {
    if (code === '') return null
    const leave = await budget.take('sign-in', clock.now(), CALLS_PER_SIGN_IN)
    if (!leave.granted) throw new BudgetSpent(tradeCall, leave.retryAt)
    let token: string | null = null
    try {
      token = await tradeCode(code, redirectUri)
    } finally {
      if (token === null) await budget.giveBack()
    }
    if (token === null) return null
    const me = await makeCall({ ...meCall, token }, PAID)
    if (me.status !== 200 || !playerAnswer.Check(me.json)) throw unusable(meCall, me)
    const player = me.json
    return {
      gameId: player.id,
      username: player.username,
      isRestricted: player.is_restricted,
      isDeleted: player.is_deleted,
      isBot: player.is_bot,
    }
  }
}

/**
 * Trades the code that a player came back with for their token; null when it is not good. The exchange
 * is the library's; its one request goes out like every other call. The state has been compared by the
 * caller, who knows what the browser holds; PKCE is not confirmed to be supported by the platform.
 *
 * @throws PlatformError when the platform does not tell.
 */
function createTradeCode(
  makeCall: MakeCall,
  url: string,
  { clientId, clientSecret }: Credentials,
): (code: string, redirectUri: string) => Promise<string | null> {
  const issuer = url.replace(/\/+$/, '')
  const server: AuthorizationServer = { issuer, token_endpoint: issuer + TOKEN_PATH }
  const client = { client_id: clientId }
  const isPlain = new URL(issuer).protocol === 'http:'

  return async (code, redirectUri) => {
    let refusal: PlatformError | null = null
    const send = async (
      _address: string,
      { body }: { body: URLSearchParams },
    ): Promise<Response> => {
      const answer = await makeCall({ ...tradeCall, body }, PAID)
      refusal = unusable(tradeCall, answer)
      if (answer.json === undefined) throw refusal
      return Response.json(answer.json, { status: answer.status })
    }
    try {
      const callback = validateAuthResponse(
        server,
        client,
        new URLSearchParams({ code }),
        skipStateCheck,
      )
      const response = await authorizationCodeGrantRequest(
        server,
        client,
        ClientSecretPost(clientSecret),
        callback,
        redirectUri,
        nopkce,
        { [customFetch]: send, [allowInsecureRequests]: isPlain },
      )
      const { access_token: token, token_type: type } = await processAuthorizationCodeResponse(
        server,
        client,
        response,
      )
      if (type === 'bearer' && TOKEN.test(token)) return token
    } catch (error) {
      if (isBadCode(error)) return null
      throw refusal ?? error
    }
    throw refusal ?? new Error('nothing was asked')
  }
}

function isBadCode(error: unknown): boolean {
  return (
    error instanceof ResponseBodyError && error.status === 400 && error.error === 'invalid_grant'
  )
}
