import type { Static, TSchema } from 'typebox'
import type { Endpoint, EndpointTable } from '../contract/endpoint.ts'
import type { IfMatch } from '../domain/reading/requests.ts'
import type { ServiceContext } from './context.ts'
import type { JsonBody } from './json-body.ts'

/** What a handler is told of a request that was let in. */
export type Call<E extends Endpoint = Endpoint> = {
  /** Whose key it came with. */
  readonly accountId: string
  /** From 1; 1 where the endpoint has no pages. */
  readonly page: number
  /** From the path; empty where the path has none. */
  readonly slug: string
  /** What the caller named this creation by; null when they did not, or where none is read. */
  readonly idempotencyKey: string | null
  /** The state that a write needs; null when the caller named none, or where none is read. */
  readonly ifMatch: IfMatch | null
  /** As the contract says; undefined where the endpoint reads none. */
  readonly body: E extends { body: infer B extends TSchema } ? Static<B> : undefined
}

/** What a handler answers with, the status aside: that stands in the contract. */
export type Answer<T = unknown> = {
  readonly json?: JsonBody<T>
  readonly headers?: Readonly<Record<string, string>>
}

type Reply<E extends Endpoint> = E['success']['schema'] extends infer S extends TSchema
  ? Answer<Static<S>> & { readonly json: JsonBody<Static<S>> }
  : Omit<Answer, 'json'>

/** Answers one endpoint. */
export type Handler<E extends Endpoint> = (
  context: ServiceContext,
  call: Call<E>,
) => Promise<Reply<E>>

/** One handler for each endpoint of a service; a missing one does not compile. */
export type HandlerTable<T extends EndpointTable> = { readonly [Id in keyof T]: Handler<T[Id]> }

/** A handler whose endpoint is known at run time only. */
export type AnyHandler = (context: ServiceContext, call: Call) => Promise<Answer>
