import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../contract/errors.ts'
import { PlatformError } from '../../domain/platform.ts'
import { makeToken, SESSION_IDLE_MS, TOKEN_BYTES } from '../../domain/sessions.ts'
import { explainError, setCookies } from '../../door/answer.ts'
import { originOf } from '../../door/context.ts'
import { keepSession, readSessionToken } from '../../door/cookies.ts'
import { chargeEach, isSameSecret, isTooMany } from '../../door/sessions.ts'
import { type SignIn, signIn } from '../../operations/sessions.ts'
import { homeward, type Notice } from '../pages/html.ts'
import { failedNotice, sendNotice } from '../pages/send-page.ts'
import { sendTooMany } from '../shares.ts'
import type { SiteContext } from '../site-context.ts'
import {
  dropPending,
  keepPending,
  type Pending,
  readPending,
  safeReturnPath,
} from './pending-sign-ins.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it came from, as attempts are counted (spec 8, D-6). */
    readonly clientAddress: string
  }
}

const CALLBACK = '/sign-in/callback'
/** When the platform does not say, in seconds. */
const USUAL_WAIT = 60

/** Adds signing in by the platform's OAuth (spec 5, D-42). */
export function addSignIn(app: FastifyInstance, context: SiteContext): void {
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('cache-control', 'private, no-store')
  })
  app.addHook('onRequest', chargeEach(context, 'signIn'))
  app.setErrorHandler((error, request, reply) => {
    if (isTooMany(error)) return sendTooMany(context, request, reply, error)
    explainError(error, request)
    return sendNotice(context, request, reply, 500, failedNotice(request.id))
  })
  app.get('/sign-in', async (request, reply) => begin(context, request, reply))
  // To look at it, as HEAD does, would use the code up.
  app.get(CALLBACK, { exposeHeadRoute: false }, (request, reply) => end(context, request, reply))
}

/** Sends somebody to the platform; the browser alone remembers that it was asked. */
function begin(context: SiteContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { ports } = context
  const pending: Pending = {
    state: makeToken(ports.random.bytes(TOKEN_BYTES)),
    begunAt: ports.clock.now(),
    returnPath: safeReturnPath(once(request.query, 'return')),
  }
  setCookies(reply, keepPending(context, request.headers, pending))
  return reply.redirect(ports.platform.signInAddress(pending.state, callbackOf(context, request)))
}

async function end(
  context: SiteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { ports, settings, invalidCodes } = context
  const pending = readPending(context, request.headers, once(request.query, 'state') ?? '')
  if (!isAnswer(request.query, pending)) {
    // The sign-in that this browser is in the middle of, if any, is not this one: it may go on.
    return sendProblem(context, request, reply, 'no_pending', '/')
  }
  setCookies(reply, [dropPending(context, pending)])
  const retryAt = invalidCodes.take(request.clientAddress, ports.clock.now())
  if (retryAt !== null) {
    void reply.header('retry-after', String(secondsUntil(retryAt, context)))
    return sendProblem(context, request, reply, 'too_many', pending.returnPath)
  }
  let isJunk = false
  try {
    const ending = await finish(context, request)
    isJunk = ending.outcome === 'bad_code'
    if (ending.outcome !== 'signed_in') {
      return await sendProblem(context, request, reply, ending.outcome, pending.returnPath)
    }
    const session = keepSession(context, ending.token, SESSION_IDLE_MS / 1000)
    setCookies(reply, [dropPending(context, pending), session])
    return reply.redirect(locationOf(pending.returnPath, settings.ownUrl))
  } catch (error) {
    return sendError(context, request, reply, error, pending.returnPath)
  } finally {
    if (!isJunk) invalidCodes.giveBack(request.clientAddress)
  }
}

async function finish(context: SiteContext, request: FastifyRequest): Promise<Ending> {
  const { query } = request
  const error = once(query, 'error')
  if (error === 'access_denied') return { outcome: 'denied' }
  const code = once(query, 'code')
  if (error !== null || code === null) {
    request.log.warn({ requestId: request.id }, 'the platform refused to sign somebody in')
    return { outcome: 'platform_refused' }
  }
  const formerToken = readSessionToken(request, context)
  return signIn(context.ports, {
    service: context.service,
    code,
    redirectUri: callbackOf(context, request),
    formerToken,
    userAgent: request.headers['user-agent'],
  })
}

