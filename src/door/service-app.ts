import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  type onRequestHookHandler,
  LogController,
  fastify,
} from 'fastify'
import { MAX_BODY_BYTES } from '../contract/bounds.ts'
import { type AppError, refusal } from '../contract/errors.ts'
import { endpointsOf, type ServiceName } from '../contract/services.ts'
import { bearerToken } from '../domain/keys.ts'
import type { QuotaReport } from '../domain/quotas.ts'
import { namedKind } from '../domain/reading/requests.ts'
import type { WorkMeter } from '../ports/system.ts'
import { type Admission, createAdmission, hook, isOutside } from './admission.ts'
import { addCommonHeaders } from './answer.ts'
import { expectedError, sendFailure } from './failures.ts'
import { createConnections } from './connections.ts'
import { type Context, createContext, type ServiceParts } from './context.ts'
import { addHealth } from './handlers/health.ts'
import { addApi } from './router.ts'
import {
  apiPaths,
  createMisplaced,
  createUnrouted,
  firstSteps,
  misplaced,
  pathNotFound,
} from './unrouted.ts'
import { createWireAnswers, rewriteTarget } from './wire.ts'
import { gateConnections, paceHealth, paceRefusal, paceSocket } from './work.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly service: ServiceName
    /** Logs and reports a stream of events that begins, in place of its end. */
    readonly reportStream: (request: FastifyRequest, reply: FastifyReply) => void
  }
  interface FastifyRequest {
    /** Its answer was logged and reported before its end. */
    isReported: boolean
    /** It is a write, and the operator lets nothing be changed. */
    isHeldUp: boolean
  }
}

/** A response, for metrics. */
export type Answered = {
  readonly method: string
  /** The route's pattern; `none` for an unrouted request. */
  readonly route: string
  readonly status: number
  /** Without the time for which it waited on purpose. */
  readonly ms: number
  readonly quota: QuotaReport | null
  /** A write that was refused because the operator lets nothing be changed. */
  readonly isHeldUp: boolean
}

type ServiceAppOptions = ServiceParts & {
  /** false: another process serves the API. */
  readonly hasApi?: boolean
  readonly onAnswer?: ((answered: Answered) => void) | undefined
  /** PEM texts; left out where a proxy speaks TLS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
  /** Fastify's `logger` option; false for none. */
  readonly logger?: FastifyServerOptions['logger']
  /**
   * The website on the same address: adds its routes to a scope of its own, and a not-found handler
   * for unknown paths outside `/api`.
   */
  readonly site?: ((scope: FastifyInstance) => Promise<void>) | undefined
}

/**
 * One service as a Fastify app, ready to listen: the packs service or the tournament-pools
 * service, which differ in their endpoints, keys and counters alone.
 */
export function createServiceApp(options: ServiceAppOptions): FastifyInstance {
  const { hasApi = true, lifecycle = { draining: new AbortController().signal }, site } = options
  const context = createContext(options)
  const admission = createAdmission(context, (err) =>
    app.log.error({ err }, 'uses of keys not noted'),
  )
  const app = fastify({
    ...serverOptions(options),
    serverFactory: (listener) => {
      const server = createConnections(listener, {
        answers: createWireAnswers(
          options.service,
          async (socket) => {
            await paceSocket(options.ports.work, admission.addressOfSocket(socket), socket)
            return admission.quotaOfSocket(socket)
          },
          () => options.ports.clock.now(),
        ),
        lifecycle,
        tls: options.tls,
      })
      gateConnections(server, options.ports.work, admission, options.tls?.key)
      return server
    },
    // `createConnections` has responded.
    clientErrorHandler: () => {},
  })
  // Log lines name their request themselves: a logger for each request would cost more than they do.
  app.log.child = () => app.log
  app.decorate('service', options.service)
  app.decorate('compressed', context.compressed)
  app.decorateRequest('accountId', null)
  app.decorateRequest('quota', null)
  app.decorateRequest('viewer', null)
  app.decorateRequest('waitedMs', 0)
  app.decorateRequest('paidMs', 0)
  app.decorateRequest('isReported', false)
  app.decorateRequest('isHeldUp', false)
  app.decorateRequest('clientAddress', {
    getter() {
      return admission.addressOf(this)
    },
  })
  app.removeAllContentTypeParsers()
  const addressOf = createMisplaced(options.service, options.settings)
  const paths = hasApi ? apiPaths(endpointsOf[options.service]) : []
  const unrouted = createUnrouted(
    'api',
    () => paths,
    (request) => {
      throw misplaced(addressOf(request.url)) ?? pathNotFound()
    },
  )
  app.addHook(
    'onRequest',
    admission.receive(unrouted, (url) => site !== undefined && isOutside(url)),
  )
  app.addHook('onRequest', refuseMisplaced(context, admission, addressOf))
  app.addHook('onSend', addCommonHeaders)
  reportAnswers(app, options.onAnswer)
  handleErrors(app, admission, options.ports.work)

  void app.register(async (scope) => {
    scope.addHook('onRequest', admission.admitAnyone)
    scope.addHook('onRequest', paceHealth(options.ports.work))
    addHealth(scope, options.ports.care, lifecycle)
  })
  if (hasApi) addApi(app, context, admission)
  if (site !== undefined) {
    void app.register(async (scope) => {
      scope.addHook('onRequest', admission.admitAnyone)
      await site(scope)
    })
  }
  return app
}

