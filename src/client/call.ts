import type { Pack } from '../contract/packs.ts'
import type { MapcrateError } from './errors.ts'

/** What came with an answer, in addition to what the call gives. */
export type ResponseInfo = {
  /** Names the request in the service's logs; null when the answer had no such header. */
  readonly requestId: string | null
  /**
   * Fields of the input that the service does not know and did not save, ten at most: `visiblity`,
   * `slots[0].modd`. Empty when there were none (D-49).
   */
  readonly ignoredFields: readonly string[]
  /** The tag of what the call gives, for `ifMatch`; null where there is none, a deletion for example. */
  readonly etag: string | null
}

/** What a call gives, and what came with it. */
export type WithResponse<T> = ResponseInfo & { readonly data: T }

/** A call on its way: a promise of what it gives. */
export interface Call<T> extends Promise<T> {
  /** The same call with what came with its answer; sends nothing anew. */
  withResponse(): Promise<WithResponse<T>>
}

/** Makes a call of its answer. */
export function callOf<T>(answer: Promise<WithResponse<T>>): Call<T> {
  const call = answer.then(({ data }) => data)
  const withResponse = (): Promise<WithResponse<T>> => {
    // Whoever takes the answer with its response hears of a failure there.
    call.catch(() => {})
    return answer
  }
  return Object.assign(call, { withResponse })
}

/** The same answer, with another part of it as what the call gives. */
export const mapData = <A, B>(
  { data, ...info }: WithResponse<A>,
  map: (data: A) => B,
): WithResponse<B> => ({ ...info, data: map(data) })

/** What the headers of an answer say. */
export const responseInfo = (headers: Headers): ResponseInfo => ({
  requestId: headers.get('x-request-id'),
  ignoredFields: readIgnoredFields(headers.get('x-ignored-fields')),
  etag: headers.get('etag'),
})

/** Names are percent-encoded where they hold what a header cannot, commas included (D-49). */
function readIgnoredFields(header: string | null): readonly string[] {
  if (header === null || header.trim() === '') return []
  return header.split(',').map((name) => {
    try {
      return decodeURIComponent(name.trim())
    } catch {
      return name.trim()
    }
  })
}

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
  /**
   * The API key. It is sent to this service alone and stands in no message. What cannot be a key
   * (undefined, an empty text, a placeholder) throws a TypeError before anything is sent: a variable
   * of the environment may be given as it is.
   */
  readonly key: string | undefined
  /** Names your program in the service's logs, in front of the client's own name: `my-bot/1.2`. */
  readonly userAgent?: string | undefined
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
  /** How long one attempt of this call may take, in ms, in place of the client's own `timeout`. */
  readonly timeout?: number | undefined
}

/** What changing a pack takes. */
export type ChangeOptions = CallOptions & {
  /**
   * Which state of the pack may be changed; in any other, nothing is changed and the call throws
   * `precondition_failed` (D-48). A pack as you have read it: nobody has saved it since (its stats
   * may have come in). A text is sent as `If-Match`, an ETag or `*`. null: whatever state it is in.
   * Left out: `replacePack` goes by its input where that is the pack as it was read, or a copy of
   * it; otherwise, as null.
   */
  readonly ifMatch?: Pick<Pack, 'slug' | 'updatedAt'> | string | null | undefined
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
