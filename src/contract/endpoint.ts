import type { TSchema } from 'typebox'
import type { ErrorStatus, SiteErrorStatus } from './errors.ts'
import type { SiteCost } from './quotas.ts'

/** The methods that an endpoint can have; HEAD and OPTIONS follow from them (D-12). */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** An endpoint as data: what its handler, its caller and the OpenAPI document are made from. */
export type Endpoint = {
  readonly method: Method
  /** Below `/api/v1`, or below the site's address for a session; `{slug}` stands for a pack's slug. */
  readonly path: string
  /**
   * What a request is let in by: an API key, the session of a signed-in browser, or nothing at all,
   * and then it spends nothing (D-11). Session endpoints are no part of the published API.
   */
  readonly auth: 'key' | 'session' | 'none'
  /** Of a session: who may call it: anyone, whoever is signed in (401 otherwise), moderators (403). */
  readonly who?: 'anyone' | 'signed in' | 'moderators'
  /**
   * Of a session: what must show that our own page asks: `page`, `Origin` or `Sec-Fetch-Site`;
   * `token`, the header `X-CSRF-Token` beside. Left out: nothing, it only reads.
   */
  readonly proof?: 'page' | 'token'
  /** Of a session: what it costs of the share of whoever asks (D-56); left out: `session`. */
  readonly cost?: SiteCost
  /** Of a session: spends one request and one write of the account on the packs service (spec 8). */
  readonly spendsWrite?: true
  /** Takes `?page=` (D-15). */
  readonly paged?: true
  /** Takes `Idempotency-Key`, so that it can be sent again without doing twice what it does. */
  readonly idempotencyKey?: true
  /** Takes `If-Match`: changes nothing unless the resource is in the state that it names (D-48). */
  readonly conditional?: true
  /** What else the query may hold; unknown names are ignored. */
  readonly query?: TSchema
  /** What the body must be; left out where none is read. */
  readonly body?: TSchema
  /** What the answer's `Content-Disposition` names, where it is a file to keep. */
  readonly download?: string
  /** The response when all went well; `schema` is null where there is no body. */
  readonly success: { readonly status: 200 | 201 | 204; readonly schema: TSchema | null }
  readonly errors: readonly SiteErrorStatus[]
}

/** What an endpoint is about; groups the operations of a document. */
export type Topic = 'Account' | 'Packs' | 'Description'

/** An endpoint of the published API, with what its document says besides. */
export type PublishedEndpoint = Omit<Endpoint, 'auth' | 'errors'> & {
  readonly success: { readonly description: string }
  readonly auth: 'key' | 'none'
  readonly topic: Topic
  readonly summary: string
  readonly description: string
  /** 405 is the answer of a path, not of an endpoint. */
  readonly errors: readonly Exclude<ErrorStatus, 405>[]
}

/** Operation id → endpoint. */
export type EndpointTable<E extends Endpoint = Endpoint> = Readonly<Record<string, E>>

/** Where the version of both services stands (spec 9). */
export const API_PREFIX = '/api/v1'

/** The header that a state change of a session carries `Viewer.csrf` in. */
export const CSRF_HEADER = 'x-csrf-token'

const writing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Does a request with this method spend a write (D-8)? */
export const isWrite = (method: string): boolean => writing.has(method)
