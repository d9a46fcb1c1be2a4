import type { FastifyReply, FastifyRequest } from 'fastify'
import { SLUG_PATTERN } from '../contract/bounds.ts'
import { API_PREFIX, type EndpointTable } from '../contract/endpoint.ts'
import { Failure } from '../contract/errors.ts'
import { decodedPath } from './decoded-path.ts'

const pathPattern = (path: string): RegExp =>
  new RegExp(
    `^${API_PREFIX}${path.replace('.', '\\.').replace('{slug}', SLUG_PATTERN.slice(1, -1))}$`,
  )

/** What is said of a path that no endpoint has. */
export const pathNotFound = (): Failure =>
  new Failure(
    'not_found',
    `there is nothing at this path; ${API_PREFIX}/openapi.json lists what there is`,
  )

/**
 * Answers what no route matched: 204 with `Allow` for OPTIONS on a known path, 405 with `Allow`
 * for another method there, 404 elsewhere (D-12).
 */
export const createUnrouted = (endpoints: EndpointTable) => {
  const known = Object.values(endpoints).map(({ method, path }) => ({
    method,
    pattern: pathPattern(path),
  }))

  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = decodedPath(request.url)
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (methods.length === 0) throw pathNotFound()
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    void reply.header('allow', allow)
    if (request.method === 'OPTIONS') return reply.code(204).send()
    throw new Failure('method_not_allowed', `this path takes ${allow}`)
  }
}
