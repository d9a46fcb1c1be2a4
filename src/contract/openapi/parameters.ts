import type { Endpoint } from '../endpoint.ts'
import { MAX_PAGE, PAGE_SIZE } from '../bounds.ts'
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
    schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: 1, examples: [2] },
  }),
  IfNoneMatch: () => ({
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of an earlier answer; 304 when it still holds.',
    schema: { type: 'string', minLength: 1, maxLength: 2048, examples: ['"q1mX0aZr9T"'] },
  }),
}

/** Points at the parameters that an endpoint takes. */
export const referParameters = ({ path, paged, method }: Endpoint, refer: Refer): Reference[] => [
  ...(path.includes('{slug}') ? [refer('parameters', 'Slug')] : []),
  ...(paged ? [refer('parameters', 'Page')] : []),
  ...(method === 'GET' ? [refer('parameters', 'IfNoneMatch')] : []),
]
