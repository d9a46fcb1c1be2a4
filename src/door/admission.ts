import type { IncomingMessage } from 'node:http'
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify'
import { isWrite } from '../contract/endpoint.ts'
import { AppError } from '../contract/errors.ts'
import { type Awaitable, whenKnown } from '../domain/loading.ts'
import { type QuotaReport, reportUncounted } from '../domain/quotas.ts'
import {
  admitRequest,
  describeAddress,
  KeyUses,
  readmitRequest,
  refuseAttempt,
} from '../operations/admission.ts'
import type { Context } from './context.ts'
import { addressReader, decodedPath, findWireFault } from './wire.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The account of the request's key; null before admission. */
    accountId: string | null
    /** What the RateLimit headers report; null before admission. */
    quota: QuotaReport | null
    /** How long it waited for a change, in ms; not part of the metrics of duration. */
    waitedMs: number
    /** The client's address, in the form in which attempts are counted (spec 8, D-6). */
    readonly clientAddress: string
  }
}

/**
 * Whether an unrouted path is outside the API. Unrouted paths below `/api` need a key; a route itself
 * says whether it needs one, because the router accepts more spellings of its path.
 */
export const isOutside = (url: string): boolean => !/^\/api(?:\/|$)/.test(decodedPath(url))

type Answerer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** A hook that may respond itself. It uses the callback, which is cheaper than a promise in Fastify. */
export function hook(
  work: (request: FastifyRequest, reply: FastifyReply) => unknown,
): onRequestHookHandler {
  return (request, reply, done) => {
    const goOn = (): void => (reply.sent ? undefined : done())
    try {
      const waiting = work(request, reply)
      // oxlint-disable-next-line promise/no-callback-in-promise -- Fastify gives a hook one or the other
      if (waiting instanceof Promise) waiting.then(goOn, done)
      else goOn()
    } catch (error) {
      done(error as Error)
    }
  }
}

/**
 * A request whose body did not come with its head has waited: a key or a session that has ended meanwhile changes
 * nothing, and is told so before what is wrong with the body (spec 5, D-3).
 *
 * @param readmit throws if a request of the scope would no longer be admitted.
 * @returns called with each request when its body is there.
 */
export function lateAdmission(
  scope: FastifyInstance,
  readmit: (request: FastifyRequest) => Awaitable<void>,
): (request: FastifyRequest) => Awaitable<void> {
  const late = new WeakSet<IncomingMessage>()
  const admitLate = (request: FastifyRequest) =>
    late.has(request.raw) ? readmit(request) : undefined
  scope.addHook('preParsing', ({ raw }, _reply, _payload, done) => {
    if (!raw.complete) setImmediate(() => !raw.complete && late.add(raw))
    done()
  })
  // It is too long as soon as so much of it has come.
  scope.setErrorHandler<Partial<FastifyError>>(async (error, request) => {
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') await admitLate(request)
    throw error
  })
  return admitLate
}

/** An address that no client has (RFC 5737). */
const NOBODY = '192.0.2.1'

type Peer = { readonly remoteAddress?: string | undefined }

/**
 * The hooks that admit requests: valid HTTP first, then the key, then the quota (D-3).
 *
 * @param onError is called with errors of work that no request waits for.
 */
export function createAdmission(
  { service, ports, settings }: Context,
  onError: (error: unknown) => void,
) {
  const admissionPorts = { ...ports, keyUses: new KeyUses(service, ports.apiKeys, onError) }
  const keyPrefix = settings.keyPrefixes[service]
  const otherKeyPrefix = settings.keyPrefixes[service === 'packs' ? 'pools' : 'packs']
  const readAddress = addressReader(settings.trustedProxies)
  const addressOf = ({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): string =>
    readAddress(socket.remoteAddress, headers['x-forwarded-for']?.toString())

  const addressOfSocket = ({ remoteAddress }: Peer): string => readAddress(remoteAddress, undefined)

  /** The quota of an address; an unused one if it cannot be read, so that the headers are sent anyway. */
  function quotaOfAddress(address: string): Awaitable<QuotaReport> {
    const unused = () => reportUncounted(ports.clock.now())
    try {
      const quota = describeAddress(ports, service, address)
      return quota instanceof Promise ? quota.catch(unused) : quota
    } catch {
      return unused()
    }
  }

  /** @param mayAsk false: the store has just failed; the quota is reported as unused. */
  function describe(request: FastifyRequest, mayAsk = true): Awaitable<void> {
    const quota = mayAsk
      ? quotaOfAddress(request.clientAddress)
      : reportUncounted(ports.clock.now())
    return whenKnown(quota, (known) => {
      request.quota = known
    })
  }

  const attemptOf = ({ headers }: FastifyRequest) => ({
    service,
    keyPrefix,
    otherKeyPrefix,
    authorization: headers.authorization,
  })

  function admit(request: FastifyRequest, isWriting: boolean): Awaitable<void> {
    const address = () => request.clientAddress
    const attempt = { ...attemptOf(request), isWrite: isWriting, address }
    return whenKnown(admitRequest(admissionPorts, attempt), (admitted) => {
      request.quota = admitted.quota
      if (admitted.failure !== null) throw admitted.failure
      request.accountId = admitted.accountId
    })
  }

  /** Counts a failed attempt for an admitted key that has become invalid, or whose account no longer exists. */
  async function refuse(request: FastifyRequest, failure: AppError): Promise<AppError> {
    try {
      const attempt = { service, address: () => request.clientAddress }
      const refused = await refuseAttempt(ports, attempt, failure)
      request.quota = refused.quota
      return refused.failure
    } catch {
      await describe(request)
      return failure
    }
  }

  /**
   * The first hook of every request: refuses invalid HTTP, and admits unrouted requests and passes them
   * to `unrouted`.
   *
   * @param isForSite whether the site answers this unrouted path.
   */
  function receive(unrouted: Answerer, isForSite: (url: string) => boolean): onRequestHookHandler {
    const handleUnrouted = hook(async (request, reply) => {
      await (isOutside(request.url) ? describe(request) : admit(request, isWrite(request.method)))
      unrouted(request, reply)
    })
    return function (request, reply, done) {
      const fault = findWireFault(request.raw)
      if (fault !== null) {
        if (fault.closes) reply.raw.shouldKeepAlive = false
        done(new AppError('bad_request:malformed_request', fault.message))
      } else if (request.is404 && !isForSite(request.url))
        handleUnrouted.call(this, request, reply, done)
      else done()
    }
  }

  return {
    receive,
    /** For routes that need a key. */
    admit: {
      reading: hook((request) => admit(request, false)),
      writing: hook((request) => admit(request, true)),
    },
    /** For routes that need none and spend nothing (D-11). */
    admitAnyone: hook((request) => describe(request)),
    /** Throws `invalid_api_key` if the key of an admitted request has become invalid since. */
    readmit: (request: FastifyRequest) => readmitRequest(ports, attemptOf(request)),
    describe,
    refuse,
    /** The failed-attempt quota of a socket's address, when there is no request. */
    quotaOfSocket: (socket: Peer) => quotaOfAddress(addressOfSocket(socket)),
    addressOfSocket,
    /** Whether a socket is that of a proxy, on which requests of many addresses come. */
    isProxy: ({ remoteAddress }: Peer) => readAddress(remoteAddress, NOBODY) === NOBODY,
    addressOf,
  }
}

export type Admission = ReturnType<typeof createAdmission>
