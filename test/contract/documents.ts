import { buildOpenapi } from '../../src/contract/openapi/document.ts'
import type { OpenapiDocument, Operation, Reply } from '../../src/contract/openapi/types.ts'
import type { ServiceName } from '../../src/contract/services.ts'

const options = {
  packs: {
    apiUrl: 'http://127.0.0.1:8080',
    siteUrl: 'http://127.0.0.1:8080',
    keyPrefix: 'packs',
  },
  pools: {
    apiUrl: 'http://127.0.0.1:8081',
    siteUrl: 'http://127.0.0.1:8080',
    keyPrefix: 'pools',
  },
} as const

/** Both documents as they are sent: what JSON cannot hold is not there any more. */
export const documents = Object.fromEntries(
  (['packs', 'pools'] as const).map((service) => [
    service,
    JSON.parse(JSON.stringify(buildOpenapi(service, options[service]))) as OpenapiDocument,
  ]),
) as Record<ServiceName, OpenapiDocument>

/** Every operation of a document with its id. */
export const operationsOf = (document: OpenapiDocument): [string, Operation][] =>
  Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .map((operation) => [operation.operationId, operation])

/** What `$ref` points at; throws when there is no such thing. */
export const follow = (document: OpenapiDocument, $ref: string): unknown => {
  let node: unknown = document
  for (const step of $ref.split('/').slice(1)) {
    node = (node as Record<string, unknown> | undefined)?.[step]
  }
  if (node === undefined) throw new Error(`${$ref} leads nowhere`)
  return node
}

/** The thing itself, when there is a reference in its place. */
export const resolve = (document: OpenapiDocument, part: unknown): unknown => {
  const $ref = (part as { $ref?: string }).$ref
  return $ref === undefined ? part : follow(document, $ref)
}

/** The replies of an operation by status, references followed. */
export const repliesOf = (document: OpenapiDocument, operation: Operation): [string, Reply][] =>
  Object.entries(operation.responses).map(([status, reply]) => [
    status,
    resolve(document, reply) as Reply,
  ])

/** Calls `visit` with each object of a JSON value and its place, outermost first. */
export const walk = (
  value: unknown,
  visit: (node: Record<string, unknown>, place: string) => void,
  place = '#',
): void => {
  if (Array.isArray(value)) {
    value.forEach((item, at) => walk(item, visit, `${place}/${at}`))
  } else if (typeof value === 'object' && value !== null) {
    visit(value as Record<string, unknown>, place)
    for (const [key, inner] of Object.entries(value)) walk(inner, visit, `${place}/${key}`)
  }
}
