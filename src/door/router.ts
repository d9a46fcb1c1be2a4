import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { type TSchema, Type } from 'typebox'
import {
  API_PREFIX,
  type Endpoint,
  type EndpointTable,
  isOfBeatmap,
  isWrite,
  mediaTypesOf,
  pathPattern,
} from '../contract/endpoint.ts'
import { MAX_BEATMAP_ID, MAX_SAFE_INTEGER, MAX_USAGE_IDS } from '../contract/bounds.ts'
import { ChangeQuery } from '../contract/changes.ts'
import { refusal } from '../contract/errors.ts'
import { PackEdit, PackInput } from '../contract/packs.ts'
import {
  endpointsOf,
  type packsApi,
  type poolsApi,
  type ServiceName,
} from '../contract/services.ts'
import {
  type poolsSessionApi,
  type sessionApi,
  sessionEndpointsOf,
} from '../contract/session-api.ts'
import { UsageLook, UsageQuery } from '../contract/usage.ts'
import { reportLater } from '../domain/quotas.ts'
import { checkJsonMedia, readJson } from '../domain/reading/json.ts'
import { type BodyReader, bodyReader } from '../domain/reading/bodies.ts'
import { ignoredFields, readPackInput } from '../domain/reading/pack-input.ts'
import { ignoredFieldsHeader, shapeChecker, shown } from '../domain/reading/schema.ts'
import {
  readChangeQuery,
  readIdempotencyKey,
  readIfMatch,
  readPage,
  readUsageLook,
  readUsageQuery,
} from '../domain/reading/requests.ts'
import { type Awaitable, whenKnown } from '../domain/loading.ts'
import { readOnlyRefusal } from '../operations/operator.ts'
import { type Admission, lateAdmission } from './admission.ts'
import { type Answer, sendAnswer, whenGone } from './answer.ts'
import { sendJsonError } from './failures.ts'
import type { Context } from './context.ts'
import type { AnyHandler, AdmittedRequest, HandlerTable } from './handler.ts'
import { accountHandlers, ownDataHandlers } from './handlers/accounts.ts'
import { packChangeHandlers, tournamentChangeHandlers } from './handlers/changes.ts'
import { announcementHandlers } from './handlers/announcements.ts'
import { beatmapHandlers } from './handlers/beatmaps.ts'
import { descriptionHandlers } from './handlers/description.ts'
import { discussionHandlers, sessionDiscussionHandlers } from './handlers/discussion.ts'
import {
  draftHistoryHandlers,
  historyHandlers,
  sessionHistoryHandlers,
} from './handlers/history.ts'
import { invitationHandlers } from './handlers/invitations.ts'
import { moderationHandlers, tournamentModerationHandlers } from './handlers/moderation.ts'
import { packHandlers, sessionPackHandlers } from './handlers/packs.ts'
import { tournamentHandlers } from './handlers/tournaments.ts'
import { searchHandlers } from './handlers/search.ts'
import { staffHandlers } from './handlers/staff.ts'
import { sessionUsageHandlers, usageHandlers } from './handlers/usage.ts'
import { workspaceHandlers } from './handlers/workspaces.ts'
import {
  admitSession,
  loadViewer,
  orSignedOut,
  readmitSession,
  requesterOfRequest,
} from './sessions.ts'
import { pathNotFound } from './unrouted.ts'
import { paceAnyone } from './work.ts'

const packs: HandlerTable<typeof packsApi> = {
  ...descriptionHandlers,
  ...packHandlers,
  ...historyHandlers,
  ...packChangeHandlers,
}
const tournaments = {
  ...tournamentHandlers,
  ...draftHistoryHandlers,
  ...staffHandlers,
  ...discussionHandlers,
}
const pools: HandlerTable<typeof poolsApi> = {
  ...descriptionHandlers,
  ...tournaments,
  ...usageHandlers,
  ...tournamentChangeHandlers,
}
const packsSite: HandlerTable<typeof sessionApi> = {
  ...accountHandlers,
  ...sessionPackHandlers,
  ...sessionHistoryHandlers,
  ...beatmapHandlers,
  ...sessionUsageHandlers,
  ...searchHandlers,
  ...ownDataHandlers,
  ...moderationHandlers,
}
const poolsSite: HandlerTable<typeof poolsSessionApi> = {
  ...accountHandlers,
  ...beatmapHandlers,
  ...sessionUsageHandlers,
  ...tournaments,
  ...workspaceHandlers,
  ...announcementHandlers,
  ...invitationHandlers,
  ...tournamentModerationHandlers,
  ...sessionDiscussionHandlers,
}

