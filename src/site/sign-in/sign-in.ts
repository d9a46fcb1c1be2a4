import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../contract/errors.ts'
import { PlatformError, SetupError } from '../../domain/platform.ts'
import { makeToken, SESSION_IDLE_MS, TOKEN_BYTES } from '../../domain/sessions.ts'
import { setCookies } from '../../door/answer.ts'
import { chargeEach, keepSession, originOf, readSessionToken } from '../../door/sessions.ts'
import { lookAtCodes, returnCode, signIn, takeCode } from '../../operations/sessions.ts'
import { isolate } from '../../pool/text.ts'
import { homeward } from '../pages/html.ts'
import { sendNotice } from '../pages/send-page.ts'
import { sendError } from '../refusals.ts'
import type { SiteContext } from '../site-context.ts'
import { dropPending, keepPending, readPending, safeReturnPath } from './pending-sign-ins.ts'

/** The path that the platform sends people back to, on either site. */
export const SIGN_IN_CALLBACK = '/sign-in/callback'

/** Adds sign-in by the platform's OAuth (spec 5, D-42). */
export function addSignIn(app: FastifyInstance, context: SiteContext): void {
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('cache-control', 'private, no-store')
  })
  app.addHook('onRequest', chargeEach(context, 'signIn'))
  app.setErrorHandler((error, _request, reply) => sendError(context, reply, error))
  app.get('/sign-in', async (_request, reply) => begin(context, reply))
  // HEAD would use up the code.
  app.get(SIGN_IN_CALLBACK, { exposeHeadRoute: false }, (_request, reply) => end(context, reply))
}

/** Sends the browser to the platform; the pending sign-in is stored in its cookies alone. */
function begin(context: SiteContext, reply: FastifyReply): FastifyReply {
  const { request } = reply
  const { random, clock, platform } = context.ports
  const { retryAfter } = lookAtCodes(context.ports, request.clientAddress)
  // The platform's page would be in vain.
  if (retryAfter !== null)
    return sendTooManyCodes(context, reply, retryAfter, returnPathOf(request))
  const state = makeToken(random.bytes(TOKEN_BYTES))
  const returnPath = returnPathOf(request)
  const pending = { state, begunAt: clock.now(), returnPath }
  setCookies(reply, keepPending(context, request.headers, pending))
  return reply.redirect(platform.signInAddress(state, callbackOf(context, request)))
}

function returnPathOf(request: FastifyRequest): string {
  return safeReturnPath(parameterOf(request, 'return'))
}

async function end(context: SiteContext, reply: FastifyReply): Promise<FastifyReply> {
  const { ports, settings } = context
  const { request } = reply
  const pending = readPending(context, request.headers, parameterOf(request, 'state') ?? '')
  // Another sign-in that is pending in this browser can still be completed.
  if (pending === null) return sendProblem(context, reply, 'no_pending', '/')
  const { returnPath } = pending
  const attempt = takeCode(ports, request.clientAddress)
  // The code is still valid, and the sign-in pending: the page can be loaded again after the wait.
  if (attempt.retryAfter !== null) {
    return sendTooManyCodes(context, reply, attempt.retryAfter, returnPath)
  }
  setCookies(reply, [dropPending(context, pending)])
  let isFailedCode = false
  try {
    const ending = await finish(context, request, attempt.failed)
    isFailedCode = ending.outcome === 'bad_code'
    if (ending.outcome === 'suspended') return sendSuspension(context, reply, ending.reason)
    if (ending.outcome !== 'signed_in') {
      return await sendProblem(context, reply, ending.outcome, returnPath)
    }
    const session = keepSession(context, ending.token, SESSION_IDLE_MS / 1000)
    setCookies(reply, [dropPending(context, pending), session])
    // As a header may contain it; the path has been checked.
    const { pathname, search, hash } = new URL(returnPath, settings.ownUrl)
    return reply.redirect(pathname + search + hash)
  } catch (error) {
    return sendFailure(context, reply, error, returnPath, attempt.failed > 0)
  } finally {
    if (!isFailedCode) returnCode(ports, request.clientAddress)
  }
}

async function finish(context: SiteContext, request: FastifyRequest, failedCodes: number) {
  const error = parameterOf(request, 'error')
  if (error === 'access_denied') return { outcome: 'denied' } as const
  const code = parameterOf(request, 'code')
  if (error !== null) {
    const named = isErrorName.test(error) ? { error } : {}
    request.log.warn(
      { requestId: request.id, ...named },
      'the platform refused to sign somebody in',
    )
    return { outcome: 'platform_refused' } as const
  }
  // The platform sends one or the other, once: the address was changed.
  if (code === null) return { outcome: 'no_pending' } as const
  return signIn(context.ports, {
    service: context.service,
    code,
    redirectUri: callbackOf(context, request),
    address: request.clientAddress,
    failedCodes,
    formerToken: readSessionToken(request, context),
    userAgent: request.headers['user-agent'],
  })
}

