import { API_PREFIX, type Route } from '../contract/endpoint.ts'
import { type ApiErrorCode, apiErrorCodes } from '../contract/error-codes.ts'
import { isKeyPlaceholder } from '../contract/key-placeholder.ts'
import {
  type CallOptions,
  type ClientOptions,
  responseInfo,
  type Wait,
  type WithResponse,
} from './call.ts'
import { type ErrorDetails, MapcrateError, type MapcrateErrorCode } from './errors.ts'
import type { checkOutcome, isHeld } from './lost-answers.ts'
import { Pacer, type Quotas, readQuota } from './quotas.ts'
import {
  type AnyInput,
  type Callables,
  type CallInput,
  type CallReply,
  checkInput,
  errorIn,
  type Outgoing,
  type PathRule,
  readRetryAfter,
  requestOf,
  type RoutesOf,
} from './request.ts'
import { type ClientTime, sleep, withSignals, withTimeout } from './time.ts'

/** The version of the package, as in `package.json`; the client sends it in `User-Agent`. */
const CLIENT_VERSION = '0.1.0'

/** What a client knows of the operations of a service. */
export type Operations<Api extends Callables> = {
  readonly routes: RoutesOf<Api>
  /** Whether a body is that of an answer, and not of something in between; null where there is none. */
  readonly shapes: { readonly [N in keyof Api]: Shape | null }
  /** What may be in place of a name in a path. */
  readonly ruleOf: (route: Route, name: string) => PathRule
  /** The one that needs no key and counts toward no limit. */
  readonly free?: keyof Api
  /** For how long the service may wait before it answers, in ms; left out: not at all. */
  readonly waitMs?: (input: AnyInput) => number
  /** Throws `precondition_required` without a required ETag; left out where none is. */
  readonly checkTag?: (input: AnyInput) => void
  /**
   * Whether a call is not sent again after a failure that leaves open whether it was done, because a second attempt
   * would do it twice, or be refused because of the first. Left out: each is.
   */
  readonly isOnce?: (name: keyof Api, input: AnyInput) => boolean
  /** Throws after a failure that left open whether a change was done, if an error does too; left out of what only reads. */
  readonly checkOutcome?: typeof checkOutcome
  /** Whether a change that has failed is not worth another attempt after this wait; left out of what only reads. */
  readonly isHeld?: typeof isHeld
}

type Shape = (body: JsonFields) => boolean

export type JsonFields = Readonly<Record<string, unknown>>

/** One service, one key. */
export type Connection<Api extends Callables> = {
  readonly send: <N extends keyof Api & string>(
    name: N,
    input: CallInput<Api[N]>,
    options?: CallOptions,
  ) => Promise<WithResponse<CallReply<Api[N]>>>
  readonly quotas: () => Quotas
  readonly time: ClientTime
  /** Ends all calls. */
  readonly signal: AbortSignal | undefined
  /** Tells of a wait that begins. */
  readonly report: (wait: Wait) => void
}

type Attempt = {
  readonly shape: Shape | null
  readonly mayRepeat: boolean
  /** Whether it spends of the quotas; then it has the key, too. */
  readonly isCounted: boolean
  readonly request: Outgoing
  readonly timeout: number
  readonly signal: AbortSignal
  /** Whether the service may wait before it answers. */
  readonly waits: boolean
}

