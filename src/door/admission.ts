import { type Awaitable, whenKnown } from '../domain/awaitable.ts'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { isWrite } from '../contract/endpoint.ts'
import { AppError } from '../contract/errors.ts'
import { msToNextMinute, type QuotaReport, reportAddress } from '../domain/quotas.ts'
import { admitRequest, describeAddress, KeyUses, refuseAttempt } from '../operations/admission.ts'
import type { Context } from './context.ts'
import { addressReader, decodedPath, findWireFault } from './wire.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose key the request came with; null while nobody's. */
    accountId: string | null
    /** What its RateLimit headers tell; null until that is known. */
    quota: QuotaReport | null
    /** Where it came from, as attempts are counted (spec 8, D-6). */
    readonly clientAddress: string
  }
}

/**
 * Where no route is, all below `/api` is shut to those without a key. Where one is, the route says
 * whether it needs one; the text of the target never decides: the router knows more spellings.
 */
export const isOutside = (url: string): boolean => !/^\/api(?:\/|$)/.test(decodedPath(url))

type Answerer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Runs by callback what may answer itself: it saves what Fastify spends on watching a promise. */
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
 * Admission by the wire and by key, then quota, in this order (D-3), as hooks for the routes behind it.
 *
 * @param onError hears of what fails behind the requests.
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

  /** The quota of an address; when even that cannot be read, a fresh one: headers come first. */
  async function quotaOfAddress(address: string): Promise<QuotaReport> {
    try {
      return await describeAddress(ports, service, address)
    } catch {
      return reportAddress(0, msToNextMinute(ports.clock.now()))
    }
  }

  /** @param mayAsk false: the store has just failed, so that the quota is told as a fresh one. */
  async function describe(request: FastifyRequest, mayAsk = true): Promise<void> {
    request.quota = mayAsk
      ? await quotaOfAddress(addressOf(request))
      : reportAddress(0, ports.clock.now())
  }

  function admit(request: FastifyRequest, isWriting: boolean): Awaitable<void> {
    const attempt = {
      service,
      keyPrefix,
      otherKeyPrefix,
      authorization: request.headers.authorization,
      isWrite: isWriting,
      address: () => addressOf(request),
    }
    return whenKnown(admitRequest(admissionPorts, attempt), (admitted) => {
      request.quota = admitted.quota
      if (admitted.failure !== null) throw admitted.failure
      request.accountId = admitted.accountId
    })
  }

  /** A key that was let in has turned out to be nobody's: a failed attempt like any other. */
  async function refuse(request: FastifyRequest, failure: AppError): Promise<AppError> {
    try {
      const attempt = { service, address: () => addressOf(request) }
      const refused = await refuseAttempt(ports, attempt, failure)
      request.quota = refused.quota
      return refused.failure
    } catch {
      await describe(request)
      return failure
    }
  }

  /**
   * Every request: the headers that each answer carries, and what is wrong with its wire. What no route
   * matched is let in, or not, and answered by `unrouted`.
   *
   * @param isForSite is what no route matched left to the site?
   */
  function greet(unrouted: Answerer, isForSite: (url: string) => boolean): onRequestHookHandler {
    const stray = hook(async (request, reply) => {
      await (isOutside(request.url) ? describe(request) : admit(request, isWrite(request.method)))
      unrouted(request, reply)
    })
    return function (request, reply, done) {
      const fault = findWireFault(request.raw)
      if (fault !== null) {
        if (fault.closes) reply.raw.shouldKeepAlive = false
        done(new AppError('bad_request', fault.message))
      } else if (request.is404 && !isForSite(request.url)) stray.call(this, request, reply, done)
      else done()
    }
  }

  return {
    greet,
    /** For routes that need a key. */
    admit: {
      reading: hook((request) => admit(request, false)),
      writing: hook((request) => admit(request, true)),
    },
    /** For routes that need none and spend nothing (D-11). */
    pass: hook((request) => describe(request)),
    describe,
    refuse,
    /** The failed-attempt quota of the address of a socket that brought no request. */
    quotaOfSocket: ({ remoteAddress }: { readonly remoteAddress?: string | undefined }) =>
      quotaOfAddress(readAddress(remoteAddress, undefined)),
    addressOf,
  }
}

export type Admission = ReturnType<typeof createAdmission>
