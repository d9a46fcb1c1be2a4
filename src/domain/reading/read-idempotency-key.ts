import { IDEMPOTENCY_KEY_LENGTH, IDEMPOTENCY_KEY_PATTERN } from '../../contract/bounds.ts'
import { Failure } from '../../contract/failure.ts'

const KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN)

/**
 * What the caller named this creation by; null when they did not. Throws `bad_request` for what is
 * no such name, two of them included: those arrive as one with a space in it.
 */
export const readIdempotencyKey = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | null => {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && KEY.test(key)) return key
  throw new Failure(
    'bad_request',
    `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_LENGTH} visible ASCII characters`,
  )
}