/** A parameter that stands once. */
function once(query: unknown, name: string): string | null {
  const value = (query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : null
}

/** Where the platform sends this browser back to: the cookie that it left with stands there alone. */
function callbackOf({ settings }: SiteContext, { headers }: FastifyRequest): string {
  return originOf(headers, settings.ownUrl) + CALLBACK
}

/** Is the answer one to the question that this very browser was sent away with? */
function isAnswer(query: unknown, pending: Pending | null): pending is Pending {
  return pending !== null && isSameSecret(once(query, 'state') ?? '', pending.state)
}

type Ending = SignIn | { readonly outcome: Exclude<SignInProblem, 'bad_code'> }

function sendProblem(
  context: SiteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: SignInProblem,
  returnPath: string,
): Promise<FastifyReply> {
  // At the address where it works, whatever name this page was asked for by.
  const home = originOf(request.headers, context.settings.ownUrl)
  const again = `${home}/sign-in?return=${encodeURIComponent(returnPath)}`
  const { status, notice } = signInNotice(problem, again)
  return sendNotice(context, request, reply, status, notice)
}

function secondsUntil(at: number, { ports }: SiteContext): number {
  return Math.max(1, Math.ceil((at - ports.clock.now()) / 1000))
}

/** What the platform did not tell, or told in a way that we cannot use; else it is our own failure. */
function sendError(
  context: SiteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  returnPath: string,
): Promise<FastifyReply> {
  if (!(error instanceof PlatformError || error instanceof AppError)) throw error
  request.log.warn({ requestId: request.id, reason: error.message }, 'nobody was signed in')
  if (error instanceof AppError) {
    return sendProblem(context, request, reply, 'platform_refused', returnPath)
  }
  const { retryAt } = error
  const wait = retryAt === null ? USUAL_WAIT : secondsUntil(retryAt, context)
  void reply.header('retry-after', String(wait))
  if (error.isUnasked) {
    // The code is still good: the browser keeps what it needs to come back with it, and does so.
    void reply.removeHeader('set-cookie').header('refresh', String(wait))
    return sendProblem(context, request, reply, 'crowded', returnPath)
  }
  return sendProblem(context, request, reply, 'platform_down', returnPath)
}

/** As a header may carry it; the path has been checked. */
function locationOf(returnPath: string, ownUrl: string): string {
  const { pathname, search, hash } = new URL(returnPath, ownUrl)
  return pathname + search + hash
}

/** How signing in can fail. */
type SignInProblem =
  | 'no_pending'
  | 'denied'
  | 'platform_refused'
  | 'bad_code'
  | 'restricted'
  | 'deleted'
  | 'platform_down'
  | 'crowded'
  | 'too_many'

type Told = { readonly status: number; readonly title: string; readonly text: string }

const problems: Readonly<Record<SignInProblem, Told>> = {
  no_pending: {
    status: 400,
    title: 'Sign-in could not be completed',
    text: 'It was started in another browser, took longer than ten minutes, or was already completed. Sign in again.',
  },
  denied: {
    status: 403,
    title: 'You were not signed in',
    text: 'You declined on the game platform’s page, so nothing was shared with us. You can still browse and open packs.',
  },
  platform_refused: {
    status: 502,
    title: 'The game platform rejected the sign-in',
    text: 'The problem is on our side or the platform’s, not yours. Try again later.',
  },
  bad_code: {
    status: 400,
    title: 'Sign-in could not be completed',
    text: 'The game platform no longer accepts this sign-in: it was already used or has expired. Sign in again.',
  },
  restricted: {
    status: 403,
    title: 'Restricted players cannot sign in',
    text: 'Your account on the game platform is restricted. You can still browse and open packs.',
  },
  deleted: {
    status: 403,
    title: 'This player no longer exists',
    text: 'The account was deleted on the game platform. You can still browse and open packs.',
  },
  platform_down: {
    status: 503,
    title: 'The game platform is not responding',
    text: 'You cannot sign in right now. Nothing was lost. Try again in a minute.',
  },
  crowded: {
    status: 503,
    title: 'Many people are signing in',
    text: 'You are next. Leave this page open: it tries again by itself within a minute, and signs you in.',
  },
  too_many: {
    status: 429,
    title: 'Too many failed sign-ins',
    text: 'There were 20 failed sign-ins from your network within ten minutes. Try again in a few minutes.',
  },
}

/** Another try makes sense only where it can end differently. */
function isFinal(problem: SignInProblem): boolean {
  return problem === 'restricted' || problem === 'deleted'
}

/**
 * What somebody reads whose sign-in failed.
 *
 * @param again the whole address at which signing in begins anew.
 */
function signInNotice(
  problem: SignInProblem,
  again: string,
): { readonly status: number; readonly notice: Notice } {
  const { status, title, text } = problems[problem]
  const ways = [...(isFinal(problem) ? [] : [{ label: 'Sign in again', href: again }]), homeward]
  return { status, notice: { title, text, ways } }
}
