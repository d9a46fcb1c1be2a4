import type { Static, TSchema } from 'typebox'
import type { siteApi } from '../contract/site-api.ts'
import { CSRF_HEADER } from '../contract/site-endpoint.ts'
import { pageData } from './page-data.ts'
import { readFailure, unreachable } from './site-failure.ts'

type Api = typeof siteApi
export type CallName = keyof Api

/** Where each call goes. Held to the contract by the compiler, so that no schema is loaded here. */
const lines: { readonly [N in CallName]: `${Api[N]['method']} ${Api[N]['path']}` } = {
  getSession: 'GET /session',
  signOut: 'POST /session/sign-out',
  listSessions: 'GET /session/sessions',
  endSession: 'DELETE /session/sessions',
  endOtherSessions: 'POST /session/sessions/end-others',
  getKey: 'GET /session/key',
  makeKey: 'POST /session/key',
  revokeKey: 'DELETE /session/key',
  listMyPacks: 'GET /session/packs',
  createPack: 'POST /session/packs',
  getPack: 'GET /session/packs/{slug}',
  replacePack: 'PUT /session/packs/{slug}',
  deletePack: 'DELETE /session/packs/{slug}',
  recordMagnet: 'POST /session/packs/{slug}/magnets',
  removeMagnet: 'DELETE /session/packs/{slug}/magnets',
  lookAtBeatmaps: 'POST /session/beatmaps',
  getMyData: 'GET /session/my-data',
  deleteAccount: 'DELETE /session/account',
  listModerated: 'GET /session/moderation/packs',
  hidePack: 'POST /session/moderation/packs/{slug}/hide',
  unhidePack: 'POST /session/moderation/packs/{slug}/unhide',
  pinPack: 'POST /session/moderation/packs/{slug}/pin',
  unpinPack: 'POST /session/moderation/packs/{slug}/unpin',
  orderPins: 'PUT /session/moderation/pins',
  readModerationLog: 'GET /session/moderation/log',
}

type Query = Readonly<Record<string, string | number>>
type BodyOf<N extends CallName> = Api[N] extends { body: infer S extends TSchema }
  ? { readonly body: Static<S> }
  : { readonly body?: undefined }
type SlugOf<N extends CallName> = Api[N]['path'] extends `${string}{slug}${string}`
  ? { readonly slug: string }
  : { readonly slug?: undefined }
type QueryOf<N extends CallName> = Api[N] extends { paged: true } | { query: TSchema }
  ? { readonly query?: Query }
  : { readonly query?: undefined }

type KeyOf<N extends CallName> = Api[N] extends { idempotencyKey: true }
  ? { readonly idempotencyKey?: string }
  : { readonly idempotencyKey?: undefined }

/** What a call takes: `slug` and `body` where its endpoint has them, `query` where it is optional. */
export type CallInput<N extends CallName> = BodyOf<N> &
  SlugOf<N> &
  QueryOf<N> &
  KeyOf<N> & { readonly signal?: AbortSignal }

type AnyInput = {
  readonly body?: unknown
  readonly slug?: string | undefined
  readonly query?: Query | undefined
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal
}

/** What a call gives; nothing where its endpoint answers without a body. */
export type CallReply<N extends CallName> = Api[N]['success']['schema'] extends infer S
  ? S extends TSchema
    ? Static<S>
    : undefined
  : never

/** `/session/packs/q7Jm2_xT0a?page=2`. */
const addressOf = (path: string, slug = '', query: Query = {}): string => {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)])
  const search = new URLSearchParams(pairs).toString()
  return path.replace('{slug}', encodeURIComponent(slug)) + (search === '' ? '' : `?${search}`)
}

/**
 * Calls a session endpoint of this site: `await call('deletePack', { slug })`.
 *
 * @throws CallFailure with a sentence for people, whatever went wrong; an `AbortError` when `signal`
 *   ended the call.
 */
export const call = async <N extends CallName>(
  name: N,
  ...[input]: object extends CallInput<N> ? [input?: CallInput<N>] : [input: CallInput<N>]
): Promise<CallReply<N>> => {
  const [method = '', path = ''] = lines[name].split(' ')
  const { body, slug, query, idempotencyKey, signal }: AnyInput = input ?? {}
  const token = method === 'GET' ? undefined : pageData().viewer?.csrf
  const response = await fetch(addressOf(path, slug, query), {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { [CSRF_HEADER]: token }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : unreachable()
  })
  if (!response.ok) throw await readFailure(response)
  return (response.status === 204 ? undefined : await response.json()) as CallReply<N>
}
