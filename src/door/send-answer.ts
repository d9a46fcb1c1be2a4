import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import { codedTag, matchedTag, tagsOf } from '../domain/reading/requests.ts'
import { type CompressedAnswers, LEAST_COMPRESSED_BYTES } from '../operations/compressed-answers.ts'
import type { Answer } from './handler.ts'
import type { JsonBody } from './json-body.ts'

/**
 * Sends what a handler answered with, in the coding that the client accepts (D-52), or 304 when the
 * client has it already, in whatever coding (D-13).
 */
export const sendAnswer = async (
  compressed: CompressedAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
  { method, success }: Endpoint,
  { json, headers }: Answer,
): Promise<FastifyReply> => {
  if (headers) void reply.headers(headers)
  if (json === undefined) return reply.code(success.status).send()
  const coding = compressed.choose(request.headers['accept-encoding'], json.length)
  const etag = codedTag(json.etag, coding)
  void reply.header('etag', etag)
  if (json.length >= LEAST_COMPRESSED_BYTES) void reply.header('vary', 'Accept-Encoding')
  const ifNoneMatch = request.headers['if-none-match']
  if (method === 'GET' && ifNoneMatch !== undefined) {
    const matched = matchedTag(ifNoneMatch, [etag, ...tagsOf(json.etag)])
    // A cache looks for what it holds by the very tag that it sent.
    if (matched !== null) return reply.header('etag', matched).code(304).send()
  }
  void reply.code(success.status).header('content-type', 'application/json; charset=utf-8')
  if (coding === 'identity') {
    return reply.header('content-length', json.length).send(json.payload)
  }
  const form = compressed.encode(json.etag, () => bytesOf(json), coding)
  const bytes = form instanceof Promise ? await form : form
  return reply.header('content-encoding', coding).header('content-length', bytes.length).send(bytes)
}

const bytesOf = ({ payload }: JsonBody<unknown>): Buffer =>
  typeof payload === 'string' ? Buffer.from(payload) : payload
