import type { TSchema } from 'typebox'
import { BEATMAP_ID_PATTERN, GAME_ID_PATTERN, SLUG_PATTERN, VERSION_PATTERN } from './bounds.ts'
import type { ApiErrorStatus, SiteErrorStatus } from './errors.ts'
import type { SiteCost } from './quotas.ts'

/** HEAD and OPTIONS follow from these (D-12). */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An endpoint as data: what its handler, its caller and the OpenAPI document are made from. */
export type Endpoint = {
  readonly method: Method
  /** Below `/api/v1`, or below the site's address for a session; `pathPattern` has what is in braces. */
  readonly path: string
  /** `none` spends no quota (D-11). Session endpoints are no part of the published API. */
  readonly auth: 'key' | 'session' | 'none'
  /** Who may call a session endpoint; otherwise 401, or 403 for moderators. */
  readonly who?: 'anyone' | 'signed in' | 'moderators'
  /** How a request proves that it comes from our own page: `Origin` or `Sec-Fetch-Site`; `token`: `X-CSRF-Token` too. */
  readonly proof?: 'page' | 'token'
  /** What a session endpoint costs of the caller's share (D-56); left out: `session`. */
  readonly cost?: SiteCost
  /** A session endpoint that spends one request and one write of the account's packs quota (spec 8). */
  readonly spendsWrite?: true
  /** A session endpoint that spends one of the account's edits of tournaments (D-64). */
  readonly spendsEdit?: true
  /** A write that is allowed in read-only mode, because it ends a session or changes nothing. */
  readonly worksReadOnly?: true
  /** A session endpoint whose answers have an ETag as those of the API do, for `If-Match`. */
  readonly tagged?: true
  /** Takes `?page=` (D-15). */
  readonly paged?: true
  /** Takes `Idempotency-Key`, so that a repeated request has no second effect: each POST of the API does (D-86). */
  readonly idempotencyKey?: true
  /**
   * Takes `If-Match`: changes nothing unless the resource is in the state that it names (D-48). `required`:
   * is refused without it (D-62). Left out: each PUT, PATCH and DELETE of the API takes it (D-86).
   */
  readonly conditional?: true | 'required'
  /** The query in addition to `page`; unknown names are ignored. */
  readonly query?: TSchema
  readonly body?: TSchema
  /** Answers with server-sent events, each with data as in `success.schema`, until one side closes the stream. */
  readonly hasEvents?: true
  /** The file name in `Content-Disposition`. */
  readonly download?: string
  /** `schema` is null where there is no body. */
  readonly success: { readonly status: 200 | 201 | 204; readonly schema: TSchema | null }
  readonly errors: readonly SiteErrorStatus[]
}

/** Groups the operations of a document. */
export type Topic =
  | 'Account'
  | 'Packs'
  | 'Tournaments'
  | 'Rounds'
  | 'Staff'
  | 'Discussion'
  | 'Beatmaps'
  | 'Description'

/** An endpoint of the published API, with the texts of its document. */
export type PublishedEndpoint = Omit<Endpoint, 'auth' | 'errors'> & {
  readonly success: { readonly description: string }
  readonly auth: 'key' | 'none'
  readonly topic: Topic
  readonly summary: string
  readonly description: string
  /** Without 405, which belongs to a path, and 503, which belongs to the service. */
  readonly errors: readonly Exclude<ApiErrorStatus, 405 | 503>[]
}

/** Operation id → endpoint. */
export type EndpointTable<E = Endpoint> = Readonly<Record<string, E>>

/** Method and path of an endpoint: `GET /packs/{slug}`. */
export type Route = `${Method} /${string}`

/** Routes by the names of their endpoints (`routes.ts`). */
export type Routes = Readonly<Record<string, Route>>

type RouteParts<R> = R extends `${infer M} ${infer P}`
  ? { readonly method: M; readonly path: P }
  : never

export const partsOf = <const R extends Route>(route: R): RouteParts<R> => {
  const [method, path] = route.split(' ')
  return { method, path } as RouteParts<R>
}

/** The routes for sessions of endpoints of the API. */
export const forSessions = <const R extends Routes>(routes: R) =>
  Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [name, route.replace(' ', ' /session')]),
  ) as { readonly [N in keyof R]: SessionRoute<R[N]> }

type SessionRoute<R> = R extends `${infer M} ${infer P}` ? `${M} /session${P}` : never

/** An endpoint as it is declared: its route is in a table, and most of its errors follow from the rest. */
type Declared<E extends Endpoint | PublishedEndpoint> = Omit<E, 'method' | 'path' | 'errors'> & {
  /** Error statuses that do not follow from what the endpoint takes. */
  readonly refusals?: E['errors']
}
export type DeclaredEndpoint = Declared<Endpoint>

