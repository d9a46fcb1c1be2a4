import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Caller, PlatformError } from '../../domain/platform.ts'
import { SingleFlight } from '../../domain/single-flight.ts'
import type { Clock } from '../../ports/system.ts'
import {
  BudgetSpent,
  type MakeCall,
  nameOf,
  TOKEN_PATH,
  unusable,
  type WireAnswer,
  type WireCall,
} from './calls.ts'

/** Who we are to the platform. */
export type Credentials = { readonly clientId: string; readonly clientSecret: string }

/** Makes a call with the application's own token. */
export type Ask = (call: WireCall, caller: Caller) => Promise<WireAnswer>

/** A token that the platform does not take is replaced once, and the call made once more. */
export function createAsk(makeCall: MakeCall, clock: Clock, credentials: Credentials): Ask {
  const tokens = new TokenKeeper(makeCall, clock, credentials)
  return async (call, caller) => {
    const first = await tokens.take(caller)
    const answer = await makeCall({ ...call, token: first.value }, caller)
    if (answer.status !== 401) {
      first.hasWorked = true
      return answer
    }
    const second = await tokens.replace(first, caller)
    if (second === null) return answer
    const retried = await makeCall({ ...call, token: second.value }, caller)
    if (retried.status !== 401) second.hasWorked = true
    return retried
  }
}

const MINUTE_MS = 60_000
/** The rest of its life is given away, so that no call arrives with a token that has just ended. */
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
 * Keeps the application's own token. It is asked for when it is first needed, shortly before it ends,
 * and when the platform no longer takes it. Where that is no help (wrong credentials, a new token
 * that is not taken either) it is tried once a minute: the platform would count every try of every
 * pack that waits.
 */
class TokenKeeper {
  readonly #makeCall: MakeCall
  readonly #clock: Clock
  readonly #call: WireCall
  readonly #fetches = new SingleFlight<Token>((error) => error instanceof BudgetSpent)
  #kept: Token | null = null
  #refusedAt = -Infinity

  constructor(makeCall: MakeCall, clock: Clock, { clientId, clientSecret }: Credentials) {
    this.#makeCall = makeCall
    this.#clock = clock
    this.#call = {
      method: 'POST',
      path: TOKEN_PATH,
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'public',
        client_id: clientId,
        client_secret: clientSecret,
      }),
    }
  }

  /** A token that should be good. */
  async take(caller: Caller): Promise<Token> {
    const kept = this.#kept
    if (kept !== null && this.#clock.now() < kept.endsAt) return kept
    return this.#fetches.run('token', () => this.#fetch(caller), caller)
  }

  /** The platform did not take this one: another, or null when a new one would be no better. */
  async replace(token: Token, caller: Caller): Promise<Token | null> {
    if (this.#kept === token) {
      if (!token.hasWorked && this.#isWithinMinute(token.takenAt)) return null
      this.#kept = null
    }
    return this.take(caller)
  }

  async #fetch(caller: Caller): Promise<Token> {
    const call = this.#call
    const takenAt = this.#clock.now()
    if (this.#isWithinMinute(this.#refusedAt)) throw this.#refusal()
    const answer = await this.#makeCall(call, caller)
    if ([400, 401, 403].includes(answer.status)) {
      this.#refusedAt = this.#clock.now()
      throw this.#refusal()
    }
    if (answer.status !== 200 || !tokenAnswer.Check(answer.json)) throw unusable(call, answer)
    const { access_token: value, expires_in: seconds } = answer.json
    this.#kept = { value, takenAt, endsAt: takenAt + seconds * 1000 * USED_SHARE, hasWorked: false }
    return this.#kept
  }

  #isWithinMinute(time: number): boolean {
    return Math.abs(this.#clock.now() - time) < MINUTE_MS
  }

  #refusal(): PlatformError {
    return new PlatformError(
      `${nameOf(this.#call)}: no token for us; check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET`,
    )
  }
}
