import type { Static, TSchema } from 'typebox'
import type { Endpoint, EndpointTable } from '../contract/endpoint.ts'
import type { Requester } from '../domain/quotas.ts'
import type { IfMatch } from '../domain/reading/requests.ts'
import type { Session } from '../domain/sessions.ts'
import type { Answer, JsonBody } from './answer.ts'
import type { Context } from './context.ts'

type Shape<S> = S extends TSchema ? Static<S> : undefined

/** What a handler is told of a request that was let in. */
export type Call<E extends Endpoint = Endpoint> = {
  /** Who is signed in; null where nobody is, and where the endpoint takes no session. */
  readonly viewer: E extends { who: 'signed in' | 'moderators' } ? Session : Session | null
  /** Whose key it came with, or who is signed in; empty for nobody. */
  readonly accountId: string
  /** Whose fair share it counts toward (D-56); null for the API, whose quotas are its own. */
  readonly requester: E extends { auth: 'session' } ? Requester : Requester | null
  /** From 1; 1 where the endpoint has no pages. */
  readonly page: number
  /** From the path; empty where the path has none. */
  readonly slug: string
  /** What the caller named this creation by; null when they did not, or where none is read. */
  readonly idempotencyKey: string | null
  /** The state that a write needs; null when the caller named none, or where none is read. */
  readonly ifMatch: IfMatch | null
  /** As the contract says; undefined where the endpoint reads none. */
  readonly query: E extends { query: infer Q } ? Shape<Q> : undefined
  readonly body: E extends { body: infer B } ? Shape<B> : undefined
}

type AnswerTo<E extends Endpoint> = E['success']['schema'] extends infer S extends TSchema
  ? Answer<Static<S>> & { readonly json: JsonBody<Static<S>> }
  : Omit<Answer, 'json'>

/** Answers one endpoint: at once when everything is in memory, else with a promise. */
export type Handler<E extends Endpoint> = (
  context: Context,
  call: Call<E>,
) => AnswerTo<E> | Promise<AnswerTo<E>>

/** One handler for each endpoint of a table; a missing one does not compile. */
export type HandlerTable<T extends EndpointTable> = { readonly [Id in keyof T]: Handler<T[Id]> }

/** A handler whose endpoint is known at run time only. */
export type AnyHandler = (context: Context, call: Call) => Answer | Promise<Answer>
