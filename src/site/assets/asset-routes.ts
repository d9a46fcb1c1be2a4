import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseCoding, matchedFileTag } from '../../domain/reading/requests.ts'
import { type IndexCoding, indexCodings } from '../../operations/search-index.ts'
import type { AssetStore } from './assets.ts'

const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Adds `/assets/*`, the files of the browser application; `notFound` answers for other names. */
export function addAssets(
  app: FastifyInstance,
  assets: AssetStore,
  notFound: (reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.get('/assets/*', async (request, reply) => {
    const { '*': name = '' } = request.params as { '*'?: string }
    const asset = await assets.find(`assets/${name}`, codingFor(request))
    if (asset === null) return notFound(reply)
    void reply.header('vary', 'Accept-Encoding')
    // A picture that is opened by itself is a page, too.
    if (asset.type.startsWith('image/'))
      void reply.header('content-security-policy', PICTURE_POLICY)
    // The names of built files change with their content.
    return sendFile(reply, { ...asset, cache: 'public, max-age=31536000, immutable' })
  })
}

/** The coding that the client prefers of those in which files are prepared. */
export function codingFor({ headers }: FastifyRequest): IndexCoding {
  return chooseCoding(headers['accept-encoding'], indexCodings)
}

type File = {
  readonly type: string
  readonly cache: string
  /** As `fileTag` makes it. */
  readonly etag: string
  readonly coding?: string
  readonly bytes: string | Uint8Array
}

/** Sends a whole file, or 304 if the client has it in any coding (D-52). */
export function sendFile(
  reply: FastifyReply,
  { type, cache, etag, coding = 'identity', bytes }: File,
): FastifyReply {
  // A cache identifies its copy by the tag that it sent.
  const matched = matchedFileTag(reply.request.headers['if-none-match'], etag)
  void reply.headers({ 'cache-control': cache, etag: matched ?? etag })
  if (matched !== null) return reply.code(304).send()
  if (coding !== 'identity') void reply.header('content-encoding', coding)
  return reply.header('content-type', type).send(bytes)
}
