import type { FastifyReply, FastifyRequest } from 'fastify'
import { isWrite } from '../contract/endpoint.ts'
import { Failure } from '../contract/failure.ts'
import { type QuotaReport, reportAddress } from '../domain/quota-report.ts'
import { admitRequest } from '../operations/admit-request.ts'
import { describeAddress } from '../operations/describe-address.ts'
import { addressReader } from './client-address.ts'
import type { ServiceContext } from './context.ts'
import { decodedPath } from './decoded-path.ts'
import { quotaHeaders, standingHeaders } from './quota-headers.ts'
import { findWireFault } from './wire-faults.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose key the request came with; null while nobody's. */
    accountId: string | null
    /** What its RateLimit headers tell; null until that is known. */
    quota: QuotaReport | null
  }
  interface FastifyContextConfig {
    /** Needs no key and spends nothing (D-11). */
    keyless?: boolean
  }
}

/**
 * A route says itself whether it is keyless. The text of the target never decides about one: the
 * router knows more spellings of a path than one. Where there is no route, all below `/api` is shut.
 */
const isKeyless = ({ is404, routeOptions, url }: FastifyRequest): boolean =>
  is404 ? !/^\/api(?:\/|$)/.test(decodedPath(url)) : routeOptions.config.keyless === true

/** The door that every request passes: wire, key, quota, in this order (D-3). */
export const createAdmission = (context: ServiceContext) => {
  const { service, ports, settings } = context
  const readAddress = addressReader(settings.trustedProxies)
  const addressOf = ({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): string =>
    readAddress(socket.remoteAddress, headers['x-forwarded-for']?.toString())

  /** The quota of an address; when even that cannot be read, a fresh one: headers come first. */
  const quotaOfAddress = async (address: string): Promise<QuotaReport> => {
    try {
      return await describeAddress(ports, service, address)
    } catch {
      return reportAddress(0, ports.clock.now())
    }
  }

  const setQuota = (request: FastifyRequest, reply: FastifyReply, quota: QuotaReport): void => {
    request.quota = quota
    void reply.headers(quotaHeaders(quota))
  }

  const describe = async (request: FastifyRequest, reply: FastifyReply): Promise<QuotaReport> => {
    const quota = await quotaOfAddress(addressOf(request))
    setQuota(request, reply, quota)
    return quota
  }

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    void reply.headers(standingHeaders(request.id))
    const fault = findWireFault(request.raw)
    if (fault !== null) {
      void reply.header('connection', 'close')
      throw new Failure('bad_request', fault)
    }
    if (isKeyless(request)) return void (await describe(request, reply))
    const admitted = await admitRequest(ports, {
      service,
      keyPrefix: settings.keyPrefix,
      authorization: request.headers.authorization,
      isWrite: isWrite(request.method),
      address: () => addressOf(request),
    })
    setQuota(request, reply, admitted.quota)
    if (admitted.failure !== null) throw admitted.failure
    request.accountId = admitted.accountId
  }

  return { admit, describe, quotaOfAddress, readAddress, now: () => ports.clock.now() }
}

export type AdmissionDoor = ReturnType<typeof createAdmission>
