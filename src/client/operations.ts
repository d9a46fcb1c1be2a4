import { type ErrorCode, errorCodes } from '../contract/errors.ts'
import type { packsApi } from '../contract/services.ts'
import { type ErrorDetails, MapcrateError } from './errors.ts'
import { type CallInput, type CallReply, errorIn, type Lines, readCount } from './request.ts'

type Api = typeof packsApi
export type CallName = keyof Api
export type Input<N extends CallName> = CallInput<Api[N]>
export type Reply<N extends CallName> = CallReply<Api[N]>

/** Method and path of each operation. The compiler compares them with the contract. */
export const lines: Lines<Api> = {
  getMe: 'GET /me',
  listMyPacks: 'GET /me/packs',
  listPacks: 'GET /packs',
  createPack: 'POST /packs',
  getPack: 'GET /packs/{slug}',
  replacePack: 'PUT /packs/{slug}',
  deletePack: 'DELETE /packs/{slug}',
  getOpenapi: 'GET /openapi.json',
}

export type Incoming = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The body of an answer, undefined if the operation has none. Throws if it is no success. */
export function readAnswer(name: CallName, answer: Incoming): unknown {
  const { status, headers, text } = answer
  if (status === 204 && name === 'deletePack') return undefined
  const body = parse(text)
  if (status >= 200 && status < 300 && isObject(body) && shapes[name](body)) return body
  const requestId = headers.get('x-request-id')
  const details = { status, requestId, retryAfter: readCount(headers, 'retry-after') }
  const error = errorIn(body)
  throw status >= 400 && error !== null && isErrorCode(error.code)
    ? new MapcrateError(error.code, error.message, details)
    : unexpected(answer, details)
}

/** Checks that the service answered, and not something in between. */
const shapes: { readonly [N in CallName]: (body: Record<string, unknown>) => boolean } = {
  getMe: ({ user }) => isObject(user),
  listMyPacks: isPage,
  listPacks: isPage,
  createPack: holdsPack,
  getPack: holdsPack,
  replacePack: holdsPack,
  deletePack: () => false,
  getOpenapi: ({ openapi }) => typeof openapi === 'string',
}

function isPage({ packs, page, pageCount, total }: Record<string, unknown>): boolean {
  const isList = Array.isArray(packs) && packs.every((pack) => holdsPack({ pack }))
  return isList && [page, pageCount, total].every(Number.isInteger)
}

function holdsPack({ pack }: Record<string, unknown>): boolean {
  return isObject(pack) && typeof pack['slug'] === 'string' && Array.isArray(pack['slots'])
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const EXCERPT_LENGTH = 80

/** Shows what answered instead of the service. */
function unexpected({ status, headers, text }: Incoming, details: ErrorDetails): MapcrateError {
  const place = headers.get('location')
  const excerpt = text.replace(/[\s\p{C}]+/gu, ' ').trim()
  const content =
    excerpt === '' ? 'an empty body' : `a body that begins “${excerpt.slice(0, EXCERPT_LENGTH)}”`
  const isRedirect = status === 0 || (status >= 300 && status < 400)
  const message = isRedirect
    ? `a redirect${place === null ? '' : ` to ${place}`} came in place of an answer; give the address that it leads to as baseUrl`
    : `${status} with ${content} is no answer of the service; check baseUrl and any proxy in between`
  return new MapcrateError('unexpected_answer', message, details)
}
