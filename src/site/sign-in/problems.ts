import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Trouble } from '../../domain/platform.ts'
import { chargeEach, isSameSecret, loadViewer, originOf } from '../../door/sessions.ts'
import { queryOf, type SiteTexts } from '../language.ts'
import { homeward, type Notice } from '../pages/notice-html.ts'
import { sendNotice } from '../pages/send-page.ts'
import { contactOf, sendError } from '../refusals.ts'
import type { SiteContext } from '../site-context.ts'

/** What a page says to somebody who was not signed in, and leads to. */
type Failure = {
  readonly problem: keyof typeof problems
  readonly returnPath: string
  /** Seconds until trying again may end differently, where that is known. */
  readonly wait?: number
  /** Of a suspension: a moderator's text. */
  readonly reason?: string
  /** Of a failure of ours: the request that it happened to. */
  readonly id?: string
}

/** The page for somebody who was not signed in. */
export function sendProblem(
  context: SiteContext,
  reply: FastifyReply,
  failure: Failure,
): FastifyReply {
  const { problem, returnPath, wait = 0, reason = '', id = '' } = failure
  const { status, say, isFinal, isUnused, isOurs }: ProblemPage = problems[problem]
  // At the address where signing in works, whatever name this page was requested by.
  const home = originOf(reply.request.headers, context.settings.ownUrl)
  const signIn = `${home}/sign-in?return=${encodeURIComponent(returnPath)}`
  const again = isUnused ? queryOf(reply.request) : `${FAILURE_PATH}?of=${seal(context, failure)}`
  return sendNotice(context, reply, status, (texts) => ({
    ...say(texts, { wait, reason, id }),
    ways: [
      ...(isFinal ? [] : [{ label: texts.signInAgain, href: signIn }]),
      homeward(texts),
      ...(isOurs ? contactOf(context, texts) : []),
    ],
    again,
  }))
}

/** Where a page says again why a sign-in failed: the address that found out has a code that works once (D-110). */
const FAILURE_PATH = '/sign-in/failure'

/** Adds the pages that say in another language why somebody was not signed in. */
export function addProblems(app: FastifyInstance, context: SiteContext): void {
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('cache-control', 'private, no-store')
  })
  app.addHook('onRequest', loadViewer(context))
  app.addHook('onRequest', chargeEach(context, 'page'))
  app.setErrorHandler((error, _request, reply) => sendError(context, reply, error))
  app.get(FAILURE_PATH, (request, reply) => {
    const { of } = request.query as { of?: unknown }
    const failure = typeof of === 'string' ? unseal(context, of) : null
    return sendProblem(context, reply, failure ?? { problem: 'no_pending', returnPath: '/' })
  })
}

/** As text for an address. It is signed, so that others cannot make this site say what it has not said. */
function seal(context: SiteContext, failure: Failure): string {
  const text = Buffer.from(JSON.stringify(failure)).toString('base64url')
  return `${text}.${sign(context, `failure ${text}`)}`
}

function unseal(context: SiteContext, sealed: string): Failure | null {
  const [text = '', signature = ''] = sealed.split('.')
  if (!isSameSecret(signature, sign(context, `failure ${text}`))) return null
  const failure = JSON.parse(Buffer.from(text, 'base64url').toString()) as Failure
  // Another version may have written it.
  return Object.hasOwn(problems, failure.problem) ? failure : null
}

/** 128 bits; with the secret that all processes have in common. */
export function sign({ settings }: Pick<SiteContext, 'settings'>, text: string): string {
  return createHmac('sha256', settings.cookieSecret).update(text).digest('base64url').slice(0, 22)
}

/** The pages that tell of what the platform did not answer (D-92). */
export const troublePages = {
  throttled: 'throttled',
  down: 'platform_down',
  blocked: 'blocked',
  'set-up': 'set_up_wrongly',
  unexpected: 'platform_odd',
} as const satisfies Readonly<Record<Exclude<Trouble, 'unasked'>, keyof typeof problems>>

type ProblemPage = {
  readonly status: number
  /** Trying again cannot end differently. */
  readonly isFinal?: true
  /** The code is still valid, and the address of the page can be opened again. */
  readonly isUnused?: true
  /** The operator can do something about it. */
  readonly isOurs?: true
  readonly say: (
    texts: SiteTexts,
    facts: { readonly wait: number; readonly reason: string; readonly id: string },
  ) => Pick<Notice, 'title' | 'text'>
}

export const problems = {
  no_pending: {
    status: 400,
    say: (texts) => ({ title: texts.signInNoPending, text: texts.signInNoPendingText }),
  },
  unasked: {
    status: 403,
    say: (texts) => ({ title: texts.signInUnasked, text: texts.signInUnaskedText }),
  },
  denied: {
    status: 403,
    say: (texts) => ({ title: texts.signInDenied, text: texts.signInDeniedText }),
  },
  platform_refused: {
    status: 502,
    say: (texts) => ({ title: texts.signInPlatformRefused, text: texts.signInPlatformRefusedText }),
  },
  bad_code: {
    status: 400,
    say: (texts) => ({ title: texts.signInBadCode, text: texts.signInBadCodeText }),
  },
  restricted: {
    status: 403,
    isFinal: true,
    say: (texts) => ({ title: texts.signInRestricted, text: texts.signInRestrictedText }),
  },
  deleted: {
    status: 403,
    isFinal: true,
    say: (texts) => ({ title: texts.signInDeleted, text: texts.signInDeletedText }),
  },
  disabled: {
    status: 403,
    isFinal: true,
    say: (texts) => ({ title: texts.signInDisabled, text: texts.signInDisabledText }),
  },
  set_up_wrongly: {
    status: 502,
    say: (texts) => ({ title: texts.signInSetUpWrongly, text: texts.signInSetUpWronglyText }),
  },
  blocked: {
    status: 502,
    say: (texts) => ({ title: texts.signInBlocked, text: texts.signInBlockedText }),
  },
  platform_odd: {
    status: 502,
    say: (texts) => ({ title: texts.signInPlatformOdd, text: texts.signInPlatformOddText }),
  },
  throttled: {
    status: 503,
    say: (texts) => ({ title: texts.signInThrottled, text: texts.signInThrottledText }),
  },
  platform_down: {
    status: 503,
    say: (texts) => ({ title: texts.signInPlatformDown, text: texts.signInPlatformDownText }),
  },
  failed: {
    status: 500,
    isOurs: true,
    say: (texts, { id }) => ({ title: texts.failed, text: texts.failedText({ id }) }),
  },
  store_away: {
    status: 503,
    say: (texts) => ({ title: texts.storeAway, text: texts.signInStoreAwayText }),
  },
  suspended: {
    status: 403,
    isFinal: true,
    say: (texts, { reason }) => ({
      title: texts.suspended,
      text: texts.suspendedText({ reason }),
    }),
  },
  crowded: {
    status: 503,
    isUnused: true,
    say: (texts) => ({ title: texts.signInCrowded, text: texts.signInCrowdedText }),
  },
  too_many: {
    status: 429,
    isUnused: true,
    say: (texts, { wait }) => ({
      title: texts.signInTooMany,
      text: texts.signInTooManyText({ n: wait }),
    }),
  },
  others_first: {
    status: 429,
    isUnused: true,
    say: (texts) => ({ title: texts.signInOthersFirst, text: texts.signInOthersFirstText }),
  },
} satisfies Readonly<Record<string, ProblemPage>>
