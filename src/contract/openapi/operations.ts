import { MAX_BODY_BYTES } from '../bounds.ts'
import type { Endpoint, EndpointTable, Success } from '../endpoint.ts'
import { referHeaders, successHeaders } from './headers.ts'
import { operationExamples } from './operation-examples.ts'
import { referParameters } from './parameters.ts'
import { refusalOf } from './refusals.ts'
import { referTo } from './schemas.ts'
import type { Refer } from './shelf.ts'
import type { Examples, Operation, PathItem, Reference, Reply, RequestBody } from './types.ts'

const requestOf = (schema: NonNullable<Endpoint['body']>, examples: Examples, refer: Refer) =>
  ({
    description: `At most ${MAX_BODY_BYTES} bytes of JSON in UTF-8, uncompressed.`,
    required: true,
    content: { 'application/json': { schema: referTo(schema, refer), examples } },
  }) satisfies RequestBody

const successOf = (
  { description, schema }: Success,
  headers: Record<string, Reference>,
  examples: Examples,
  refer: Refer,
): Reply => ({
  description,
  headers,
  ...(schema && {
    content: { 'application/json': { schema: referTo(schema, refer), examples } },
  }),
})

const repliesOf = (endpoint: Endpoint, examples: Examples, refer: Refer) => {
  const headers = referHeaders(successHeaders(endpoint), refer)
  return {
    [endpoint.success.status]: successOf(endpoint.success, headers, examples, refer),
    ...(endpoint.method === 'GET' && {
      304: refer('responses', endpoint.paged ? 'PageNotModified' : 'NotModified'),
    }),
    ...Object.fromEntries(
      endpoint.errors.map((status) => [status, refer('responses', refusalOf(status, endpoint))]),
    ),
  }
}

const operationOf = (operationId: string, endpoint: Endpoint, refer: Refer): Operation => {
  const { topic, summary, description, keyless, body } = endpoint
  const { request = {}, reply = {} } = operationExamples[operationId] ?? {}
  const parameters = referParameters(endpoint, refer)
  return {
    operationId,
    tags: [topic],
    summary,
    description,
    ...(keyless && { security: [] as const }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestOf(body, request, refer) }),
    responses: repliesOf(endpoint, reply, refer),
  }
}

/** The endpoints as OpenAPI says them: path → method → operation. */
export const pathsOf = (endpoints: EndpointTable, refer: Refer): Record<string, PathItem> => {
  const paths: Record<string, PathItem> = {}
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operationOf(operationId, endpoint, refer),
    }
  }
  return paths
}
