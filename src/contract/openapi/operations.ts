import {
  IDEMPOTENCY_KEY_LENGTH,
  IDEMPOTENCY_KEY_PATTERN,
  MAX_BODY_BYTES,
  MAX_PAGE,
  PAGE_SIZE,
} from '../bounds.ts'
import type { EndpointTable, PublishedEndpoint } from '../endpoint.ts'
import {
  fullInputExample,
  hiddenPackExample,
  newPackExample,
  packExample,
  plainInputExample,
  replacedPackExample,
  userExample,
} from '../examples.ts'
import { Slug } from '../primitives.ts'
import { errorOf, referHeaders, successHeaders } from './responses.ts'
import { referTo } from './schemas.ts'
import {
  type Examples,
  type Makers,
  openapiExample,
  type Operation,
  type Parameter,
  type PathItem,
  type Refer,
  type Reference,
  type Reply,
} from './types.ts'

/** The endpoints as OpenAPI says them: path → method → operation. */
export function pathsOf(
  endpoints: EndpointTable<PublishedEndpoint>,
  refer: Refer,
): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {}
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operationOf(operationId, endpoint, refer),
    }
  }
  return paths
}

function operationOf(operationId: string, endpoint: PublishedEndpoint, refer: Refer): Operation {
  const { topic, summary, description, auth, body } = endpoint
  const { request = {}, reply = {} } = operationExamples[operationId] ?? {}
  const parameters = referParameters(endpoint, refer)
  return {
    operationId,
    tags: [topic],
    summary,
    description,
    ...(auth === 'none' && { security: [] as const }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        description: `At most ${MAX_BODY_BYTES} bytes of JSON in UTF-8, uncompressed.`,
        required: true,
        content: { 'application/json': { schema: referTo(body, refer), examples: request } },
      },
    }),
    responses: responsesOf(endpoint, reply, refer),
  }
}

function referParameters(
  { path, paged, idempotencyKey, conditional, method }: PublishedEndpoint,
  refer: Refer,
): Reference[] {
  return [
    ...(path.includes('{slug}') ? [refer('parameters', 'Slug')] : []),
    ...(paged ? [refer('parameters', 'Page')] : []),
    ...(idempotencyKey ? [refer('parameters', 'IdempotencyKey')] : []),
    ...(conditional ? [refer('parameters', 'IfMatch')] : []),
    ...(method === 'GET' ? [refer('parameters', 'IfNoneMatch')] : []),
  ]
}

function responsesOf(
  endpoint: PublishedEndpoint,
  examples: Examples,
  refer: Refer,
): Record<string, Reply | Reference> {
  const { status, description, schema } = endpoint.success
  return {
    [status]: {
      description,
      headers: referHeaders(successHeaders(endpoint), refer),
      ...(schema && {
        content: { 'application/json': { schema: referTo(schema, refer), examples } },
      }),
    },
    ...(endpoint.method === 'GET' && {
      304: refer('responses', endpoint.paged ? 'PageNotModified' : 'NotModified'),
    }),
    ...Object.fromEntries(
      endpoint.errors.map((error) => [error, refer('responses', errorOf(error, endpoint))]),
    ),
  }
}

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

const inputs = {
  plain: { summary: 'Name and slots are enough', value: plainInputExample },
  full: { summary: 'A bucket of your own, for all to see', value: fullInputExample },
}

const pastTheEnd = {
  summary: 'A page past the end',
  value: { packs: [], page: 7, pageCount: 1, total: 1 },
}

/** What each operation is sent and answers, by operation id. */
const operationExamples: Readonly<
  Record<string, { readonly request?: Examples; readonly reply?: Examples }>
> = {
  getMe: { reply: { owner: { summary: "The key's owner", value: { user: userExample } } } },
  listMyPacks: {
    reply: {
      mine: {
        summary: 'Three packs, one of them hidden',
        value: {
          packs: [packExample, newPackExample, hiddenPackExample],
          page: 1,
          pageCount: 1,
          total: 3,
        },
      },
      pastTheEnd,
    },
  },
  listPacks: {
    reply: {
      public: {
        summary: 'One public pack',
        value: { packs: [packExample], page: 1, pageCount: 1, total: 1 },
      },
      pastTheEnd,
    },
  },
  createPack: {
    request: inputs,
    reply: {
      created: { summary: 'Saved, unlisted, without stats', value: { pack: newPackExample } },
    },
  },
  getPack: {
    reply: {
      complete: { summary: 'With stats and a magnet link', value: { pack: packExample } },
      plain: { summary: 'Saved a moment ago', value: { pack: newPackExample } },
    },
  },
  replacePack: {
    request: { full: inputs.full },
    reply: {
      replaced: {
        summary: 'Other maps: magnet links cleared, stats to follow',
        value: { pack: replacedPackExample },
      },
    },
  },
  getOpenapi: {
    reply: { document: { summary: 'In outline', value: openapiExample } },
  },
}
