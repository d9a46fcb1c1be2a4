import * as bounds from '../bounds.ts'
import { ChangeQuery, Cursor } from '../changes.ts'
import { ChecksQuery } from '../checks.ts'
import { ItemId } from '../discussion.ts'
import {
  type EndpointTable,
  isOfBeatmap,
  JSON_MEDIA,
  mediaTypesOf,
  type MediaTypeName,
  type PublishedEndpoint,
} from '../endpoint.ts'
import { rulesets } from '../mods.ts'
import { Slug } from '../primitives.ts'
import { Round } from '../rounds.ts'
import type { ServiceName } from '../services.ts'
import { memberExample } from '../staff.ts'
import { TournamentChangePage } from '../tournament-feed.ts'
import { TournamentSearch, TournamentView } from '../tournaments.ts'
import { UsageQuery } from '../usage.ts'
import { referHeaders, successHeaders } from './headers.ts'
import { errorOf } from './responses.ts'
import { referTo } from './schemas.ts'
import { operationExamples, tournamentFeedExamples } from './operation-examples.ts'
import {
  type Content,
  type Examples,
  int32,
  type JsonObject,
  type MediaType,
  type Operation,
  type Parameter,
  type Paths,
  refer,
  type Reference,
} from './types.ts'

/** The endpoints as OpenAPI describes them. */
export function pathsOf(endpoints: EndpointTable<PublishedEndpoint>): Paths {
  const paths: Record<string, Paths[string]> = {}
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const { path, method } = endpoint
    const operation = operationOf(operationId, endpoint)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  return paths
}

function operationOf(operationId: string, endpoint: PublishedEndpoint): Operation {
  const { topic, summary, description, auth, body } = endpoint
  const isTournamentFeed = endpoint.success.schema === TournamentChangePage
  const { request = {}, reply = {} } =
    (isTournamentFeed ? tournamentFeedExamples : operationExamples[operationId]) ?? {}
  const parameters = referParameters(endpoint)
  return {
    operationId,
    tags: [topic],
    summary,
    description,
    ...(auth === 'none' && { security: [] as const }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        description: `At most ${bounds.MAX_BODY_BYTES} bytes of JSON in UTF-8, uncompressed.`,
        required: true,
        content: contentOf(mediaTypesOf(endpoint), { schema: referTo(body), examples: request }),
      },
    }),
    responses: responsesOf(endpoint, reply),
  }
}

const contentOf = (names: readonly MediaTypeName[], content: MediaType): Content => ({
  ...Object.fromEntries(names.map((name) => [name, content])),
  [JSON_MEDIA]: content,
})

function referParameters(endpoint: PublishedEndpoint): Reference[] {
  const taken: Readonly<Record<keyof typeof poolsParameters, unknown>> = {
    Slug: endpoint.path.includes('{slug}'),
    Version: endpoint.path.includes('{version}'),
    Round: endpoint.path.includes('{round}'),
    Id: endpoint.path.includes('{id}') && !isOfBeatmap(endpoint.path),
    BeatmapId: isOfBeatmap(endpoint.path),
    GameId: endpoint.path.includes('{gameId}'),
    Page: endpoint.paged,
    Search: endpoint.query === TournamentSearch,
    Ruleset: endpoint.query === TournamentSearch,
    Rank: endpoint.query === TournamentSearch,
    Year: endpoint.query === TournamentSearch,
    Ids: endpoint.query === UsageQuery,
    OnlyRound: endpoint.query === ChecksQuery,
    As: endpoint.query === TournamentView,
    After: endpoint.query === ChangeQuery,
    Wait: endpoint.query === ChangeQuery,
    IdempotencyKey: endpoint.idempotencyKey,
    IfMatch: endpoint.conditional === true,
    RequiredIfMatch: endpoint.conditional === 'required',
    IfNoneMatch: endpoint.method === 'GET',
  }
  const names = Object.keys(taken) as (keyof typeof taken)[]
  return names.filter((name) => taken[name]).map((name) => refer('parameters', name))
}

function responsesOf(endpoint: PublishedEndpoint, examples: Examples): Operation['responses'] {
  const { success, errors, method, paged } = endpoint
  const { status, description, schema } = success
  const notModified = refer('responses', paged ? 'PageNotModified' : 'NotModified')
  return {
    [status]: {
      description,
      headers: referHeaders(successHeaders(endpoint)),
      ...(schema && { content: { 'application/json': { schema: referTo(schema), examples } } }),
    },
    ...(method === 'GET' && { 304: notModified }),
    ...Object.fromEntries(
      errors.map((error) => [error, refer('responses', errorOf(error, endpoint))]),
    ),
  }
}

const parameter = (
  place: Parameter['in'],
  name: string,
  description: string,
  schema: JsonObject,
): Parameter => ({ name, in: place, required: place === 'path', description, schema })

const header = (name: string, description: string, schema: JsonObject) =>
  parameter('header', name, description, { type: 'string', minLength: 1, ...schema })

