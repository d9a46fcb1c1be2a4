import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Answer } from './handler.ts'

/** Does an `If-None-Match` name this tag (RFC 9110, 13.1.2: compared weakly)? */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))

/** Sends what a handler answered with, or 304 when the client has it already (D-13). */
export const sendAnswer = (
  request: FastifyRequest,
  reply: FastifyReply,
  { method, success }: Endpoint,
  { json, headers }: Answer,
): FastifyReply => {
  if (headers) void reply.headers(headers)
  if (json === undefined) return reply.code(success.status).send()
  if (method === 'GET') {
    void reply.header('etag', json.etag)
    if (matches(request.headers['if-none-match'], json.etag)) return reply.code(304).send()
  }
  return reply
    .code(success.status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('content-length', json.length)
    .send(json.payload)
}
