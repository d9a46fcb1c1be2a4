import { PlatformTrouble } from '../../domain/platform.ts'
import { readJson } from './read-json.ts'
import { nameOf, type WireAnswer, type WireCall } from './wire-call.ts'

/** Makes one call over the network, whatever the status it gets. */
export type Exchange = (call: WireCall) => Promise<WireAnswer>

const encodeBody = (body: WireCall['body']): { text?: string; type?: string } => {
  if (body === undefined) return {}
  return body instanceof URLSearchParams
    ? { text: body.toString(), type: 'application/x-www-form-urlencoded' }
    : { text: JSON.stringify(body), type: 'application/json' }
}

/** The error's own message may hold the address or a header: only its code is passed on. */
const reasonOf = (error: unknown, timeoutMs: number): string => {
  if (!(error instanceof Error)) return 'the connection failed'
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`
  const code = (error.cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed'
}

/**
 * @param url the platform's address, with or without a slash at the end.
 * @param timeoutMs for each call, from connecting to the last byte.
 * @throws PlatformTrouble when nothing comes back.
 */
export const createExchange = (url: string, timeoutMs: number): Exchange => {
  const base = url.replace(/\/+$/, '')

  return async (call) => {
    const { method, path, query, token } = call
    const { text, type } = encodeBody(call.body)
    try {
      const response = await fetch(`${base}${path}${query ? `?${query.toString()}` : ''}`, {
        method,
        headers: {
          // Without it the platform sends people to a page instead of an error to programs.
          accept: 'application/json',
          ...(type !== undefined && { 'content-type': type }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(text !== undefined && { body: text }),
        // Followed, a redirect would carry a secret to an address that nobody configured.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const retryAfter = response.headers.get('retry-after')
      return { status: response.status, retryAfter, ...(await readJson(response)) }
    } catch (error) {
      throw new PlatformTrouble(`${nameOf(call)}: ${reasonOf(error, timeoutMs)}`)
    }
  }
}
