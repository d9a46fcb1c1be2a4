import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Platform } from '../../ports/platform.ts'
import type { Gate } from './gate.ts'
import type { Credentials } from './token-calls.ts'
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

/** Who came back. The player's token serves for this one question and is kept nowhere. */
export const createReadPlayer =
  (gate: Gate, tradeCode: TradeCode): Platform['readPlayer'] =>
  async (code, redirectUri) => {
    const token = code === '' ? null : await tradeCode(code, redirectUri)
    if (token === null) return null
    const me = await gate({ ...meCall, token }, 'sign-in')
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
