import { API_PREFIX } from '../../contract/endpoint.ts'
import type {
  Examples,
  JsonObject,
  OpenapiDocument,
  Operation,
  Parameter,
  Reference,
  Reply,
} from '../../contract/openapi/types.ts'
import type { ServiceName } from '../../contract/services.ts'
import { loadJson } from '../load.ts'
import { pageData } from '../page-data.ts'

/** The name that a schema is known by: `Slot`; null when it has none. */
export const schemaName = (schema: unknown): string | null =>
  isReference(schema) ? (schema.$ref.split('/').at(-1) ?? null) : null

const isReference = (part: unknown): part is Reference =>
  typeof part === 'object' && part !== null && '$ref' in part

/** A schema as it stands in a document. */
export type Schema = JsonObject

export type CallHeader = { readonly name: string; readonly description: string }

/** What one call can answer. */
export type CallReply = {
  readonly status: string
  /** May hold code between backticks. */
  readonly description: string
  readonly headers: readonly CallHeader[]
  readonly schema: Schema | null
  readonly examples: Examples
}

/** One call of the API with everything that it refers to. */
export type Call = {
  /** Its operation id: `createPack`. */
  readonly id: string
  /** In capitals. */
  readonly method: string
  /** Below the service's address and version: `/packs/{slug}`. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly needsKey: boolean
  readonly parameters: readonly Parameter[]
  readonly body: {
    readonly description: string
    readonly schema: Schema
    readonly examples: Examples
  } | null
  readonly replies: readonly CallReply[]
}

export type Resolve = ReturnType<typeof resolverOf>

/** What a document says of a service. */
export type Api = {
  readonly summary: string
  /** Paragraphs and headings in Markdown. */
  readonly description: string
  /** The service's address with its version. */
  readonly server: string
  readonly calls: readonly Call[]
  readonly standing: readonly CallHeader[]
  readonly resolve: Resolve
}

export function readDocument(document: OpenapiDocument): Api {
  const resolve = resolverOf(document)
  const calls = callsOf(document, resolve)
  return {
    summary: textOf(document.info['summary']),
    description: textOf(document.info['description']),
    server: textOf(document.servers[0]?.['url']),
    calls,
    standing: standingHeaders(calls),
    resolve,
  }
}

/** Looks up what parts of a document point at; gives anything else back as it is. */
function resolverOf({ components }: OpenapiDocument) {
  const resolve = <Part>(part: Part | Reference): Part => {
    if (!isReference(part)) return part
    const [section = '', name = ''] = part.$ref.split('/').slice(2)
    return resolve((components[section] ?? {})[name] as Part | Reference)
  }
  return resolve
}

const callsOf = ({ paths }: OpenapiDocument, resolve: Resolve): readonly Call[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => callOf(path, method, operation, resolve)),
  )

function callOf(path: string, method: string, operation: Operation, resolve: Resolve): Call {
  const content = operation.requestBody?.content['application/json']
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    needsKey: operation.security?.length !== 0,
    parameters: (operation.parameters ?? []).map((each) => resolve<Parameter>(each)),
    body:
      content === undefined
        ? null
        : {
            description: operation.requestBody?.description ?? '',
            schema: resolve<Schema>(content.schema),
            examples: content.examples,
          },
    replies: Object.entries(operation.responses).map(([status, reply]) =>
      replyOf(status, resolve<Reply>(reply), resolve),
    ),
  }
}

function replyOf(status: string, reply: Reply, resolve: Resolve): CallReply {
  const content = reply.content?.['application/json']
  return {
    status,
    description: reply.description,
    headers: Object.entries(reply.headers).map(([name, header]) => ({
      name,
      description: resolve<{ description: string }>(header).description,
    })),
    schema: content === undefined ? null : resolve<Schema>(content.schema),
    examples: content?.examples ?? {},
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The headers that every answer carries, whatever it is. */
function standingHeaders(calls: readonly Call[]): readonly CallHeader[] {
  const [first, ...others] = calls.flatMap(({ replies }) => replies)
  return (first?.headers ?? []).filter(({ name }) =>
    others.every(({ headers }) => headers.some((header) => header.name === name)),
  )
}

/** Where this site has the document of a service: its own from the service, the other's beside it. */
export const documentPath = (service: ServiceName): string =>
  service === pageData().service ? `${API_PREFIX}/openapi.json` : `/docs/openapi/${service}.json`

export const loadDocument = (service: ServiceName, signal: AbortSignal): Promise<OpenapiDocument> =>
  loadJson(documentPath(service), signal)
