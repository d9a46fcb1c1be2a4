import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../contract/errors.ts'
import { PlatformError } from '../../domain/platform.ts'
import { cookieSeconds, makeToken, SESSION_IDLE_MS, TOKEN_BYTES } from '../../domain/sessions.ts'
import { setCookies } from '../../door/answer.ts'
import { errorFor } from '../../door/failures.ts'
import {
  beginSession,
  keepKnownBrowser,
  knownBrowserCookie,
  readCookie,
  readSessionToken,
} from '../../door/cookies.ts'
import { chargeEach, isSameSecret, loadViewer, originOf } from '../../door/sessions.ts'
import {
  lookAtCodes,
  refuseHandOver,
  returnCode,
  signIn,
  takeCode,
} from '../../operations/sessions.ts'
import { keepLanguage, languageOf } from '../language.ts'
import { sendError } from '../refusals.ts'
import type { SiteContext } from '../site-context.ts'
import { problems, sendProblem, sign, troublePages } from './problems.ts'
import { createWarn, noteRefusal, type SignInContext } from './sign-in-log.ts'
import { answerOther, askOther, isToAsk, OFFER_PATH, RETURN_PATH, takeAnswer } from './hand-over.ts'
import {
  dropPending,
  keepPending,
  type Pending,
  readPending,
  safeReturnPath,
  stateOf,
} from './pending-sign-ins.ts'

/** The path that the platform sends people back to, on either site. */
export const SIGN_IN_CALLBACK = '/sign-in/callback'

/** Adds sign-in by the platform's OAuth (spec 5, D-42), and by the other site (D-96). */
export function addSignIn(app: FastifyInstance, site: SiteContext): void {
  const context = { ...site, warn: createWarn(site.ports.clock) }
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('cache-control', 'private, no-store')
  })
  app.addHook('onRequest', loadViewer(context))
  app.addHook('onRequest', chargeEach(context, 'signIn'))
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (!isOpened(headers))
      await sendProblem(context, reply, { problem: 'unasked', returnPath: '/' })
  })
  app.setErrorHandler((error, _request, reply) => sendError(context, reply, error))
  app.get('/sign-in', async (_request, reply) => begin(context, reply))
  // HEAD would use up the code.
  const once = { exposeHeadRoute: false }
  app.get(SIGN_IN_CALLBACK, once, (_request, reply) => end(context, reply))
  app.get(OFFER_PATH, once, async (request, reply) => {
    void reply.header('referrer-policy', 'no-referrer')
    const back = await answerOther(context, request, parameterOf(request, 'state'))
    return back === null
      ? sendProblem(context, reply, { problem: 'no_pending', returnPath: '/' })
      : reply.redirect(back)
  })
  app.get(RETURN_PATH, once, (_request, reply) => takeOver(context, reply))
}

/** Whether a person opens this as a page: not a browser ahead of a press, nor another page that embeds it. */
function isOpened(headers: IncomingHttpHeaders): boolean {
  const purpose = `${String(headers['sec-purpose'])} ${String(headers['purpose'])}`
  return !purpose.includes('prefetch') && (headers['sec-fetch-dest'] ?? 'document') === 'document'
}

/**
 * Signs in by the other site where somebody may be signed in there; otherwise by the platform, also somebody else than is
 * signed in here already. Links of the other site's pages, which name it as `from`, sign in only if that is needed.
 */
function begin(context: SiteContext, reply: FastifyReply): FastifyReply {
  const { request } = reply
  const from = parameterOf(request, 'from')
  const returnPath = safeReturnPath(parameterOf(request, 'return'))
  if (request.viewer !== null && from !== null) return goTo(context, reply, returnPath)
  const isAsked = request.viewer === null && isToAsk(context, request, from)
  return (isAsked ? askOther : goToPlatform)(context, reply, returnPath)
}

/**
 * Sends the browser to the platform; the pending sign-in is stored in its cookies alone.
 *
 * @param cookies other ones to be set.
 */
function goToPlatform(
  context: SiteContext,
  reply: FastifyReply,
  returnPath: string,
  cookies: readonly string[] = [],
): FastifyReply {
  const { request } = reply
  const { random, clock, platform } = context.ports
  const { retryAfter } = lookAtCodes(context.ports, request.clientAddress)
  // The platform's page would be in vain.
  if (retryAfter !== null) return sendTooManyCodes(context, reply, retryAfter, returnPath)
  const secret = makeToken(random.bytes(TOKEN_BYTES))
  const pending = { secret, begunAt: clock.now(), returnPath }
  setCookies(reply, [...cookies, ...keepPending(context, request.headers, pending)])
  const state = stateOf(context, secret)
  return reply.redirect(platform.signInAddress(state, callbackOf(context, request)))
}

