import { type Caller, PlatformError } from '../../domain/platform.ts'
import { type Pause, PROBE_EACH_MS } from '../../domain/platform-state.ts'
import { DAY_MS, MINUTE_MS } from '../../contract/quotas.ts'
import type { CallBudget } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'
import {
  type Fault,
  type Means,
  noAnswer,
  readAnswer,
  type Route,
  type WireAnswer,
} from './answers.ts'

export type WireCall<T> = {
  readonly route: Route
  readonly method: 'GET' | 'POST'
  /** After the platform's address, without the query: what messages call it by. */
  readonly path: string
  readonly query?: URLSearchParams
  /** A form, or an object that is sent as JSON. */
  readonly body?: URLSearchParams | Readonly<Record<string, unknown>>
  /** The bearer token; left out where none is asked for. */
  readonly token?: string
  /** The redirect address of a code. */
  readonly redirectUri?: string
  /** Whether the JSON of a 200 is what was asked for. */
  readonly isAnswer: (json: unknown) => json is T
}

type Named = Pick<WireCall<unknown>, 'method' | 'path' | 'redirectUri'>

/** Calls that have been taken from the budget. */
export type Leave = {
  readonly caller: Caller
  readonly pause: number | undefined
  /** Those that were not made, in the order in which they are. */
  readonly open: number[]
}

export type Reading<T> =
  | { readonly means: 'answer'; readonly json: T }
  | { readonly means: Exclude<Means, 'answer'> }

/** The one way out. */
export type Calls = {
  /**
   * Takes `calls` from the budget, all or none; throws `BudgetSpent`.
   *
   * @param call the one that messages name.
   */
  readonly take: (
    call: Named,
    caller: Caller,
    wish?: { readonly calls?: number; readonly spare?: number; readonly isForToken?: boolean },
  ) => Promise<Leave>
  /** Puts one back that was taken and not made. */
  readonly refund: (leave: Leave) => Promise<void>
  /** Makes the next call of those that were taken. Throws `PlatformError` when there is no answer that counts. */
  readonly make: <T>(call: WireCall<T>, leave: Leave) => Promise<Reading<T>>
  /** How long ago an operator last ended what answers had stopped, in ms; Infinity: never. */
  readonly resumedMsAgo: () => Promise<number>
  /** Notes what became of a call that was answered; returns the error to throw. */
  readonly fail: (call: Named, fault: Fault) => Promise<CallError>
}

type CallSettings = {
  /** Without a slash at the end. */
  readonly url: string
  readonly userAgent: string
  readonly timeoutMs: number
  readonly budget: CallBudget
  readonly clock: Clock
}

export const TOKEN_PATH = '/oauth/token'

/** How often a success is noted that changes nothing else. */
const NOTED_EACH_MS = MINUTE_MS

/**
 * The platform counts tokens, sign-ins and repeated calls like any other, so each takes from the budget. How it answers
 * is noted there for all processes: when the platform asks to wait, all of them do.
 */
export function createCalls(settings: CallSettings): Calls {
  const { budget, clock } = settings
  let notedAt = -Infinity

  /** Notes a failure for all processes, and returns its error. */
  async function fail(
    call: Named,
    fault: Fault,
    says: string,
    retryAfter: string | null,
  ): Promise<CallError> {
    const { trouble, cause, remedy, stops, isOfRedirect = false } = fault
    notedAt = -Infinity
    const now = clock.now()
    const name = nameOf(call)
    const redirect = call.redirectUri && isOfRedirect ? ` (${call.redirectUri})` : ''
    const reason = `${name} ${says}: ${cause}; ${remedy}${redirect}`
    const askedUntil = readRetryAfter(retryAfter, now)
    const stopped = stops === undefined ? null : { calls: stops, askedUntil }
    await budget.fail({ call: name, trouble, reason }, now, stopped)
    return new CallError(reason, stopped === null ? null : now + PROBE_EACH_MS, fault)
  }

  return {
    async take(call, caller, { calls = 1, spare = 0, isForToken = false } = {}) {
      const leave = await budget.take(caller, clock.now(), calls, spare, isForToken)
      if (!leave.granted) {
        const why = leave.pausedBy ?? (leave.isOfOwnShare ? ownShareSpent : budgetSpent)
        throw new BudgetSpent(nameOf(call), leave.retryAt, why)
      }
      return { caller, pause: leave.pause, open: [...leave.calls] }
    },

    async refund({ open }) {
      const call = open.pop()
      if (call !== undefined) await budget.refund(call)
    },

    async resumedMsAgo() {
      const { now, resumedAt = -Infinity } = await budget.report(clock.now())
      return Math.abs(now - resumedAt)
    },

    fail: (call, fault) => fail(call, fault, `was refused`, null),

    async make<T>(call: WireCall<T>, leave: Leave): Promise<Reading<T>> {
      const taken = leave.open.shift()
      if (taken === undefined) throw new Error(`${nameOf(call)} was not taken`)
      const answer = await send(settings, call)
      if ('trouble' in answer) {
        await budget.answered(taken, clock.now())
        throw await fail(call, answer, 'was not answered', null)
      }
      const reading = readAnswer(call.route, answer, call.isAnswer)
      await budget.answered(taken, clock.now(), reading === 'bad-code')
      if (typeof reading === 'object') {
        throw await fail(call, reading, `answered ${answer.status}`, answer.retryAfter)
      }
      const now = clock.now()
      // A code that is refused says nothing of the calls that wait: anybody can send one.
      const isNews = leave.pause !== undefined || Math.abs(now - notedAt) >= NOTED_EACH_MS
      if (reading !== 'bad-code' && isNews) {
        notedAt = now
        await budget.succeed(leave.caller, now, leave.pause)
      }
      return reading === 'answer' ? { means: reading, json: answer.json as T } : { means: reading }
    },
  }
}

