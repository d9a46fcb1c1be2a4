import { errorIn, readCount } from '../client/request.ts'
import type { SiteErrorCode } from '../contract/errors.ts'
import { formatWait } from './format.ts'

/** Why a call of the site did not succeed, in a sentence that people can read. */
export class CallFailure extends Error {
  /** `unreachable`: no answer came. `unreadable`: something answered, but not the site. */
  readonly code: SiteErrorCode | 'unreachable' | 'unreadable'
  /** Of the answer; 0 when none came. */
  readonly status: number
  /** Whole seconds to wait before trying again; null where nobody said. */
  readonly retryAfter: number | null

  constructor(
    code: CallFailure['code'],
    message: string,
    { status = 0, retryAfter = null }: { status?: number; retryAfter?: number | null } = {},
  ) {
    super(message)
    this.name = 'CallFailure'
    this.code = code
    this.status = status
    this.retryAfter = retryAfter
  }
}

export const unreachable = (): CallFailure =>
  new CallFailure('unreachable', 'Could not reach the site. Check your connection and try again.')

const sentence = (text: string): string => {
  const upper = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(upper) ? upper : `${upper}.`
}

/** What an answer that is no success says. */
export async function readFailure(response: Response): Promise<CallFailure> {
  const { status, headers } = response
  const details = { status, retryAfter: readCount(headers, 'retry-after') }
  const error = errorIn(await response.json().catch(() => null))
  if (error !== null) {
    return new CallFailure(error.code as SiteErrorCode, sentence(error.message), details)
  }
  const message = `The site returned an unexpected response (${status}). Try again in a moment.`
  return new CallFailure('unreadable', message, details)
}

/** Did the call fail because nobody is signed in any more? */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof CallFailure && error.code === 'not_signed_in'

/** A sentence for whatever was thrown, and how long to wait where that is known. */
export const explain = (error: unknown): string => {
  if (!(error instanceof CallFailure)) return 'Something failed on this page. Reload.'
  if (isSignedOut(error)) return 'Your session has ended. Sign in to continue.'
  const { message, retryAfter } = error
  return retryAfter === null ? message : `${message} Try again in ${formatWait(retryAfter)}.`
}
