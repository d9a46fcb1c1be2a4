import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SiteEndpoint } from '../../contract/site-endpoint.ts'
import { SiteFailure } from '../../contract/site-errors.ts'
import { quotaHeaders } from '../../domain/quota-headers.ts'
import type { QuotaReport } from '../../domain/quota-report.ts'
import { refuseOthers } from '../../domain/moderating.ts'
import type { Session } from '../../domain/session.ts'
import { spendWrite } from '../../operations/spend-write.ts'
import type { SiteContext } from '../site-context.ts'
import { refuseOtherPages, refuseWithoutToken } from './own-page.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What its RateLimit headers tell; null until that is known. */
    quota: QuotaReport | null
  }
}

const signedIn = (viewer: Session | null): Session => {
  if (viewer === null) throw new SiteFailure('not_signed_in', 'sign in to do this')
  return viewer
}

/**
 * Lets a request through to its endpoint: who asks (401, 403), from our own page (403), within the
 * quota (429), in this order. A forged request spends nothing of anybody's.
 */
export const sessionGuard = (
  { ports, settings }: SiteContext,
  { who, proof, spendsWrite }: SiteEndpoint,
) => {
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

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { headers, viewer } = request
    if (who !== 'anyone') signedIn(viewer)
    if (proof !== undefined) refuseOtherPages(headers, settings.ownUrl)
    if (proof === 'token') refuseWithoutToken(headers, signedIn(viewer))
    if (who === 'moderators') refuseOthers(signedIn(viewer))
    if (spendsWrite) await spend(request, reply, signedIn(viewer))
  }
}
