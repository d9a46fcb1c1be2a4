import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseCoding, matchesTag } from '../../domain/reading/requests.ts'
import { indexCodings } from '../../operations/search-index.ts'
import type { AssetStore } from './assets.ts'

/** The names of built files change with their content. */
const FOREVER = 'public, max-age=31536000, immutable'

/**
 * Adds `/assets/*`, the files of the browser application.
 *
 * @param notFound answers requests for other files.
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
    if (asset === null) return notFound(request, reply)
    void reply.header('vary', 'Accept-Encoding')
    return sendFile(request, reply, { ...asset, cache: FOREVER })
  })
}

type File = {
  readonly type: string
  readonly cache: string
  readonly etag: string
  readonly coding?: string
  readonly bytes: string | Uint8Array
}

/** Sends a whole file, or 304 if the client has it. */
export function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, cache, etag, coding = 'identity', bytes }: File,
): FastifyReply {
  void reply.headers({ 'cache-control': cache, etag })
  if (matchesTag(headers['if-none-match'], etag)) return reply.code(304).send()
  if (coding !== 'identity') void reply.header('content-encoding', coding)
  return reply.header('content-type', type).send(bytes)
}