type AnyTable = Readonly<Record<string, AnyHandler>>

/** The handlers of each service by operation id; the types above check them against the contract. */
const handlersOf: Readonly<Record<ServiceName, AnyTable>> = { packs, pools }
const sessionHandlersOf: Readonly<Record<ServiceName, AnyTable>> = {
  packs: packsSite,
  pools: poolsSite,
}

/** Adds the API endpoints of the context's service. */
export function addApi(app: FastifyInstance, context: Context, admission: Admission): void {
  const { service } = context
  const admitPaced = [admission.admitAnyone, paceAnyone(context)]
  addEndpoints(app, context, endpointsOf[service], handlersOf[service], {
    admit: ({ auth, method }) =>
      auth === 'none' ? admitPaced : admission.admit[isWrite(method) ? 'writing' : 'reading'],
    readmit: admission.readmit,
  })
}

/** Adds the session endpoints of the context's service, which its pages call. */
export function addSessionEndpoints(app: FastifyInstance, context: Context): void {
  const { service } = context
  app.addHook('onRequest', loadViewer(context))
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.header('cache-control', 'private, no-store')
    done()
  })
  app.setErrorHandler(sendJsonError)
  addEndpoints(app, context, sessionEndpointsOf[service], sessionHandlersOf[service], {
    admit: (endpoint) => admitSession(context, endpoint),
    readmit: (request) => readmitSession(context, request),
  })
}

/** How the requests of a table are admitted. */
type Admitting = {
  readonly admit: (endpoint: Endpoint) => onRequestHookHandler | onRequestHookHandler[]
  /** Called for a request that has waited: throws if it would no longer be admitted. */
  readonly readmit: (request: FastifyRequest) => Awaitable<void>
}

function addEndpoints(
  app: FastifyInstance,
  context: Context,
  endpoints: EndpointTable,
  handlers: AnyTable,
  admitting: Admitting,
): void {
  const add = (hasBody: boolean) => async (scope: FastifyInstance) => {
    if (hasBody) readJsonBodies(scope, admitting.readmit)
    else ignoreBodies(scope)
    for (const [id, endpoint] of Object.entries(endpoints)) {
      if ((endpoint.body !== undefined) !== hasBody) continue
      const handle = handlers[id]
      if (handle === undefined) throw new Error(`no handler for ${id}`)
      addEndpoint(scope, context, endpoint, handle, admitting)
    }
  }
  void app.register(add(false))
  void app.register(add(true))
}

