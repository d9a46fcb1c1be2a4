import type { WithResponse } from './call.ts'
import { MapcrateError } from './errors.ts'
import type { Outgoing } from './request.ts'

/**
 * A change was sent again after a failure that left open whether it was done, and was refused: for the state that it is
 * to change, which it may have changed itself, or for what says nothing of the first attempt.
 */
export class UnknownOutcome extends MapcrateError {
  constructor({ code, message, status, requestId, cause }: MapcrateError, refusal: MapcrateError) {
    const why = isOfState(refusal)
      ? 'because the state was another when the change was sent again'
      : `because the change was refused when it was sent again (${refusal.code}: ${refusal.message})`
    const text = `${message}; whether anything was changed is unknown, ${why}: read again to find out`
    const { retryAfter } = refusal
    super(code, text, { ...(status !== null && { status }), requestId, retryAfter, cause })
  }
}

/**
 * What an error means for a change that was sent before, and may have been done.
 *
 * @returns null if it says what has become of the change, or is such a failure itself.
 * @throws UnknownOutcome
 */
export function outcomeAfter(
  failure: MapcrateError,
  error: MapcrateError,
  request: Outgoing,
): WithResponse<undefined> | null {
  if (request.method === 'GET') return null
  if (isGone(request, error)) {
    return { data: undefined, requestId: error.requestId, ignoredFields: [], etag: null }
  }
  if (isOfState(error) || ofCaller.has(error.code)) throw new UnknownOutcome(failure, error)
  return null
}

/** More than any wait that the service did not ask for. */
const LONGEST_FAULT_MS = 10_000

/** A write that is to wait for longer than a fault lasts is refused while the operator lets nothing be changed. */
export function isHeld({ code }: MapcrateError, ms: number, { method }: Outgoing): boolean {
  return method !== 'GET' && code === 'unavailable' && ms > LONGEST_FAULT_MS
}

const isOfState = ({ code }: MapcrateError): boolean => code === 'precondition_failed'

/**
 * Refusals that depend on who calls, and when: what was sent before may itself have taken the right to send it again.
 * Not found is also what the caller may not see any more (D-60).
 */
const ofCaller: ReadonlySet<string> = new Set([
  'forbidden',
  'not_found',
  'rate_limited',
  'unavailable',
  'unauthorized',
  'invalid_api_key',
])

/** Whether a deletion found nothing to delete. */
function isGone({ method, headers }: Outgoing, { code }: MapcrateError): boolean {
  if (method !== 'DELETE') return false
  const isAny = headers['if-match'] === '*'
  return code === 'not_found' || (code === 'precondition_failed' && isAny)
}
