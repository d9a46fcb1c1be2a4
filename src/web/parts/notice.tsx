import type { ComponentChildren, JSX } from 'preact'
import { explain, isSignedOut } from '../site-failure.ts'
import { Button } from './button.tsx'
import { SignInButton } from './sign-in-button.tsx'

type Props = {
  readonly title: string
  /** `danger` interrupts screen readers. */
  readonly tone?: 'plain' | 'danger'
  /** What happened, what was kept, what to do. */
  readonly children: ComponentChildren
  readonly actions?: ComponentChildren
}

/** What stands where there is nothing else to show: an empty list, or an error. */
export const Notice = ({ title, tone = 'plain', children, actions }: Props): JSX.Element => (
  <div class={`notice ${tone}`} role={tone === 'danger' ? 'alert' : undefined}>
    <h2>{title}</h2>
    <p>{children}</p>
    {actions && <p class="actions">{actions}</p>}
  </div>
)

type FailureProps = {
  /** What did not work: `Could not load packs`. */
  readonly title: string
  readonly error: unknown
  readonly onRetry: () => void
}

/** An error, and the button that tries again; that signs in, where a session has ended. */
export const FailureNotice = ({ title, error, onRetry }: FailureProps): JSX.Element => (
  <Notice
    tone="danger"
    title={title}
    actions={
      isSignedOut(error) ? (
        <SignInButton />
      ) : (
        <Button tone="primary" onClick={onRetry}>
          Try again
        </Button>
      )
    }
  >
    {explain(error)}
  </Notice>
)
