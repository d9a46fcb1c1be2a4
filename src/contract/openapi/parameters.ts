import type { Endpoint } from '../endpoint.ts'
import { IDEMPOTENCY_KEY_LENGTH, IDEMPOTENCY_KEY_PATTERN, MAX_PAGE, PAGE_SIZE } from '../bounds.ts'
import { Slug } from '../primitives.ts'
import { referTo } from './schemas.ts'
import type { Makers, Refer } from './shelf.ts'
import type { Parameter, Reference } from './types.ts'

export const parameterMakers: Makers<Parameter> = {
  Slug: (refer) => ({
    name: 'slug',
    in: 'path',
    required: true,
    description: "The pack's slug.",
    schema: referTo(Slug, refer),
  }),
  Page: () => ({
    name: 'page',
    in: 'query',
    required: false,
    description: `Which page of ${PAGE_SIZE} packs. Plain digits without a leading zero, given at most once; a page past the end has no packs.`,
    schema: {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: MAX_PAGE,
      default: 1,
      examples: [2],
    },
  }),
  IfNoneMatch: () => ({
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of an earlier answer; 304 when it still holds.',
    schema: { type: 'string', minLength: 1, maxLength: 2048, examples: ['"q1mX0aZr9T"'] },
  }),
  IfMatch: () => ({
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of the pack as you know it, or a list of them: nothing is changed, and the answer is 412, when the pack is in another state by now. `*` asks for a pack that is there. Weak tags match nothing.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 2048,
      pattern:
        '^(?:\\*|[\\t ,]*(?:W/)?"[!#-~\\x80-\\xff]*"(?:[\\t ]*,[\\t ]*(?:(?:W/)?"[!#-~\\x80-\\xff]*")?)*)$',
      examples: ['"q1mX0aZr9T"'],
    },
  }),
  IdempotencyKey: () => ({
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A name of your own for this creation, fresh for each. Sent again with the same body within 24 hours, it gives the answer of the first time and no second pack; with another body, 400. A refused or failed creation is forgotten. Each attempt counts toward the quotas.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_LENGTH,
      pattern: IDEMPOTENCY_KEY_PATTERN,
      examples: ['8b1e7d0c-5a57-4f0e-9d53-3f5f7b1c2a90'],
    },
  }),
}

/** Points at the parameters that an endpoint takes. */
export const referParameters = (
  { path, paged, idempotencyKey, conditional, method }: Endpoint,
  refer: Refer,
): Reference[] => [
  ...(path.includes('{slug}') ? [refer('parameters', 'Slug')] : []),
  ...(paged ? [refer('parameters', 'Page')] : []),
  ...(idempotencyKey ? [refer('parameters', 'IdempotencyKey')] : []),
  ...(conditional ? [refer('parameters', 'IfMatch')] : []),
  ...(method === 'GET' ? [refer('parameters', 'IfNoneMatch')] : []),
]
