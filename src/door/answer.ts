import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import {
  type ContentCoding,
  contentCodings,
  type IfMatch,
  matchedTag,
  type Precondition,
  preconditionOf,
} from '../domain/reading/requests.ts'
import {
  type CompressedAnswers,
  type JointBody,
  LEAST_COMPRESSED_BYTES,
} from '../operations/compression.ts'
import type { EventStream } from '../operations/workspaces.ts'
import { commonHeaders } from './wire.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
const SHORT_BYTES = 16_384
const NO_HEADERS = {}

/** The body of a response. */
export type Body = {
  /** A short body is a string: Node sends it in one write with the headers. */
  readonly payload: string | Buffer
  /** In bytes. */
  readonly length: number
  /** Strong: equal bytes, equal tag (D-13). */
  readonly etag: string
}

/** A serialized JSON response of type `T`. */
export type JsonBody<T> = Body & {
  /** Never set; only for the type checker. */
  readonly holds?: T
}

/**
 * Serializes a value with its fields in their order (D-45).
 *
 * @param saved the stored part of a value that also has derived parts: `If-Match` of writes compares it alone (D-86).
 */
export const jsonBody = <T>(value: T, saved?: unknown): JsonBody<T> =>
  textBody(JSON.stringify(value), saved === undefined ? undefined : JSON.stringify(saved))

export function textBody(text: string, saved?: string): Body {
  const length = Buffer.byteLength(text)
  const whole = sha1(text)
  return {
    payload: length <= SHORT_BYTES ? text : Buffer.from(text),
    length,
    etag: saved === undefined ? `"${whole}"` : stateTag(sha1(saved), whole),
  }
}

const sha1 = (text: string): string => hash('sha1', text, 'base64url')

const [STATE_LENGTH, SUM_LENGTH] = [12, 6]

/** The strong tag of a stored resource: reads compare the whole tag, writes only the part for the stored state. */
function stateTag(saved: string, whole: string): string {
  const state = saved.slice(0, STATE_LENGTH)
  return `"${state}.${whole}.${sumOf(state, whole)}"`
}

/** The strong tag of a representation in this coding: `"x"` as it is, `"x-br"` in brotli (D-52). */
const codedTag = (etag: string, coding: ContentCoding): string =>
  coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`

/** The tags of a representation in every coding. */
const tagsOf = (etag: string): readonly string[] =>
  contentCodings.map((coding) => codedTag(etag, coding))

const coded = new RegExp(`-(?:${contentCodings.join('|')})"$`)

/** The state in a tag that `stateTag` made; any other tag stands for one representation. */
function stateOf(tag: string): string {
  const plain = tag.replace(coded, '"')
  const [state = '', whole = '', sum] = plain.slice(1, -1).split('.')
  return sum === sumOf(state, whole) ? state : plain
}

/** A checksum, which shows whether a tag was changed by others. */
const sumOf = (state: string, whole: string): string => sha1(state + whole).slice(0, SUM_LENGTH)

/**
 * Caches serialized responses by the identity of `source`, the object from a store. `variant` is
 * everything else that the response depends on.
 */
export function memoJson<T>() {
  const known = new WeakMap<object, { variant: string; body: JsonBody<T> }>()
  return (
    source: object,
    variant: string,
    present: () => T,
    saved?: () => unknown,
  ): JsonBody<T> => {
    const cached = known.get(source)
    if (cached?.variant === variant) return cached.body
    const body = jsonBody(present(), saved?.())
    known.set(source, { variant, body })
    return body
  }
}

/**
 * The check of a write with this `If-Match`, against what a read would answer (D-48).
 *
 * @param missing the refusal of `*` where there is no resource.
 */
export const checkOf = <T>(
  ifMatch: IfMatch | null,
  bodyOf: (current: T) => Body,
  missing?: 'nothingHereToMatch',
): Precondition<T> | undefined =>
  ifMatch === null
    ? undefined
    : preconditionOf(
        ifMatch,
        (tag, current) => stateOf(tag) === stateOf(bodyOf(current).etag),
        missing,
      )

/** What a handler responds with; the status is in the contract. */
export type Answer<T = unknown> = {
  readonly json?: JsonBody<T>
  readonly headers?: Readonly<Record<string, string>>
  /** `Set-Cookie` values, replacing all others. */
  readonly cookies?: readonly string[]
  /** How long it waited for a change, in ms; undefined: not at all. */
  readonly waitedMs?: number | undefined
  /** In place of a body: server-sent events (`Endpoint.hasEvents`). */
  readonly events?: EventStream
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

/** Sends a handler's answer. Responses to sessions are not cached; some have an ETag, for `If-Match`. */
export function sendAnswer(
  compressed: CompressedAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
  { auth, method, success, download, tagged }: Endpoint,
  { json, headers, cookies, events }: Answer,
): void {
  const isSession = auth === 'session'
  const head = headersBefore(request, isSession ? reply.getHeaders() : NO_HEADERS, cookies)
  for (const name in headers) head.push(name, headers[name] as string)
  if (events !== undefined) return sendEvents(request, reply, head, events)
  if (json === undefined) return write(reply, success.status, head)
  const ofBody = ['content-type', JSON_TYPE]
  if (download !== undefined) {
    ofBody.push('content-disposition', `attachment; filename="${download}"`)
  }
  send(compressed, reply, json, {
    status: success.status,
    head,
    ofBody,
    vary: 'Accept-Encoding',
    isTagged: !isSession || tagged === true,
    isConditional: method === 'GET',
    isSecret: isSession && request.viewer !== null,
  })
}

/**
 * Calls `work`, possibly twice, when the response is sent or the client may be gone: a client that closes the connection
 * looks the same as one that has no more to send.
 */
export function whenGone(raw: ServerResponse, work: () => void): void {
  const { socket } = raw
  raw.once('close', () => {
    socket?.off('end', work)
    work()
  })
  if (socket?.readableEnded) work()
  else socket?.once('end', work)
}

/** Sends events until one side closes the stream. `X-Accel-Buffering` keeps proxies such as nginx from buffering them. */
function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  head: string[],
  events: EventStream,
): void {
  const { raw } = reply
  whenGone(raw, events.close)
  head.push('content-type', 'text/event-stream', 'x-accel-buffering', 'no')
  raw.writeHead(200, head)
  void reply.hijack()
  request.server.reportStream(request, reply)
  if (raw.destroyed || raw.socket?.readableEnded || request.method === 'HEAD') {
    raw.end()
    events.close()
    return
  }
  whenGone(raw, () => raw.end())
  events.begin({
    send(text) {
      if (raw.writableEnded || raw.writableLength > 0) return false
      raw.write(text)
      return true
    },
    end: () => void raw.end(),
  })
}

