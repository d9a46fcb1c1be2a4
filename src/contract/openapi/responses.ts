import { changeExample } from '../changes.ts'
import { ChecksQuery } from '../checks.ts'
import { isOfBeatmap, type PublishedEndpoint } from '../endpoint.ts'
import { MAX_TOURNAMENTS } from '../bounds.ts'
import type { ApiErrorCode } from '../error-codes.ts'
import { type ErrorCause, partsOfCause, reasonsOf } from '../error-reasons.ts'
import {
  type ApiErrorStatus,
  codesOf,
  goneMessage,
  pathNotFoundMessage,
  refusals,
} from '../errors.ts'
import { HistorySwitch } from '../history.ts'
import type { ServiceName } from '../services.ts'
import { TournamentView } from '../tournaments.ts'
import { UsageQuery } from '../usage.ts'
import { type HeaderName, referHeaders } from './headers.ts'
import { errorReply } from './schemas.ts'
import { example, type Examples, type Reply } from './types.ts'

const errorHeaders: Partial<Record<ApiErrorStatus, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  500: ['Retry-After'],
}
/** Of a conflict that may have all slots of a round in it: more than 1 KB (D-52). */
const conflictHeaders: readonly HeaderName[] = ['Vary', 'Content-Encoding']

/** What makes the responses of a service: with examples by their names in the document. */
function responsesFor(service: ServiceName) {
  const isPools = service === 'pools'
  const refused = (summary: string, cause: ErrorCause, message: string, more = {}) => {
    const { code, reason } = partsOfCause(cause)
    return example(summary, { error: { code, message, ...(isPools && { reason }) }, ...more })
  }
  const standard = (summary: string, name: keyof typeof refusals) => {
    const [cause, message] = refusals[name]
    return refused(summary, cause, message)
  }
  const error = (status: ApiErrorStatus, examples: Examples): Reply => {
    const codes = Object.entries(codesOf[service]).filter(([, code]) => code.status === status)
    return {
      description: codes
        .map(([code, { meaning }]) => `\`${code}\`: ${meaning}${isPools ? reasonsIn(code) : ''}`)
        .join(' '),
      headers: referHeaders(
        isPools && status === 409 ? conflictHeaders : (errorHeaders[status] ?? []),
      ),
      content: { 'application/json': { schema: errorReply, examples } },
    }
  }
  return { refused, standard, error }
}

