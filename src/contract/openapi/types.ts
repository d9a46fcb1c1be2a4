import { Type } from 'typebox'
import type { JSON_MEDIA, MediaTypeName } from '../endpoint.ts'
import { about, closed } from '../primitives.ts'

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export type Reference = { readonly $ref: string }

type Example = { readonly summary: string; readonly value: unknown }
export type Examples = Readonly<Record<string, Example>>

/** What each operation is sent and answers, by operation id. */
export type OperationExamples = Readonly<
  Record<string, { readonly request?: Examples; readonly reply: Examples }>
>

export type MediaType = { readonly schema: Reference; readonly examples: Examples }
export type Content = { readonly [JSON_MEDIA]: MediaType } & {
  readonly [N in MediaTypeName]?: MediaType
}

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonObject
}

export type Header = Pick<Parameter, 'description' | 'required' | 'schema'>

export type Reply = {
  readonly description: string
  readonly headers: Readonly<Record<string, Reference>>
  readonly content?: Content
}

export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security?: readonly []
  readonly parameters?: readonly Reference[]
  readonly requestBody?: {
    readonly description: string
    readonly required: true
    readonly content: Content
  }
  readonly responses: Readonly<Record<string, Reply | Reference>>
}

/** Path → method in lower case → operation. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** An OpenAPI 3.1 document, ready to be sent as JSON. */
export type OpenapiDocument = {
  readonly openapi: typeof OPENAPI_VERSION
  readonly info: JsonObject
  readonly servers: JsonObject[]
  readonly security: JsonObject[]
  readonly tags: JsonObject[]
  readonly paths: Paths
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The version of OpenAPI that the documents are written in; 3.1.0 is what most tools look for. */
export const OPENAPI_VERSION = '3.1.0'
/** The version of both services (spec 9). */
export const API_VERSION = '1'

const part = (description: string) =>
  Type.Object({}, { additionalProperties: true, description, maxProperties: 1000 })
const parts = (description: string) =>
  Type.Array(part('One of them.'), { description, maxItems: 100 })

export const openapiExample = {
  openapi: OPENAPI_VERSION,
  info: { title: 'Mapcrate packs API', version: API_VERSION },
  servers: [{ url: 'https://mapcrate.test/api/v1' }],
  security: [{ apiKey: [] }],
  tags: [],
  paths: {},
  components: {},
}

/** Response of `GET /openapi.json`; what its parts hold is defined by OpenAPI. */
export const OpenapiReply = Type.Unsafe<object>(
  closed(about('An OpenAPI 3.1 document.', openapiExample), {
    openapi: Type.Literal(OPENAPI_VERSION),
    info: part('Title, version, licence and a guide in short.'),
    servers: parts('Where the service answers.'),
    security: parts('What a request needs unless its operation says otherwise.'),
    tags: parts('What the operations are about.'),
    paths: part('The operations by path and method.'),
    components: part('What the operations share.'),
  }),
)

export function example(summary: string, value: object): Example {
  return { summary, value }
}

export function int32(minimum: number, maximum: number): JsonObject {
  return { type: 'integer', format: 'int32', minimum, maximum }
}

/** Points at a shared part of the document. */
export function refer(section: string, name: string): Reference {
  return { $ref: `#/components/${section}/${name}` }
}
