import type { FastifyRequest } from 'fastify'
import { Failure } from '../contract/failure.ts'

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i

/** Refuses a body that is not plain `application/json` before a byte of it is read (D-25). */
export const refuseOtherMedia = async ({ headers, raw }: FastifyRequest): Promise<void> => {
  const types = raw.headersDistinct['content-type'] ?? ['']
  if (!types.every((type) => JSON_TYPE.test(type))) {
    throw new Failure('unsupported_media_type', 'send the body with Content-Type: application/json')
  }
  if (headers['content-encoding'] !== undefined) {
    throw new Failure('unsupported_media_type', 'send the body as it is, without Content-Encoding')
  }
}

/** Where no body is read, no type is wrong: Fastify would refuse one that it cannot parse. */
export const ignoreMedia = async ({ headers }: FastifyRequest): Promise<void> => {
  delete headers['content-type']
}
