import {
  type AnyInput,
  type Callables,
  type CallInput,
  type CallReply,
  requestOf,
  type RoutesOf,
} from '../client/request.ts'
import { CSRF_HEADER, type Route } from '../contract/endpoint.ts'
import { sessionRoutes } from '../contract/routes.ts'
import type { sessionApi } from '../contract/session-api.ts'
import { pageData } from './page-data.ts'
import { request } from './site-failure.ts'

/** `keepalive`: the request is sent even if the page is left. */
type Sending = { readonly signal?: AbortSignal; readonly keepalive?: boolean }
type Input<E> = CallInput<E> & Sending
type Inputs<E> = object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

/**
 * Returns functions that call an endpoint of a table by its name: `call` for the reply; `callTagged` for the reply
 * with the ETag of the answer, which is empty where it has none.
 */
export function callers<A extends Callables>(routes: RoutesOf<A>) {
  const callTagged = async <N extends keyof A & string>(name: N, ...[input]: Inputs<A[N]>) => {
    const response = await send(routes[name], input)
    const reply = (response.status === 204 ? undefined : await response.json()) as CallReply<A[N]>
    return { reply, tag: response.headers.get('etag') ?? '' }
  }
  const call = async <N extends keyof A & string>(name: N, ...input: Inputs<A[N]>) =>
    (await callTagged(name, ...input)).reply
  return { call, callTagged }
}

function send(
  route: Route,
  { signal, keepalive, ...input }: AnyInput & Sending = {},
): Promise<Response> {
  const token = route.startsWith('GET ') ? undefined : pageData().viewer?.csrf
  const proof = token === undefined ? {} : { [CSRF_HEADER]: token }
  const { url, ...init } = requestOf(route, input, '', proof)
  return request(url, { ...init, ...(keepalive && { keepalive }), ...(signal && { signal }) })
}

/** Calls a session endpoint: `await call('deletePack', { slug })`. Throws as `request` does. */
export const { call } = callers<typeof sessionApi>(sessionRoutes)
