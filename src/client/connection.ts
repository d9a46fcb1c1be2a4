import { API_PREFIX, isWrite } from '../contract/endpoint.ts'
import { isKeyPlaceholder } from '../contract/key-placeholder.ts'
import {
  type CallOptions,
  type ClientOptions,
  responseInfo,
  type Wait,
  type WithResponse,
} from './call.ts'
import { MapcrateError } from './errors.ts'
import {
  type CallName,
  type Incoming,
  type Input,
  lines,
  readAnswer,
  type Reply,
} from './operations.ts'
import { Pacer, type Quotas, readQuota } from './quotas.ts'
import { type AnyInput, type Outgoing, requestOf } from './request.ts'
import { type ClientTime, joinSignals, sleep } from './time.ts'

/** The version of the package, as in `package.json`; the client names it in `User-Agent`. */
export const CLIENT_VERSION = '0.1.0'

const TIMEOUT_MS = 30_000
const RETRIES = 3
const MAX_WAIT_MS = 120_000

/** One service, one key. */
export type Connection = {
  readonly send: <N extends CallName>(
    name: N,
    input: Input<N>,
    options?: CallOptions,
  ) => Promise<WithResponse<Reply<N>>>
  readonly quotas: () => Quotas
}

type Limits = { readonly timeout: number; readonly signal: AbortSignal }

/** Opens a connection; nothing is sent yet. Throws a TypeError for an address or a key that is none. */
export function connect(options: ClientOptions, time: ClientTime): Connection {
  const { retries = RETRIES, maxWait = MAX_WAIT_MS } = options
  const address = serviceAddress(options.baseUrl)
  const key = checkKey(options.key)
  const userAgent = userAgentOf(options.userAgent)
  const pacer = new Pacer(time, options.pace ?? true)
  // Looked up at each call and called on nothing: browsers insist, and so do those who replace it.
  const anyFetch: typeof fetch = (target, init) => (options.fetch ?? globalThis.fetch)(target, init)
  // What the listener throws must not come between a call and its place in the line.
  const tell = (wait: Wait): void => queueMicrotask(() => options.onWait?.(wait))
  return { send, quotas: () => pacer.quotas() }

  async function send<N extends CallName>(name: N, input: Input<N>, given: CallOptions = {}) {
    const joined = joinSignals([options.signal, given.signal])
    try {
      const keyHeader = name === 'getOpenapi' ? {} : { authorization: `Bearer ${key}` }
      const proof = { 'user-agent': userAgent, ...keyHeader }
      const request = requestOf(lines[name], input as AnyInput, address, proof)
      const timeout = given.timeout ?? options.timeout ?? TIMEOUT_MS
      const answer = await persist(name, request, { timeout, signal: joined.signal })
      return answer as WithResponse<Reply<N>>
    } finally {
      joined.release()
    }
  }

  async function persist(
    name: CallName,
    request: Outgoing,
    limits: Limits,
  ): Promise<WithResponse<unknown>> {
    let [failures, waited] = [0, 0]
    for (;;) {
      try {
        return await sendOnce(name, request, limits)
      } catch (error) {
        if (!(error instanceof MapcrateError)) throw error
        // An attempt whose answer was lost has deleted it.
        if (failures > 0 && isGone(name, request, error)) {
          return { data: undefined, requestId: error.requestId, ignoredFields: [], etag: null }
        }
        const isLimited = error.code === 'rate_limited'
        if (!isLimited && (!isPassing(error) || failures >= retries)) throw error
        const ms = waitAfter(error, failures)
        if (waited + ms > maxWait) throw error
        tell({ reason: isLimited ? 'rate_limited' : 'retry', ms, error })
        await sleep(time, ms, limits.signal)
        waited += ms
        if (!isLimited) failures += 1
      }
    }
  }

  async function sendOnce(
    name: CallName,
    request: Outgoing,
    limits: Limits,
  ): Promise<WithResponse<unknown>> {
    const writes = isWrite(request.method)
    const isCounted = name !== 'getOpenapi'
    const onWait = (ms: number) => tell({ reason: 'pacing', ms, error: null })
    const release = isCounted ? await pacer.acquire(writes, limits.signal, onWait) : () => {}
    try {
      const answer = await attempt(request, limits)
      const quota = isCounted ? readQuota(answer.headers) : null
      if (quota !== null) pacer.learn(quota, writes)
      return { data: readAnswer(name, answer), ...responseInfo(answer.headers) }
    } finally {
      release()
    }
  }

  /** Sends a request once and reads the answer to its end. */
  async function attempt(
    { url, ...request }: Outgoing,
    { timeout, signal }: Limits,
  ): Promise<Incoming> {
    const joined = joinSignals([signal])
    let isLate = false
    const cancel = time.after(timeout, () => {
      isLate = true
      joined.abort(new Error('late'))
    })
    try {
      const response = await anyFetch(url, {
        ...request,
        // Followed, a redirect would turn a POST into a GET.
        redirect: 'manual',
        credentials: 'omit',
        signal: joined.signal,
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (cause) {
      signal.throwIfAborted()
      const { host } = new URL(url)
      throw isLate
        ? new MapcrateError('timed_out', `no answer from ${host} within ${timeout} ms`)
        : new MapcrateError('unreachable', `${host} cannot be reached: ${reasonOf(cause)}`, {
            cause,
          })
    } finally {
      cancel()
      joined.release()
    }
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return String(code ?? (error instanceof Error ? error.message : error))
}

/** Did this deletion find nothing to delete any more? */
function isGone(name: CallName, request: Outgoing, { code }: MapcrateError): boolean {
  if (name !== 'deletePack') return false
  return (
    code === 'not_found' || (code === 'precondition_failed' && request.headers['if-match'] === '*')
  )
}

/**
 * Is it a failure that may be gone at the next attempt? Every call may be repeated: reads, PUT and
 * DELETE by their nature, POST by its `Idempotency-Key`.
 */
function isPassing({ code, status }: MapcrateError): boolean {
  const isOfStatus = status !== null && [500, 502, 503, 504].includes(status)
  return code === 'unreachable' || code === 'timed_out' || isOfStatus
}

const FIRST_BACK_OFF_MS = 500
const LONGEST_BACK_OFF_MS = 8_000
/** When a 429 does not say how long. */
const UNTOLD_WAIT_MS = 1_000

/** How long to wait before another attempt, in ms; many clients that failed at once must not come back at once. */
function waitAfter({ code, retryAfter }: MapcrateError, failures: number): number {
  const backOff = Math.min(FIRST_BACK_OFF_MS * 2 ** failures, LONGEST_BACK_OFF_MS)
  const own = code === 'rate_limited' ? UNTOLD_WAIT_MS : backOff * (0.5 + Math.random() / 2)
  return Math.max((retryAfter ?? 0) * 1000, own)
}

/**
 * Where a service's calls begin: `https://packs.example/api/v1`, whether or not that path was given.
 *
 * @throws TypeError when the text is no plain http or https address.
 */
export function serviceAddress(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  if (!isPlain) {
    throw new TypeError('baseUrl must be the address of the service, as https://packs.example')
  }
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path.endsWith(API_PREFIX) ? path : path + API_PREFIX)
}

function checkKey(key: unknown): string {
  if (typeof key === 'string' && /^[!-~]+$/.test(key) && !isKeyPlaceholder(key)) return key
  const kind = typeof key !== 'string' ? String(key) : key === '' ? 'empty' : null
  throw new TypeError(
    kind === null
      ? 'key must be an API key of the service: this is a placeholder, or holds other characters'
      : `key must be an API key of the service, and it is ${kind}: is the variable that holds it set?`,
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
