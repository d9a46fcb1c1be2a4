import type { CallBudget, Platform } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'
import { createReadBeatmaps, createReadRating } from './beatmaps.ts'
import { createCalls } from './calls.ts'
import { createReadPlayer, createSignInAddress } from './sign-in.ts'
import { createAsk, type Credentials } from './tokens.ts'

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
 * nothing is logged: an error's message is all there is to log.
 */
export function createPlatform(settings: PlatformSettings): Platform {
  const { url, clientId, clientSecret, budget, clock, timeoutMs = TIMEOUT_MS } = settings
  const credentials = { clientId, clientSecret }
  const makeCall = createCalls(url, timeoutMs, budget, clock)
  const ask = createAsk(makeCall, clock, credentials)

  return {
    readBeatmaps: createReadBeatmaps(ask),
    readRating: createReadRating(ask),
    signInAddress: createSignInAddress(url, credentials),
    readPlayer: createReadPlayer(makeCall, url, credentials, budget, clock),
  }
}