/** A hook that informs programs which paths of the API they asked for without `/api/v1`, in place of a page. */
function refuseMisplaced(
  { ports }: Context,
  admission: Admission,
  addressOf: ReturnType<typeof createMisplaced>,
): onRequestHookHandler {
  return hook((request, reply) => {
    if (!firstSteps.has(request.url.split(/[/?#]/, 2)[1] ?? '')) return undefined
    const failure = misplaced(addressOf(request.url))
    if (failure === null) return undefined
    // What the site has at this path, if anything, goes to others.
    void reply.header('vary', 'Accept, Authorization')
    return isFromProgram(request.headers) ? refuse(request, reply, failure) : undefined
  })

  /** Sends it itself: the site would answer an error with a page of its own. */
  async function refuse(request: FastifyRequest, reply: FastifyReply, failure: AppError) {
    await admission.describe(request)
    await paceRefusal(ports.work, request)
    sendFailure(failure, request, reply)
  }
}

/** With a bearer token, or for JSON rather than for a page. */
function isFromProgram({ authorization, accept }: IncomingHttpHeaders): boolean {
  if (authorization !== undefined && bearerToken(authorization) !== null) return true
  return namedKind(accept) === 'json'
}

const serverOptions = ({ logger }: ServiceAppOptions): FastifyServerOptions => ({
  logger: logger ?? false,
  logController: new LogController({ disableRequestLogging: true }),
  genReqId: requestIds(),
  bodyLimit: MAX_BODY_BYTES,
  return503OnClosing: false,
  forceCloseConnections: 'idle',
  rewriteUrl: rewriteTarget,
  routerOptions: { maxParamLength: 65_536 },
})

/** Ids are a random prefix and a count, never the caller's (D-13). */
function requestIds(): () => string {
  const start = randomBytes(9).toString('base64url')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}

const LEVELS_WITH_REQUESTS: ReadonlySet<string> = new Set(['trace', 'debug', 'info'])

/**
 * Logs one line per response, without keys, cookies, paths and queries, which may be secret, and reports it
 * to `onAnswer`: when it was sent, but a stream of events as soon as it begins.
 */
function reportAnswers(app: FastifyInstance, onAnswer: ServiceAppOptions['onAnswer']): void {
  const isLogging = LEVELS_WITH_REQUESTS.has(app.log.level)

  function report(request: FastifyRequest, reply: FastifyReply): void {
    const { method, quota, isHeldUp } = request
    const route = request.routeOptions.url ?? 'none'
    const { statusCode: status, elapsedTime } = reply
    if (isLogging) {
      const ms = Math.round(elapsedTime * 100) / 100
      request.log.info({ requestId: request.id, method, route, status, ms }, 'request')
    }
    const ms = Math.max(0, elapsedTime - request.waitedMs)
    onAnswer?.({ method, route, status, ms, quota, isHeldUp })
  }

  app.decorate('reportStream', (request: FastifyRequest, reply: FastifyReply) => {
    request.isReported = true
    report(request, reply)
  })
  if (!isLogging && onAnswer === undefined) return
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.isReported) report(request, reply)
    done()
  })
}

/** What costs its address nothing but another request. */
const refusals: ReadonlySet<string | undefined> = new Set([
  'unauthorized',
  'invalid_api_key',
  'rate_limited',
])

function handleErrors(app: FastifyInstance, admission: Admission, work: WorkMeter): void {
  app.setErrorHandler(async (error, request, reply) => {
    const expected = expectedError(error, request)
    const isStoreAway = expected?.reason === 'store_away'
    // Spec 7 knows nothing but 500 for this; it is of the API alone, not of the site on the same address.
    const isOfSpec = request.server.service === 'packs' && !isOutside(request.url)
    const known = isStoreAway && isOfSpec ? refusal('internal') : expected
    const isKeyGone = known?.code === 'invalid_api_key' && request.accountId !== null
    const failure = isKeyGone ? await admission.refuse(request, known) : known
    if (failure === null) request.log.error({ requestId: request.id, err: error }, 'internal error')
    // The store may be what failed: it is not asked again.
    const isStoreAsked = failure !== null && !isStoreAway
    if (request.quota === null) await admission.describe(request, isStoreAsked)
    if (failure?.code === 'unauthorized' || failure?.code === 'invalid_api_key') {
      void reply.header('www-authenticate', 'Bearer')
    }
    if (refusals.has(failure?.code)) await paceRefusal(work, request)
    return sendFailure(failure ?? refusal('internal'), request, reply)
  })
}
