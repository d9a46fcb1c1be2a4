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
import type { PlatformTrouble } from '../../domain/platform.ts'
import { type Gate, PAID } from './gate.ts'
import { type Credentials, TOKEN_PATH } from './token-calls.ts'
import { unusable } from './unusable.ts'
import type { WireCall } from './wire-call.ts'

/**
 * Trades the code that a player came back with for their token; null when it is not good. Leave for the
 * call is taken by the caller.
 */
export type TradeCode = (code: string, redirectUri: string) => Promise<string | null>

/** What a header can carry; anything else is no token. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/

const isBadCode = (error: unknown): boolean =>
  error instanceof ResponseBodyError && error.status === 400 && error.error === 'invalid_grant'

/**
 * The exchange is the library's; its one request goes out through the gate, like every other call.
 * The state has been compared by whoever knows what the browser holds; PKCE is not confirmed to be
 * supported by the platform.
 *
 * @throws PlatformTrouble when the platform does not tell.
 */
export const createTradeCode = (
  gate: Gate,
  url: string,
  { clientId, clientSecret }: Credentials,
): TradeCode => {
  const issuer = url.replace(/\/+$/, '')
  const server: AuthorizationServer = { issuer, token_endpoint: issuer + TOKEN_PATH }
  const client = { client_id: clientId }
  const isPlain = new URL(issuer).protocol === 'http:'

  return async (code, redirectUri) => {
    const call: WireCall = { method: 'POST', path: TOKEN_PATH }
    let refusal: PlatformTrouble | null = null
    const send = async (
      _address: string,
      { body }: { body: URLSearchParams },
    ): Promise<Response> => {
      const answer = await gate({ ...call, body }, PAID)
      refusal = unusable(call, answer)
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
