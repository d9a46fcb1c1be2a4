import * as texts from '#texts/common'
import {
  type AnyInput,
  type Callables,
  type CallInput,
  type CallReply,
  newIdempotencyKey,
  requestOf,
  type RoutesOf,
} from '../client/request.ts'
import { CSRF_HEADER, type Route } from '../contract/endpoint.ts'
import { sessionRoutes } from '../contract/routes.ts'
import type { sessionApi } from '../contract/session-api.ts'
import { formatSentences } from './format.ts'
import { readAllAgain, untilAnswered } from './lost-answers.ts'
import { pageData } from './page-data.ts'
import { CallFailure, isSignedOut, isUnknown, readReply, request } from './site-failure.ts'

/** `keepalive`: the request is sent even if the page is left. */
type Sending = { readonly signal?: AbortSignal; readonly keepalive?: boolean }
type Input<E> = CallInput<E> & Sending
type Inputs<E> = object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

/**
 * How a write is sent once more when its answer is lost; those that are left out are not. `key`: it makes something, once
 * under its key (D-86). `same`: twice has the effect of once. A code: as before, and refused by that it was done.
 */
type Again = 'key' | 'same' | CallFailure['code']
type AgainOf<A> = {
  readonly [N in keyof A]?: A[N] extends { idempotencyKey: true } ? 'key' : Again
}

/** The keys of creations that no answer has settled: repeated with the same input, each returns the first result. */
const openKeys = new Map<string, string>()

/**
 * Returns functions that call an endpoint of a table by its name: `call` for the reply; `callTagged` for the reply
 * with the ETag of the answer, which is empty where it has none.
 */
export function callers<A extends Callables>(routes: RoutesOf<A>, again: AgainOf<A>) {
  const callTagged = async <N extends keyof A & string>(name: N, ...[input]: Inputs<A[N]>) => {
    const route = routes[name]
    // Reads what is known of beatmaps.
    const isWrite = !route.startsWith('GET ') && route !== sessionRoutes.lookAtBeatmaps
    const how: Again | undefined = again[name]
    const attempt = async (keyed?: object) => {
      const sent = send(route, isWrite, { ...keyed, ...input })
      const response = await (isWrite ? sent : sent.catch(asOfViewer))
      const reply = response.status === 204 ? undefined : await readReply(response, isWrite)
      return { reply: reply as CallReply<A[N]>, tag: response.headers.get('etag') ?? '' }
    }
    const repeat = (keyed?: object) =>
      untilAnswered(() => attempt(keyed)).catch((error: unknown) => {
        if (error instanceof CallFailure && error.code === how) {
          return { reply: undefined as CallReply<A[N]>, tag: '' }
        }
        throw asOfFirst(error)
      })
    const sent = JSON.stringify([route, input])
    const keyed = how === 'key' ? { idempotencyKey: openKeys.get(sent) ?? newIdempotencyKey() } : {}
    if (keyed.idempotencyKey !== undefined) openKeys.set(sent, keyed.idempotencyKey)
    try {
      const isRepeated = how !== undefined
      const reply = await attempt(keyed).catch((error: unknown) => {
        if (isRepeated && isUnknown(error)) return repeat(keyed)
        throw error
      })
      openKeys.delete(sent)
      return reply
    } catch (error) {
      if (isUnknown(error)) readAllAgain()
      else openKeys.delete(sent)
      throw error
    }
  }
  const call = async <N extends keyof A & string>(name: N, ...input: Inputs<A[N]>) =>
    (await callTagged(name, ...input)).reply
  return { call, callTagged }
}

/** What refuses another attempt says nothing of the first one. */
function asOfFirst(error: unknown): unknown {
  if (!(error instanceof CallFailure) || isUnknown(error)) return error
  const { code, status, retryAfter, reason } = error
  const message = formatSentences([texts.perhapsDone, error.message])
  return new CallFailure(code, message, { outcome: 'unknown', status, retryAfter, reason })
}

function send(
  route: Route,
  isWrite: boolean,
  { signal, keepalive, ...input }: AnyInput & Sending,
): Promise<Response> {
  const token = route.startsWith('GET ') ? undefined : pageData().viewer?.csrf
  const proof = token === undefined ? {} : { [CSRF_HEADER]: token }
  const { url, ...init } = requestOf(route, input, '', proof)
  const sending = { ...init, ...(keepalive && { keepalive }), ...(signal && { signal }) }
  return request(url, sending, isWrite)
}

/** What the account of this page may read is not found where its session has ended (D-29, D-60). */
async function asOfViewer(failure: unknown): Promise<never> {
  if (pageData().viewer && failure instanceof CallFailure && failure.code === 'not_found') {
    await checkViewer().catch((error: unknown) => {
      throw isSignedOut(error) ? error : failure
    })
  }
  throw failure
}

/** Throws where the account of this page is not signed in any more. */
export async function checkViewer(): Promise<void> {
  const { viewer } = await call('getSession')
  if (viewer?.id === pageData().viewer?.id) return
  throw new CallFailure('not_signed_in', texts.sessionEnded)
}

/** Calls a session endpoint: `await call('deletePack', { slug })`. Throws as `request` does. */
export const { call } = callers<typeof sessionApi>(sessionRoutes, {
  signOut: 'not_signed_in',
  setLanguage: 'same',
  endSession: 'not_found',
  endOtherSessions: 'same',
  deletePack: 'not_found',
  removeMagnet: 'same',
  deleteAccount: 'not_signed_in',
})
