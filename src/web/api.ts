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

/** Calls a session endpoint: `await call('deletePack', { slug })`. Throws as `request` does. */
export const call = caller<typeof sessionApi>(sessionRoutes)

/** `keepalive`: the request is sent even if the page is left. */
type Sending = { readonly signal?: AbortSignal; readonly keepalive?: boolean }
type Input<E> = CallInput<E> & Sending
type Inputs<E> = object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

/** Calls an endpoint of a table by its name. */
type Caller<A> = <N extends keyof A & string>(
  name: N,
  ...input: Inputs<A[N]>
) => Promise<CallReply<A[N]>>

/** As `Caller`, with the ETag of the answer; empty where it has none. */
type TaggedCaller<A> = <N extends keyof A & string>(
  name: N,
  ...input: Inputs<A[N]>
) => Promise<{ readonly reply: CallReply<A[N]>; readonly tag: string }>

/** Returns a function that calls the endpoints of a table. */
export function caller<A extends Callables>(routes: RoutesOf<A>): Caller<A> {
  return async (name, ...[input]) => replyOf(await send(routes[name], input))
}

export function taggedCaller<A extends Callables>(routes: RoutesOf<A>): TaggedCaller<A> {
  return async (name, ...[input]) => {
    const response = await send(routes[name], input)
    return { reply: await replyOf(response), tag: response.headers.get('etag') ?? '' }
  }
}

async function replyOf<E>(response: Response): Promise<CallReply<E>> {
  return (response.status === 204 ? undefined : await response.json()) as CallReply<E>
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
