import { HOUR_MS, MINUTE_MS } from '../../contract/quotas.ts'
import { type Caller, PlatformError } from '../../domain/platform.ts'
import type { CallBudget } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'

export type WireCall = {
  readonly method: 'GET' | 'POST'
  /** After the platform's address, without the query: what messages call it by. */
  readonly path: string
  readonly query?: URLSearchParams
  /** A form, or an object that is sent as JSON. */
  readonly body?: URLSearchParams | Readonly<Record<string, unknown>>
  /** The bearer token; left out where none is asked for. */
  readonly token?: string
}

export type WireAnswer = {
  readonly status: number
  /** `Retry-After` as sent; null when absent. */
  readonly retryAfter: string | null
  /** The body, when it is whole and JSON; else undefined. */
  readonly json: unknown
  /** What is wrong with the body, in words; null when nothing is. */
  readonly flaw: string | null
}

/** Throws `PlatformError` when the budget is spent, there is no answer, or the platform throttles. */
export type MakeCall = (call: WireCall, caller: Caller | typeof PAID) => Promise<WireAnswer>

/** In place of a caller: the call has been taken from the budget before. */
export const PAID = 'paid'

export const TOKEN_PATH = '/oauth/token'

/**
 * The one way out. The platform counts tokens, sign-ins and repeated calls like any other, so each
 * takes from the budget here. When the platform asks to wait, all processes do.
 *
 * @param url without a slash at the end.
 */
export function createCalls(
  url: string,
  timeoutMs: number,
  budget: CallBudget,
  clock: Clock,
): MakeCall {
  const backOff = new BackOff()

  return async (call, caller) => {
    if (caller !== PAID) {
      const leave = await budget.take(caller, clock.now())
      if (!leave.granted) throw new BudgetSpent(call, leave.retryAt)
    }
    const sentAt = clock.now()
    const answer = await send(url, call, timeoutMs)
    const { status, retryAfter } = answer
    if (status === 429 || (status === 503 && retryAfter !== null)) {
      const now = clock.now()
      const until = readRetryAfter(retryAfter, now) ?? backOff.grow(sentAt, now)
      await budget.pause(until, now)
      throw new PlatformError(`${nameOf(call)} answered ${status}: asked to wait`, until)
    }
    if (status < 500) backOff.calm(sentAt)
    return answer
  }
}

/** The budget had no call left for this caller. */
export class BudgetSpent extends PlatformError {
  constructor(call: WireCall, retryAt: number) {
    super(`${nameOf(call)} was not made: the budget of calls is spent or paused`, retryAt, true)
  }
}

export function isBudgetSpent(error: unknown): boolean {
  return error instanceof BudgetSpent
}

/** A call's name in messages: never with its query, body or token. */
export function nameOf({ method, path }: WireCall): string {
  return `${method} ${path}`
}

/** An answer that nothing can be learned from: unknown for now, whatever it says. */
export function unusable(call: WireCall, answer: WireAnswer): PlatformError {
  return new PlatformError(`${nameOf(call)} answered ${explain(call, answer)}`)
}

/** All the platform's own answers are objects, its errors included. */
export function isOwnAnswer(answer: WireAnswer): answer is WireAnswer & { readonly json: object } {
  const { json } = answer
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

function explain({ path }: WireCall, { status, flaw }: WireAnswer): string {
  if (status === 401 && path === TOKEN_PATH) {
    return '401: check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET'
  }
  if (status === 401) return '401: the token is not taken'
  if (status === 403) {
    return '403: a scope is missing; check the platform application (PLATFORM_CLIENT_ID)'
  }
  if (status >= 300 && status < 400) return `${status}: a redirect; check PLATFORM_URL`
  if (flaw !== null) return `${status}, ${flaw}`
  return status === 200 ? '200, whose body is not what it should be' : `${status}`
}

async function send(url: string, call: WireCall, timeoutMs: number): Promise<WireAnswer> {
  const { method, path, query, token, body } = call
  const isForm = body instanceof URLSearchParams
  try {
    const response = await fetch(`${url}${path}${query ? `?${query.toString()}` : ''}`, {
      method,
      headers: {
        // Without it the platform sends people to a page instead of an error to programs.
        accept: 'application/json',
        ...(body !== undefined && {
          'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: isForm ? body.toString() : JSON.stringify(body) }),
      // Followed, a redirect would carry a secret to an address that is not configured.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, ...(await readJson(response)) }
  } catch (error) {
    throw new PlatformError(`${nameOf(call)}: ${reasonOf(error, timeoutMs)}`)
  }
}

/** The error's own message may hold the address or a header: only its code is passed on. */
function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } }
  if (name === 'TimeoutError') return `no answer within ${timeoutMs} ms`
  return `the connection failed${typeof cause?.code === 'string' ? ` (${cause.code})` : ''}`
}

/** 50 rows come to some 250 KB; an answer far beyond that is not worth its memory. */
const MAX_BYTES = 4 * 1024 * 1024

const JSON_TYPE = /^application\/json\s*(?:;|$)/i

/** A body that breaks off, is late, too long, or no JSON is a flaw: the status may be enough. */
async function readJson({ body, headers }: Response): Promise<Pick<WireAnswer, 'json' | 'flaw'>> {
  const flawed = (flaw: string) => ({ json: undefined, flaw })
  try {
    if (!JSON_TYPE.test(headers.get('content-type') ?? '')) {
      await body?.cancel()
      return flawed('whose body is not declared as JSON')
    }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of body ?? []) {
      size += chunk.byteLength
      if (size > MAX_BYTES) return flawed(`whose body has more than ${MAX_BYTES} bytes`)
      chunks.push(chunk)
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    return { json: JSON.parse(text), flaw: null }
  } catch {
    return flawed('whose body is broken or did not arrive whole')
  }
}

const SECOND_MS = 1_000
const SECONDS = /^\d+$/
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Until when a `Retry-After` asks to wait, ms since the epoch; null when it cannot be read. At most an
 * hour: a slip of the platform must not silence us for years, and it can repeat what it meant.
 */
function readRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  let at = Number.NaN
  if (SECONDS.test(text)) at = now + Number(text) * SECOND_MS
  else if (HTTP_DATE.test(text)) at = Date.parse(text)
  if (Number.isNaN(at)) return null
  return Math.min(Math.max(at, now + SECOND_MS), now + HOUR_MS)
}

const MAX_MINUTES = 16

/** How long to pause when the platform is throttling and does not say for how long. */
class BackOff {
  #minutes = 1
  #since = -Infinity
  #until = -Infinity

  /** The call sent at `sentAt` was throttled: wait 1, 2, 4, 8, then 16 minutes; returns until when. */
  grow(sentAt: number, now: number): number {
    // A call that was already under way when the wait began says nothing about its length.
    // A wait that began later than now was begun by a clock that has been put right since.
    if (this.#since <= now && sentAt < this.#until) return this.#until
    this.#since = now
    this.#until = now + this.#minutes * MINUTE_MS
    this.#minutes = Math.min(this.#minutes * 2, MAX_MINUTES)
    return this.#until
  }

  /** The call sent at `sentAt` was let through. */
  calm(sentAt: number): void {
    if (sentAt >= this.#until || sentAt < this.#since) this.#minutes = 1
  }
}