const packsParameters = {
  Slug: parameter('path', 'slug', "The pack's slug.", referTo(Slug)),
  Version: parameter('path', 'version', 'The number of the version.', {
    ...int32(1, bounds.MAX_VERSION),
    examples: [2],
  }),
  Page: parameter(
    'query',
    'page',
    `Which page of ${bounds.PAGE_SIZE}. Plain digits without a leading zero, given at most once; a page past the end is empty.`,
    { ...int32(1, bounds.MAX_PAGE), default: 1, examples: [2] },
  ),
  After: parameter(
    'query',
    'after',
    'The `cursor` of the last answer, or of the last change that was processed, as it was received, given at most once. Left out: what happens from now on.',
    referTo(Cursor),
  ),
  Wait: parameter(
    'query',
    'wait',
    'For how many seconds to wait if there is nothing yet. Plain digits, given at most once. While the server shuts down, no request waits.',
    { ...int32(0, bounds.MAX_WAIT_SECONDS), default: 0, examples: [25] },
  ),
  IfNoneMatch: header(
    'If-None-Match',
    'The `ETag` of an earlier answer; 304 when it still holds.',
    { maxLength: 2048, examples: ['"q1mX0aZr9T"'] },
  ),
  IfMatch: header(
    'If-Match',
    'The `ETag` of the pack (to open or close its history: of the first page of that) as you know it, or a list of them: nothing is changed, and the answer is 412, when it is in another state by now. `*` asks for a pack that is there. Weak tags match nothing.',
    {
      maxLength: 2048,
      pattern:
        '^(?:\\*|[\\t ,]*(?:W/)?"[!#-~\\x80-\\xff]*"(?:[\\t ]*,[\\t ]*(?:(?:W/)?"[!#-~\\x80-\\xff]*")?)*)$',
      examples: ['"q1mX0aZr9T"'],
    },
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    'A name of your own for this creation, fresh for each. Sent again with the same body within 24 hours, it gives the answer of the first time and no second pack; with another body, 400. A refused or failed creation is forgotten. Each attempt counts toward the quotas.',
    {
      maxLength: bounds.IDEMPOTENCY_KEY_LENGTH,
      pattern: bounds.IDEMPOTENCY_KEY_PATTERN,
      examples: ['8b1e7d0c-5a57-4f0e-9d53-3f5f7b1c2a90'],
    },
  ),
} satisfies Record<string, Parameter>

const ifMatch =
  'The `ETag` of what is changed as you read it (of the tournament, to replace all rounds), or a list of them: nothing is changed, and the answer is 412, when it is in another state by now. `*` asks for something that is there. Weak tags match nothing.'

/** Where those of the tournament-pools service differ. */
const poolsParameters = {
  ...packsParameters,
  Slug: parameter('path', 'slug', "The tournament's slug.", referTo(Slug)),
  Round: parameter('path', 'round', "The round's id.", {
    ...(Round.properties.id as unknown as JsonObject),
    description: 'Ten letters, digits, - or _.',
  }),
  Id: parameter('path', 'id', 'The id of the candidate or remark.', {
    ...(ItemId as unknown as JsonObject),
    description: 'Ten letters, digits, - or _.',
  }),
  IdempotencyKey: header(
    'Idempotency-Key',
    'A name of your own for this write, fresh for each. Sent again with the same body within 24 hours, it makes nothing twice, and answers with what was made as it is now; with another body or elsewhere, 400. A refused or failed write is forgotten. Each attempt counts toward the quotas.',
    packsParameters.IdempotencyKey.schema,
  ),
  GameId: parameter('path', 'gameId', "The player's id on the game platform.", {
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: bounds.MAX_SAFE_INTEGER,
    examples: [memberExample.gameId],
  }),
  BeatmapId: parameter('path', 'id', "The beatmap's id on the game platform.", {
    ...int32(1, bounds.MAX_BEATMAP_ID),
    examples: [129891],
  }),
  Ids: {
    ...parameter(
      'query',
      'ids',
      `Up to ${bounds.MAX_USAGE_IDS} ids of beatmaps from 1 to ${bounds.MAX_BEATMAP_ID}, separated by commas, given once. An id that is there twice counts once.`,
      UsageQuery.properties.ids as unknown as JsonObject,
    ),
    required: true,
  },
  OnlyRound: parameter('query', 'round', 'The only round to check; left out: all of them.', {
    ...(Round.properties.id as unknown as JsonObject),
    description: 'Its id.',
  }),
  As: parameter('query', 'as', 'As everybody reads it who is not on the staff.', {
    type: 'string',
    enum: ['public'],
    examples: ['public'],
  }),
  Search: parameter('query', 'search', 'A part of the name or of the short name, in any case.', {
    type: 'string',
    maxLength: bounds.SEARCH_LENGTH,
    examples: ['harbour'],
  }),
  Ruleset: parameter('query', 'ruleset', 'The ruleset that is played.', {
    type: 'string',
    enum: rulesets,
    examples: ['taiko'],
  }),
  Rank: parameter('query', 'rank', 'A rank that may take part. Plain digits.', {
    ...int32(1, bounds.MAX_RANK),
    examples: [4500],
  }),
  Year: parameter('query', 'year', 'The year it is played in. Plain digits.', {
    ...int32(1000, 2999),
    examples: [2026],
  }),
  IfMatch: { ...packsParameters.IfMatch, description: ifMatch },
  RequiredIfMatch: {
    ...packsParameters.IfMatch,
    required: true,
    description: `${ifMatch} Without it, the answer is 428.`,
  },
} satisfies Record<string, Parameter>

export const parametersOf: Readonly<Record<ServiceName, Readonly<Record<string, Parameter>>>> = {
  packs: packsParameters,
  pools: poolsParameters,
}
