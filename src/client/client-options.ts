import type { MapcrateError } from './mapcrate-error.ts'

/** What holds a call up, told while it waits. */
export type Wait = {
  /**
   * `pacing`: few calls of this minute are left, or none. `rate_limited`: the service answered 429.
   * `retry`: an attempt failed that is worth another.
   */
  readonly reason: 'pacing' | 'rate_limited' | 'retry'
  /** How long it will be, in ms; at least so long when pacing. */
  readonly ms: number
  /** What the attempt before ended with; null when pacing. */
  readonly error: MapcrateError | null
}

/** Where the service is, who asks, and how patiently. */
export type ClientOptions = {
  /** The service's public address, with or without `/api/v1`: `https://packs.example`. */
  readonly baseUrl: string
  /** The API key. It is sent to this service alone and stands in no message. */
  readonly key: string
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** Ends all calls of this client when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take until its answer is there, in ms; 30,000 when left out. */
  readonly timeout?: number | undefined
  /** How often a failed attempt is repeated; 3 when left out, 0 for never. */
  readonly retries?: number | undefined
  /**
   * How long one call may wait in total for another attempt, behind a 429 or a failure, in ms;
   * 120,000 when left out, which is two windows. 0 throws at once.
   */
  readonly maxWait?: number | undefined
  /**
   * Hold calls back before a quota is used up, instead of meeting a 429; true when left out. This
   * waiting is not bounded by `maxWait`: 200 saves at 10 a minute take their time. Abort it with a
   * signal.
   */
  readonly pace?: boolean | undefined
  /** Hears of each wait, for a progress bar for example. */
  readonly onWait?: ((wait: Wait) => void) | undefined
}

/** What every call takes. */
export type CallOptions = {
  /** Ends this call when it is aborted; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** What a list takes. */
export type PageOptions = CallOptions & {
  /** Counted from 1, which is what it is when left out. */
  readonly page?: number | undefined
}

/** What saving a new pack takes. */
export type CreateOptions = CallOptions & {
  /**
   * Names this creation for 24 hours: 1 to 255 visible ASCII characters, fresh for each pack. The
   * client makes one up for each call, so that its own retries never save a second pack; give one
   * that you have kept when a restart of your program must not either.
   */
  readonly idempotencyKey?: string | undefined
}
