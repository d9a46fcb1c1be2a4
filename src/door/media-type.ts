import type { FastifyRequest } from 'fastify'
import { checkJsonMedia } from '../domain/reading/requests.ts'

/** Refuses a body that is not plain `application/json` before a byte of it is read (D-25). */
export const refuseOtherMedia = async ({ headers, raw }: FastifyRequest): Promise<void> =>
  checkJsonMedia(raw.headersDistinct['content-type'], headers['content-encoding'])

/** Where no body is read, no type is wrong: Fastify would refuse one that it cannot parse. */
export const ignoreMedia = async ({ headers }: FastifyRequest): Promise<void> => {
  delete headers['content-type']
}
