import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_PREFIX, type Endpoint, type EndpointTable, pathPattern } from '../contract/endpoint.ts'
import { AppError, pathNotFoundMessage } from '../contract/errors.ts'
import { endpointsOf, type ServiceName, serviceNames } from '../contract/services.ts'
import type { Settings } from './context.ts'
import { decodedPath, WHOLE_SERVER } from './wire.ts'

/** An existing path. HEAD is in `methods` if it is supported, OPTIONS always is. */
export type ExistingPath = { readonly pattern: RegExp; readonly methods: readonly string[] }

/** The order of methods in `Allow`. */
const allowOrders = {
  api: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
  site: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
} as const

/** For a path of the API without an endpoint. */
export const pathNotFound = (): AppError =>
  new AppError('not_found:no_such_path', pathNotFoundMessage)

/**
 * Responds to unrouted requests: 204 with `Allow` for OPTIONS on a known path, 405 with `Allow` for
 * another method there (D-12); `notFound` responds to all others.
 */
export function createUnrouted<R>(
  surface: keyof typeof allowOrders,
  known: () => readonly ExistingPath[],
  notFound: (request: FastifyRequest, reply: FastifyReply) => R,
) {
  return (request: FastifyRequest, reply: FastifyReply): R | FastifyReply => {
    const path = decodedPath(request.url)
    const here = known().filter(({ pattern }) => path === WHOLE_SERVER || pattern.test(path))
    if (here.length === 0) return notFound(request, reply)
    const methods = new Set(['OPTIONS', ...here.flatMap((each) => each.methods)])
    const allow = allowOrders[surface].filter((method) => methods.has(method)).join(', ')
    void reply.header('allow', allow)
    if (request.method === 'OPTIONS') return reply.code(204).send()
    throw new AppError('method_not_allowed', `this path takes ${allow}`)
  }
}

/** The paths of the endpoints of an API. */
export const apiPaths = (endpoints: EndpointTable): readonly ExistingPath[] =>
  Object.values(endpoints).map(({ method, path }) => ({
    pattern: new RegExp(
      `^${API_PREFIX}${path
        .replace('.', '\\.')
        .replaceAll(/\{(\w+)\}/g, (_, name: string) => pathPattern(path, name).slice(1, -1))}$`,
    ),
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
  }))

type Addresses = Pick<Settings, 'apiUrl' | 'poolsUrl'>

/**
 * Returns a function that finds the address in an API of a path that was asked for without `/api/v1`: in that of this
 * service, else in that of the other one. null for a path that neither has.
 */
export function createMisplaced(service: ServiceName, settings: Addresses) {
  const urlOf = (name: ServiceName) => (name === 'packs' ? settings.apiUrl : settings.poolsUrl)
  const apis = [service, ...serviceNames.filter((name) => name !== service)].map((name) => ({
    name,
    paths: apiPaths(endpointsOf[name]),
  }))
  return (url: string): string | null => {
    const path = API_PREFIX + decodedPath(url)
    const api = apis.find(({ paths }) => paths.some(({ pattern }) => pattern.test(path)))
    return api === undefined ? null : urlOf(api.name) + path
  }
}

/** How the paths of both APIs begin: most requests are for pages and files, which begin otherwise. */
export const firstSteps: ReadonlySet<string> = new Set(
  serviceNames.flatMap((name) =>
    Object.values<Endpoint>(endpointsOf[name]).map(({ path }) => path.split('/')[1] ?? ''),
  ),
)

/** The refusal of a path whose address in an API is known. */
export const misplaced = (address: string | null): AppError | null =>
  address === null
    ? null
    : new AppError(
        'not_found:no_such_path',
        `there is nothing at this path; the API has it at ${address}`,
      )

/** Collects the paths of a scope as routes are added; to be called before the first. */
export function notePaths(scope: FastifyInstance): () => readonly ExistingPath[] {
  const methodsOf = new Map<string, Set<string>>()
  let known: readonly ExistingPath[] | null = null
  scope.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    methodsOf.set(url, methods)
  })
  return () =>
    (known ??= [...methodsOf].map(([path, methods]) => ({
      pattern: patternOf(path),
      methods: [...methods],
    })))
}

function patternOf(path: string): RegExp {
  const pattern = path
    .replaceAll(/[.+]/g, '\\$&')
    .replaceAll(/:[A-Za-z]+/g, '[^/]+')
    .replace('*', '.+')
  return new RegExp(`^${pattern}$`)
}