function addEndpoint(
  app: FastifyInstance,
  context: Context,
  endpoint: Endpoint,
  handle: AnyHandler,
  admitting: Admitting,
): void {
  const { auth, path } = endpoint
  const admit = admitting.admit(endpoint)
  const mayBeHeldUp = isWrite(endpoint.method) && endpoint.worksReadOnly !== true
  const bodies = endpoint.body && readerOf(endpoint.body)
  const ignoredOf = ignoredReader(endpoint, bodies)
  const readCall = callReader(endpoint, bodies, admitting)
  app.route({
    method: endpoint.method,
    url: (auth === 'session' ? '' : API_PREFIX) + path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: path.includes('{') ? [admit, refuseImpossiblePath(endpoint)].flat() : admit,
    config: { ignoredOf, mediaTypes: mediaTypesOf(endpoint) },
    // Sends the response itself, synchronously if possible: a promise would cost more in Fastify.
    handler: (request, reply): void => {
      const fail = (error: unknown): unknown => reply.send(error)
      const { work } = context.ports
      const { readOnly } = context.operator.current
      if (mayBeHeldUp && readOnly !== null) {
        request.isHeldUp = true
        return void fail(readOnlyRefusal(readOnly.reason))
      }
      try {
        const call = readCall(request, reply)
        const answer = (answered: Answer): void => {
          if (answered.waitedMs) noteWait(request, answered.waitedMs)
          const whole = nameIgnored(ignoredOf(request), answered)
          sendAnswer(context.compressed, request, reply, endpoint, whole)
        }
        const answered =
          auth === 'session' ? work.measure(() => handle(context, call)) : handle(context, call)
        if (!(answered instanceof Promise)) answer(answered)
        else {
          answered
            .then((known) =>
              whenKnown(known.waitedMs === undefined ? undefined : admitting.readmit(request), () =>
                work.measure(() => answer(known)),
              ),
            )
            .catch(async (error: unknown) =>
              fail(auth === 'session' ? await orSignedOut(context, request, error) : error),
            )
        }
      } catch (error) {
        fail(error)
      }
    },
  })
}

/** Reads a request for an endpoint's handler; throws `bad_request` for invalid input. */
function callReader(
  endpoint: Endpoint,
  bodies: BodyReader | undefined,
  { readmit }: Admitting,
): (request: FastifyRequest, reply: FastifyReply) => AdmittedRequest {
  const readQuery = endpoint.query && shapeReader(endpoint.query, 'invalid_query')
  const isSession = endpoint.auth === 'session'
  return (request, { raw }) => ({
    viewer: request.viewer ?? null,
    accountId: request.accountId ?? request.viewer?.accountId ?? '',
    // Not a getter: V8 would make a new hidden class per request, which keeps the request alive.
    requester: isSession ? requesterOfRequest(request) : null,
    page: endpoint.paged ? readPage(request.query) : 1,
    slug: paramsOf(request)['slug'] ?? '',
    params: paramsOf(request),
    idempotencyKey: readIf(
      endpoint.idempotencyKey,
      request.headers['idempotency-key'],
      readIdempotencyKey,
    ),
    whenClosed: (work) => whenGone(raw, work),
    readmit: () => readmit(request),
    query: readQuery?.(request.query) as undefined,
    body: bodies?.read(request.body) as undefined,
    ifMatch: readIf(endpoint.conditional && true, request.headers['if-match'], readIfMatch),
  })
}

/** The quota in an answer is that at the time of sending; metrics exclude the time of waiting. */
function noteWait(request: FastifyRequest, waitedMs: number): void {
  request.waitedMs += waitedMs
  request.quota = request.quota && reportLater(request.quota, waitedMs)
}

function readIf<H, T>(isTaken: true | undefined, header: H | undefined, read: (header: H) => T) {
  return isTaken === undefined || header === undefined ? null : read(header)
}

function paramsOf({ params }: FastifyRequest) {
  return params as Readonly<Record<string, string>>
}

/**
 * Refuses a malformed slug, round, id or game id like an unknown one, before the body is read (D-3). The
 * router matches a path that ends before a parameter as one where that is empty.
 */
function refuseImpossiblePath({ auth, path }: Endpoint): onRequestHookHandler {
  const noPath = () => (auth === 'session' ? refusal('nothingAtPath') : pathNotFound())
  const notFound = path.includes('/tournaments/') ? 'tournamentNotFound' : 'packNotFound'
  const isOfPlayer = path.includes('/players/')
  const takesBeatmap = isOfBeatmap(path)
  const patterns = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    // The history says itself that there is no such version, after that there is no such pack.
    pattern: name === 'version' ? /^/ : new RegExp(pathPattern(path, name)),
  }))
  const isBeatmap = (id = '') => Number(id) <= MAX_BEATMAP_ID
  const isPlayer = (gameId = '1') => Number(gameId) <= MAX_SAFE_INTEGER
  return (request, _reply, done) => {
    const params = paramsOf(request)
    const isEmpty = patterns.some(({ name }) => !params[name])
    const isPossible =
      patterns.every(({ name, pattern }) => pattern.test(params[name] ?? '')) &&
      isPlayer(params['gameId'])
    if (takesBeatmap) done(isPossible && isBeatmap(params['id']) ? undefined : noPath())
    else if (isEmpty) done(noPath())
    else if (isPossible) done()
    else done(isOfPlayer ? noPath() : refusal(notFound))
  }
}

