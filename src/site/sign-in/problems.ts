import type { FastifyReply } from 'fastify'
import type { Trouble } from '../../domain/platform.ts'
import { originOf } from '../../door/sessions.ts'
import type { SiteTexts } from '../language.ts'
import { homeward, type Notice } from '../pages/notice-html.ts'
import { sendNotice } from '../pages/send-page.ts'
import type { SiteContext } from '../site-context.ts'

/**
 * The page for somebody who was not signed in.
 *
 * @param wait seconds until trying again may end differently, where that is known.
 */
export function sendProblem(
  context: SiteContext,
  reply: FastifyReply,
  problem: keyof typeof problems,
  returnPath: string,
  wait = 0,
): FastifyReply {
  const { status, say, isFinal }: ProblemPage = problems[problem]
  // At the address where signing in works, whatever name this page was requested by.
  const home = originOf(reply.request.headers, context.settings.ownUrl)
  const again = `${home}/sign-in?return=${encodeURIComponent(returnPath)}`
  return sendNotice(context, reply, status, (texts) => ({
    ...say(texts, wait),
    ways: [...(isFinal ? [] : [{ label: texts.signInAgain, href: again }]), homeward(texts)],
  }))
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
  readonly say: (texts: SiteTexts, wait: number) => Pick<Notice, 'title' | 'text'>
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
  crowded: {
    status: 503,
    say: (texts) => ({ title: texts.signInCrowded, text: texts.signInCrowdedText }),
  },
  too_many: {
    status: 429,
    say: (texts, wait) => ({
      title: texts.signInTooMany,
      text: texts.signInTooManyText({ n: wait }),
    }),
  },
  others_first: {
    status: 429,
    say: (texts) => ({ title: texts.signInOthersFirst, text: texts.signInOthersFirstText }),
  },
} satisfies Readonly<Record<string, ProblemPage>>
