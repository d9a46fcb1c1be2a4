import { CallFailure } from '../site-failure.ts'

/**
 * Whether nothing can be saved from this page any more, in either editor: the session has ended, or another one has
 * begun, which may be another account's. What is not saved is kept for the account that made it (`kept.ts`).
 */
export function sessionEnd(error: unknown): 'signed-out' | 'other-session' | null {
  if (!(error instanceof CallFailure)) return null
  if (error.code === 'not_signed_in') return 'signed-out'
  return error.reason === 'stale_token' ? 'other-session' : null
}
