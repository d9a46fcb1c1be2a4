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
import { standingHeaders } from './wire.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const SHORT_BYTES = 16_384
const NO_HEADERS = {}

/** A JSON answer ready to be sent. `T` is what it holds. */
export type JsonBody<T> = {
  /** A short body is a string: Node sends it in one write with the headers. */
  readonly payload: string | Buffer
  /** In bytes. */
  readonly length: number
  /** Strong: equal bytes, equal tag (D-13). */
  readonly etag: string
  /** Never set; keeps the answers of different endpoints apart. */
  readonly holds?: T
}

/** Writes a value down as JSON, its fields in the order they stand in (D-45). */
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
 * Writes down what comes from `source` once, and gives the same bytes for as long as the stores
 * hand out the same object. `variant` tells apart what else goes into the value.
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

/** What a handler answers with, the status aside: that stands in the contract. */
export type Answer<T = unknown> = {
  readonly json?: JsonBody<T>
  readonly headers?: Readonly<Record<string, string>>
  /** In place of all others. */
  readonly cookies?: readonly string[]
}

/** What Fastify sends gets the headers that every answer carries, where it has none of its own. */
export const addStandingHeaders: onSendHookHandler = (request, reply, payload, done) => {
  const headers = standingHeaders(request.id, request.quota)
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] as string
    if (!reply.hasHeader(name)) void reply.header(name, headers[at + 1])
  }
  done(null, payload)
}

/**
 * Sends what a handler answered with, in the coding that the client accepts (D-52). What is let in by
 * a session is kept by no cache and so has no tag; else it is 304 when the client has it already, in
 * whatever coding (D-13).
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
  // The size of a compressed answer tells of a token that is in it, or in the page that asks (D-52).
  const isSecret = isSession && request.viewer !== null
  const accepted = isSecret ? undefined : request.headers['accept-encoding']
  const isShort = json.length < LEAST_COMPRESSED_BYTES
  const coding = accepted === undefined || isShort ? 'identity' : compressed.choose(accepted)
  if (!isShort) head.push('vary', 'Accept-Encoding')
  if (!isSession) {
    const etag = coding === 'identity' ? json.etag : codedTag(json.etag, coding)
    const ifNoneMatch = method === 'GET' ? request.headers['if-none-match'] : undefined
    // A cache looks for what it holds by the very tag that it sent.
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

/** The headers that every answer carries, those that are set already, and the cookies in place of theirs. */
function headersBefore(
  request: FastifyRequest,
  set: Readonly<Record<string, unknown>>,
  cookies: readonly string[] | undefined,
): string[] {
  const head = standingHeaders(
    request.id,
    request.quota,
    set['cache-control'] as string | undefined,
  )
  for (const name in set) {
    if (name === 'cache-control' || (name === 'set-cookie' && cookies !== undefined)) continue
    for (const value of [set[name]].flat()) head.push(name, String(value))
  }
  for (const cookie of cookies ?? []) head.push('set-cookie', cookie)
  return head
}

/** Writes a whole answer in one call, past what Fastify spends on finding out what it is. */
function write(
  reply: FastifyReply,
  status: number,
  head: string[],
  body?: string | Uint8Array,
  length?: number,
): void {
  if (length !== undefined) head.push('content-length', String(length))
  // Before the reply is taken from Fastify: a header that Node refuses is then a 500.
  reply.raw.writeHead(status, head)
  void reply.hijack()
  // A text of one byte a character needs no encoder.
  if (typeof body === 'string') reply.raw.end(body, body.length === length ? 'latin1' : 'utf8')
  else reply.raw.end(body)
}

function bytesOf({ payload }: JsonBody<unknown>): Buffer {
  return typeof payload === 'string' ? Buffer.from(payload) : payload
}

/** Sets these cookies and no others: one answer never says two things about a cookie. */
export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  void reply.removeHeader('set-cookie').header('set-cookie', cookies)
}

/** What went wrong, in our words; null when it is a failure on our side. */
export const knownFailure = (error: unknown, { raw }: FastifyRequest): AppError | null =>
  error === raw.errored ? refusal('bodyCutShort') : failureOf(error)

/**
 * What went wrong, in our words. A failure on our side is logged under the request's id, and told
 * as nothing more than that. Throws what was refused before the quota was known: the app answers
 * that, and knows what there is to say of the address (D-10).
 */
export function explainError(error: unknown, request: FastifyRequest): AppError {
  if (request.quota === null) throw error
  const failure = knownFailure(error, request)
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

/** Answers what failed where a session is asked for, as the API would (spec 2.9). */
export const sendJsonError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => sendFailure(explainError(error, request), request, reply)
