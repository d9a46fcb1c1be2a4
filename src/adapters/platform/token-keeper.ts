import { type Caller, PlatformTrouble } from '../../domain/platform.ts'
import type { Clock } from '../../ports/system.ts'
import { createFlights } from './flights.ts'
import type { Gate } from './gate.ts'
import { type Credentials, ownTokenCall, tokenAnswer } from './token-calls.ts'
import { unusable } from './unusable.ts'
import { nameOf } from './wire-call.ts'

const MINUTE_MS = 60_000
/** The rest of its life is given away, so that no call arrives with a token that has just ended. */
const USED_SHARE = 0.99

type Token = {
  readonly value: string
  readonly takenAt: number
  readonly endsAt: number
  hasWorked: boolean
}

/** Keeps the application's own token. */
export type TokenKeeper = ReturnType<typeof createTokenKeeper>

type KeeperParts = {
  readonly gate: Gate
  readonly clock: Clock
  readonly credentials: Credentials
}

/**
 * A token is asked for when it is first needed, shortly before it ends, and when the platform no
 * longer takes it. Where that is no help (wrong credentials, a new token that is not taken either)
 * it is tried once a minute: the platform would count every try of every pack that waits.
 */
export const createTokenKeeper = ({ gate, clock, credentials }: KeeperParts) => {
  const join = createFlights<Token>()
  const call = ownTokenCall(credentials)
  let kept: Token | null = null
  let refusedAt = -Infinity

  const refusal = (): PlatformTrouble =>
    new PlatformTrouble(
      `${nameOf(call)}: no token for us; check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET`,
    )

  const fetchToken = async (caller: Caller): Promise<Token> => {
    const takenAt = clock.now()
    if (Math.abs(takenAt - refusedAt) < MINUTE_MS) throw refusal()
    const answer = await gate(call, caller)
    if ([400, 401, 403].includes(answer.status)) {
      refusedAt = clock.now()
      throw refusal()
    }
    if (answer.status !== 200 || !tokenAnswer.Check(answer.json)) throw unusable(call, answer)
    const { access_token: value, expires_in: seconds } = answer.json
    kept = { value, takenAt, endsAt: takenAt + seconds * 1000 * USED_SHARE, hasWorked: false }
    return kept
  }

  const take = async (caller: Caller): Promise<Token> =>
    kept !== null && clock.now() < kept.endsAt
      ? kept
      : join('token', caller, () => fetchToken(caller))

  return {
    /** A token that should be good. */
    take,
    /** The platform took this one. */
    worked: (token: Token): void => {
      token.hasWorked = true
    },
    /** The platform did not take this one: another, or null when a new one would be no better. */
    replace: async (token: Token, caller: Caller): Promise<Token | null> => {
      if (kept === token) {
        if (!token.hasWorked && Math.abs(clock.now() - token.takenAt) < MINUTE_MS) return null
        kept = null
      }
      return take(caller)
    },
  }
}
