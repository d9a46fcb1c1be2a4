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
import { type Caller, CALLS_PER_SIGN_IN, PlatformError } from '../../domain/platform.ts'
import type { Platform } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'
import { noPlayerTaken, playerNotTaken, unreadable } from './answers.ts'
import { CallError, type Calls, type Leave, nameOf, TOKEN_PATH, type WireCall } from './calls.ts'
import type { Credentials } from './tokens.ts'

/**
 * The platform's codes are some 1,000 hexadecimal digits. What no library makes a code of is none, and not worth a call:
 * a firewall before the platform may take it for an attack, and this server for the attacker: its refusal keeps
 * everybody out. So there is no slash in it, and no sign that a form has to escape.
 */
const CODE = /^[\w.~-]{1,4096}$/

/** So many players, by browser or network, are not all gone. */
const PLAYERS_IN_A_ROW = 3

/** What a header can carry; anything else is no token. */
const codeAnswer = Compile(
  Type.Object({
    token_type: Type.String({ pattern: '^[Bb]earer$' }),
    access_token: Type.String({ pattern: '^[\\x21-\\x7e]+$', maxLength: 16_384 }),
  }),
)

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

const tradeCall = {
  route: 'code',
  method: 'POST',
  path: TOKEN_PATH,
  isAnswer: (json) => codeAnswer.Check(json),
} as const satisfies WireCall<unknown>

const meCall = {
  route: 'me',
  method: 'GET',
  path: '/api/v2/me',
  isAnswer: (json) => playerAnswer.Check(json),
} as const satisfies WireCall<unknown>

/**
 * Reads who came back with a code. Both calls are taken from the budget before the first: a code that was traded and
 * then cannot be used is lost. The player's token serves for this one question and is kept nowhere.
 *
 * @param issuer the platform's address, without a slash at the end.
 */
export function createReadPlayer(
  calls: Calls,
  clock: Clock,
  issuer: string,
  credentials: Credentials,
): Platform['readPlayer'] {
  const tradeCode = createTradeCode(calls, issuer, credentials)
  const refusals = createRefusals(calls, clock)
  /** Those whose players' tokens were not taken, since one was. */
  const untaken = new Set<Caller>()

  return async (code, redirectUri, caller: Caller = 'sign-in', spare = 0) => {
    if (!CODE.test(code)) return null
    await refusals.check(redirectUri)
    const leave = await calls.take(tradeCall, caller, { calls: CALLS_PER_SIGN_IN, spare })
    let token: string | null = null
    try {
      token = await tradeCode(code, redirectUri, leave)
    } catch (error) {
      throw refusals.note(redirectUri, error)
    } finally {
      if (token === null) await calls.refund(leave)
    }
    if (token === null) return null
    const reading = await calls.make({ ...meCall, token }, leave).catch((error: unknown) => {
      throw refusals.note(redirectUri, error)
    })
    refusals.end(redirectUri)
    if (reading.means === 'token-ended') {
      if (untaken.size < PLAYERS_IN_A_ROW) untaken.add(caller)
      const isOfAll = untaken.size >= PLAYERS_IN_A_ROW
      const error = await calls.fail(meCall, isOfAll ? noPlayerTaken : playerNotTaken)
      if (isOfAll) throw error
      return 'disabled'
    }
    untaken.clear()
    if (reading.means === 'disabled') return 'disabled'
    if (reading.means !== 'answer') throw new Error(`a player cannot be ${reading.means}`)
    const me = reading.json
    return {
      gameId: me.id,
      username: me.username,
      isRestricted: me.is_restricted,
      isDeleted: me.is_deleted,
      isBot: me.is_bot,
    }
  }
}

/**
 * What the platform, or what stands before it, has refused within the last minute for every person: one try a minute is
 * enough, unless an operator wants one.
 */
function createRefusals(calls: Calls, clock: Clock) {
  /** By redirect address; those of all of them have the key `all`. */
  const refusals = new BoundedMap<string, { readonly at: number; readonly error: CallError }>({
    maxEntries: 100,
  })

  return {
    /** Throws what a try would end in. */
    async check(redirectUri: string): Promise<void> {
      for (const key of ['all', redirectUri]) {
        const refusal = refusals.peek(key)
        if (refusal === undefined) continue
        const msAgo = Math.abs(clock.now() - refusal.at)
        if (msAgo >= MINUTE_MS || (await calls.resumedMsAgo()) <= msAgo) continue
        const { message, trouble } = refusal.error
        const reason = `less than a minute ago ${message}`
        throw new PlatformError(`${nameOf(tradeCall)} was not made: ${reason}`, null, trouble)
      }
    },
    /** Notes why a sign-in failed, if that holds for others; returns the error. */
    note(redirectUri: string, error: unknown): unknown {
      const refuses = error instanceof CallError ? error.fault.refuses : undefined
      if (error instanceof CallError && refuses !== undefined) {
        refusals.set(refuses === 'all' ? 'all' : redirectUri, { at: clock.now(), error })
      }
      return error
    },
    /** A sign-in that was under way was answered. */
    end(redirectUri: string): void {
      refusals.delete('all')
      refusals.delete(redirectUri)
    },
  }
}

/**
 * Trades the code that a player came back with for their token; null when the platform refuses the code. The exchange
 * is the library's; its one request goes out like every other call. The caller has compared the state.
 *
 * PKCE, which the platform supports, is not used: a code is of no use without the secret, which never leaves this server,
 * works once, and is refused in a browser that has not begun with its state. PKCE would also stop somebody who reads the
 * redirect to our own address before the browser does, but who can do that has the session cookie as well.
 */
function createTradeCode(
  calls: Calls,
  issuer: string,
  { clientId, clientSecret }: Credentials,
): (code: string, redirectUri: string, leave: Leave) => Promise<string | null> {
  const server: AuthorizationServer = { issuer, token_endpoint: issuer + TOKEN_PATH }
  const client = { client_id: clientId }
  const isPlain = new URL(issuer).protocol === 'http:'

  return async (code, redirectUri, leave) => {
    let isRefused = false
    let failure: unknown = null
    const send = async (_: string, { body }: { body: URLSearchParams }): Promise<Response> => {
      try {
        const reading = await calls.make({ ...tradeCall, body, redirectUri }, leave)
        if (reading.means === 'answer') return Response.json(reading.json)
        isRefused = reading.means === 'bad-code'
        throw new Error(`a code cannot be ${reading.means}`)
      } catch (error) {
        failure = error
        throw error
      }
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
      return (await processAuthorizationCodeResponse(server, client, response)).access_token
    } catch {
      if (isRefused) return null
      throw failure ?? (await calls.fail(tradeCall, unreadable('json')))
    }
  }
}
