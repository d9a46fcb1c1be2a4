import { homeward, type Notice } from '../pages/notice.ts'

/** How signing in can fail. */
export type SignInProblem =
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
const isFinal = (problem: SignInProblem): boolean =>
  problem === 'restricted' || problem === 'deleted'

/**
 * What somebody reads whose sign-in failed.
 *
 * @param again the whole address at which signing in begins anew.
 */
export const signInNotice = (
  problem: SignInProblem,
  again: string,
): { readonly status: number; readonly notice: Notice } => {
  const { status, title, text } = problems[problem]
  const ways = [...(isFinal(problem) ? [] : [{ label: 'Sign in again', href: again }]), homeward]
  return { status, notice: { title, text, ways } }
}
