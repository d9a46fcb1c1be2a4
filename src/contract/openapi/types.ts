import type { OPENAPI_VERSION } from '../openapi-reply.ts'

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
