import type { FastifyInstance } from 'fastify'
import { AppError } from '../contract/errors.ts'
import { SEARCH_INDEX_PATH } from '../contract/search-index.ts'
import type { PublishedIndex, PublishedIndexCache } from '../operations/search-index.ts'
import { codingFor, sendFile } from './assets/asset-routes.ts'

const methods = ['GET', 'HEAD', 'OPTIONS']
const ALLOW = methods.join(', ')

/** Adds the search index, `GET /packs/index.json`, which needs no key (spec 2.10, D-38). */
export function addSearchIndex(app: FastifyInstance, indexCache: PublishedIndexCache): void {
  app.get(SEARCH_INDEX_PATH, (request, reply): void => {
    // Not an async handler: this saves what Fastify spends on watching a promise.
    findIndex(indexCache)
      .then(async ({ files }) => {
        const coding = codingFor(request)
        const file = coding === 'identity' ? files.identity : await files[coding]()
        void reply.header('vary', 'Accept-Encoding')
        return sendFile(reply, {
          ...file,
          type: 'application/json; charset=utf-8',
          cache: 'public, max-age=0, must-revalidate',
          coding,
        })
      })
      .catch((error: unknown) => reply.send(error))
  })

  app.route({
    method: app.supportedMethods.filter((method) => !methods.includes(method)),
    url: SEARCH_INDEX_PATH,
    onRequest: (_request, reply, done) => {
      void reply.header('allow', ALLOW)
      done(new AppError('method_not_allowed', `this path takes ${ALLOW}`))
    },
    // Never called: the hook refuses the request before its body is read.
    handler: () => {},
  })
  app.options(SEARCH_INDEX_PATH, (_request, reply) => reply.header('allow', ALLOW).code(204).send())
}

/** The current search index; throws `internal_error` if the first one takes over five seconds. */
export async function findIndex(indexCache: PublishedIndexCache): Promise<PublishedIndex> {
  const current = indexCache.current()
  if (current !== null) return current
  const late = Promise.withResolvers<never>()
  const message = 'the search index is not ready yet; try again in a moment'
  const timer = setTimeout(() => late.reject(new AppError('internal_error', message)), 5_000)
  return Promise.race([indexCache.first(), late.promise]).finally(() => clearTimeout(timer))
}
