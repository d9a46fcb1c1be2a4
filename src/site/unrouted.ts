import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { Failure } from '../contract/errors.ts'
import { sendNotFound } from './pages/not-found.ts'
import { sendJsonError } from './session/site-error.ts'
import { answerCharged } from './shares.ts'
import type { SiteContext } from './site-context.ts'

/** As `Allow` tells them. */
const order = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const

/** The path of a request target as the router reads it. */
const pathOf = (url: string): string => decodeURI(url.replace(/[?#].*$/s, ''))

const pattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll(/[.+]/g, '\\$&')
      .replaceAll(/:[a-z]+/g, '[^/]+')
      .replace('*', '.+')}$`,
  )

/** Notes the methods of each path as routes are added. */
export const noteRoutes = (scope: FastifyInstance): (() => readonly Known[]) => {
  const known = new Map<string, Set<string>>()
  scope.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    known.set(url, methods)
  })
  return () =>
    [...known].map(([path, methods]) => ({ pattern: pattern(path), methods: [...methods] }))
}

type Known = { readonly pattern: RegExp; readonly methods: readonly string[] }

/**
 * Answers what no route matched: 204 with `Allow` for OPTIONS on a path of the site, 405 with
 * `Allow` for another method there, 404 elsewhere, as the API does (D-12).
 */
export const answerUnrouted = (
  context: SiteContext,
  routes: () => readonly Known[],
): onRequestHookHandler => {
  let known: readonly Known[] | null = null

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    known ??= routes()
    const path = pathOf(request.url)
    const here = known.filter((route) => route.pattern.test(path))
    if (here.length === 0) return sendNotFound(context, request, reply)
    const methods = new Set(['OPTIONS', ...here.flatMap((route) => route.methods)])
    const allow = order.filter((method) => methods.has(method)).join(', ')
    void reply.header('allow', allow)
    if (request.method === 'OPTIONS') return reply.code(204).send()
    const failure = new Failure('method_not_allowed', `this path takes ${allow}`)
    return sendJsonError(failure, request, reply)
  }

  return async (request, reply) => {
    if (!request.is404) return
    await answerCharged(context, request, reply, 'page', () => answer(request, reply))
  }
}
