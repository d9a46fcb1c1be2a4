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

/** How long a request waits for the changes before it: then it gets the index as it is. */
const CATCH_UP_MS = 2_000

/**
 * The current search index, with all that was committed before (D-39); throws `unavailable` if the first one takes over
 * five seconds: so long it takes only where the store does not answer.
 */
export async function findIndex(indexCache: PublishedIndexCache): Promise<PublishedIndex> {
  const current = indexCache.current()
  if (current !== null) {
    const catchingUp = indexCache.catchUp(CATCH_UP_MS)
    if (catchingUp === undefined) return current
    await atMost(CATCH_UP_MS, catchingUp)
    return indexCache.current() ?? current
  }
  const late = Promise.withResolvers<never>()
  const message = 'the search index is not ready yet; try again in a moment'
  const timer = setTimeout(
    () => late.reject(new AppError('unavailable:store_away', message)),
    5_000,
  )
  return Promise.race([indexCache.first(), late.promise]).finally(() => clearTimeout(timer))
}

/** Resolves when the work is done, and after so many ms at the latest. A store that fails is reported elsewhere. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  work.then(resolve, resolve)
  await promise
  clearTimeout(timer)
}
