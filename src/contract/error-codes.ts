/**
 * Every error code with its status and what it means (spec 7; `method_not_allowed` is D-12).
 * The OpenAPI documents, the documentation and the tests are held to this table.
 */
export const errorCodes = {
  bad_request: {
    status: 400,
    meaning: 'The body, `page` or a header is invalid; the message says what to fix.',
  },
  unauthorized: { status: 401, meaning: 'No API key was sent.' },
  invalid_api_key: {
    status: 401,
    meaning: 'The API key is wrong, revoked or replaced; the message says which mistake it is.',
  },
  not_found: {
    status: 404,
    meaning: 'There is no such thing, or the caller may not see or change it.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method; see `Allow`.',
  },
  conflict: { status: 409, meaning: 'The owner already has 200 saved packs; delete one first.' },
  precondition_failed: {
    status: 412,
    meaning: 'The pack is not in a state that `If-Match` names; nothing was changed.',
  },
  too_large: { status: 413, meaning: 'The body is over 16 KB.' },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body was not sent with Content-Type application/json.',
  },
  rate_limited: {
    status: 429,
    meaning: 'A rate limit is used up; Retry-After says how long to wait.',
  },
  internal_error: { status: 500, meaning: 'A failure on our side; try again later.' },
} as const satisfies Record<string, { status: number; meaning: string }>

/** Seconds after which a request that failed on our side is worth another try: `Retry-After` of a 500. */
export const RETRY_AFTER_FAILURE = 5

/** What `error.code` can be. */
export type ErrorCode = keyof typeof errorCodes

/** A status that an error can have. */
export type ErrorStatus = (typeof errorCodes)[ErrorCode]['status']
