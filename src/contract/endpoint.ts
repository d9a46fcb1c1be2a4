import type { TSchema } from 'typebox'
import type { ErrorStatus } from './error-codes.ts'

/** The methods that an endpoint can have; HEAD and OPTIONS follow from them (D-12). */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The answer when all went well; `schema` is null where there is no body. */
export type Success = {
  readonly status: 200 | 201 | 204
  readonly description: string
  readonly schema: TSchema | null
}

/** What an endpoint is about; groups the operations of a document. */
export type Topic = 'Account' | 'Packs' | 'Description'

/** An endpoint as data: what its handler, the client and the OpenAPI document are made from. */
export type Endpoint = {
  readonly method: Method
  /** Below `/api/v1`; `{slug}` stands for a pack's slug. */
  readonly path: string
  readonly topic: Topic
  readonly summary: string
  readonly description: string
  /** Needs no key and spends nothing (D-11). */
  readonly keyless?: true
  /** Takes `?page=` (D-15). */
  readonly paged?: true
  /** Takes `Idempotency-Key`, so that it can be sent again without doing twice what it does. */
  readonly idempotencyKey?: true
  /** Takes `If-Match`: changes nothing unless the resource is in the state that it names (D-48). */
  readonly conditional?: true
  /** What the body must be; left out where none is read. */
  readonly body?: TSchema
  readonly success: Success
  readonly errors: readonly ErrorStatus[]
}

/** Operation id → endpoint. */
export type EndpointTable = Readonly<Record<string, Endpoint>>

/** Where the version of both services stands (spec 9). */
export const API_PREFIX = '/api/v1'

const writing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Does a request with this method spend a write (D-8)? */
export const isWrite = (method: string): boolean => writing.has(method)
