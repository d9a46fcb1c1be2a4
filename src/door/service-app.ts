import { randomBytes } from 'node:crypto'
import type { ServerOptions as TlsOptions } from 'node:https'
import { fastify, type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { MAX_BODY_BYTES } from '../contract/bounds.ts'
import { endpointsOf } from '../contract/services.ts'
import type { QuotaReport } from '../domain/quotas.ts'
import { readJson } from '../domain/reading/json.ts'
import { bodyCutShort, failureOf, internalError } from '../domain/reading/requests.ts'
import { type AdmissionDoor, createAdmission, isOutside } from './admission.ts'
import { createConnections } from './connections.ts'
import type { ServiceContext } from './context.ts'
import { errorAnswer } from './error-answer.ts'
import { addHealth } from './health.ts'
import { ignoreMedia, refuseOtherMedia } from './media-type.ts'
import { rewriteTarget } from './rewrite-target.ts'
import { addEndpoints } from './routes.ts'
import { createUnrouted } from './unrouted.ts'
import { createWireAnswers } from './wire-errors.ts'

/** What was answered, for whoever measures. */
export type Answered = {
  readonly method: string
  /** The route's pattern; `none` where no route is. */
  readonly route: string
  readonly status: number
  readonly ms: number
  /** What the answer's RateLimit headers said. */
  readonly quota: QuotaReport | null
}

/** What a service's app is made of. */
export type ServiceAppOptions = ServiceContext & {
  /** false: the service's API is another process's. */
  readonly hasApi?: boolean
  /** Hears of each answer. */
  readonly onAnswer?: ((answered: Answered) => void) | undefined
  /** PEM texts; left out where a proxy speaks TLS. */
  readonly tls?: Pick<TlsOptions, 'cert' | 'key'> | undefined
  /** Fastify's `logger` option; false for none. */
  readonly logger?: FastifyServerOptions['logger']
  /** True from the moment the process begins to shut down. */
  readonly isDraining?: (() => boolean) | undefined
  /**
   * The website on the same address: adds its routes to a scope of its own, and a not-found handler
   * for what nobody has outside `/api`.
   */
  readonly site?: ((scope: FastifyInstance) => Promise<void>) | undefined
}

/** Ids are ours and never the caller's: a random start, then a count (D-13). */
const requestIds = () => {
  const start = randomBytes(9).toString('base64url')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}

const serverOptions = ({ logger }: ServiceAppOptions): FastifyServerOptions =>
  ({
    logger: logger ?? false,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent: unknown) => parent,
    genReqId: requestIds(),
    bodyLimit: MAX_BODY_BYTES,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: rewriteTarget,
    routerOptions: { maxParamLength: 65_536 },
  }) as FastifyServerOptions

const LEVELS_WITH_REQUESTS: ReadonlySet<string> = new Set(['trace', 'debug', 'info'])

/** One line for each answer; never a key, a cookie or a query (they may hold secrets). */
const logRequests = (app: FastifyInstance): void => {
  if (!LEVELS_WITH_REQUESTS.has(app.log.level)) return
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
      },
      'request',
    )
    done()
  })
}

const tellAnswers = (app: FastifyInstance, onAnswer: ServiceAppOptions['onAnswer']): void => {
  if (onAnswer === undefined) return
  app.addHook('onResponse', (request, reply, done) => {
    onAnswer({
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: reply.elapsedTime,
      quota: request.quota,
    })
    done()
  })
}

const answerErrors = (app: FastifyInstance, door: AdmissionDoor): void => {
  app.setErrorHandler(async (error, request, reply) => {
    const known = error === request.raw.errored ? bodyCutShort() : failureOf(error)
    const isKeyGone = known?.code === 'invalid_api_key' && request.accountId !== null
    const failure = isKeyGone ? await door.refuse(request, reply, known) : known
    if (failure === null) request.log.error({ requestId: request.id, err: error }, 'internal error')
    // What failed may be the store: it is not asked once more.
    const quota = request.quota ?? (await door.describe(request, reply, failure !== null))
    const { status, headers, body } = errorAnswer(failure ?? internalError(), quota)
    return reply.code(status).headers(headers).send(body)
  })
}

/**
 * One service as a Fastify app, ready to listen: the packs service or the tournament-pools
 * service, which differ in their endpoints, keys and counters alone.
 */
export const createServiceApp = (options: ServiceAppOptions): FastifyInstance => {
  const { hasApi = true, isDraining = () => false } = options
  const door = createAdmission(options, (err) => app.log.error({ err }, 'uses of keys not noted'))
  const app = fastify({
    ...serverOptions(options),
    serverFactory: (listener) =>
      createConnections(listener, {
        answers: createWireAnswers(door),
        isDraining,
        tls: options.tls,
      }),
    // The connections have answered already.
    clientErrorHandler: () => {},
  })

  app.decorateRequest('accountId', null)
  app.decorateRequest('quota', null)
  app.decorateRequest('clientAddress', {
    getter() {
      return door.addressOf(this)
    },
  })
  app.removeAllContentTypeParsers()
  const isForSite = (url: string) => options.site !== undefined && isOutside(url)
  app.addHook(
    'onRequest',
    door.greet(createUnrouted(hasApi ? endpointsOf[options.service] : {}), isForSite),
  )
  logRequests(app)
  tellAnswers(app, options.onAnswer)
  answerErrors(app, door)

  void app.register(async (scope) => {
    scope.addHook('onRequest', door.pass)
    addHealth(scope, options.ports.care, isDraining)
    if (hasApi) addEndpoints(scope, options, 'keyless')
  })
  void app.register(async (scope) => {
    scope.addHook('onRequest', door.admit)
    scope.addHook('preParsing', ignoreMedia)
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    if (hasApi) addEndpoints(scope, options, 'without body')
  })
  void app.register(async (scope) => {
    scope.addHook('onRequest', door.admit)
    scope.addHook('preParsing', refuseOtherMedia)
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async (_request: unknown, bytes: Buffer) => readJson(bytes),
    )
    if (hasApi) addEndpoints(scope, options, 'with body')
  })
  const { site } = options
  if (site !== undefined) {
    void app.register(async (scope) => {
      scope.addHook('onRequest', door.pass)
      await site(scope)
    })
  }
  return app
}
