import type { PublishedEndpoint } from '../endpoint.ts'
import * as quotas from '../quotas.ts'
import type { ServiceName } from '../services.ts'
import { type Header, int32, type JsonObject, refer, type Reference } from './types.ts'

const header = (description: string, schema: JsonObject, required = true): Header => ({
  description,
  required,
  schema,
})

const integer = (minimum: number, maximum: number, shown: number): JsonObject => ({
  ...int32(minimum, maximum),
  examples: [shown],
})

const text = (bounds: JsonObject, shown: string): JsonObject => ({
  type: 'string',
  ...bounds,
  examples: [shown],
})

const { REQUESTS_PER_MINUTE, WRITES_PER_MINUTE, FAILURES_PER_MINUTE } = quotas
const largestQuota = Math.max(REQUESTS_PER_MINUTE, WRITES_PER_MINUTE, FAILURES_PER_MINUTE)
const windowSeconds = quotas.MINUTE_MS / 1000
const packs = 'https://mapcrate.test/api/v1/packs'

/** Every header of an answer, declared once (spec 4, D-9, D-13). */
const packsHeaders = {
  'RateLimit-Limit': header(
    "Size of the quota that has fewer left: requests, or writes for a write. Without an account (a 401, `openapi.json`): the failed attempts of the caller's address.",
    integer(1, largestQuota, REQUESTS_PER_MINUTE),
  ),
  'RateLimit-Remaining': header(
    'What is left of that quota after this request.',
    integer(0, largestQuota, REQUESTS_PER_MINUTE - 1),
  ),
  'RateLimit-Reset': header(
    'Seconds to the top of the next minute, when the counters restart.',
    integer(1, windowSeconds, 42),
  ),
  'Retry-After': header(
    'Seconds to wait before trying again; with 429 the same as `RateLimit-Reset`.',
    integer(1, windowSeconds, 42),
  ),
  'X-Request-Id': header(
    'Names this request in the logs of the service.',
    text({ pattern: '^[A-Za-z0-9_-]+$', minLength: 1, maxLength: 64 }, 'R4vW0aXz7_uM'),
  ),
  'X-Content-Type-Options': header('The content type is meant as it is written.', {
    type: 'string',
    const: 'nosniff',
  }),
  'Cache-Control': header('Only the caller may keep the answer, and asks before using it again.', {
    type: 'string',
    const: 'private, no-cache',
  }),
  ETag: header(
    'Strong validator of the pack or list as it is now, to be sent back in `If-None-Match` or `If-Match`. Each content coding has its own; all of them are accepted.',
    text({ pattern: '^"[!#-~]+"$', minLength: 3, maxLength: 128 }, '"q1mX0aZr9T"'),
  ),
  Vary: header(
    'There where the answer is large enough to be compressed: 1 KB and more.',
    { type: 'string', const: 'Accept-Encoding' },
    false,
  ),
  'Content-Encoding': header(
    'How the body is compressed: as `Accept-Encoding` allows, from 1 KB on. Absent when it is not.',
    { type: 'string', enum: ['br', 'zstd', 'gzip'] },
    false,
  ),
  Location: header(
    'Where the new pack is.',
    text({ format: 'uri-reference', minLength: 1, maxLength: 2048 }, `${packs}/Vt4_m0XbR-`),
  ),
  'X-Ignored-Fields': header(
    'Parameters of the query and fields of the body that nothing was made of, such as misspelt ones; ten at most, none of a pack or a version as it is read. Separated by commas; percent-encoded UTF-8 where a name holds `%`, a comma, or what is not visible ASCII. Absent when there are none.',
    text({ minLength: 1, maxLength: 1024 }, 'visiblity, slots[0].modd'),
    false,
  ),
  Link: header(
    'Other pages (RFC 8288): `first`, `prev`, `next` and `last`, as far as there are such.',
    text(
      { minLength: 1, maxLength: 4096 },
      `<${packs}?page=1>; rel="first", <${packs}?page=2>; rel="next", <${packs}?page=9>; rel="last"`,
    ),
  ),
  'WWW-Authenticate': header('How to identify yourself.', { type: 'string', const: 'Bearer' }),
} as const satisfies Record<string, Header>

const tournaments = 'https://pools.mapcrate.test/api/v1/tournaments'
const { ETag, Link } = packsHeaders
const ignored = packsHeaders['X-Ignored-Fields']

/** Those of each service, which differ in what they are about. */
export const headersOf: Readonly<Record<ServiceName, Readonly<Record<HeaderName, Header>>>> = {
  packs: packsHeaders,
  pools: {
    ...packsHeaders,
    ETag: {
      ...ETag,
      description:
        'Strong validator of the tournament, round or list as you see it now, to be sent back in `If-None-Match` or `If-Match`. Each content coding has its own; all of them are accepted.',
    },
    Location: header(
      'Where the new tournament, round, candidate or remark is.',
      text({ format: 'uri-reference', minLength: 1, maxLength: 2048 }, `${tournaments}/dG91cm5hbW`),
    ),
    'X-Ignored-Fields': header(
      'Parameters of the query and fields of the body that nothing was made of, such as misspelt ones; ten at most, none of what is read at the same path. Separated by commas; percent-encoded UTF-8 where a name holds `%`, a comma, or what is not visible ASCII. Absent when there are none.',
      text({ minLength: 1, maxLength: 1024 }, 'shortname, slots[0].modd'),
      ignored.required,
    ),
    Link: header(
      Link.description,
      text(
        { minLength: 1, maxLength: 4096 },
        `<${tournaments}?page=1>; rel="first", <${tournaments}?page=2>; rel="next", <${tournaments}?page=9>; rel="last"`,
      ),
    ),
  },
}

export type HeaderName = keyof typeof packsHeaders

const always: readonly HeaderName[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
  'X-Ignored-Fields',
]

/** The headers that an endpoint's success has in addition to those of every answer. */
export const successHeaders = ({ paged, success }: PublishedEndpoint): HeaderName[] => [
  ...(success.schema === null ? [] : (['ETag', 'Vary', 'Content-Encoding'] as const)),
  ...(paged ? (['Link'] as const) : []),
  ...(success.status === 201 ? (['Location'] as const) : []),
]

/** References to the headers of an answer: those of every answer, then `more`. */
export function referHeaders(more: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries([...always, ...more].map((name) => [name, refer('headers', name)]))
}
