import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { Failure } from '../../contract/errors.ts'
import { refuseOthers } from '../../domain/moderation.ts'
import { quotaHeaders, type QuotaReport, requesterOf } from '../../domain/quotas.ts'
import type { Session } from '../../domain/sessions.ts'
import { spendWrite } from '../../operations/spend-write.ts'
import { charge } from '../shares.ts'
import type { SiteContext } from '../site-context.ts'
import { refuseOtherPages, refuseWithoutToken } from './own-page.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What its RateLimit headers tell; null until that is known. */
    quota: QuotaReport | null
  }
}

const signedIn = (viewer: Session | null): Session => {
  if (viewer === null) throw new Failure('not_signed_in', 'sign in to do this')
  return viewer
}

/**
 * Lets a request through to its endpoint: within the share of the address (429) where it is not the
 * viewer's own; who asks (401, 403), from our own page (403), within the share and the quota of the
 * account (429), in this order. A forged request spends nothing of an account's.
 */
export const sessionGuard = (
  context: SiteContext,
  { who, proof, spendsWrite, cost = 'session' }: Endpoint,
) => {
  const { ports, settings } = context

  const spend = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { accountId }: Session,
  ): Promise<void> => {
    const { quota, failure } = await spendWrite(ports, accountId)
    request.quota = quota
    void reply.headers(quotaHeaders(quota))
    if (failure !== null) throw failure
  }

  const check = ({ headers, viewer }: FastifyRequest): void => {
    if (who !== 'anyone') signedIn(viewer)
    if (proof !== undefined) refuseOtherPages(headers, settings.ownUrl)
    if (proof === 'token') refuseWithoutToken(headers, signedIn(viewer))
    if (who === 'moderators') refuseOthers(signedIn(viewer))
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { viewer, clientAddress } = request
    const chargeAddress = () =>
      charge(context, request, reply, cost, requesterOf(null, clientAddress))
    if (viewer === null) chargeAddress()
    try {
      check(request)
    } catch (refusal) {
      if (viewer !== null) chargeAddress()
      throw refusal
    }
    if (viewer !== null) charge(context, request, reply, cost)
    if (spendsWrite) await spend(request, reply, signedIn(viewer))
  }
}