/** Ends a sign-in that the other site was asked for. Where that fails, the platform is next. */
async function takeOver(context: SiteContext, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply.header('referrer-policy', 'no-referrer')
  const pending = readPending(context, request.headers, parameterOf(request, 'state') ?? '')
  const code = parameterOf(request, 'code')
  if (!pending?.isHandOver) {
    if (code !== null) await refuseHandOver(context.ports, code)
    return sendProblem(context, reply, { problem: 'no_pending', returnPath: '/' })
  }
  const { returnPath } = pending
  const dropped = dropPending(context, pending)
  setCookies(reply, [dropped])
  try {
    const ending = await takeAnswer(context, request, pending, code)
    if (ending.outcome === 'suspended') {
      const { reason } = ending
      return sendProblem(context, reply, { problem: 'suspended', returnPath, reason })
    }
    if (ending.outcome === 'gone') return goToPlatform(context, reply, returnPath, [dropped])
    const seconds = cookieSeconds(ending, context.ports.clock.now())
    return welcome(context, reply, pending, { ...ending, seconds })
  } catch (error) {
    return sendBroken(context, reply, error, returnPath)
  }
}

type Begun = {
  readonly token: string
  readonly accountId: string
  /** How long the browser keeps the session's cookie. */
  readonly seconds: number
}

/** Gives the browser the session that has begun, and leads it to where it was. */
function welcome(
  context: SiteContext,
  reply: FastifyReply,
  pending: Pending,
  { token, accountId, seconds }: Begun,
): FastifyReply {
  const session = beginSession(context, reply.request.headers, token, seconds)
  setCookies(reply, [dropPending(context, pending), ...session, keepKnown(context, accountId)])
  const { language, isAsked } = languageOf(context, reply.request)
  if (isAsked) keepLanguage(reply, context.settings, language)
  return goTo(context, reply, pending.returnPath)
}

/** @param path has been checked; it becomes what a header may contain. */
function goTo({ settings }: SiteContext, reply: FastifyReply, path: string): FastifyReply {
  const { pathname, search, hash } = new URL(path, settings.ownUrl)
  return reply.redirect(pathname + search + hash)
}

async function end(context: SignInContext, reply: FastifyReply): Promise<FastifyReply> {
  const { ports } = context
  const { request } = reply
  const pending = readPending(context, request.headers, parameterOf(request, 'state') ?? '')
  // Another sign-in that is pending in this browser can still be completed.
  if (pending === null || pending.isHandOver) {
    const error = parameterOf(request, 'error')
    // The platform sends some errors back without the state.
    if (error === null || parameterOf(request, 'state') !== null) {
      return sendProblem(context, reply, { problem: 'no_pending', returnPath: '/' })
    }
    return sendProblem(context, reply, {
      problem: noteRefusal(context, request, error),
      returnPath: '/',
    })
  }
  const { returnPath } = pending
  const known = readKnown(context, request.headers)
  const attempt = takeCode(ports, request.clientAddress, known)
  // The code is still valid, and the sign-in pending: the page can be loaded again after the wait.
  if (attempt.retryAfter !== null) {
    return sendTooManyCodes(context, reply, attempt.retryAfter, returnPath)
  }
  setCookies(reply, [dropPending(context, pending)])
  let isFailedCode = false
  try {
    const ending = await finish(context, request, attempt)
    isFailedCode = ending.outcome === 'bad_code'
    if (ending.outcome === 'suspended')
      return sendProblem(context, reply, {
        problem: 'suspended',
        returnPath,
        reason: ending.reason,
      })
    if (ending.outcome === 'disabled') {
      const why = 'the platform does not let the account of this player be used'
      context.warn(request, why, { reason: why }, 'nobody was signed in')
    }
    if (ending.outcome !== 'signed_in') {
      return await sendProblem(context, reply, { problem: ending.outcome, returnPath })
    }
    return welcome(context, reply, pending, { ...ending, seconds: SESSION_IDLE_MS / 1000 })
  } catch (error) {
    return sendFailure(
      context,
      reply,
      error,
      returnPath,
      attempt.known === null && attempt.failed > 0,
    )
  } finally {
    if (!isFailedCode) returnCode(ports, request.clientAddress, known)
  }
}

