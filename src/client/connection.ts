import { isWrite } from '../contract/endpoint.ts'
import { isKeyPlaceholder } from '../contract/key-placeholder.ts'
import { type Outgoing, attempt } from './attempt.ts'
import { responseInfo, type WithResponse } from './call.ts'
import { type CallInput, type CallName, type CallReply, lines } from './calls.ts'
import type { CallOptions, ClientOptions, Wait } from './client-options.ts'
import { type ClientTime, sleep } from './client-time.ts'
import { joinSignals } from './join-signals.ts'
import { MapcrateError } from './mapcrate-error.ts'
import { Pacer } from './pacer.ts'
import { type Quotas, readQuota } from './quota.ts'
import { readAnswer } from './read-answer.ts'
import { waitBeforeRetry } from './retry-rule.ts'
import { serviceAddress } from './service-address.ts'
import { CLIENT_VERSION } from './version.ts'

const TIMEOUT_MS = 30_000
const RETRIES = 3
const MAX_WAIT_MS = 120_000

/** One service, one key. */
export type Connection = {
  readonly send: <N extends CallName>(
    name: N,
    input: CallInput<N>,
    options?: CallOptions,
  ) => Promise<WithResponse<CallReply<N>>>
  readonly quotas: () => Quotas
}

type AnyInput = {
  readonly slug?: string
  readonly page?: number
  readonly body?: unknown
  readonly idempotencyKey?: string
  readonly ifMatch?: string | undefined
}

/** The request of a call. */
const write = (
  { address, key, userAgent }: { address: string; key: string; userAgent: string },
  name: CallName,
  input: AnyInput,
): Outgoing => {
  const [method = '', path = ''] = lines[name].split(' ')
  const { slug = '', page, body, idempotencyKey, ifMatch } = input
  return {
    url: `${address}${path.replace('{slug}', slug)}${page === undefined ? '' : `?page=${encodeURIComponent(page)}`}`,
    method,
    headers: {
      accept: 'application/json',
      'user-agent': userAgent,
      ...(name !== 'getOpenapi' && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

/** Opens a connection; nothing is sent yet. Throws a TypeError for an address or a key that is none. */
export const connect = (options: ClientOptions, time: ClientTime): Connection => {
  const { retries = RETRIES, maxWait = MAX_WAIT_MS } = options
  const address = serviceAddress(options.baseUrl)
  const key = checkKey(options.key)
  const userAgent = userAgentOf(options.userAgent)
  const pacer = new Pacer(time, options.pace ?? true)
  // Looked up at each call and called on nothing: browsers insist, and so do those who replace it.
  const anyFetch: typeof fetch = (target, init) => (options.fetch ?? globalThis.fetch)(target, init)
  // What the listener throws must not come between a call and its place in the line.
  const tell = (wait: Wait): void => queueMicrotask(() => options.onWait?.(wait))

  const sendOnce = async (
    name: CallName,
    request: Outgoing,
    { timeout, signal }: { timeout: number; signal: AbortSignal },
  ): Promise<WithResponse<unknown>> => {
    const writes = isWrite(request.method)
    const isCounted = name !== 'getOpenapi'
    const onWait = (ms: number) => tell({ reason: 'pacing', ms, error: null })
    const leave = isCounted ? await pacer.enter(writes, signal, onWait) : () => {}
    try {
      const answer = await attempt(request, { fetch: anyFetch, time, timeout, signal })
      const quota = isCounted ? readQuota(answer.headers) : null
      if (quota !== null) pacer.learn(quota, writes)
      return { data: readAnswer(name, answer), ...responseInfo(answer.headers) }
    } finally {
      leave()
    }
  }

  const persist = async (
    name: CallName,
    request: Outgoing,
    limits: { timeout: number; signal: AbortSignal },
  ): Promise<WithResponse<unknown>> => {
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
        const ms = waitBeforeRetry(error, { failures, waited }, { retries, maxWait }, Math.random())
        if (ms === null) throw error
        const isLimited = error.code === 'rate_limited'
        tell({ reason: isLimited ? 'rate_limited' : 'retry', ms, error })
        await sleep(time, ms, limits.signal)
        waited += ms
        if (!isLimited) failures += 1
      }
    }
  }

  return {
    async send<N extends CallName>(name: N, input: CallInput<N>, given: CallOptions = {}) {
      const joined = joinSignals([options.signal, given.signal])
      try {
        const request = write({ address, key, userAgent }, name, input as AnyInput)
        const timeout = given.timeout ?? options.timeout ?? TIMEOUT_MS
        const limits = { timeout, signal: joined.signal }
        return (await persist(name, request, limits)) as WithResponse<CallReply<N>>
      } finally {
        joined.release()
      }
    },
    quotas: () => pacer.quotas(),
  }
}

/** Did this deletion find nothing to delete any more? */
function isGone(name: CallName, request: Outgoing, { code }: MapcrateError): boolean {
  if (name !== 'deletePack') return false
  return (
    code === 'not_found' || (code === 'precondition_failed' && request.headers['if-match'] === '*')
  )
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