/** Opens a connection; nothing is sent yet. Throws a TypeError for an invalid address or key. */
export function connect<Api extends Callables>(
  operations: Operations<Api>,
  options: ClientOptions,
  time: ClientTime,
): Connection<Api> {
  const { retries = 3, maxWait = 120_000 } = options
  const address = serviceAddress(options.baseUrl)
  const key = checkKey(options.key)
  const userAgent = userAgentOf(options.userAgent)
  const pacer = new Pacer(time, options.pace ?? true)
  // Looked up at each call and called without `this`, as browsers require.
  const anyFetch: typeof fetch = (target, init) => (options.fetch ?? globalThis.fetch)(target, init)
  // An exception of the listener must not affect the call.
  const report = (wait: Wait): void => queueMicrotask(() => options.onWait?.(wait))
  return { send, quotas: () => pacer.quotas(), time, signal: options.signal, report }

  async function send<N extends keyof Api & string>(
    name: N,
    input: CallInput<Api[N]>,
    given: CallOptions = {},
  ) {
    const route = operations.routes[name]
    checkInput(route, input, operations.ruleOf)
    operations.checkTag?.(input)
    const isCounted = name !== operations.free
    const keyHeader = isCounted ? { authorization: `Bearer ${key}` } : {}
    const proof = { 'user-agent': userAgent, ...keyHeader }
    const request = requestOf(route, input, address, proof)
    const shape = operations.shapes[name]
    const mayRepeat = operations.isOnce?.(name, input) !== true
    const waitMs = operations.waitMs?.(input) ?? 0
    const timeout = (given.timeout ?? options.timeout ?? 30_000) + waitMs
    const answer = await withSignals([options.signal, given.signal], (signal) =>
      sendWithRetries({ shape, mayRepeat, isCounted, request, timeout, signal, waits: waitMs > 0 }),
    )
    return answer as WithResponse<CallReply<Api[N]>>
  }

  async function sendWithRetries(attempt: Attempt): Promise<WithResponse<unknown>> {
    let [failures, waited] = [0, 0]
    let failure: MapcrateError | null = null
    for (;;) {
      try {
        return await sendOnce(attempt)
      } catch (error) {
        if (!(error instanceof MapcrateError)) throw error
        const isLimited = error.code === 'rate_limited'
        const ms = waitAfter(error, failures)
        const isHeld = operations.isHeld?.(error, ms, attempt.request)
        const mayRepeat = attempt.mayRepeat && isTransient(error) && !isHeld && failures < retries
        if ((!isLimited && !mayRepeat) || waited + ms > maxWait) {
          if (failure !== null) operations.checkOutcome?.(failure, error, attempt.request)
          throw error
        }
        report({ reason: isLimited ? 'rate_limited' : 'retry', ms, error })
        await sleep(time, ms, attempt.signal)
        waited += ms
        if (isLimited) continue
        failures += 1
        failure = error
      }
    }
  }

  async function sendOnce(attempt: Attempt): Promise<WithResponse<unknown>> {
    const { shape, isCounted, request, signal, waits } = attempt
    const writes = request.method !== 'GET'
    const onWait = (ms: number) => report({ reason: 'pacing', ms, error: null })
    const release = isCounted ? await pacer.acquire(writes, signal, onWait) : () => {}
    try {
      // Other calls must not wait for its answer, which says little about the quota by then.
      if (waits) release()
      const answer = await fetchWhole(attempt)
      const quota = isCounted && !waits ? readQuota(answer.headers) : null
      if (quota !== null) pacer.learn(quota, writes)
      return { data: readAnswer(shape, answer), ...responseInfo(answer.headers) }
    } finally {
      release()
    }
  }

  /** Sends a request once and reads the whole answer. */
  function fetchWhole({ request, timeout, signal }: Attempt): Promise<Incoming> {
    const { url, ...init } = request
    return withTimeout(time, timeout, signal, async (limited) => {
      try {
        const response = await anyFetch(url, {
          ...init,
          // Following a redirect would turn a POST into a GET.
          redirect: 'manual',
          credentials: 'omit',
          signal: limited,
        })
        const { status, headers } = response
        return { status, headers, text: await response.text() }
      } catch (cause) {
        signal.throwIfAborted()
        const { host } = new URL(url)
        if (limited.aborted) {
          throw new MapcrateError('timed_out', `no answer from ${host} within ${timeout} ms`)
        }
        const message = `${host} cannot be reached: ${reasonOf(cause)}`
        throw new MapcrateError('unreachable', message, { cause })
      }
    })
  }
}

function reasonOf(error: unknown): string {
  const known = error as { cause?: { code?: unknown }; message?: unknown } | null
  return String(known?.cause?.code ?? known?.message ?? error)
}

/** Whether another attempt may succeed. A pack may be sent again because of its `Idempotency-Key`. */
export function isTransient({ code, status }: MapcrateError): boolean {
  if (code === 'unreachable' || code === 'timed_out') return true
  return [500, 502, 503, 504].includes(status ?? 0)
}

