import type { FastifyRequest } from 'fastify'
import { refusal } from '../../contract/errors.ts'
import { failureOf } from '../../domain/reading/requests.ts'
import type { SiteContext } from '../site-context.ts'

const ALL = { seenSince: 0, createdSince: 0 }

/**
 * What went wrong, told to somebody who may have signed out or deleted their account in another
 * window while they were let in here: what failed for want of them is `not_signed_in`. Every other
 * error comes back as it is.
 */
export const orSignedOut = async (
  { ports }: SiteContext,
  { viewer }: FastifyRequest,
  error: unknown,
): Promise<unknown> => {
  const failure = failureOf(error)
  const isKnown = failure !== null && failure.code !== 'invalid_api_key'
  if (viewer === null || isKnown) return error
  // A store that fails is what went wrong.
  const now = await ports.sessions.find(viewer.hash, ALL).catch(() => viewer)
  return now === null ? refusal('notSignedIn') : error
}
