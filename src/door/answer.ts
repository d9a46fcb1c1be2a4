import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import {
  type ErrorReply,
  type AppError,
  refusal,
  RETRY_AFTER_FAILURE,
  siteErrorCodes,
} from '../contract/errors.ts'
import { codedTag, failureOf, matchedTag, tagsOf } from '../domain/reading/requests.ts'
import { type CompressedAnswers, LEAST_COMPRESSED_BYTES } from '../operations/compression.ts'
import { commonHeaders } from './wire.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const SHORT_BYTES = 16_384
const NO_HEADERS = {}

/** A serialized JSON response of type `T`. */
export type JsonBody<T> = {
  /** A short body is a string: Node sends it in one write with the headers. */
  readonly payload: string | Buffer
  /** In bytes. */
  readonly length: number
  /** Strong: equal bytes, equal tag (D-13). */
  readonly etag: string
  /** Never set; only for the type checker. */
  readonly holds?: T
}

/** Serializes a value with its fields in their order (D-45). */
export function jsonBody<T>(value: T): JsonBody<T> {
  const text = JSON.stringify(value)
  const length = Buffer.byteLength(text)
  return {
    payload: length <= SHORT_BYTES ? text : Buffer.from(text),
    length,
    etag: `"${hash('sha1', text, 'base64url')}"`,
  }
}

/**
 * Caches serialized responses by the identity of `source`, the object from a store. `variant` is
 * everything else that the response depends on.
 */
export function memoJson<T>() {
  const known = new WeakMap<object, { variant: string; body: JsonBody<T> }>()
  return (source: object, variant: string, present: () => T): JsonBody<T> => {
    const held = known.get(source)
    if (held?.variant === variant) return held.body
    const body = jsonBody(present())
    known.set(source, { variant, body })
    return body
  }
}

/** What a handler responds with; the status is in the contract. */
export type Answer<T = unknown> = {
  readonly json?: JsonBody<T>
  readonly headers?: Readonly<Record<string, string>>
  /** `Set-Cookie` values, replacing all others. */
  readonly cookies?: readonly string[]
}

/** Adds the headers of every response to what Fastify sends, unless they are set already. */
export const addCommonHeaders: onSendHookHandler = (request, reply, payload, done) => {
  const headers = commonHeaders(request.id, request.quota)
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] as string
    if (!reply.hasHeader(name)) void reply.header(name, headers[at + 1])
  }
  done(null, payload)
}

/**
 * Sends a handler's answer in a coding that the client accepts (D-52), or 304 if the client has it in
 * any coding (D-13). Responses to sessions are not cached and have no ETag.
 */
export function sendAnswer(
  compressed: CompressedAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
  { auth, method, success, download }: Endpoint,
  { json, headers, cookies }: Answer,
): void {
  const isSession = auth === 'session'
  const head = headersBefore(request, isSession ? reply.getHeaders() : NO_HEADERS, cookies)
  for (const name in headers) head.push(name, headers[name] as string)
  if (json === undefined) return write(reply, success.status, head)
  // The size of a compressed response could reveal a token in it, or in the requesting page (D-52).
  const isSecret = isSession && request.viewer !== null
  const accepted = isSecret ? undefined : request.headers['accept-encoding']
  const isShort = json.length < LEAST_COMPRESSED_BYTES
  const coding = accepted === undefined || isShort ? 'identity' : compressed.choose(accepted)
  if (!isShort) head.push('vary', 'Accept-Encoding')
  if (!isSession) {
    const etag = coding === 'identity' ? json.etag : codedTag(json.etag, coding)
    const ifNoneMatch = method === 'GET' ? request.headers['if-none-match'] : undefined
    // A cache identifies its copy by the tag that it sent.
    const matched = ifNoneMatch && matchedTag(ifNoneMatch, [etag, ...tagsOf(json.etag)])
    head.push('etag', matched ?? etag)
    if (matched) return write(reply, 304, head)
  }
  if (download !== undefined) {
    head.push('content-disposition', `attachment; filename="${download}"`)
  }
  head.push('content-type', JSON_TYPE)
  if (coding === 'identity') return write(reply, success.status, head, json.payload, json.length)
  head.push('content-encoding', coding)
  const send = (bytes: Uint8Array): void => write(reply, success.status, head, bytes, bytes.length)
  const form = compressed.encode(json.etag, () => bytesOf(json), coding)
  if (form instanceof Promise) form.then(send, (error: unknown) => reply.send(error))
  else send(form)
}

/** The headers of every response, those that are set already, and `cookies` instead of set ones. */
function headersBefore(
  request: FastifyRequest,
  set: Readonly<Record<string, unknown>>,
  cookies: readonly string[] | undefined,
): string[] {
  const head = commonHeaders(request.id, request.quota, set['cache-control'] as string | undefined)
  for (const name in set) {
    if (name === 'cache-control' || (name === 'set-cookie' && cookies !== undefined)) continue
    for (const value of [set[name]].flat()) head.push(name, String(value))
  }
  for (const cookie of cookies ?? []) head.push('set-cookie', cookie)
  return head
}

/** Writes a whole response at once, without Fastify's serialization. */
function write(
  reply: FastifyReply,
  status: number,
  head: string[],
  body?: string | Uint8Array,
  length?: number,
): void {
  if (length !== undefined) head.push('content-length', String(length))
  // Before `hijack`: an invalid header then becomes a 500.
  reply.raw.writeHead(status, head)
  void reply.hijack()
  // Text with one byte per character needs no encoding.
  if (typeof body === 'string') reply.raw.end(body, body.length === length ? 'latin1' : 'utf8')
  else reply.raw.end(body)
}

function bytesOf({ payload }: JsonBody<unknown>): Buffer {
  return typeof payload === 'string' ? Buffer.from(payload) : payload
}

/** Sets these cookies and removes all others from the response. */
export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  void reply.removeHeader('set-cookie').header('set-cookie', cookies)
}

/** The error to respond with; null for an internal error. */
export const expectedError = (error: unknown, { raw }: FastifyRequest): AppError | null =>
  error === raw.errored ? refusal('bodyCutShort') : failureOf(error)

/**
 * The error to respond with. Internal errors are logged under the request's id and not shown. Rethrows
 * what was thrown before the quota was known: the app's handler adds the quota of the address (D-10).
 */
export function errorFor(error: unknown, request: FastifyRequest): AppError {
  if (request.quota === null) throw error
  const failure = expectedError(error, request)
  if (failure === null) request.log.error({ requestId: request.id, err: error }, 'internal error')
  return failure ?? refusal('internal')
}

/** Sends an error's status, headers and body (spec 2.9, 7). */
export function sendFailure(
  { code, message, retryAfter }: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status } = siteErrorCodes[code]
  const wait = retryAfter ?? request.quota?.resetSeconds
  void reply.code(status).header('content-type', JSON_TYPE)
  if (status === 429 && wait) void reply.header('retry-after', String(wait))
  if (status === 500) void reply.header('retry-after', String(RETRY_AFTER_FAILURE))
  return reply.send(JSON.stringify({ error: { code, message } } satisfies ErrorReply))
}

/** The error handler of session endpoints (spec 2.9). */
export const sendJsonError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => sendFailure(errorFor(error, request), request, reply)