async function finish(
  context: SignInContext,
  request: FastifyRequest,
  { failed, known }: { readonly failed: number; readonly known: string | null },
) {
  const error = parameterOf(request, 'error')
  if (error === 'access_denied') return { outcome: 'denied' } as const
  const code = parameterOf(request, 'code')
  if (error !== null) return { outcome: noteRefusal(context, request, error) } as const
  // The platform sends one or the other, once: the address was changed.
  if (code === null) return { outcome: 'no_pending' } as const
  return signIn(context.ports, {
    service: context.service,
    code,
    redirectUri: callbackOf(context, request),
    address: request.clientAddress,
    failedCodes: failed,
    known,
    formerToken: readSessionToken(request, context),
    userAgent: request.headers['user-agent'],
  })
}

/** A query parameter; null if it is missing or given twice. */
function parameterOf({ query }: FastifyRequest, name: string): string | null {
  const value = (query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : null
}

/** At the origin that the browser uses now: its cookies are stored there. */
function callbackOf({ settings }: SiteContext, { headers }: FastifyRequest): string {
  return originOf(headers, settings.ownUrl) + SIGN_IN_CALLBACK
}

/** Answers a failure of ours. The code may be used up: the page leads to a new sign-in, in each language (D-110). */
function sendBroken(
  context: SiteContext,
  reply: FastifyReply,
  error: unknown,
  returnPath: string,
): FastifyReply {
  const { code } = errorFor(error, reply.request)
  if (code !== 'unavailable' && code !== 'internal_error') throw error
  const problem = code === 'unavailable' ? 'store_away' : 'failed'
  return sendProblem(context, reply, { problem, returnPath, id: reply.request.id })
}

/**
 * Answers a failure of the platform, or of ours.
 *
 * @param hasFailed codes from this address failed lately, or are being tried: where calls are short, others come first.
 */
function sendFailure(
  context: SignInContext,
  reply: FastifyReply,
  error: unknown,
  returnPath: string,
  hasFailed: boolean,
): FastifyReply {
  if (!(error instanceof PlatformError || error instanceof AppError))
    return sendBroken(context, reply, error, returnPath)
  const { request } = reply
  const reason = error.message
  context.warn(request, reason, { reason }, 'nobody was signed in')
  if (error instanceof AppError)
    return sendProblem(context, reply, { problem: 'platform_refused', returnPath })
  if (error.trouble !== 'unasked') {
    const page = troublePages[error.trouble]
    // For programs: the page itself names no time, since it is unknown here.
    if (problems[page].status === 503) void reply.header('retry-after', '60')
    return sendProblem(context, reply, { problem: page, returnPath })
  }
  const now = context.ports.clock.now()
  const wait = Math.max(1, Math.ceil(((error.retryAt ?? now) - now) / 1000))
  // The code is still valid, and by then calls are free: the browser keeps its cookie and tries again by itself.
  void reply
    .removeHeader('set-cookie')
    .header('retry-after', String(wait))
    .header('refresh', String(wait))
  return sendProblem(context, reply, {
    problem: hasFailed ? 'others_first' : 'crowded',
    returnPath,
  })
}

/** Answers 429 with the seconds to wait, and leaves what is pending in the browser. */
function sendTooManyCodes(
  context: SiteContext,
  reply: FastifyReply,
  retryAfter: number,
  returnPath: string,
): FastifyReply {
  void reply.header('retry-after', String(retryAfter))
  return sendProblem(context, reply, { problem: 'too_many', returnPath, wait: retryAfter })
}

/**
 * The `Set-Cookie` header that lets this browser show later that somebody has signed in with it (D-56): while codes of
 * many networks are refused, such browsers come first. It says who only to this service, and does not sign in. Both sites
 * have it in common where their host is the same.
 */
function keepKnown(context: SiteContext, accountId: string): string {
  const known = sign(context, `account ${accountId}`)
  return keepKnownBrowser(context, `${known}.${sign(context, `known ${known}`)}`)
}

/** The player who has signed in with this browser before, by a name of their own; null: none, as far as it shows. */
function readKnown(context: SiteContext, { cookie }: IncomingHttpHeaders): string | null {
  const [known = '', signature = ''] =
    readCookie(cookie, knownBrowserCookie(context.settings))?.split('.') ?? []
  return isSameSecret(signature, sign(context, `known ${known}`)) ? known : null
}
