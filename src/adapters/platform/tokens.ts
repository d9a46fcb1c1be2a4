import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { MINUTE_MS } from '../../contract/quotas.ts'
import { type Caller, PlatformError } from '../../domain/platform.ts'
import { SingleFlight } from '../../domain/loading.ts'
import type { Clock } from '../../ports/system.ts'
import {
  isBudgetSpent,
  type MakeCall,
  nameOf,
  TOKEN_PATH,
  unusable,
  type WireAnswer,
  type WireCall,
} from './calls.ts'

export type Credentials = { readonly clientId: string; readonly clientSecret: string }

/** Makes a call with the application's own token. */
export type Ask = (call: WireCall, caller: Caller) => Promise<WireAnswer>

/** The rest of its life is not used, so that no call arrives with a token that has just ended. */
const USED_SHARE = 0.99

/** A token; `expires_in` in seconds. What no header can carry is no token. */
const tokenAnswer = Compile(
  Type.Object({
    token_type: Type.String({ pattern: '^[Bb]earer$' }),
    expires_in: Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }),
    access_token: Type.String({ pattern: '^[\\x21-\\x7e]+$', maxLength: 16_384 }),
  }),
)

type Token = {
  readonly value: string
  readonly takenAt: number
  readonly endsAt: number
  /** Whether the platform has taken it. */
  hasWorked: boolean
}

/**
 * The token is requested when first needed, shortly before it ends, and when the platform no longer
 * accepts it: then the call is made once more. Where that is no help (wrong credentials, a new token
 * that is refused too) it is tried once a minute: the platform counts every try of every pack that waits.
 */
export function createAsk(
  makeCall: MakeCall,
  clock: Clock,
  { clientId, clientSecret }: Credentials,
): Ask {
  const tokenCall: WireCall = {
    method: 'POST',
    path: TOKEN_PATH,
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'public',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  }
  const fetches = new SingleFlight<Token>(isBudgetSpent)
  let kept: Token | null = null
  let refusedAt = -Infinity

  return async (call, caller) => {
    const first = await take(caller)
    const answer = await callWith(first, call, caller)
    if (answer.status !== 401) return answer
    const second = await replace(first, caller)
    return second === null ? answer : callWith(second, call, caller)
  }

  async function callWith(token: Token, call: WireCall, caller: Caller): Promise<WireAnswer> {
    const answer = await makeCall({ ...call, token: token.value }, caller)
    if (answer.status !== 401) token.hasWorked = true
    return answer
  }

  async function take(caller: Caller): Promise<Token> {
    if (kept !== null && clock.now() < kept.endsAt) return kept
    return fetches.run('token', () => fetchToken(caller), caller)
  }

  /** The platform did not take this one: another, or null when a new one would be no better. */
  async function replace(token: Token, caller: Caller): Promise<Token | null> {
    if (kept === token) {
      if (!token.hasWorked && isWithinMinute(token.takenAt)) return null
      kept = null
    }
    return take(caller)
  }

  async function fetchToken(caller: Caller): Promise<Token> {
    const takenAt = clock.now()
    if (isWithinMinute(refusedAt)) throw refusal()
    const answer = await makeCall(tokenCall, caller)
    if ([400, 401, 403].includes(answer.status)) {
      refusedAt = clock.now()
      throw refusal()
    }
    if (answer.status !== 200 || !tokenAnswer.Check(answer.json)) throw unusable(tokenCall, answer)
    const { access_token: value, expires_in: seconds } = answer.json
    kept = { value, takenAt, endsAt: takenAt + seconds * 1000 * USED_SHARE, hasWorked: false }
    return kept
  }

  function isWithinMinute(time: number): boolean {
    return Math.abs(clock.now() - time) < MINUTE_MS
  }

  function refusal(): PlatformError {
    return new PlatformError(
      `${nameOf(tokenCall)}: no token for us; check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET`,
    )
  }
}