/** A call that was made and not answered in a way that counts. */
export class CallError extends PlatformError {
  readonly fault: Fault

  constructor(message: string, retryAt: number | null, fault: Fault) {
    super(message, retryAt, fault.trouble)
    this.fault = fault
  }
}

/** The budget had no call left for this caller, or a pause keeps the call back. */
class BudgetSpent extends PlatformError {
  constructor(
    name: string,
    retryAt: number,
    { trouble, reason }: Pick<Pause, 'trouble' | 'reason'>,
  ) {
    super(`${name} was not made: ${reason}`, retryAt, trouble)
  }
}

const budgetSpent = { trouble: 'unasked', reason: 'the budget of calls is spent' } as const

const ownShareSpent = {
  trouble: 'unasked',
  reason:
    'the share of this network address is used up, or during an attack that of browsers that are new here, and the rest is left to others',
} as const

export function isBudgetSpent(error: unknown): boolean {
  return error instanceof BudgetSpent
}

/** A call's name in messages: never with its query, body or token. */
export function nameOf({ method, path }: Named): string {
  return `${method} ${path}`
}

async function send(
  { url, userAgent, timeoutMs }: CallSettings,
  { route, method, path, query, token, body }: WireCall<unknown>,
): Promise<WireAnswer | Fault> {
  const isForm = body instanceof URLSearchParams
  try {
    const response = await fetch(`${url}${path}${query ? `?${query.toString()}` : ''}`, {
      method,
      headers: {
        // Without it the platform sends people to a page instead of an error to programs.
        accept: 'application/json',
        // Without it errors come in the player's language.
        'accept-language': 'en',
        'user-agent': userAgent,
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
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      hasRateLimit: response.headers.has('x-ratelimit-limit'),
      ...(await readBody(response)),
    }
  } catch (error) {
    return noAnswer(route, reasonOf(error, timeoutMs))
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

async function readBody({ body, headers }: Response): Promise<Pick<WireAnswer, 'json' | 'body'>> {
  const chunks: Uint8Array[] = []
  try {
    if (!JSON_TYPE.test(headers.get('content-type') ?? '')) {
      await body?.cancel()
      return { body: 'page', json: undefined }
    }
    let size = 0
    for await (const chunk of body ?? []) {
      size += chunk.byteLength
      if (size > MAX_BYTES) return { body: 'too-long', json: undefined }
      chunks.push(chunk)
    }
  } catch {
    return { body: 'cut', json: undefined }
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    return { body: 'json', json: JSON.parse(text) }
  } catch {
    return { body: 'broken', json: undefined }
  }
}

const SECOND_MS = 1_000
const SECONDS = /^\d+$/
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Until when a `Retry-After` asks to wait, a day at most; null when it cannot be read. For operators alone (D-92). */
function readRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  let at = Number.NaN
  if (SECONDS.test(text)) at = now + Number(text) * SECOND_MS
  else if (HTTP_DATE.test(text)) at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.min(Math.max(at, now), now + DAY_MS)
}