/** Of a code with several causes. */
function reasonsIn(code: string): string {
  const [first, ...others] = reasonsOf(code as ApiErrorCode)
  return first === code
    ? ''
    : ` Reasons: ${[first, ...others].map((each) => `\`${each}\``).join(', ')}.`
}

const unchanged = 'Nothing has changed since the answer whose `ETag` was sent. No body.'

/** The responses of both services by the name under which the operations share them (spec 7). */
function sharedResponses(service: ServiceName) {
  const { refused, standard, error } = responsesFor(service)
  const badBody = {
    range: refused(
      'A number out of range',
      'bad_request:invalid_field',
      'slots[3].index must be from 1 to 99',
    ),
    missing: refused('A missing field', 'bad_request:invalid_field', 'name is missing'),
    several: refused(
      'Several problems, ten at most',
      'bad_request:invalid_field',
      'slots[0].index must be from 1 to 99; slots[4].beatmapId is missing',
    ),
    json: refused(
      'Not JSON',
      'bad_request:invalid_json',
      'the body must be valid JSON: line 3, column 12: remove the comma before }',
    ),
  }
  const badIfMatch = { if_match: standard('An If-Match that is none', 'ifMatch') }
  return {
    NotModified: { description: unchanged, headers: referHeaders(['ETag', 'Vary']) },
    PageNotModified: {
      description: unchanged,
      headers: referHeaders(['ETag', 'Vary', 'Link']),
    },
    InvalidPage: error(400, { page: standard('A page out of range', 'page') }),
    InvalidBody: error(400, badBody),
    InvalidBodyOrKey: error(400, {
      ...badBody,
      key: standard('A key that is none', 'idempotencyKey'),
      key_used:
        service === 'packs'
          ? standard('The key of another pack', 'idempotencyKeyUsed')
          : standard('The key of another request', 'idempotencyKeyOfAnother'),
    }),
    InvalidBodyOrIfMatch: error(400, { ...badBody, ...badIfMatch }),
    InvalidSwitchOrIfMatch: error(400, {
      switch: refused(
        'Neither true nor false',
        'bad_request:invalid_field',
        'public must be true or false',
      ),
      json: badBody.json,
      ...badIfMatch,
    }),
    InvalidIfMatch: error(400, badIfMatch),
    MalformedRequest: error(400, { malformed: standard('Not well-formed HTTP', 'twoHosts') }),
    Unauthorized: error(401, {
      unauthorized: standard('No key was sent', 'noKey'),
      invalid_api_key: refused(
        'The key is not a live one',
        'invalid_api_key:key_not_live',
        'the API key is wrong, revoked or replaced; look for the key that the account has now, and make a new one only if that is lost: it ends the present one',
      ),
      cut_short: refused(
        'A part of a key',
        'invalid_api_key:key_cut_short',
        'the API key is cut short: it has 40 of the 43 characters after packs_; copy all of it',
      ),
    }),
    NotFound: error(404, { not_found: standard('No such pack for this caller', 'packNotFound') }),
    VersionNotFound: error(404, {
      not_found: standard('No such pack, or no history of it, for this caller', 'packNotFound'),
      version: standard('No such version for this caller', 'versionNotFound'),
    }),
    InvalidChangeQuery: error(400, {
      cursor: standard('A cursor that is none', 'cursor'),
      later: standard('A cursor from before changes were lost', 'cursorFromLater'),
      wait: standard('Longer than one may wait', 'wait'),
    }),
    Gone: error(410, {
      gone: refused('A cursor that is too old', 'gone', goneMessage(changeExample.cursor)),
    }),
    Conflict: error(409, { conflict: standard('As many packs as one may have', 'tooManyPacks') }),
    PreconditionFailed: error(412, {
      changed: standard('The pack has changed since it was read', 'changedMeanwhile'),
      missing: standard('If-Match: * and no pack of the caller’s', 'nothingToMatch'),
    }),
    TooLarge: error(413, {
      too_large: standard(
        'A body over the limit',
        service === 'packs' ? 'bodyTooLarge' : 'sheetTooLarge',
      ),
    }),
    UnsupportedMediaType: error(415, {
      unsupported_media_type: standard('Another content type, or none', 'notJsonMedia'),
    }),
    RateLimited: error(429, {
      requests: standard('No requests left', 'tooManyRequests'),
      writes: standard('No writes left', 'tooManyWrites'),
      failures: standard('No failed attempts left', 'tooManyFailures'),
    }),
    InternalError: error(500, { internal_error: standard('A failure on our side', 'internal') }),
  }
}

/** Where those of the tournament-pools service differ. */
function ownResponses() {
  const { refused, standard, error } = responsesFor('pools')
  return {
    InvalidKey: error(400, {
      key: standard('A key that is none', 'idempotencyKey'),
      key_used: standard('The key of another request', 'idempotencyKeyOfAnother'),
    }),
    InvalidSearch: error(400, {
      page: standard('A page out of range', 'page'),
      rank: refused(
        'A rank that is none',
        'bad_request:invalid_query',
        'rank must be a whole number from 1 to 99999999',
      ),
    }),
    InvalidIds: error(400, {
      page: standard('A page out of range', 'page'),
      ids: standard('Too many ids, or what is none', 'usageIds'),
    }),
    InvalidAs: error(400, {
      as: refused('As whom nobody can read', 'bad_request:invalid_query', 'as must be public'),
    }),
    InvalidOnlyRound: error(400, {
      round: refused(
        'What cannot be a round',
        'bad_request:invalid_query',
        'round must have 10 characters',
      ),
    }),
    PathNotFound: error(404, {
      not_found: refused('What cannot be a beatmap', 'not_found:no_such_path', pathNotFoundMessage),
    }),
    NotFound: error(404, {
      not_found: standard('Nothing there for this caller', 'tournamentNotFound'),
    }),
    Conflict: error(409, {
      slots: refused(
        'Somebody else has changed the slot',
        'conflict:slot_changed',
        'NM3 changed meanwhile, so nothing was changed; slots shows what is there now',
        { slots: [{ mod: 'NM', index: 3, beatmapId: 1860169 }] },
      ),
      no_such_slot: refused(
        'A change of a slot that is not there',
        'conflict:no_such_slot',
        'there is no NM9 in the round, so nothing was changed; send from as "none" to add NM9',
        { slots: [] },
      ),
      not_ready: refused(
        'A release without all beatmaps',
        'conflict:beatmaps_missing',
        'the round cannot be released: NM3 and TB1 have no beatmap',
      ),
      bound: refused(
        'As many tournaments as one may host',
        'conflict:too_many_tournaments',
        `you already host ${MAX_TOURNAMENTS} tournaments; delete one first`,
      ),
    }),
    PreconditionFailed: error(412, {
      changed: standard('It has changed since it was read', 'changedMeanwhile'),
      missing: standard('If-Match: * and nothing there for this caller', 'nothingHereToMatch'),
    }),
    Forbidden: error(403, {
      forbidden: standard('A role that does not allow it', 'roleForbids'),
    }),
    PreconditionRequired: error(428, {
      precondition_required: standard('A write without If-Match', 'ifMatchMissing'),
    }),
  }
}

const packsResponses = sharedResponses('packs')
const poolsResponses = { ...sharedResponses('pools'), ...ownResponses() }

export const responsesOf: Readonly<Record<ServiceName, Readonly<Record<string, Reply>>>> = {
  packs: packsResponses,
  pools: poolsResponses,
}

type ResponseName = keyof typeof poolsResponses

const nameByStatus = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  428: 'PreconditionRequired',
  429: 'RateLimited',
  500: 'InternalError',
} as const satisfies Partial<Record<ApiErrorStatus, ResponseName>>

/** Which error response an endpoint has for this status. The causes of a 400 depend on its input. */
export function errorOf(
  status: PublishedEndpoint['errors'][number],
  { path, query, idempotencyKey, conditional, body, paged }: PublishedEndpoint,
): ResponseName {
  if (status === 404 && path === '/packs/{slug}/history/{version}') return 'VersionNotFound'
  if (status === 404 && isOfBeatmap(path)) return 'PathNotFound'
  if (status !== 400) return nameByStatus[status]
  if (idempotencyKey) return body ? 'InvalidBodyOrKey' : 'InvalidKey'
  if (conditional && body === HistorySwitch) return 'InvalidSwitchOrIfMatch'
  if (conditional) return body ? 'InvalidBodyOrIfMatch' : 'InvalidIfMatch'
  if (body) return 'InvalidBody'
  if (query === UsageQuery) return 'InvalidIds'
  if (query === ChecksQuery) return 'InvalidOnlyRound'
  if (query === TournamentView) return 'InvalidAs'
  if (query) return paged ? 'InvalidSearch' : 'InvalidChangeQuery'
  return paged ? 'InvalidPage' : 'MalformedRequest'
}