type DocumentAnswer = {
  readonly status: number
  readonly type: string
  readonly vary: string
  /** `Cache-Control`; left out: browsers alone may store it. */
  readonly cache?: string
  /** Whether its end is for this request alone: it is not tagged. */
  readonly isOwn?: boolean
}

/** Sends a page or a feed, with the headers that are set; caches revalidate what is the same to everyone. */
export function sendDocument(
  compressed: CompressedAnswers,
  reply: FastifyReply,
  body: Body | JointBody,
  { status, type, vary, cache, isOwn = false }: DocumentAnswer,
): FastifyReply {
  if (cache === undefined) void reply.removeHeader('cache-control')
  else void reply.header('cache-control', cache)
  send(compressed, reply, body, {
    status,
    head: headersBefore(reply.request, reply.getHeaders()),
    ofBody: ['content-type', type],
    vary,
    isTagged: !isOwn,
    isConditional: status === 200,
    isSecret: isOwn,
  })
  return reply
}

export const HTML_TYPE = 'text/html; charset=utf-8'

/** Sends an error as JSON, with the status and the headers that are set; it has no tag. */
export function sendErrorText(
  compressed: CompressedAnswers,
  reply: FastifyReply,
  text: string,
  isSecret: boolean,
): FastifyReply {
  if (Buffer.byteLength(text) < LEAST_COMPRESSED_BYTES) return reply.type(JSON_TYPE).send(text)
  send(compressed, reply, textBody(text), {
    status: reply.statusCode,
    head: headersBefore(reply.request, reply.getHeaders()),
    ofBody: ['content-type', JSON_TYPE],
    vary: 'Accept-Encoding',
    isTagged: false,
    isConditional: false,
    isSecret,
  })
  return reply
}

/** Sends HTML for this request alone, with the headers that are set: neither tagged nor compressed. */
export function sendPrivate(reply: FastifyReply, status: number, html: string): FastifyReply {
  const head = headersBefore(reply.request, reply.getHeaders())
  head.push('content-type', HTML_TYPE)
  write(reply, status, head, html, Buffer.byteLength(html))
  return reply
}

type Sending = {
  readonly status: number
  /** Headers, alternating names and values. */
  readonly head: string[]
  /** Headers that a 304 lacks. */
  readonly ofBody: readonly string[]
  /** What compressible bodies vary by. */
  readonly vary: string
  readonly isTagged: boolean
  /** Whether it may become a 304. */
  readonly isConditional: boolean
  /** The size of a compressed response could reveal a token in it, or in the requesting page (D-52). */
  readonly isSecret: boolean
}

/** Sends a body in a coding that the client accepts (D-52), or 304 if the client has it in any (D-13). */
function send(
  compressed: CompressedAnswers,
  reply: FastifyReply,
  body: Body | JointBody,
  { status, head, ofBody, vary, isTagged, isConditional, isSecret }: Sending,
): void {
  const { headers } = reply.request
  const isShort = body.length < LEAST_COMPRESSED_BYTES
  const joint = 'end' in body ? body : undefined
  const accepted = isShort || (isSecret && !joint) ? undefined : headers['accept-encoding']
  const coding = accepted === undefined ? 'identity' : compressed.choose(accepted, joint, isSecret)
  if (!isShort) head.push('vary', vary)
  if (isTagged) {
    const etag = codedTag(body.etag, coding)
    const ifNoneMatch = isConditional ? headers['if-none-match'] : undefined
    // A cache identifies its copy by the tag that it sent.
    const matched =
      ifNoneMatch === undefined ? null : matchedTag(ifNoneMatch, [etag, ...tagsOf(body.etag)])
    head.push('etag', matched ?? etag)
    if (matched !== null) return write(reply, 304, head)
  }
  head.push(...ofBody)
  if (coding !== 'identity') head.push('content-encoding', coding)
  else if ('payload' in body) return write(reply, status, head, body.payload, body.length)
  const writeMade = (bytes: Uint8Array): void => write(reply, status, head, bytes, bytes.length)
  const made = compressed.encode(body, coding)
  if (made instanceof Promise) made.then(writeMade, (error: unknown) => reply.send(error))
  else writeMade(made)
}

/** The headers of every response, those that are set already, and `cookies` instead of set ones. */
function headersBefore(
  request: FastifyRequest,
  set: Readonly<Record<string, unknown>>,
  cookies?: readonly string[],
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

/** Sets these cookies and removes all others from the response. */
export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  void reply.removeHeader('set-cookie').header('set-cookie', cookies)
}