/** An error of OAuth, such as `invalid_scope`, and nothing else that somebody may write into our log. */
const isErrorName = /^[a-z_]{1,40}$/

/** A query parameter; null if it is missing or given twice. */
function parameterOf({ query }: FastifyRequest, name: string): string | null {
  const value = (query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : null
}

/** At the origin that the browser uses now: its cookies are stored there. */
function callbackOf({ settings }: SiteContext, { headers }: FastifyRequest): string {
  return originOf(headers, settings.ownUrl) + SIGN_IN_CALLBACK
}

function secondsUntil(at: number, { ports }: SiteContext): number {
  return Math.max(1, Math.ceil((at - ports.clock.now()) / 1000))
}

/**
 * Answers a failure of the platform; throws any other.
 *
 * @param hasFailed codes from this address failed lately, or are being tried: where calls are short, others come first.
 */
function sendFailure(
  context: SiteContext,
  reply: FastifyReply,
  error: unknown,
  returnPath: string,
  hasFailed: boolean,
): FastifyReply {
  if (!(error instanceof PlatformError || error instanceof AppError)) throw error
  const { request } = reply
  request.log.warn({ requestId: request.id, reason: error.message }, 'nobody was signed in')
  if (error instanceof AppError) return sendProblem(context, reply, 'platform_refused', returnPath)
  if (error instanceof SetupError) return sendProblem(context, reply, 'set_up_wrongly', returnPath)
  const wait = error.retryAt === null ? 60 : secondsUntil(error.retryAt, context)
  void reply.header('retry-after', String(wait))
  if (!error.isUnasked) return sendProblem(context, reply, 'platform_down', returnPath)
  // The code is still valid: the browser keeps its cookie and tries again by itself.
  void reply.removeHeader('set-cookie').header('refresh', String(wait))
  return sendProblem(context, reply, hasFailed ? 'others_first' : 'crowded', returnPath)
}

/** Answers 429 with the seconds to wait, and leaves what is pending in the browser. */
function sendTooManyCodes(
  context: SiteContext,
  reply: FastifyReply,
  retryAfter: number,
  returnPath: string,
): FastifyReply {
  void reply.header('retry-after', String(retryAfter))
  const wait = `Try again in ${retryAfter === 1 ? 'one second' : `${retryAfter} seconds`}.`
  return sendProblem(context, reply, 'too_many', returnPath, wait)
}

function sendProblem(
  context: SiteContext,
  reply: FastifyReply,
  problem: keyof typeof problems,
  returnPath: string,
  more = '',
): FastifyReply {
  const { status, title, text, isFinal }: ProblemPage = problems[problem]
  // At the address where signing in works, whatever name this page was requested by.
  const home = originOf(reply.request.headers, context.settings.ownUrl)
  const again = `${home}/sign-in?return=${encodeURIComponent(returnPath)}`
  const ways = [...(isFinal ? [] : [{ label: 'Sign in again', href: again }]), homeward]
  return sendNotice(context, reply, status, { title, text: `${text} ${more}`.trim(), ways })
}

/** The reason is a moderator's text. */
function sendSuspension(context: SiteContext, reply: FastifyReply, reason: string): FastifyReply {
  const text = `A moderator of this site has suspended your account, and gives this reason: “${isolate(reason)}”. You cannot sign in, your API keys do not work, and others do not see what you made public, until the suspension is lifted. Nothing of it was deleted. If you think that this is a mistake, write to whoever runs this site.`
  return sendNotice(context, reply, 403, {
    title: 'Your account is suspended',
    text,
    ways: [homeward],
  })
}

type ProblemPage = {
  readonly status: number
  readonly title: string
  readonly text: string
  /** Trying again cannot end differently. */
  readonly isFinal?: true
}

const problems = {
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
    isFinal: true,
  },
  deleted: {
    status: 403,
    title: 'This player no longer exists',
    text: 'The account was deleted on the game platform. You can still browse and open packs.',
    isFinal: true,
  },
  set_up_wrongly: {
    status: 502,
    title: 'Sign-in is not set up correctly here',
    text: 'The game platform does not know this site. That is not your doing: the people who run the site find the cause in its log. You can still browse and open packs.',
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
    text: 'There were 20 failed sign-ins from your network within ten minutes.',
  },
  others_first: {
    status: 429,
    title: 'Other people are signing in',
    text: 'Several sign-ins from your network failed lately, or are under way, so others come first. Leave this page open: it tries again by itself within a minute, and signs you in.',
  },
} satisfies Readonly<Record<string, ProblemPage>>
