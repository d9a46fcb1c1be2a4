import { type Call, nothingOf, type WithResponse } from './call.ts'
import { MapcrateError } from './errors.ts'
import type { Outgoing } from './request.ts'

/**
 * A change was sent again after a failure that left open whether it was done, and was refused: for the state that it is
 * to change, which it may have changed itself, or for what says nothing of the first attempt.
 */
export class UnknownOutcome extends MapcrateError {
  /** What the last attempt was refused for. */
  readonly refusal: MapcrateError

  constructor({ code, message, status, requestId, cause }: MapcrateError, refusal: MapcrateError) {
    const why = isOfState(refusal)
      ? 'because the state was another when the change was sent again'
      : `because the change was refused when it was sent again (${refusal.code}: ${refusal.message})`
    const text = `${message}; whether anything was changed is unknown, ${why}: read again to find out`
    const { retryAfter } = refusal
    super(code, text, { ...(status !== null && { status }), requestId, retryAfter, cause })
    this.refusal = refusal
  }
}

/**
 * Throws UnknownOutcome if an error does not say what has become of a change that was sent before, and may have been done.
 * Not found says nothing of a deletion either: its caller may have lost their access meanwhile (D-60).
 */
export function checkOutcome(
  failure: MapcrateError,
  error: MapcrateError,
  { method }: Outgoing,
): void {
  if (method === 'GET') return
  if (isOfState(error) || ofCaller.has(error.code)) throw new UnknownOutcome(failure, error)
}

/** The answer to a deletion that was done, which has no body. */
export const deleted = <R>({ refusal }: UnknownOutcome): WithResponse<R> => ({
  data: undefined as R,
  requestId: refusal.requestId,
  ignoredFields: [],
  etag: null,
})

/**
 * The call of a deletion that is done, too, if it found nothing when it was sent again, and its caller still sees where
 * that was.
 *
 * @param sees reads it; resolves to false, or fails, if they do not.
 */
export const removalOf = (
  deletion: Promise<WithResponse<unknown>>,
  sees: () => Promise<unknown>,
): Call<void> =>
  nothingOf(
    deletion.catch(async (error: unknown) => {
      if (!(error instanceof UnknownOutcome) || !foundNothing(error.refusal)) throw error
      const isSeen = await sees().catch((failure: unknown) => {
        if (failure instanceof MapcrateError) return false
        throw failure
      })
      if (isSeen === false) throw error
      return deleted(error)
    }),
  )

const foundNothing = ({ code, reason }: MapcrateError): boolean =>
  code === 'not_found' || reason === 'nothing_to_match'

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
