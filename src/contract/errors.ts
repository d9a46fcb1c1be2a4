import {
  CHANGE_DAYS,
  IDEMPOTENCY_KEY_LENGTH,
  MAX_BODY_BYTES,
  MAX_PACKS,
  MAX_BEATMAP_ID,
  MAX_PAGE,
  MAX_USAGE_IDS,
  MAX_WAIT_SECONDS,
} from './bounds.ts'
import type { ApiErrorCode } from './error-codes.ts'
import { type ErrorCause, type ErrorReason, partsOfCause } from './error-reasons.ts'
import type { RoundSlot } from './rounds.ts'
import { FAILURES_PER_MINUTE, REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from './quotas.ts'

/** Every error code of the packs service with its status and meaning (spec 7, D-12, D-48, D-73, D-116). */
export const errorCodes = {
  bad_request: {
    status: 400,
    meaning: 'The body, a query parameter or a header is invalid; the message says what to fix.',
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
  gone: {
    status: 410,
    meaning:
      'Changes after this cursor are no longer kept; the message names the one to continue with.',
  },
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
  unavailable: {
    status: 503,
    meaning: 'Nothing can be changed for a while; Retry-After says when to try again.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>

export type ErrorCode = keyof typeof errorCodes

/** The codes of the tournament-pools service: some more, and other meanings (D-61, D-62). */
export const poolsErrorCodes = {
  ...errorCodes,
  forbidden: {
    status: 403,
    meaning: 'You are on the staff of the tournament, but your role does not allow this.',
  },
  conflict: {
    status: 409,
    meaning:
      'A bound is reached, a name is taken, a slot is no longer as in `from` (then `slots` has those that differ), the round is not ready to be released, or its tournament is hidden; the message says which.',
  },
  precondition_failed: {
    status: 412,
    meaning: 'The resource is not in a state that `If-Match` names; nothing was changed.',
  },
  precondition_required: {
    status: 428,
    meaning: 'This request needs `If-Match` with the `ETag` that was read.',
  },
  unavailable: {
    status: 503,
    meaning: 'The service cannot do this now; Retry-After says when to try again.',
  },
} as const satisfies Record<ApiErrorCode, { status: number; meaning: string }>

/** Of each service, by its name. */
export const codesOf = { packs: errorCodes, pools: poolsErrorCodes } as const

/** Of either service. */
export type ApiErrorStatus = (typeof poolsErrorCodes)[ApiErrorCode]['status']

/** The codes of the session endpoints: one more, and one more meaning. */
export const siteErrorCodes = {
  ...poolsErrorCodes,
  not_signed_in: { status: 401, meaning: 'No session, or the session has ended.' },
  forbidden: {
    status: 403,
    meaning:
      'The request did not come from a page of this site, or your role does not allow the action.',
  },
} as const

export type SiteErrorCode = keyof typeof siteErrorCodes
export type SiteErrorStatus = (typeof siteErrorCodes)[SiteErrorCode]['status']

/** The body of every error response (spec 2.9). */
export type ErrorReply = {
  readonly error: {
    readonly code: SiteErrorCode
    readonly message: string
    /** Of the tournament-pools service, and to pages (D-87). */
    readonly reason?: ErrorReason
    /** To pages alone, which say it in the language of their reader. */
    readonly problems?: readonly SentProblem[]
  }
  /** Of a refused change of slots: those that are no longer as in `from`, as they are now (D-62). */
  readonly slots?: readonly RoundSlot[]
}

/** `Retry-After`, in seconds, of a 500 and of a 503 without a better estimate. */
export const RETRY_AFTER_FAILURE = 5

/** What is wrong with what was sent: its place as a path, and why as a message of `pool/input-words.ts`. */
export type SentProblem = { readonly place: string; readonly what: string }

/** In addition to code and reason. */
export type ErrorDetails = {
  readonly slots?: readonly RoundSlot[]
  readonly problems?: readonly SentProblem[]
}

/** Errors that people cause by what they enter: pages translate them all. */
type CauseOfInput = 'bad_request:invalid_field' | 'bad_request:slur' | 'conflict:invalid_pool'

type ErrorParts =
  | [
      cause: Exclude<ErrorCause, CauseOfInput>,
      message: string,
      retryAfter?: number | null,
      details?: ErrorDetails,
    ]
  | [
      cause: CauseOfInput,
      message: string,
      retryAfter: null,
      details: ErrorDetails & Required<Pick<ErrorDetails, 'problems'>>,
    ]

/** The one error that is thrown on purpose; whatever else is thrown becomes `internal_error`. */
export class AppError extends Error {
  readonly code: SiteErrorCode
  /** The code itself where that has one cause (D-87). */
  readonly reason: ErrorReason
  /** Whole seconds, for `Retry-After`; null where the quota states it, or waiting is no help. */
  readonly retryAfter: number | null
  readonly details: ErrorDetails

  /** @param message for people: names the place and the remedy, never an internal detail (D-14). */
  constructor(...[cause, message, retryAfter = null, details = {}]: ErrorParts) {
    super(message)
    this.name = 'AppError'
    const { code, reason } = partsOfCause(cause)
    this.code = code
    this.reason = reason
    this.retryAfter = retryAfter
    this.details = details
  }
}

/** Cause and message of the standard refusals, from which examples of the documents are made, too. */
export const refusals = {
  noKey: ['unauthorized', 'send your API key as Authorization: Bearer <key>'],
  tooManyRequests: [
    'rate_limited:too_many_requests',
    `more than ${REQUESTS_PER_MINUTE} requests in this minute; wait for the next`,
  ],
  tooManyWrites: [
    'rate_limited:too_many_writes',
    `more than ${WRITES_PER_MINUTE} writes in this minute; wait for the next`,
  ],
  tooManyFailures: [
    'rate_limited:too_many_failures',
    `more than ${FAILURES_PER_MINUTE} failed key attempts from this address in this minute; check the key`,
  ],
  page: ['bad_request:invalid_query', `page must be one whole number from 1 to ${MAX_PAGE}`],
  cursor: [
    'bad_request:invalid_query',
    'after must be one cursor as it was received; leave it out to begin with what happens from now on',
  ],
  cursorFromLater: [
    'bad_request:cursor_from_later',
    'after is a cursor from after the last change: changes were lost, as when a backup is restored; read again what you follow, and leave after out',
  ],
  usageIds: ['bad_request:invalid_query', usageIdsMessage(MAX_USAGE_IDS)],
  searchCursor: [
    'bad_request:invalid_query',
    'after must be next of an answer to the same search; leave it out to begin with the first packs',
  ],
  wait: [
    'bad_request:invalid_query',
    `wait must be one whole number of seconds from 0 to ${MAX_WAIT_SECONDS}`,
  ],
  ifMatch: [
    'bad_request:invalid_if_match',
    'If-Match must be * or a list of ETags as they were received, quotes included',
  ],
  changedMeanwhile: [
    'precondition_failed:changed_meanwhile',
    'nothing was changed, because If-Match names another state of this path; read it again and send its new ETag',
  ],
  nothingToMatch: [
    'precondition_failed:nothing_to_match',
    'If-Match: * needs a pack with this slug that you may change, and there is none',
  ],
  nothingHereToMatch: [
    'precondition_failed:nothing_to_match',
    'If-Match: * needs something at this path that you may change, and there is nothing',
  ],
  idempotencyKey: [
    'bad_request:invalid_idempotency_key',
    `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_LENGTH} visible ASCII characters`,
  ],
  idempotencyKeyUsed: [
    'bad_request:idempotency_key_used',
    'Idempotency-Key was used for another body in the last 24 hours; use a new key for each pack',
  ],
  idempotencyKeyOfAnother: [
    'bad_request:idempotency_key_used',
    'Idempotency-Key was used for another request in the last 24 hours; use a new key for each',
  ],
  notJsonMedia: [
    'unsupported_media_type:not_json',
    'send the body with Content-Type: application/json',
  ],
  encodedBody: [
    'unsupported_media_type:encoded_body',
    'send the body as it is, without Content-Encoding',
  ],
  bodyTooLarge: [
    'too_large:body_too_large',
    `the body must be at most ${MAX_BODY_BYTES} bytes; send a smaller pack`,
  ],
  sheetTooLarge: [
    'too_large:body_too_large',
    `the body must be at most ${MAX_BODY_BYTES} bytes; send less at once, such as round by round`,
  ],
  bodyLength: ['bad_request:malformed_request', 'the body is not as long as Content-Length says'],
  bodyCutShort: ['bad_request:malformed_request', 'the body ended too early; send it again'],
  twoKeys: ['bad_request:malformed_request', 'send one Authorization header'],
  twoHosts: ['bad_request:malformed_request', 'send one Host header'],
  /** Missing, not yours, private and hidden: the answers must not differ by a byte (D-29). */
  packNotFound: [
    'not_found:nothing_visible',
    'there is no pack with this slug that you may see or change',
  ],
  /** Missing and not to be read: the answers must not differ by a byte (D-70). */
  versionNotFound: [
    'not_found:nothing_visible',
    'there is no version of this pack with this number that you may read; its history lists those there are',
  ],
  /**
   * Missing, private and not released, and candidates and remarks that are not there: the answers must not
   * differ by a byte (D-60).
   */
  tournamentNotFound: [
    'not_found:nothing_visible',
    'there is no such tournament, or no such part of it, that you may see or change',
  ],
  /** Never made, used, expired and withdrawn: the answers must not differ by a byte. */
  invitationNotFound: [
    'not_found:no_such_invitation',
    'this invitation is no longer valid: a link works for one player and for a week; ask a host of the tournament for a new one',
  ],
  roleForbids: [
    'forbidden',
    'your role on the staff of this tournament does not allow this; ask a host',
  ],
  /** For hosts, too: what others have written is theirs. */
  authorForbids: ['forbidden', 'only its author can change its words'],
  /** Of a release and of a schedule; one that was made before waits (D-76). */
  tournamentHidden: [
    'conflict:tournament_hidden',
    'the tournament is hidden, and nothing is released from it: ask a moderator to show it again, and release then; what is scheduled already waits for that, too',
  ],
  ifMatchMissing: [
    'precondition_required',
    'send If-Match with the ETag that you read, so that no changes of others are lost',
  ],
  nothingAtPath: ['not_found:no_such_path', 'there is nothing at this path'],
  tooManyPacks: [
    'conflict:too_many_packs',
    `you already have ${MAX_PACKS} saved packs; delete one first`,
  ],
  /** The store does not answer; the cause is in the log, as of other failures. */
  storeAway: [
    'unavailable:store_away',
    'the service cannot reach its data at the moment; try again in a few seconds',
  ],
  /** Every failure on our side; the cause is in the log under the request's id. */
  internal: ['internal_error', 'something failed on our side; try again later'],
  notSignedIn: ['not_signed_in', 'sign in to do this'],
  staleToken: ['forbidden:stale_token', 'this page is out of date; reload it and try again'],
  noModerator: ['forbidden:no_moderator', 'only moderators can do this'],
} as const satisfies Record<string, readonly [cause: ErrorCause, message: string]>

/** For a path of the API without an endpoint. */
export const pathNotFoundMessage =
  'there is nothing at this path; /api/v1/openapi.json lists what there is'

/** @param oldest the cursor to continue with. */
export function goneMessage(oldest: string): string {
  return `changes are kept for ${CHANGE_DAYS} days, and some after this cursor are gone; read again what you follow, and continue with after=${oldest}`
}

/** @param most ids that one request may ask for. */
export function usageIdsMessage(most: number): string {
  return `ids must be 1 to ${most} beatmap ids from 1 to ${MAX_BEATMAP_ID}, separated by commas and given once: ids=75,129891`
}

export function refusal(name: keyof typeof refusals): AppError {
  const [cause, message] = refusals[name]
  return new AppError(cause, message)
}
