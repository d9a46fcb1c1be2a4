import { isWrite } from '../contract/endpoint.ts'
import { type Outgoing, attempt } from './attempt.ts'
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

const TIMEOUT_MS = 30_000
const RETRIES = 3
const MAX_WAIT_MS = 120_000

/** One service, one key. */
export type Connection = {
  readonly send: <N extends CallName>(
    name: N,
    input: CallInput<N>,
    options?: CallOptions,
  ) => Promise<CallReply<N>>
  readonly quotas: () => Quotas
}

type AnyInput = {
  readonly slug?: string
  readonly page?: number
  readonly body?: unknown
  readonly idempotencyKey?: string
}

/** The request of a call. */
const write = (address: string, key: string, name: CallName, input: AnyInput): Outgoing => {
  const [method = '', path = ''] = lines[name].split(' ')
  const { slug = '', page, body, idempotencyKey } = input
  return {
    url: `${address}${path.replace('{slug}', slug)}${page === undefined ? '' : `?page=${encodeURIComponent(page)}`}`,
    method,
    headers: {
      accept: 'application/json',
      ...(name !== 'getOpenapi' && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

/** Opens a connection; nothing is sent yet. Throws a TypeError for an address or a key that is none. */
export const connect = (options: ClientOptions, time: ClientTime): Connection => {
  const { key, timeout = TIMEOUT_MS, retries = RETRIES, maxWait = MAX_WAIT_MS } = options
  const address = serviceAddress(options.baseUrl)
  if (!/^[!-~]+$/.test(key)) throw new TypeError('key must be an API key of the service')
  const pacer = new Pacer(time, options.pace ?? true)
  // Looked up at each call and called on nothing: browsers insist, and so do those who replace it.
  const anyFetch: typeof fetch = (target, init) => (options.fetch ?? globalThis.fetch)(target, init)
  // What the listener throws must not come between a call and its place in the line.
  const tell = (wait: Wait): void => queueMicrotask(() => options.onWait?.(wait))

  const sendOnce = async (name: CallName, request: Outgoing, signal: AbortSignal) => {
    const writes = isWrite(request.method)
    const isCounted = name !== 'getOpenapi'
    const onWait = (ms: number) => tell({ reason: 'pacing', ms, error: null })
    const leave = isCounted ? await pacer.enter(writes, signal, onWait) : () => {}
    try {
      const answer = await attempt(request, { fetch: anyFetch, time, timeout, signal })
      const quota = isCounted ? readQuota(answer.headers) : null
      if (quota !== null) pacer.learn(quota, writes)
      return readAnswer(name, answer)
    } finally {
      leave()
    }
  }

  const persist = async (name: CallName, request: Outgoing, signal: AbortSignal) => {
    let [failures, waited] = [0, 0]
    for (;;) {
      try {
        return await sendOnce(name, request, signal)
      } catch (error) {
        if (!(error instanceof MapcrateError)) throw error
        // An attempt whose answer was lost has deleted it.
        if (name === 'deletePack' && error.code === 'not_found' && failures > 0) return undefined
        const ms = waitBeforeRetry(error, { failures, waited }, { retries, maxWait }, Math.random())
        if (ms === null) throw error
        const isLimited = error.code === 'rate_limited'
        tell({ reason: isLimited ? 'rate_limited' : 'retry', ms, error })
        await sleep(time, ms, signal)
        waited += ms
        if (!isLimited) failures += 1
      }
    }
  }

  return {
    async send<N extends CallName>(name: N, input: CallInput<N>, { signal }: CallOptions = {}) {
      const joined = joinSignals([options.signal, signal])
      try {
        const request = write(address, key, name, input as AnyInput)
        return (await persist(name, request, joined.signal)) as CallReply<N>
      } finally {
        joined.release()
      }
    },
    quotas: () => pacer.quotas(),
  }
}
