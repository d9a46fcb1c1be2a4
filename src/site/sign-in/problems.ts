import type { FastifyReply } from 'fastify'
import type { Trouble } from '../../domain/platform.ts'
import { originOf } from '../../door/sessions.ts'
import { homeward } from '../pages/notice-html.ts'
import { sendNotice } from '../pages/send-page.ts'
import type { SiteContext } from '../site-context.ts'

/**
 * The page for somebody who was not signed in.
 *
 * @param more is added to what the page says.
 */
export function sendProblem(
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
  readonly title: string
  readonly text: string
  /** Trying again cannot end differently. */
  readonly isFinal?: true
}

export const problems = {
  no_pending: {
    status: 400,
    title: 'Sign-in could not be completed',
    text: 'It was started in another browser, took longer than 20 minutes, or was already completed. Sign in again.',
  },
  unasked: {
    status: 403,
    title: 'Nothing was signed in',
    text: 'Sign-in starts only when somebody opens it as a page.',
  },
  denied: {
    status: 403,
    title: 'You were not signed in',
    text: 'You cancelled on the game platform’s page, so nothing was shared with us, and nothing has changed. You can still browse and open packs.',
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
  disabled: {
    status: 403,
    title: 'This game account cannot sign in here',
    text: 'The game platform does not let this account be used. Its own site says more when you sign in there. You can still browse and open packs.',
    isFinal: true,
  },
  set_up_wrongly: {
    status: 502,
    title: 'Sign-in is not set up correctly here',
    text: 'The game platform does not accept this site as it is set up. That is not your doing: the people who run the site find the cause in its log. You can still browse and open packs.',
  },
  blocked: {
    status: 502,
    title: 'The game platform does not let this site through',
    text: 'That is not your doing, and nothing is wrong with your account: the people who run the site find the cause in its log. You can still browse and open packs.',
  },
  platform_odd: {
    status: 502,
    title: 'The game platform’s answer could not be read',
    text: 'That is not your doing: the people who run the site find the cause in its log. You can still browse and open packs, and sign in another time.',
  },
  throttled: {
    status: 503,
    title: 'The game platform asks us to wait',
    text: 'It was asked for too much at once, by this site or by others that share its address. Nothing was lost: sign in again a little later.',
  },
  platform_down: {
    status: 503,
    title: 'The game platform is not responding',
    text: 'You cannot sign in until it is there again. Nothing was lost, and you can still browse and open packs.',
  },
  crowded: {
    status: 503,
    title: 'Many people are signing in',
    text: 'Leave this page open: it tries again by itself as soon as it may.',
  },
  too_many: {
    status: 429,
    title: 'Too many failed sign-ins',
    text: 'There were 20 failed sign-ins from your network within ten minutes.',
  },
  others_first: {
    status: 429,
    title: 'Other people are signing in',
    text: 'Several sign-ins from your network failed lately, or are under way, so others come first. Leave this page open: it tries again by itself as soon as it may.',
  },
} satisfies Readonly<Record<string, ProblemPage>>
