import type { ClientTime } from './client-time.ts'
import { joinSignals } from './join-signals.ts'
import { MapcrateError } from './mapcrate-error.ts'

/** A request as it goes out. */
export type Outgoing = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for none. */
  readonly body: string | undefined
}

/** An answer, whole. */
export type Incoming = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** How an attempt is made. */
export type AttemptOptions = {
  readonly fetch: typeof fetch
  readonly time: ClientTime
  /** ms. */
  readonly timeout: number
  readonly signal: AbortSignal
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return String(code ?? (error instanceof Error ? error.message : error))
}

/**
 * Sends a request once and reads the answer to its end.
 *
 * @throws MapcrateError `unreachable` or `timed_out`; the signal's reason once it is aborted.
 */
export const attempt = async (
  { url, method, headers, body }: Outgoing,
  { fetch, time, timeout, signal }: AttemptOptions,
): Promise<Incoming> => {
  const joined = joinSignals([signal])
  let isLate = false
  const cancel = time.after(timeout, () => {
    isLate = true
    joined.abort(new Error('late'))
  })
  try {
    const response = await fetch(url, {
      method,
      headers,
      // Followed, a redirect would turn a POST into a GET.
      redirect: 'manual',
      credentials: 'omit',
      signal: joined.signal,
      ...(body !== undefined && { body }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    signal.throwIfAborted()
    const { host } = new URL(url)
    throw isLate
      ? new MapcrateError('timed_out', `no answer from ${host} within ${timeout} ms`)
      : new MapcrateError('unreachable', `${host} cannot be reached: ${reasonOf(cause)}`, { cause })
  } finally {
    cancel()
    joined.release()
  }
}
