import type { Static, TSchema } from 'typebox'
import type { Endpoint, EndpointTable, PathNames } from '../contract/endpoint.ts'
import type { Awaitable } from '../domain/loading.ts'
import type { Requester } from '../domain/quotas.ts'
import type { IfMatch } from '../domain/reading/requests.ts'
import type { Session } from '../domain/sessions.ts'
import type { Answer, JsonBody } from './answer.ts'
import type { Context } from './context.ts'

type Shape<S> = S extends TSchema ? Static<S> : undefined

/** An admitted request as its handler sees it. */
export type AdmittedRequest<E extends Endpoint = Endpoint> = {
  /** The session; null if there is none or the endpoint takes none. */
  readonly viewer: E extends { who: 'signed in' | 'moderators' } ? Session : Session | null
  /** The account of the key or of the session; empty if there is neither. */
  readonly accountId: string
  /** Whose share it counts toward (D-56); null for the API, which has quotas instead. */
  readonly requester: E extends { auth: 'session' } ? Requester : Requester | null
  /** From 1; 1 where the endpoint has no pages. */
  readonly page: number
  /** From the path; empty where the path has none. */
  readonly slug: string
  /** The value in the path for each name in braces; all but `version` match `pathPattern`. */
  readonly params: Readonly<Record<PathNames<E['path']>, string>>
  /** null if none was sent or the endpoint takes none. */
  readonly idempotencyKey: string | null
  /** null if none was sent or the endpoint takes none. */
  readonly ifMatch: IfMatch | null
  /** Calls back, possibly twice, when the response is sent or the client may be gone. */
  readonly whenClosed: (work: () => void) => void
  /** Throws if the request would no longer be admitted: it may have waited. */
  readonly readmit: () => Awaitable<void>
  /** As in the contract; undefined if the endpoint takes none. */
  readonly query: E extends { query: infer Q } ? Shape<Q> : undefined
  readonly body: E extends { body: infer B } ? Shape<B> : undefined
}

type AnswerTo<E extends Endpoint> = E extends { hasEvents: true }
  ? Required<Pick<Answer, 'events'>>
  : BodyOf<E>

type BodyOf<E extends Endpoint> = E['success']['schema'] extends infer S extends TSchema
  ? Answer<Static<S>> & { readonly json: JsonBody<Static<S>> }
  : Omit<Answer, 'json'>

/** Handles one endpoint; returns a value if everything is in memory, otherwise a promise. */
type Handler<E extends Endpoint> = (
  context: Context,
  call: AdmittedRequest<E>,
) => AnswerTo<E> | Promise<AnswerTo<E>>

/** One handler per endpoint of a table. */
export type HandlerTable<T extends EndpointTable> = { readonly [Id in keyof T]: Handler<T[Id]> }

/** A handler whose endpoint is known at run time only. */
export type AnyHandler = (context: Context, call: AdmittedRequest) => Answer | Promise<Answer>
