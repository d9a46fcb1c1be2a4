import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import { matchesTag } from '../domain/reading/matches-tag.ts'
import type { Answer } from './handler.ts'

/** Sends what a handler answered with, or 304 when the client has it already (D-13). */
export const sendAnswer = (
  request: FastifyRequest,
  reply: FastifyReply,
  { method, success }: Endpoint,
  { json, headers }: Answer,
): FastifyReply => {
  if (headers) void reply.headers(headers)
  if (json === undefined) return reply.code(success.status).send()
  void reply.header('etag', json.etag)
  if (method === 'GET' && matchesTag(request.headers['if-none-match'], json.etag)) {
    return reply.code(304).send()
  }
  return reply
    .code(success.status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('content-length', json.length)
    .send(json.payload)
}
