import type { Caller } from '../../domain/platform.ts'
import type { Gate } from './gate.ts'
import type { TokenKeeper } from './token-keeper.ts'
import type { WireAnswer, WireCall } from './wire-call.ts'

/** Makes a call with the application's own token. */
export type Ask = (call: WireCall, caller: Caller) => Promise<WireAnswer>

/** A token that the platform does not take is replaced once, and the call made once more. */
export const createAsk =
  (gate: Gate, tokens: TokenKeeper): Ask =>
  async (call, caller) => {
    const first = await tokens.take(caller)
    const answer = await gate({ ...call, token: first.value }, caller)
    if (answer.status !== 401) {
      tokens.worked(first)
      return answer
    }
    const second = await tokens.replace(first, caller)
    if (second === null) return answer
    const retried = await gate({ ...call, token: second.value }, caller)
    if (retried.status !== 401) tokens.worked(second)
    return retried
  }
