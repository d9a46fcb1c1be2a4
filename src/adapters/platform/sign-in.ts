import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { CALLS_PER_SIGN_IN } from '../../domain/platform.ts'
import type { CallBudget, Platform } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'
import { BudgetSpent } from './budget-spent.ts'
import { type Gate, PAID } from './gate.ts'
import { type Credentials, TOKEN_PATH } from './token-calls.ts'
import type { TradeCode } from './trade-code.ts'
import { unusable } from './unusable.ts'
import type { WireCall } from './wire-call.ts'

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

type PlayerParts = {
  readonly gate: Gate
  readonly tradeCode: TradeCode
  readonly budget: CallBudget
  readonly clock: Clock
}

/** Where players sign in. */
export const createSignInAddress =
  (url: string, { clientId }: Credentials): Platform['signInAddress'] =>
  (state, redirectUri) => {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'identify public',
      state,
    })
    return `${url.replace(/\/+$/, '')}/oauth/authorize?${query.toString()}`
  }

/**
 * Who came back. The player's token serves for this one question and is kept nowhere. Leave for both
 * calls is taken before the first: a code that was traded and then cannot be used is lost.
 */
export const createReadPlayer =
  ({ gate, tradeCode, budget, clock }: PlayerParts): Platform['readPlayer'] =>
  async (code, redirectUri) => {
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
    const me = await gate({ ...meCall, token }, PAID)
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
