import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { SLUG_PATTERN } from '../contract/bounds.ts'
import { API_PREFIX, type Endpoint } from '../contract/endpoint.ts'
import { PackInput } from '../contract/packs.ts'
import { endpointsOf } from '../contract/services.ts'
import { ignoredFields, ignoredFieldsHeader, readPackInput } from '../domain/reading/pack-input.ts'
import { readIdempotencyKey, readIfMatch, readPage } from '../domain/reading/requests.ts'
import { CompressedAnswers } from '../operations/compressed-answers.ts'
import { packNotFound } from '../operations/pack-not-found.ts'
import type { ServiceContext } from './context.ts'
import { handlersOf } from './handler-tables.ts'
import type { AnyHandler } from './handler.ts'
import { sendAnswer } from './send-answer.ts'
import { pathNotFound } from './unrouted.ts'

const SLUG = new RegExp(SLUG_PATTERN)

/** What reads each kind of body. */
const bodyReaders = new Map([[PackInput, readPackInput]])

const slugOf = (request: FastifyRequest): string => (request.params as { slug?: string }).slug ?? ''

/**
 * A slug that no pack can have is an unknown path: it is refused before the body is looked at (D-3).
 * The router takes `/packs/` for a pack with an empty slug.
 */
const refuseImpossibleSlug: onRequestHookHandler = (request, _reply, done) => {
  const slug = slugOf(request)
  if (SLUG.test(slug)) done()
  else done(slug === '' ? pathNotFound() : packNotFound())
}

const compressedByContext = new WeakMap<ServiceContext, CompressedAnswers>()

/** One for all endpoints of a service. */
const compressedFor = (context: ServiceContext): CompressedAnswers => {
  const known = compressedByContext.get(context) ?? new CompressedAnswers(context.ports.compressor)
  compressedByContext.set(context, known)
  return known
}

const addEndpoint = (
  app: FastifyInstance,
  context: ServiceContext,
  endpoint: Endpoint,
  handle: AnyHandler,
): void => {
  const compressed = compressedFor(context)
  const hasSlug = endpoint.path.includes('{slug}')
  const readBody = endpoint.body && bodyReaders.get(endpoint.body as typeof PackInput)
  app.route({
    method: endpoint.method,
    url: API_PREFIX + endpoint.path.replace('{slug}', ':slug'),
    ...(hasSlug && { onRequest: refuseImpossibleSlug }),
    // Answers by itself: it saves what Fastify spends on watching a handler's promise.
    handler: (request: FastifyRequest, reply: FastifyReply): void => {
      const answer = async (): Promise<FastifyReply> => {
        const call = {
          accountId: request.accountId ?? '',
          page: endpoint.paged ? readPage(request.query) : 1,
          slug: slugOf(request),
          idempotencyKey: endpoint.idempotencyKey ? readIdempotencyKey(request.headers) : null,
          body: readBody?.(request.body) as undefined,
          ifMatch: endpoint.conditional ? readIfMatch(request.headers['if-match']) : null,
        }
        const answered = await handle(context, call)
        const ignored = endpoint.body && ignoredFieldsHeader(ignoredFields(call.body))
        if (ignored) void reply.header('x-ignored-fields', ignored)
        return sendAnswer(compressed, request, reply, endpoint, answered)
      }
      answer().catch((error: unknown) => reply.send(error))
    },
  })
}

/** What differs between endpoints before their handlers run. */
type Kind = 'keyless' | 'with body' | 'without body'

const kindOf = ({ auth, body }: Endpoint): Kind => {
  if (auth === 'none') return 'keyless'
  return body === undefined ? 'without body' : 'with body'
}

/** Adds those endpoints of the context's service that are of this kind. */
export const addEndpoints = (app: FastifyInstance, context: ServiceContext, kind: Kind): void => {
  for (const [id, endpoint] of Object.entries(endpointsOf[context.service])) {
    const handle = handlersOf[context.service][id]
    if (handle === undefined) throw new Error(`no handler for ${id}`)
    if (kindOf(endpoint) === kind) addEndpoint(app, context, endpoint, handle)
  }
}