const FIRST_BACK_OFF_MS = 500
const MAX_BACK_OFF_MS = 8_000
/** If a 429 has no Retry-After. */
const DEFAULT_WAIT_MS = 1_000

/** The wait before another attempt in ms; random, so that clients that failed at once do not return at once. */
function waitAfter({ code, retryAfter }: MapcrateError, failures: number): number {
  const backOff = Math.min(FIRST_BACK_OFF_MS * 2 ** failures, MAX_BACK_OFF_MS)
  const own = code === 'rate_limited' ? DEFAULT_WAIT_MS : backOff * (0.5 + Math.random() / 2)
  return Math.max((retryAfter ?? 0) * 1000, own)
}

/** The base address of calls, `https://packs.example/api/v1`. Throws a TypeError for an invalid one. */
export function serviceAddress(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const extras = url && url.username + url.password + url.search + url.hash
  if (url === null || !/^https?:$/.test(url.protocol) || extras !== '') {
    throw new TypeError('baseUrl must be the address of the service, as https://packs.example')
  }
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path.endsWith(API_PREFIX) ? path : path + API_PREFIX)
}

function checkKey(key: unknown): string {
  if (typeof key === 'string' && /^[!-~]+$/.test(key) && !isKeyPlaceholder(key)) return key
  const unset = key === '' ? 'empty' : typeof key !== 'string' && String(key)
  const what = unset || 'a placeholder or holds other characters'
  throw new TypeError(
    `key must be an API key of the service, and it is ${what}: is the variable that holds it set?`,
  )
}

function userAgentOf(own: string | undefined): string {
  const client = `mapcrate-client/${CLIENT_VERSION}`
  if (own === undefined) return client
  if (!/^[!-~][ -~]{0,199}$/.test(own)) {
    throw new TypeError('userAgent must be 1 to 200 visible ASCII characters, as my-bot/1.2')
  }
  return `${own.trim()} ${client}`
}

type Incoming = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The body of an answer, undefined if the operation has none. Throws if it is no success. */
function readAnswer(shape: Shape | null, answer: Incoming): JsonFields | undefined {
  const { status, headers, text } = answer
  if (status === 204 && shape === null) return undefined
  const body = parse(text)
  if (status >= 200 && status < 300 && isObject(body) && shape?.(body)) return body
  const { requestId } = responseInfo(headers)
  const details = { status, requestId, retryAfter: readRetryAfter(headers) }
  const error = errorIn(body)
  if (status < 400 || error === null || !isErrorCode(error.code)) throw unexpected(answer, details)
  const { message, reason, slots } = error
  throw new MapcrateError(codeOf(status, error.code), message, { ...details, reason, slots })
}

/** Whether it is a page of a list whose items are like this. */
export const isPageOf =
  (name: string, isItem: (item: JsonFields) => boolean) =>
  (body: JsonFields): boolean => {
    const items = body[name]
    const isList = Array.isArray(items) && items.every((item) => isObject(item) && isItem(item))
    return isList && ['page', 'pageCount', 'total'].every((each) => Number.isInteger(body[each]))
  }

export function isObject(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isErrorCode(code: unknown): code is ApiErrorCode {
  return apiErrorCodes.includes(code as ApiErrorCode)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const EXCERPT_LENGTH = 80

/** Proxies have limits of their own, and other bodies that say so. */
const codeOf = (status: number, code: MapcrateErrorCode): MapcrateErrorCode =>
  status === 429 ? 'rate_limited' : code

/** Shows what answered instead of the service. */
function unexpected({ status, headers, text }: Incoming, details: ErrorDetails): MapcrateError {
  const place = headers.get('location')
  const excerpt = text.replace(/[\s\p{C}]+/gu, ' ').trim()
  const content =
    excerpt === '' ? 'an empty body' : `a body that begins “${excerpt.slice(0, EXCERPT_LENGTH)}”`
  const isRedirect = status === 0 || (status >= 300 && status < 400)
  const message = isRedirect
    ? `a redirect${place === null ? '' : ` to ${place}`} came in place of an answer; give the address that it leads to as baseUrl`
    : `${status} with ${content} is no answer of the service; check baseUrl and any proxy in between`
  return new MapcrateError(codeOf(status, 'unexpected_answer'), message, details)
}
