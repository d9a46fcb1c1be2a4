import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../contract/errors.ts'
import { SEARCH_INDEX_PATH } from '../contract/search-index.ts'
import { chooseCoding, matchesTag } from '../domain/reading/requests.ts'
import {
  indexCodings,
  type PublishedIndexCache,
  type PublishedIndex,
} from '../operations/search-index.ts'

const methods = ['GET', 'HEAD', 'OPTIONS']
const ALLOW = methods.join(', ')

/** Adds the search index, `GET /packs/index.json`, which needs no key (spec 2.10, D-38). */
export function addSearchIndex(app: FastifyInstance, indexCache: PublishedIndexCache): void {
  app.get(SEARCH_INDEX_PATH, (request, reply): void => {
    // Answers by itself: it saves what Fastify spends on watching a handler's promise.
    findIndex(indexCache)
      .then((index) => sendIndex(request, reply, index))
      .catch((error: unknown) => reply.send(error))
  })

  app.route({
    method: app.supportedMethods.filter((method) => !methods.includes(method)),
    url: SEARCH_INDEX_PATH,
    onRequest: (_request, reply, done) => {
      void reply.header('allow', ALLOW)
      done(new AppError('method_not_allowed', `this path takes ${ALLOW}`))
    },
    // Never reached: the body, whatever it is, is not read.
    handler: () => {},
  })
  app.options(SEARCH_INDEX_PATH, (_request, reply) => reply.header('allow', ALLOW).code(204).send())
}

function sendIndex(
  request: FastifyRequest,
  reply: FastifyReply,
  { files }: PublishedIndex,
): FastifyReply {
  const coding = chooseCoding(request.headers['accept-encoding'], indexCodings)
  const { bytes, etag } = files[coding]
  void reply.headers({
    'cache-control': 'public, max-age=0, must-revalidate',
    vary: 'Accept-Encoding',
    etag,
  })
  if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (coding !== 'identity') void reply.header('content-encoding', coding)
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('content-length', bytes.length)
    .send(bytes)
}

/** How long a request waits for the first index after a start. */
const FIRST_INDEX_TIMEOUT_MS = 5_000

/** The search index as it is now; throws `internal_error` when the first one is too long in coming. */
export async function findIndex(indexCache: PublishedIndexCache): Promise<PublishedIndex> {
  const current = indexCache.current()
  if (current !== null) return current
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(
      new AppError('internal_error', 'the search index is not ready yet; try again in a moment'),
    )
  }, FIRST_INDEX_TIMEOUT_MS)
  return Promise.race([indexCache.first(), late.promise]).finally(() => clearTimeout(timer))
}
