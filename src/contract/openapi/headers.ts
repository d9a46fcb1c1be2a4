import type { Endpoint } from '../endpoint.ts'
import {
  FAILURES_PER_MINUTE,
  MINUTE_MS,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../quotas.ts'
import type { Makers, Refer } from './shelf.ts'
import type { Header, JsonObject, Reference } from './types.ts'

const header = (description: string, schema: JsonObject): Header => ({
  description,
  required: true,
  schema,
})

const integer = (minimum: number, maximum: number, example: number): JsonObject => ({
  type: 'integer',
  format: 'int32',
  minimum,
  maximum,
  examples: [example],
})

const text = (bounds: JsonObject, example: string): JsonObject => ({
  type: 'string',
  ...bounds,
  examples: [example],
})

const largestQuota = Math.max(REQUESTS_PER_MINUTE, WRITES_PER_MINUTE, FAILURES_PER_MINUTE)
const windowSeconds = MINUTE_MS / 1000
const packs = 'https://mapcrate.test/api/v1/packs'

/** Every header of an answer, declared once (spec 4, D-9, D-13). */
const headers = {
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
  Vary: {
    ...header('There where the answer is large enough to be compressed: 1 KB and more.', {
      type: 'string',
      const: 'Accept-Encoding',
    }),
    required: false,
  },
  'Content-Encoding': {
    ...header(
      'How the body is compressed: as `Accept-Encoding` allows, from 1 KB on. Absent when it is not.',
      { type: 'string', enum: ['br', 'zstd', 'gzip'] },
    ),
    required: false,
  },
  Location: header(
    'Where the new pack is.',
    text({ format: 'uri-reference', minLength: 1, maxLength: 2048 }, `${packs}/Vt4_m0XbR-`),
  ),
  'X-Ignored-Fields': {
    ...header(
      'Fields of the body that nothing was made of, such as misspelt ones; ten at most, none of a pack as it is read. Separated by commas; percent-encoded UTF-8 where a name holds `%`, a comma, or what is not visible ASCII. Absent when there are none.',
      text({ minLength: 1, maxLength: 1024 }, 'visiblity, slots[0].modd'),
    ),
    required: false,
  },
  Link: header(
    'Other pages (RFC 8288): `first`, `prev`, `next` and `last`, as far as there are such.',
    text(
      { minLength: 1, maxLength: 4096 },
      `<${packs}?page=1>; rel="first", <${packs}?page=2>; rel="next", <${packs}?page=9>; rel="last"`,
    ),
  ),
  'WWW-Authenticate': header('How to identify yourself.', { type: 'string', const: 'Bearer' }),
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof headers

export const headerMakers: Makers<Header> = Object.fromEntries(
  Object.entries(headers).map(([name, value]) => [name, () => value]),
)

const always: readonly HeaderName[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
]

/** The headers that an endpoint's success has in addition to those of every answer. */
export const successHeaders = ({ body, paged, success }: Endpoint): HeaderName[] => [
  ...(success.schema === null ? [] : (['ETag', 'Vary', 'Content-Encoding'] as const)),
  ...(paged ? (['Link'] as const) : []),
  ...(success.status === 201 ? (['Location'] as const) : []),
  ...(body ? (['X-Ignored-Fields'] as const) : []),
]

/** Points at the headers of an answer: those of every answer, then `more`. */
export const referHeaders = (
  more: readonly HeaderName[],
  refer: Refer,
): Record<string, Reference> =>
  Object.fromEntries([...always, ...more].map((name) => [name, refer('headers', name)]))
