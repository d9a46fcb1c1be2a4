import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SLUG_PATTERN } from '../contract/bounds.ts'
import { API_PREFIX, type Endpoint } from '../contract/endpoint.ts'
import { PackInput } from '../contract/pack.ts'
import { endpointsOf } from '../contract/services.ts'
import { packNotFound } from '../operations/pack-not-found.ts'
import type { ServiceContext } from './context.ts'
import type { AnyHandler } from './handler.ts'
import { handlersOf } from './handler-tables.ts'
import { readPackInput } from './pack-input.ts'
import { readPage } from './page-query.ts'
import { sendAnswer } from './send-answer.ts'

const SLUG = new RegExp(SLUG_PATTERN)

/** What reads each kind of body. */
const bodyReaders = new Map([[PackInput, readPackInput]])

const slugOf = (request: FastifyRequest): string => (request.params as { slug?: string }).slug ?? ''

/** A slug that no pack can have is an unknown path: it is refused before the body is looked at (D-3). */
const refuseImpossibleSlug = async (request: FastifyRequest): Promise<void> => {
  if (!SLUG.test(slugOf(request))) throw packNotFound()
}

const addEndpoint = (
  app: FastifyInstance,
  context: ServiceContext,
  endpoint: Endpoint,
  handle: AnyHandler,
): void => {
  const hasSlug = endpoint.path.includes('{slug}')
  const readBody = endpoint.body && bodyReaders.get(endpoint.body as typeof PackInput)
  app.route({
    method: endpoint.method,
    url: API_PREFIX + endpoint.path.replace('{slug}', ':slug'),
    config: { keyless: endpoint.keyless === true },
    ...(hasSlug && { onRequest: refuseImpossibleSlug }),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const answer = await handle(context, {
        accountId: request.accountId ?? '',
        page: endpoint.paged ? readPage(request.query) : 1,
        slug: slugOf(request),
        body: readBody?.(request.body) as undefined,
      })
      return sendAnswer(request, reply, endpoint, answer)
    },
  })
}

/** Adds the endpoints of the context's service that read a body, or those that do not. */
export const addEndpoints = (
  app: FastifyInstance,
  context: ServiceContext,
  select: 'with body' | 'without body',
): void => {
  for (const [id, endpoint] of Object.entries(endpointsOf[context.service])) {
    const handle = handlersOf[context.service][id]
    if (handle === undefined) throw new Error(`no handler for ${id}`)
    const takesBody = endpoint.body !== undefined
    if (takesBody === (select === 'with body')) addEndpoint(app, context, endpoint, handle)
  }
}
