import { API_PREFIX, isWrite } from '../contract/endpoint.ts'
import { isKeyPlaceholder } from '../contract/key-placeholder.ts'
import type { CallOptions, ClientOptions, Wait, WithResponse } from './call.ts'
import { responseInfo } from './call.ts'
import { MapcrateError } from './errors.ts'
import type { CallName, Incoming, Input, Reply } from './operations.ts'
import { lines, readAnswer } from './operations.ts'
import { Pacer, type Quotas, readQuota } from './quotas.ts'
import { type AnyInput, type Outgoing, requestOf } from './request.ts'
import { type ClientTime, sleep, withSignals, withTimeout } from './time.ts'

/** The version of the package, as in `package.json`; the client sends it in `User-Agent`. */
export const CLIENT_VERSION = '0.1.0'

/** One service, one key. */
export type Connection = {
  readonly send: <N extends CallName>(
    name: N,
    input: Input<N>,
    options?: CallOptions,
  ) => Promise<WithResponse<Reply<N>>>
  readonly quotas: () => Quotas
}

type Attempt = {
  readonly name: CallName
  readonly request: Outgoing
  readonly timeout: number
  readonly signal: AbortSignal
}

/** Opens a connection; nothing is sent yet. Throws a TypeError for an invalid address or key. */
export function connect(options: ClientOptions, time: ClientTime): Connection {
  const { retries = 3, maxWait = 120_000 } = options
  const address = serviceAddress(options.baseUrl)
  const key = checkKey(options.key)
  const userAgent = userAgentOf(options.userAgent)
  const pacer = new Pacer(time, options.pace ?? true)
  // Looked up at each call and called without `this`, as browsers require.
  const anyFetch: typeof fetch = (target, init) => (options.fetch ?? globalThis.fetch)(target, init)
  // An exception of the listener must not affect the call.
  const report = (wait: Wait): void => queueMicrotask(() => options.onWait?.(wait))
  return { send, quotas: () => pacer.quotas() }

  async function send<N extends CallName>(name: N, input: Input<N>, given: CallOptions = {}) {
    const keyHeader = name === 'getOpenapi' ? {} : { authorization: `Bearer ${key}` }
    const proof = { 'user-agent': userAgent, ...keyHeader }
    const request = requestOf(lines[name], input as AnyInput, address, proof)
    const timeout = given.timeout ?? options.timeout ?? 30_000
    const answer = await withSignals([options.signal, given.signal], (signal) =>
      sendWithRetries({ name, request, timeout, signal }),
    )
    return answer as WithResponse<Reply<N>>
  }

  async function sendWithRetries(attempt: Attempt): Promise<WithResponse<unknown>> {
    let [failures, waited] = [0, 0]
    for (;;) {
      try {
        return await sendOnce(attempt)
      } catch (error) {
        if (!(error instanceof MapcrateError)) throw error
        // An attempt whose answer was lost has deleted it.
        if (failures > 0 && isGone(attempt, error)) {
          return { data: undefined, requestId: error.requestId, ignoredFields: [], etag: null }
        }
        const isLimited = error.code === 'rate_limited'
        if (!isLimited && (!isTransient(error) || failures >= retries)) throw error
        const ms = waitAfter(error, failures)
        if (waited + ms > maxWait) throw error
        report({ reason: isLimited ? 'rate_limited' : 'retry', ms, error })
        await sleep(time, ms, attempt.signal)
        waited += ms
        if (!isLimited) failures += 1
      }
    }
  }

  async function sendOnce(attempt: Attempt): Promise<WithResponse<unknown>> {
    const { name, request, signal } = attempt
    const writes = isWrite(request.method)
    const isCounted = name !== 'getOpenapi'
    const onWait = (ms: number) => report({ reason: 'pacing', ms, error: null })
    const release = isCounted ? await pacer.acquire(writes, signal, onWait) : () => {}
    try {
      const answer = await fetchWhole(attempt)
      const quota = isCounted ? readQuota(answer.headers) : null
      if (quota !== null) pacer.learn(quota, writes)
      return { data: readAnswer(name, answer), ...responseInfo(answer.headers) }
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
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return String(code ?? (error instanceof Error ? error.message : error))
}

/** Whether a deletion found nothing to delete. */
function isGone({ name, request }: Attempt, { code }: MapcrateError): boolean {
  if (name !== 'deletePack') return false
  const isAny = request.headers['if-match'] === '*'
  return code === 'not_found' || (code === 'precondition_failed' && isAny)
}

/** Whether another attempt may succeed. A POST may be repeated because of its `Idempotency-Key`. */
function isTransient({ code, status }: MapcrateError): boolean {
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
  const kind = key === '' ? 'empty' : String(key)
  throw new TypeError(
    typeof key === 'string' && key !== ''
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
