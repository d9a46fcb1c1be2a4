import type { Static, TSchema } from 'typebox'
import type { Endpoint, EndpointTable } from '../../contract/endpoint.ts'
import type { Requester } from '../../domain/quotas.ts'
import type { Session } from '../../domain/sessions.ts'
import type { SiteContext } from '../site-context.ts'

type Shape<S> = S extends TSchema ? Static<S> : undefined

/** What a handler is told of a request that was let in. */
export type SiteCall<E extends Endpoint = Endpoint> = {
  readonly viewer: E['who'] extends 'anyone' ? Session | null : Session
  /** Whose fair share it counts toward (D-56). */
  readonly requester: Requester
  /** From 1; 1 where the endpoint has no pages. */
  readonly page: number
  /** From the path; empty where the path has none. */
  readonly slug: string
  /** What the page named this creation by; null when it did not, or where none is read. */
  readonly idempotencyKey: string | null
  /** As the contract says; undefined where the endpoint reads none. */
  readonly query: E extends { query: infer Q } ? Shape<Q> : undefined
  readonly body: E extends { body: infer B } ? Shape<B> : undefined
}

/** What a handler answers with, the status aside: that stands in the contract. */
export type SiteAnswer<T = unknown> = {
  readonly json?: T
  /** In place of all others. */
  readonly cookies?: readonly string[]
}

type Reply<E extends Endpoint> = E['success']['schema'] extends infer S extends TSchema
  ? SiteAnswer<Static<S>> & { readonly json: Static<S> }
  : Omit<SiteAnswer, 'json'>

/** Answers one session endpoint. */
export type SiteHandler<E extends Endpoint> = (
  context: SiteContext,
  call: SiteCall<E>,
) => Promise<Reply<E>>

/** One handler for each endpoint; a missing one does not compile. */
export type SiteHandlerTable<T extends EndpointTable> = {
  readonly [Id in keyof T]: SiteHandler<T[Id]>
}

/** A handler whose endpoint is known at run time only. */
export type AnySiteHandler = (context: SiteContext, call: SiteCall) => Promise<SiteAnswer>
