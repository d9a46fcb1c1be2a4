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
  | 'too_many'

type Told = { readonly status: number; readonly title: string; readonly text: string }

const problems: Readonly<Record<SignInProblem, Told>> = {
  no_pending: {
    status: 400,
    title: 'This sign-in cannot be finished',
    text: 'It was begun in another browser, took longer than ten minutes, or was finished already. Nobody was signed in.',
  },
  denied: {
    status: 403,
    title: 'You were not signed in',
    text: 'You declined on the platform’s page, so we learned nothing about you. You can still browse and open packs.',
  },
  platform_refused: {
    status: 502,
    title: 'The platform refused to sign you in',
    text: 'The cause is on our side or on the platform’s, not on yours. Nobody was signed in.',
  },
  bad_code: {
    status: 400,
    title: 'This sign-in cannot be finished',
    text: 'The platform does not know it any more: it was finished already, or took too long. Nobody was signed in.',
  },
  restricted: {
    status: 403,
    title: 'Restricted players cannot sign in',
    text: 'The platform says that your account is restricted. You can still browse and open packs.',
  },
  deleted: {
    status: 403,
    title: 'This player does not exist any more',
    text: 'The platform says that the account was deleted. You can still browse and open packs.',
  },
  platform_down: {
    status: 503,
    title: 'The platform does not answer',
    text: 'Nobody can be signed in at the moment. Nothing of yours is lost; try again in a minute.',
  },
  too_many: {
    status: 429,
    title: 'Too many sign-ins from here came to nothing',
    text: 'Twenty of them within ten minutes, from your network. Nobody was signed in; try again in a few minutes.',
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
