import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { MINUTE_MS } from '../../contract/quotas.ts'
import type { Caller } from '../../domain/platform.ts'
import { SingleFlight } from '../../domain/loading.ts'
import type { Clock } from '../../ports/system.ts'
import { noTokenTaken } from './answers.ts'
import {
  type Calls,
  isBudgetSpent,
  type Leave,
  type Reading,
  TOKEN_PATH,
  type WireCall,
} from './calls.ts'

export type Credentials = { readonly clientId: string; readonly clientSecret: string }

/** Makes a call with the application's own token; no reading is `token-ended`. */
export type Ask = <T>(call: WireCall<T>, caller: Caller) => Promise<Reading<T>>

/** The rest of its life is not used, so that no call arrives with a token that has just ended. */
const USED_SHARE = 0.99

const TokenAnswer = Type.Object({
  token_type: Type.String({ pattern: '^[Bb]earer$' }),
  expires_in: Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }),
  access_token: Type.String({ pattern: '^[\\x21-\\x7e]+$', maxLength: 16_384 }),
})

/** A token; `expires_in` in seconds. What no header can carry is no token. */
const tokenAnswer = Compile(TokenAnswer)

type Token = {
  readonly value: string
  readonly takenAt: number
  readonly endsAt: number
  /** Whether the platform has taken it. */
  hasWorked: boolean
}

/**
 * The token is requested when first needed, shortly before it ends, and when the platform no longer
 * accepts it: then the call is made once more. Where that is no help, calls pause.
 */
export function createAsk(
  calls: Calls,
  clock: Clock,
  { clientId, clientSecret }: Credentials,
): Ask {
  const tokenCall = {
    route: 'token',
    method: 'POST',
    path: TOKEN_PATH,
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'public',
      client_id: clientId,
      client_secret: clientSecret,
    }),
    isAnswer: (json) => tokenAnswer.Check(json),
  } as const satisfies WireCall<unknown>
  const fetches = new SingleFlight<Token>(isBudgetSpent)
  let kept: Token | null = null

  return async <T>(call: WireCall<T>, caller: Caller): Promise<Reading<T>> => {
    const first = await begin(call, caller)
    const reading = await makeWith(first, call)
    if (reading.means !== 'token-ended') return reading
    if (kept === first.token) {
      if (!kept.hasWorked && Math.abs(clock.now() - kept.takenAt) < MINUTE_MS) {
        throw await calls.fail(call, noTokenTaken)
      }
      kept = null
    }
    const again = await makeWith(await begin(call, caller), call)
    if (again.means === 'token-ended') throw await calls.fail(call, noTokenTaken)
    return again
  }

  async function makeWith<T>({ token, leave }: Begun, call: WireCall<T>): Promise<Reading<T>> {
    const reading = await calls.make({ ...call, token: token.value }, leave)
    if (reading.means !== 'token-ended') token.hasWorked = true
    return reading
  }

  /**
   * Takes the call, and the one for the token before it where there is none: with one call of the two, neither serves.
   */
  async function begin(call: WireCall<unknown>, caller: Caller): Promise<Begun> {
    if (kept !== null && clock.now() < kept.endsAt) {
      return { token: kept, leave: await calls.take(call, caller) }
    }
    const own: Leave[] = []
    const fetchOwn = async (): Promise<Token> => {
      const leave = await calls.take(call, caller, { calls: 2, isForToken: true })
      own.push(leave)
      try {
        return await fetchToken(leave)
      } catch (error) {
        await calls.refund(leave)
        throw error
      }
    }
    const token = await fetches.run('token', fetchOwn, caller)
    return { token, leave: own[0] ?? (await calls.take(call, caller)) }
  }

  async function fetchToken(leave: Leave): Promise<Token> {
    const takenAt = clock.now()
    // A token alone does not show that calls are answered again.
    const reading = await calls.make(tokenCall, { ...leave, pause: undefined })
    if (reading.means !== 'answer') throw new Error(`a token cannot be ${reading.means}`)
    const { access_token: value, expires_in: seconds } = reading.json
    kept = { value, takenAt, endsAt: takenAt + seconds * 1000 * USED_SHARE, hasWorked: false }
    return kept
  }
}

type Begun = { readonly token: Token; readonly leave: Leave }
