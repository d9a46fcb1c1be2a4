import type { Pack } from '../contract/packs.ts'
import type { MapcrateError } from './errors.ts'

export type ResponseInfo = {
  /** Identifies the request in the service's logs; null if the answer had no such header. */
  readonly requestId: string | null
  /** Unknown fields of the input, which are not saved: `slots[0].modd`; ten at most (D-49). */
  readonly ignoredFields: readonly string[]
  /** The ETag of the result, for `ifMatch`; null if there is none, after a deletion for example. */
  readonly etag: string | null
}

/** The result of a call, with its metadata. */
export type WithResponse<T> = ResponseInfo & { readonly data: T }

/** A promise of the result of a call. */
export interface Call<T> extends Promise<T> {
  /** The result of the same call, with its metadata; sends nothing again. */
  withResponse(): Promise<WithResponse<T>>
}

export function callOf<T>(answer: Promise<WithResponse<T>>): Call<T> {
  const call = answer.then(({ data }) => data)
  const withResponse = () => {
    // A failure is reported by the answer that is returned here.
    call.catch(() => {})
    return answer
  }
  return Object.assign(call, { withResponse })
}

/** The call of which the result is one part of the answer's body. */
export const partOf = <D, const N extends keyof D>(
  name: N,
  answer: Promise<WithResponse<D>>,
): Call<D[N]> => callOf(answer.then(({ data, ...info }) => ({ ...info, data: data[name] })))

/** The call of a deletion, which has no result. */
export const nothingOf = (answer: Promise<WithResponse<unknown>>): Call<void> =>
  callOf(answer.then((info) => ({ ...info, data: undefined })))

export const responseInfo = (headers: Headers): ResponseInfo => ({
  requestId: headers.get('x-request-id'),
  ignoredFields: readIgnoredFields(headers.get('x-ignored-fields')),
  etag: headers.get('etag'),
})

/** Names are percent-encoded if they contain what a header cannot, commas included (D-49). */
function readIgnoredFields(header: string | null): readonly string[] {
  const names = header?.trim() ? header.split(',') : []
  return names.map((name) => {
    try {
      return decodeURIComponent(name.trim())
    } catch {
      return name.trim()
    }
  })
}

/** Why a call waits, reported while it does. */
export type Wait = {
  /** `pacing`: few calls of this minute are left. `rate_limited`: 429. `retry`: an attempt failed. */
  readonly reason: 'pacing' | 'rate_limited' | 'retry'
  /** How long the wait will be, in ms; a minimum when pacing. */
  readonly ms: number
  /** The failure of the attempt before; null when pacing. */
  readonly error: MapcrateError | null
}

/** The service, the key, and how long calls may take. */
export type ClientOptions = {
  /** The service's public address, with or without `/api/v1`: `https://packs.example`. */
  readonly baseUrl: string
  /**
   * The API key. It is sent to this service only and is in no message. What cannot be a key (undefined, an
   * empty text, a placeholder) throws a TypeError, so that a variable of the environment may be passed.
   */
  readonly key: string | undefined
  /** Names your program in the service's logs, in front of the client's own name: `my-bot/1.2`. */
  readonly userAgent?: string | undefined
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** Ends all calls of this client when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** Time limit of one attempt in ms; default 30,000. */
  readonly timeout?: number | undefined
  /** How often a failed attempt is repeated; default 3, 0 for never. */
  readonly retries?: number | undefined
  /**
   * How long one call may wait in total for further attempts, after a 429 or a failure, in ms; default
   * 120,000, which is two windows. 0 throws at once.
   */
  readonly maxWait?: number | undefined
  /**
   * Delay calls before a quota is used up, instead of getting a 429; default true. `maxWait` does not limit
   * this delay: 200 saves at 10 a minute take their time. Abort it with a signal.
   */
  readonly pace?: boolean | undefined
  /** Called for each wait, for a progress bar for example. */
  readonly onWait?: ((wait: Wait) => void) | undefined
}

/** The options of every call. */
export type CallOptions = {
  /** Ends this call when it is aborted; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Time limit of one attempt in ms, in place of the client's own `timeout`. */
  readonly timeout?: number | undefined
}

/** The options of reading the feed of changes. */
export type ChangesOptions = CallOptions & {
  /** The `cursor` to continue with; left out: what happens from now on. */
  readonly after?: string | undefined
  /** For how many whole seconds to wait if there is nothing yet, 0 to 25; `timeout` comes in addition. */
  readonly wait?: number | undefined
}

/** The options of a change of a pack. */
export type ChangeOptions = CallOptions & {
  /**
   * Which state of the pack may be changed; in any other, nothing is changed and the call throws
   * `precondition_failed` (D-48). A pack as it was read: nobody has saved it since (its stats may have
   * changed). A text is sent as `If-Match`, an ETag or `*`. null: any state. Left out: `replacePack`
   * uses its input if that is the pack as it was read, or a copy of it; otherwise, as null.
   */
  readonly ifMatch?: Pick<Pack, 'slug' | 'updatedAt'> | string | null | undefined
}

/** The options of opening and closing a history. */
export type HistoryOptions = CallOptions & {
  /** The ETag of the first page of the history as it was read; if it has changed, `precondition_failed`. */
  readonly ifMatch?: string | undefined
}

/** The options of a list. */
export type PageOptions = CallOptions & {
  /** Counted from 1, the default. */
  readonly page?: number | undefined
}

/** The options of a creation. */
export type CreateOptions = CallOptions & {
  /**
   * Identifies this creation for 24 hours: 1 to 255 visible ASCII characters, new for each. By default
   * the client generates one for each call, so that its own retries never make a second one; pass one that
   * you have stored if a restart of your program must not either.
   */
  readonly idempotencyKey?: string | undefined
}
