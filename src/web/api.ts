import {
  type AnyInput,
  type CallInput,
  type CallReply,
  type Lines,
  requestOf,
} from '../client/request.ts'
import { CSRF_HEADER, type Endpoint } from '../contract/endpoint.ts'
import type { sessionApi } from '../contract/session-api.ts'
import { pageData } from './page-data.ts'
import { request } from './site-failure.ts'

type Api = typeof sessionApi

/** Where each endpoint is. The compiler compares it with the contract. */
const lines: Lines<Api> = {
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
  getHistory: 'GET /session/packs/{slug}/history',
  getVersion: 'GET /session/packs/{slug}/history/{version}',
  setHistoryPublic: 'PUT /session/packs/{slug}/history',
  lookAtBeatmaps: 'POST /session/beatmaps',
  getUsage: 'GET /session/beatmaps/{id}/usage',
  lookUpUsage: 'GET /session/beatmaps/usage',
  searchPacks: 'GET /session/search',
  getMyData: 'GET /session/my-data',
  deleteAccount: 'DELETE /session/account',
  listModerated: 'GET /session/moderation/packs',
  hidePack: 'POST /session/moderation/packs/{slug}/hide',
  unhidePack: 'POST /session/moderation/packs/{slug}/unhide',
  pinPack: 'POST /session/moderation/packs/{slug}/pin',
  unpinPack: 'POST /session/moderation/packs/{slug}/unpin',
  orderPins: 'PUT /session/moderation/pins',
  findPlayers: 'GET /session/moderation/players',
  suspendPlayer: 'POST /session/moderation/players/{gameId}/suspend',
  unsuspendPlayer: 'POST /session/moderation/players/{gameId}/unsuspend',
  readModerationLog: 'GET /session/moderation/log',
}

/** Calls a session endpoint: `await call('deletePack', { slug })`. Throws as `request` does. */
export const call = caller<Api>(lines)

/** `keepalive`: the request is sent even if the page is left. */
type Sending = { readonly signal?: AbortSignal; readonly keepalive?: boolean }
type Input<E> = CallInput<E> & Sending
type Inputs<E> = object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

type Table = Readonly<Record<string, Endpoint>>

/** Calls an endpoint of a table by its name. */
export type Caller<A> = <N extends keyof A & string>(
  name: N,
  ...input: Inputs<A[N]>
) => Promise<CallReply<A[N]>>

/** As `Caller`, with the ETag of the answer; empty where it has none. */
export type TaggedCaller<A> = <N extends keyof A & string>(
  name: N,
  ...input: Inputs<A[N]>
) => Promise<{ readonly reply: CallReply<A[N]>; readonly tag: string }>

/** Returns a function that calls the endpoints of a table. */
export function caller<A extends Table>(lines: Lines<A>): Caller<A> {
  return async (name, ...[input]) => replyOf(await send(lines[name], input))
}

export function taggedCaller<A extends Table>(lines: Lines<A>): TaggedCaller<A> {
  return async (name, ...[input]) => {
    const response = await send(lines[name], input)
    return { reply: await replyOf(response), tag: response.headers.get('etag') ?? '' }
  }
}

async function replyOf<E>(response: Response): Promise<CallReply<E>> {
  return (response.status === 204 ? undefined : await response.json()) as CallReply<E>
}

function send(
  line: string,
  { signal, keepalive, ...input }: AnyInput & Sending = {},
): Promise<Response> {
  const token = line.startsWith('GET ') ? undefined : pageData().viewer?.csrf
  const proof = token === undefined ? {} : { [CSRF_HEADER]: token }
  const { url, ...init } = requestOf(line, input, '', proof)
  return request(url, { ...init, ...(keepalive && { keepalive }), ...(signal && { signal }) })
}
