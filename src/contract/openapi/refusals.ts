import { IDEMPOTENCY_KEY_LENGTH, MAX_BODY_BYTES, MAX_PACKS, MAX_PAGE } from '../bounds.ts'
import type { Endpoint } from '../endpoint.ts'
import { type ErrorCode, type ErrorStatus, errorCodes } from '../error-codes.ts'
import { ErrorReply } from '../error-reply.ts'
import { FAILURES_PER_MINUTE, REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../quotas.ts'
import { type HeaderName, referHeaders } from './headers.ts'
import { referTo } from './schemas.ts'
import type { Makers, Refer } from './shelf.ts'
import type { Example, Reply } from './types.ts'

/** What happened, the code that says so, and a message as it may read. */
type Case = readonly [summary: string, code: ErrorCode, message: string]

const noKey: Case = [
  'No key was sent',
  'unauthorized',
  'send your API key as Authorization: Bearer <key>',
]

const badBody = {
  range: ['A number out of range', 'bad_request', 'slots[3].index must be from 1 to 99'],
  missing: ['A missing field', 'bad_request', 'name is missing'],
  several: [
    'Several problems, ten at most',
    'bad_request',
    'slots[0].index must be from 1 to 99; slots[4].beatmapId is missing',
  ],
  json: [
    'Not JSON',
    'bad_request',
    'the body must be valid JSON: line 3, column 12: remove the comma before }',
  ],
} as const satisfies Record<string, Case>

const badIfMatch: Case = [
  'An If-Match that is none',
  'bad_request',
  'If-Match must be * or a list of ETags as they were received, quotes included',
]

/** The refusals by the name under which the operations share them (spec 7). */
const refusals = {
  InvalidPage: {
    status: 400,
    headers: [],
    cases: {
      page: [
        'A page out of range',
        'bad_request',
        `page must be one whole number from 1 to ${MAX_PAGE}`,
      ],
    },
  },
  InvalidBody: {
    status: 400,
    headers: [],
    cases: badBody,
  },
  InvalidBodyOrKey: {
    status: 400,
    headers: [],
    cases: {
      ...badBody,
      key: [
        'A key that is none',
        'bad_request',
        `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_LENGTH} visible ASCII characters`,
      ],
      key_used: [
        'The key of another pack',
        'bad_request',
        'Idempotency-Key was used for another body in the last 24 hours; use a new key for each pack',
      ],
    },
  },
  InvalidBodyOrIfMatch: {
    status: 400,
    headers: [],
    cases: { ...badBody, if_match: badIfMatch },
  },
  InvalidIfMatch: {
    status: 400,
    headers: [],
    cases: { if_match: badIfMatch },
  },
  MalformedRequest: {
    status: 400,
    headers: [],
    cases: {
      malformed: ['Not well-formed HTTP', 'bad_request', 'send one Host header'],
    },
  },
  Unauthorized: {
    status: 401,
    headers: ['WWW-Authenticate'],
    cases: {
      unauthorized: noKey,
      invalid_api_key: [
        'The key is not a live one',
        'invalid_api_key',
        'the API key is wrong, revoked or replaced; look for the key that the account has now, and make a new one only if that is lost: it ends the present one',
      ],
      cut_short: [
        'A part of a key',
        'invalid_api_key',
        'the API key is cut short: it has 40 of the 43 characters behind packs_; copy all of it',
      ],
    },
  },
  NotFound: {
    status: 404,
    headers: [],
    cases: {
      not_found: [
        'No such pack for this caller',
        'not_found',
        'there is no pack with this slug that you may see or change',
      ],
    },
  },
  Conflict: {
    status: 409,
    headers: [],
    cases: {
      conflict: [
        'As many packs as one may have',
        'conflict',
        `you already have ${MAX_PACKS} saved packs; delete one first`,
      ],
    },
  },
  PreconditionFailed: {
    status: 412,
    headers: [],
    cases: {
      changed: [
        'The pack has changed since it was read',
        'precondition_failed',
        'the pack is no longer in the state that If-Match names; read it again and send its new ETag',
      ],
      missing: [
        'If-Match: * and no pack of the caller’s',
        'precondition_failed',
        'If-Match: * needs a pack with this slug that you may change, and there is none',
      ],
    },
  },
  TooLarge: {
    status: 413,
    headers: [],
    cases: {
      too_large: [
        'A body over the limit',
        'too_large',
        `the body must be at most ${MAX_BODY_BYTES} bytes; send a smaller pack`,
      ],
    },
  },
  UnsupportedMediaType: {
    status: 415,
    headers: [],
    cases: {
      unsupported_media_type: [
        'Another content type, or none',
        'unsupported_media_type',
        'send the body with Content-Type: application/json',
      ],
    },
  },
  RateLimited: {
    status: 429,
    headers: ['Retry-After'],
    cases: {
      requests: [
        'No requests left',
        'rate_limited',
        `more than ${REQUESTS_PER_MINUTE} requests in this minute; wait for the next`,
      ],
      writes: [
        'No writes left',
        'rate_limited',
        `more than ${WRITES_PER_MINUTE} writes in this minute; wait for the next`,
      ],
      failures: [
        'No failed attempts left',
        'rate_limited',
        `more than ${FAILURES_PER_MINUTE} failed key attempts from this address in this minute; check the key`,
      ],
    },
  },
  InternalError: {
    status: 500,
    headers: ['Retry-After'],
    cases: {
      internal_error: [
        'A failure on our side',
        'internal_error',
        'something failed on our side; try again later',
      ],
    },
  },
} as const satisfies Record<
  string,
  {
    readonly status: ErrorStatus
    readonly headers: readonly HeaderName[]
    readonly cases: Readonly<Record<string, Case>>
  }
>

type RefusalName = keyof typeof refusals

/** Which refusal an endpoint answers with this status; a 400 says different things of different ones. */
export const refusalOf = (status: ErrorStatus, endpoint: Endpoint): RefusalName => {
  if (status === 400) {
    if (endpoint.idempotencyKey) return 'InvalidBodyOrKey'
    if (endpoint.conditional) return endpoint.body ? 'InvalidBodyOrIfMatch' : 'InvalidIfMatch'
    if (endpoint.body) return 'InvalidBody'
    return endpoint.paged ? 'InvalidPage' : 'MalformedRequest'
  }
  const names = Object.keys(refusals) as RefusalName[]
  const name = names.find((candidate) => refusals[candidate].status === status)
  if (name === undefined) throw new Error(`no refusal has the status ${status}`)
  return name
}

const describe = (status: ErrorStatus): string =>
  Object.entries(errorCodes)
    .filter(([, code]) => code.status === status)
    .map(([code, { meaning }]) => `\`${code}\`: ${meaning}`)
    .join(' ')

const write = (name: RefusalName, refer: Refer): Reply => {
  const { status, headers, cases } = refusals[name]
  const examples = Object.entries(cases).map(
    ([key, [summary, code, message]]: [string, Case]): [string, Example] => [
      key,
      { summary, value: { error: { code, message } } },
    ],
  )
  return {
    description: describe(status),
    headers: referHeaders(headers, refer),
    content: {
      'application/json': {
        schema: referTo(ErrorReply, refer),
        examples: Object.fromEntries(examples),
      },
    },
  }
}

const notModified = (headers: readonly HeaderName[]) => (refer: Refer) => ({
  description: 'Nothing has changed since the answer whose `ETag` was sent. No body.',
  headers: referHeaders(headers, refer),
})

export const replyMakers: Makers<Reply> = {
  NotModified: notModified(['ETag', 'Vary']),
  PageNotModified: notModified(['ETag', 'Vary', 'Link']),
  ...Object.fromEntries(
    (Object.keys(refusals) as RefusalName[]).map((name) => [name, (refer) => write(name, refer)]),
  ),
}