/** The routes of a scope read JSON; other media types are refused before the body is read (D-25). */
function readJsonBodies(scope: FastifyInstance, readmit: Admitting['readmit']): void {
  const admitLate = lateAdmission(scope, readmit)
  scope.addHook('preParsing', async ({ headers, raw, routeOptions }) => {
    const types = raw.headersDistinct['content-type']
    checkJsonMedia(types, headers['content-encoding'], routeOptions.config.mediaTypes ?? [])
  })
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      await admitLate(request)
      return readJson(bytes)
    },
  )
}

/** The routes of a scope ignore bodies of any media type. */
function ignoreBodies(scope: FastifyInstance): void {
  scope.addHook('preParsing', ({ headers }, _reply, _payload, done) => {
    if (headers['content-type'] !== undefined) delete headers['content-type']
    done()
  })
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

const ofApis = new Set(
  Object.values(endpointsOf).flatMap((endpoints) =>
    Object.values<Endpoint>(endpoints).map(({ body }) => body),
  ),
)

function readerOf(schema: TSchema): BodyReader {
  if (schema === PackInput) return { read: readPackInput, ignored: ignoredFields }
  if (schema === PackEdit) {
    const packOf = (body: unknown) => (body as Partial<PackEdit> | null)?.pack
    return { read: readPackEdit, ignored: (body) => ignoredFields(packOf(body)) }
  }
  if (ofApis.has(schema)) return bodyReader(schema)
  return { read: shapeReader(schema), ignored: () => [] }
}

/** A function that validates and returns a value, or throws `bad_request` with place and remedy. */
function shapeReader(
  schema: TSchema,
  reason: 'invalid_field' | 'invalid_query' = 'invalid_field',
): (sent: unknown) => unknown {
  if (schema === ChangeQuery) return readChangeQuery
  if (schema === UsageQuery) return (sent) => readUsageQuery(sent, MAX_USAGE_IDS)
  if (schema === UsageLook) return readUsageLook
  const check = shapeChecker(schema, reason)
  return (sent) => {
    check(sent, '')
    return sent
  }
}

const checkEdit = shapeChecker(
  Type.Object({ pack: Type.Object({}), basedOn: PackEdit.properties.basedOn }),
)

/** Errors name places as if the pack had been sent alone, for the editor. */
function readPackEdit(sent: unknown): PackEdit {
  checkEdit(sent, '')
  const { pack, basedOn } = sent as { pack: unknown; basedOn: string }
  return { pack: readPackInput(pack), basedOn }
}

/**
 * What of a request nothing is made of, whatever the answer is: fields of the body that was read, and of the API
 * parameters of the query, too (D-49, D-88). It depends on what was sent alone (D-60). null for nothing.
 */
function ignoredReader(
  { auth, paged, query }: Endpoint,
  bodies: BodyReader | undefined,
): (request: FastifyRequest) => string | null {
  const { properties = {} } = (query ?? {}) as { readonly properties?: object }
  const known = new Set(Object.keys(properties))
  if (paged) known.add('page')
  return (request) => {
    const ofBody = bodies?.ignored(request.body) ?? []
    const ofQuery = auth === 'session' ? [] : Object.keys(request.query as object)
    const names = [...ofBody, ...ofQuery.filter((name) => !known.has(name)).map(shown)]
    return names.length === 0 ? null : ignoredFieldsHeader(names)
  }
}

function nameIgnored(ignored: string | null, answer: Answer): Answer {
  if (ignored === null) return answer
  return { ...answer, headers: { ...answer.headers, 'x-ignored-fields': ignored } }
}
