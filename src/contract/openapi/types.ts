import { Type } from 'typebox'

/** What can stand in a JSON text. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** The parts of an OpenAPI 3.1 document that are used here. */
export type Reference = { readonly $ref: string }

export type Example = { readonly summary: string; readonly value: unknown }
export type Examples = Readonly<Record<string, Example>>

export type MediaType = { readonly schema: Reference; readonly examples: Examples }
export type Content = { readonly 'application/json': MediaType }

export type Header = {
  readonly description: string
  readonly required: boolean
  readonly schema: JsonObject
}

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonObject
}

export type Reply = {
  readonly description: string
  readonly headers: Readonly<Record<string, Reference>>
  readonly content?: Content
}

export type RequestBody = {
  readonly description: string
  readonly required: true
  readonly content: Content
}

export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security?: readonly []
  readonly parameters?: readonly Reference[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Reply | Reference>>
}

export type PathItem = Readonly<Record<string, Operation>>

/** An OpenAPI 3.1 document, ready to be sent as JSON. */
export type OpenapiDocument = {
  readonly openapi: typeof OPENAPI_VERSION
  readonly info: JsonObject
  readonly servers: JsonObject[]
  readonly security: JsonObject[]
  readonly tags: JsonObject[]
  readonly paths: Readonly<Record<string, PathItem>>
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

/** Answer of `GET /openapi.json`; what stands inside its parts is OpenAPI's own to say. */
export const OpenapiReply = Type.Unsafe<object>(
  Type.Object(
    {
      openapi: Type.Literal(OPENAPI_VERSION),
      info: part('Title, version, licence and a guide in short.'),
      servers: parts('Where the service answers.'),
      security: parts('What a request needs unless its operation says otherwise.'),
      tags: parts('What the operations are about.'),
      paths: part('The operations by path and method.'),
      components: part('What the operations share.'),
    },
    {
      additionalProperties: false,
      description: 'An OpenAPI 3.1 document.',
      examples: [openapiExample],
    },
  ),
)

export type Section = 'schemas' | 'parameters' | 'headers' | 'responses'

/** Points at a shared part, and has it put into the document. */
export type Refer = (section: Section, name: string) => Reference

/** Make the shared parts of one kind by name; a part may point at others. */
export type Makers<Part> = Readonly<Record<string, (refer: Refer) => Part>>