/** Returns the endpoints of a table with their routes and errors. */
export function routed<
  const T extends EndpointTable<Declared<PublishedEndpoint> | DeclaredEndpoint>,
  const R extends { readonly [N in keyof T]: Route },
>(routes: R, endpoints: T) {
  const entries = Object.entries(endpoints).map(([name, { refusals = [], ...declared }]) => {
    const parts = partsOf(routes[name]!)
    const isConditional = declared.auth === 'key' && isConditionalWrite(parts.method)
    const isRepeatable = declared.auth === 'key' && parts.method === 'POST'
    const endpoint = {
      ...(isConditional && { conditional: true as const }),
      ...(isRepeatable && { idempotencyKey: true as const }),
      ...declared,
      ...parts,
    }
    return [name, { ...endpoint, errors: errorsOf(endpoint, refusals) }]
  })
  return Object.fromEntries(entries) as {
    readonly [N in keyof T]: T[N] & RouteParts<R[N]> & ErrorsOf<T[N]> & ConditionOf<T[N], R[N]>
  }
}

const isConditionalWrite = (method: Method): boolean => isWrite(method) && method !== 'POST'

type ConditionOf<E, R> = E extends { conditional: 'required' }
  ? unknown
  : [E, R] extends [{ auth: 'key' }, `${'PUT' | 'PATCH' | 'DELETE'} ${string}`]
    ? { readonly conditional: true }
    : [E, R] extends [{ auth: 'key' }, `POST ${string}`]
      ? { readonly idempotencyKey: true }
      : unknown

type ErrorsOf<E> = Pick<E extends { auth: 'session' } ? Endpoint : PublishedEndpoint, 'errors'>

function errorsOf(
  endpoint: Omit<Endpoint, 'errors'>,
  refusals: readonly SiteErrorStatus[],
): readonly SiteErrorStatus[] {
  const { auth, who, proof, method, path } = endpoint
  const { paged, query, body, conditional, idempotencyKey } = endpoint
  const isSession = auth === 'session'
  const hasRoles = isWrite(method) && path.startsWith('/tournaments/{slug}')
  const takesInput = paged ?? query ?? body ?? conditional ?? idempotencyKey
  const following: readonly (readonly [SiteErrorStatus, boolean])[] = [
    [400, takesInput !== undefined || auth === 'none'],
    [401, auth === 'key' || (isSession && who !== 'anyone')],
    [403, isSession ? proof !== undefined || who === 'moderators' : hasRoles],
    [404, path.includes('{')],
    [412, conditional !== undefined],
    [413, body !== undefined],
    [415, body !== undefined],
    [428, conditional === 'required'],
    [429, auth !== 'none'],
    [500, true],
  ]
  const errors = following.filter(([, applies]) => applies).map(([status]) => status)
  return [...errors, ...refusals].toSorted((a, b) => a - b)
}

/** Holds the version of both services (spec 9). */
export const API_PREFIX = '/api/v1'

const pathPatterns: Readonly<Record<string, string>> = {
  slug: SLUG_PATTERN,
  version: VERSION_PATTERN,
  round: SLUG_PATTERN,
  id: SLUG_PATTERN,
  gameId: GAME_ID_PATTERN,
}

/** Whether the id in a path is a beatmap's. */
export const isOfBeatmap = (path: string): boolean => path.includes('/beatmaps/{id}')

/** The pattern of the value for a name in the braces of a path; empty for a name that no path has. */
export const pathPattern = (path: string, name: string): string =>
  name === 'id' && isOfBeatmap(path) ? BEATMAP_ID_PATTERN : (pathPatterns[name] ?? '')

/** The names in the braces of a path: `slug` and `round` of `/tournaments/{slug}/rounds/{round}`. */
export type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

export const JSON_MEDIA = 'application/json'
const MERGE_PATCH_MEDIA = 'application/merge-patch+json'

/** What a body may be sent as; nothing where there is none. Some programs send PATCH as a merge patch alone (RFC 7396). */
export const mediaTypesOf = ({ body, method }: Endpoint): readonly MediaTypeName[] => {
  if (body === undefined) return []
  return method === 'PATCH' ? [JSON_MEDIA, MERGE_PATCH_MEDIA] : [JSON_MEDIA]
}
export type MediaTypeName = typeof JSON_MEDIA | typeof MERGE_PATCH_MEDIA

/** Carries `Viewer.csrf` with each state change of a session. */
export const CSRF_HEADER = 'x-csrf-token'

/** Whether a request with this method spends a write (D-8). */
export const isWrite = (method: string): boolean =>
  ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)
