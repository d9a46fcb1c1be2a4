import { type Static, Type } from 'typebox'
import { errorCodes } from './error-codes.ts'

/**
 * Every error code of the session endpoints: those of the API, and two of the site's own. The API's
 * table stays as it is: its clients never meet these two.
 */
export const siteErrorCodes = {
  ...errorCodes,
  not_signed_in: { status: 401, meaning: 'No session, or the session has ended.' },
  forbidden: {
    status: 403,
    meaning:
      'The request did not come from a page of this site, or the action is limited to moderators.',
  },
} as const

/** What `error.code` can be on the site. */
export type SiteErrorCode = keyof typeof siteErrorCodes

/** A status that an error can have on the site. */
export type SiteErrorStatus = (typeof siteErrorCodes)[SiteErrorCode]['status']

/** What is refused on purpose on the site alone; what the API refuses too is a `Failure`. */
export class SiteFailure extends Error {
  readonly code: SiteErrorCode
  /** Whole seconds to wait, for `Retry-After`; null where waiting does not help. */
  readonly retryAfter: number | null

  /** @param message for people: names the place and the remedy, never an internal detail (D-14). */
  constructor(code: SiteErrorCode, message: string, retryAfter: number | null = null) {
    super(message)
    this.name = 'SiteFailure'
    this.code = code
    this.retryAfter = retryAfter
  }
}

const codes = Object.keys(siteErrorCodes) as SiteErrorCode[]

/** Every answer of a session endpoint that is not a success: the shape of spec 2.9. */
export const SiteErrorReply = Type.Object(
  {
    error: Type.Object(
      { code: Type.Enum(codes), message: Type.String({ minLength: 1, maxLength: 1024 }) },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'Why a request was refused.' },
)
export type SiteErrorReply = Static<typeof SiteErrorReply>
