import type { WithResponse } from './call.ts'
import { MapcrateError } from './errors.ts'
import type { Outgoing } from './request.ts'

/**
 * A change was sent again after a failure that left open whether it was done, and was refused for the state that it is
 * to change, which it may have changed itself.
 */
export class UnknownOutcome extends MapcrateError {
  constructor({ code, message, status, requestId, cause }: MapcrateError) {
    const text = `${message}; whether anything was changed is unknown, because the state was another when the change was sent again: read again to find out`
    super(code, text, { ...(status !== null && { status }), requestId, cause })
  }
}

/**
 * What a refusal means for a change that was sent before, and may have been done.
 *
 * @returns null if it says nothing of that.
 */
export function outcomeAfter(
  failure: MapcrateError,
  refusal: MapcrateError,
  request: Outgoing,
): WithResponse<undefined> | null {
  if (isGone(request, refusal)) {
    return { data: undefined, requestId: refusal.requestId, ignoredFields: [], etag: null }
  }
  if (refusal.code === 'precondition_failed') throw new UnknownOutcome(failure)
  return null
}

/** Whether a deletion found nothing to delete. */
function isGone({ method, headers }: Outgoing, { code }: MapcrateError): boolean {
  if (method !== 'DELETE') return false
  const isAny = headers['if-match'] === '*'
  return code === 'not_found' || (code === 'precondition_failed' && isAny)
}
