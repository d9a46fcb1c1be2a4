import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseCoding, matchesTag } from '../../domain/reading/requests.ts'
import { indexCodings } from '../../operations/search-index.ts'
import type { Asset, AssetStore } from './assets.ts'

/** The names of built files change with their content: they never go out of date. */
const FOREVER = 'public, max-age=31536000, immutable'

/** Sends a file, or says that the browser has it already. */
function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, coding, bytes, etag }: Asset,
): FastifyReply {
  void reply.headers({ 'cache-control': FOREVER, vary: 'Accept-Encoding', etag })
  if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (coding !== 'identity') void reply.header('content-encoding', coding)
  return reply.header('content-type', type).header('content-length', bytes.length).send(bytes)
}

/**
 * Adds `/assets/*`, the files of the browser application.
 *
 * @param notFound answers for a file that there is not.
 */
export function addAssets(
  app: FastifyInstance,
  assets: AssetStore,
  notFound: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.get('/assets/*', async (request, reply) => {
    const { '*': name = '' } = request.params as { '*'?: string }
    const coding = chooseCoding(request.headers['accept-encoding'], indexCodings)
    const asset = await assets.find(`assets/${name}`, coding)
    return asset === null ? notFound(request, reply) : sendAsset(request, reply, asset)
  })
}
