import type { CallBudget, Platform } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'
import { createAsk } from './ask-as-ourselves.ts'
import { createExchange } from './exchange.ts'
import { createGate } from './gate.ts'
import { createReadBeatmaps } from './read-beatmaps.ts'
import { createReadRating } from './read-rating.ts'
import { createReadPlayer, createSignInAddress } from './sign-in.ts'
import type { Credentials } from './token-calls.ts'
import { createTokenKeeper } from './token-keeper.ts'
import { createTradeCode } from './trade-code.ts'

const TIMEOUT_MS = 10_000

/** Where the platform is, who we are to it, and what counts our calls. */
export type PlatformSettings = Credentials & {
  /** The platform's address; a path in front of `/api` and `/oauth` is kept. */
  readonly url: string
  readonly budget: CallBudget
  readonly clock: Clock
  /** For each call, from connecting to the last byte; left out: 10,000. */
  readonly timeoutMs?: number
}

/**
 * The game platform over its wire. Nothing that fails here tells a secret, a token or a code, and
 * nothing is logged: a trouble's message is all there is to log.
 */
export const createPlatform = (settings: PlatformSettings): Platform => {
  const { url, clientId, clientSecret, budget, clock, timeoutMs = TIMEOUT_MS } = settings
  const credentials = { clientId, clientSecret }
  const gate = createGate({ budget, clock, exchange: createExchange(url, timeoutMs) })
  const ask = createAsk(gate, createTokenKeeper({ gate, clock, credentials }))
  const tradeCode = createTradeCode(gate, url, credentials)

  return {
    readBeatmaps: createReadBeatmaps(ask),
    readRating: createReadRating(ask),
    signInAddress: createSignInAddress(url, credentials),
    readPlayer: createReadPlayer({ gate, tradeCode, budget, clock }),
  }
}
