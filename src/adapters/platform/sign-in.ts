import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type AuthorizationServer,
  ClientSecretPost,
  customFetch,
  nopkce,
  processAuthorizationCodeResponse,
  skipStateCheck,
  validateAuthResponse,
} from 'oauth4webapi'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { MINUTE_MS } from '../../contract/quotas.ts'
import { BoundedMap } from '../../domain/loading.ts'
import { type Caller, CALLS_PER_SIGN_IN, SetupError } from '../../domain/platform.ts'
import type { CallBudget, Platform } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'
import {
  BudgetSpent,
  isOwnAnswer,
  type MakeCall,
  nameOf,
  PAID,
  TOKEN_PATH,
  unusable,
  type WireAnswer,
  type WireCall,
} from './calls.ts'
import type { Credentials } from './tokens.ts'

const meCall: WireCall = { method: 'GET', path: '/api/v2/me' }
const tradeCall: WireCall = { method: 'POST', path: TOKEN_PATH }

/** The platform's codes have about 1,000 characters; anything else is none, and not worth a call (RFC 6749, A.11). */
const CODE = /^[\x20-\x7e]{1,4096}$/

/** What a header can carry; anything else is no token. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/

/** Whether a player may sign in depends on these flags (D-42): none of them may be guessed. */
const playerAnswer = Compile(
  Type.Object({
    id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    username: Type.String({ minLength: 1 }),
    is_restricted: Type.Boolean(),
    is_deleted: Type.Boolean(),
    is_bot: Type.Boolean(),
  }),
)

type Settings = Credentials & { readonly budget: CallBudget; readonly clock: Clock }

/**
 * Reads who came back with a code. Both calls are taken from the budget before the first: a code that was traded and
 * then cannot be used is lost. The player's token serves for this one question and is kept nowhere.
 *
 * @param issuer the platform's address, without a slash at the end.
 */
export function createReadPlayer(
  makeCall: MakeCall,
  issuer: string,
  settings: Settings,
): Platform['readPlayer'] {
  const { budget, clock } = settings
  const tradeCode = createTradeCode(makeCall, issuer, settings)
  /** When the platform refused this application, by redirect address: one try a minute is enough. */
  const refusedAt = new BoundedMap<string, number>({ maxEntries: 100 })

  return async (code, redirectUri, caller: Caller = 'sign-in', spare = 0) => {
    if (!CODE.test(code)) return null
    const now = clock.now()
    if (Math.abs(now - (refusedAt.peek(redirectUri) ?? -Infinity)) < MINUTE_MS) {
      throw setupError(redirectUri)
    }
    const leave = await budget.take(caller, now, CALLS_PER_SIGN_IN, spare)
    if (!leave.granted) throw new BudgetSpent(tradeCall, leave.retryAt)
    let token: string | null = null
    try {
      token = await tradeCode(code, redirectUri)
    } catch (error) {
      if (error instanceof SetupError) refusedAt.set(redirectUri, clock.now())
      throw error
    } finally {
      if (token === null) await budget.refund(caller)
    }
    if (token === null) return null
    const answer = await makeCall({ ...meCall, token }, PAID)
    const me = answer.json
    if (answer.status !== 200 || !playerAnswer.Check(me)) throw unusable(meCall, answer)
    return {
      gameId: me.id,
      username: me.username,
      isRestricted: me.is_restricted,
      isDeleted: me.is_deleted,
      isBot: me.is_bot,
    }
  }
}

function setupError(redirectUri: string): SetupError {
  return new SetupError(
    `${nameOf(tradeCall)}: the platform does not take this application; ` +
      `check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET, and that ${redirectUri} is registered there`,
  )
}

/**
 * Trades the code that a player came back with for their token; null when the platform refuses the code. The exchange
 * is the library's; its one request goes out like every other call. The caller has compared the state;
 * PKCE is not confirmed to be supported by the platform.
 *
 * @throws SetupError, or PlatformError when the platform does not answer clearly.
 */
function createTradeCode(
  makeCall: MakeCall,
  issuer: string,
  { clientId, clientSecret }: Credentials,
): (code: string, redirectUri: string) => Promise<string | null> {
  const server: AuthorizationServer = { issuer, token_endpoint: issuer + TOKEN_PATH }
  const client = { client_id: clientId }
  const isPlain = new URL(issuer).protocol === 'http:'

  return async (code, redirectUri) => {
    const answers: WireAnswer[] = []
    const send = async (_: string, { body }: { body: URLSearchParams }): Promise<Response> => {
      const answer = await makeCall({ ...tradeCall, body }, PAID)
      answers.push(answer)
      return Response.json(answer.json ?? null, { status: answer.status })
    }
    try {
      const response = await authorizationCodeGrantRequest(
        server,
        client,
        ClientSecretPost(clientSecret),
        validateAuthResponse(server, client, new URLSearchParams({ code }), skipStateCheck),
        redirectUri,
        nopkce,
        { [customFetch]: send, [allowInsecureRequests]: isPlain },
      )
      const granted = await processAuthorizationCodeResponse(server, client, response)
      const { access_token: token, token_type: type } = granted
      if (type === 'bearer' && TOKEN.test(token)) return token
    } catch (error) {
      if (answers.length === 0) throw error
    }
    const [answer] = answers
    if (answer === undefined) throw new Error('nothing was asked')
    const refusal = refusalOf(answer)
    if (refusal === 'code') return null
    throw refusal === 'application' ? setupError(redirectUri) : unusable(tradeCall, answer)
  }
}

/**
 * What an answer without a token refuses (D-91). The name of the error says nothing: one library calls a bad code
 * `invalid_request`, the next `invalid_grant`. Only the platform's own JSON is believed, never a proxy's page.
 */
function refusalOf(answer: WireAnswer): 'code' | 'application' | null {
  if (!isOwnAnswer(answer)) return null
  const { error } = answer.json as { readonly error?: unknown }
  if (answer.status === 400 && typeof error === 'string') return 'code'
  return answer.status === 401 && error === 'invalid_client' ? 'application' : null
}
