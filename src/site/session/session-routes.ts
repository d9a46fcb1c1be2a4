import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { siteEndpointsOf } from '../../contract/session-api.ts'
import { isSlug } from '../../domain/packs.ts'
import { readJson } from '../../domain/reading/json.ts'
import { ignoredFieldsHeader } from '../../domain/reading/pack-input.ts'
import { checkJsonMedia, readIdempotencyKey, readPage } from '../../domain/reading/requests.ts'
import { CompressedAnswers, LEAST_COMPRESSED_BYTES } from '../../operations/compressed-answers.ts'
import { packNotFound } from '../../operations/pack-not-found.ts'
import type { Hasher } from '../../ports/system.ts'
import { nothingAtPath } from '../pages/not-found.ts'
import { requesterOfRequest } from '../shares.ts'
import type { SiteContext } from '../site-context.ts'
import { ignoredIn, shapeReader } from './body-readers.ts'
import { orSignedOut } from './gone-meanwhile.ts'
import { siteHandlersOf } from './handler-tables.ts'
import { knowViewer } from './know-viewer.ts'
import { setCookies } from './session-cookie.ts'
import { sessionGuard } from './session-guard.ts'
import { sendJsonError } from './site-error.ts'
import type { AnySiteHandler, SiteAnswer, SiteCall } from './site-handler.ts'

const slugOf = ({ params }: FastifyRequest): string => (params as { slug?: string }).slug ?? ''

/**
 * A slug that no pack can have is refused like one that no pack has, before the body is looked at. The
 * router takes a path that ends where the slug should begin for one with an empty slug.
 */
const refuseImpossibleSlug: onRequestHookHandler = (request, _reply, done) => {
  const slug = slugOf(request)
  if (isSlug(slug)) done()
  else done(slug === '' ? nothingAtPath() : packNotFound())
}

const send = async (
  { hasher, compressed }: { hasher: Hasher; compressed: CompressedAnswers },
  request: FastifyRequest,
  reply: FastifyReply,
  { success, download }: Endpoint,
  { json, cookies }: SiteAnswer,
): Promise<FastifyReply> => {
  if (cookies !== undefined) setCookies(reply, cookies)
  if (json === undefined) return reply.code(success.status).send()
  if (download !== undefined) {
    void reply.header('content-disposition', `attachment; filename="${download}"`)
  }
  void reply.code(success.status).header('content-type', 'application/json; charset=utf-8')
  const text = JSON.stringify(json)
  const bytes = Buffer.from(text)
  if (bytes.length < LEAST_COMPRESSED_BYTES) return reply.send(text)
  void reply.header('vary', 'Accept-Encoding')
  // The size of a compressed answer tells of a token that is in it, or in the page that asks (D-52).
  const accepted = request.viewer === null ? request.headers['accept-encoding'] : undefined
  const coding = compressed.choose(accepted, bytes.length)
  if (coding === 'identity') return reply.send(text)
  const encoded = await compressed.encode(hasher.sha256(text), () => bytes, coding)
  return reply.header('content-encoding', coding).send(encoded)
}

const addEndpoint = (
  app: FastifyInstance,
  context: SiteContext,
  compressed: CompressedAnswers,
  endpoint: Endpoint,
  handle: AnySiteHandler,
): void => {
  const readQuery = endpoint.query && shapeReader(endpoint.query)
  const readBody = endpoint.body && shapeReader(endpoint.body)
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace('{slug}', ':slug'),
    onRequest: [
      sessionGuard(context, endpoint),
      ...(endpoint.path.includes('{slug}') ? [refuseImpossibleSlug] : []),
    ],
    handler: async (request, reply) => {
      const call = {
        viewer: request.viewer,
        requester: requesterOfRequest(request),
        page: endpoint.paged ? readPage(request.query) : 1,
        slug: slugOf(request),
        idempotencyKey: endpoint.idempotencyKey ? readIdempotencyKey(request.headers) : null,
        query: readQuery?.(request.query),
        body: readBody?.(request.body),
      }
      const answer = await handle(context, call as SiteCall).catch(async (error: unknown) => {
        throw await orSignedOut(context, request, error)
      })
      const ignored = ignoredFieldsHeader(ignoredIn(endpoint.body, call.body))
      if (ignored !== null) void reply.header('x-ignored-fields', ignored)
      return send({ hasher: context.ports.hasher, compressed }, request, reply, endpoint, answer)
    },
  })
}

/** Where no body is read, none is looked at, whatever it is. */
const readNoBody = (app: FastifyInstance): void => {
  app.addHook('preParsing', async ({ headers }) => {
    delete headers['content-type']
  })
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

const readJsonBody = (app: FastifyInstance): void => {
  app.addHook('preParsing', async ({ headers, raw }) =>
    checkJsonMedia(raw.headersDistinct['content-type'], headers['content-encoding']),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) =>
    readJson(bytes),
  )
}

/** Adds the session endpoints of the context's service: what pages read and do, as JSON. */
export const addSessionEndpoints = (app: FastifyInstance, context: SiteContext): void => {
  const { service, ports } = context
  const compressed = new CompressedAnswers(ports.compressor)
  app.addHook('onRequest', knowViewer(context))
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('cache-control', 'private, no-store')
  })
  app.setErrorHandler(sendJsonError)

  const add = (hasBody: boolean) => async (scope: FastifyInstance) => {
    const prepare = hasBody ? readJsonBody : readNoBody
    prepare(scope)
    for (const [name, endpoint] of Object.entries(siteEndpointsOf[service])) {
      const handle = siteHandlersOf[service][name]
      if (handle === undefined) throw new Error(`no handler for ${name}`)
      if ((endpoint.body !== undefined) === hasBody) {
        addEndpoint(scope, context, compressed, endpoint, handle)
      }
    }
  }
  void app.register(add(false))
  void app.register(add(true))
}
