import type { ComponentChildren, JSX } from 'preact'
import { explain, isSignedOut } from '../site-failure.ts'
import { Button, SignInButton } from './buttons.tsx'

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

type NoticeProps = {
  readonly title: string
  /** `danger` interrupts screen readers. */
  readonly tone?: 'plain' | 'danger'
  /** What happened, what was kept, what to do. */
  readonly children: ComponentChildren
  readonly actions?: ComponentChildren
}

/** What stands where there is nothing else to show: an empty list, or an error. */
export const Notice = ({ title, tone = 'plain', children, actions }: NoticeProps): JSX.Element => (
  <div class={`notice ${tone}`} role={tone === 'danger' ? 'alert' : undefined}>
    <h2>{title}</h2>
    <p>{children}</p>
    {actions && <p class="actions">{actions}</p>}
  </div>
)

type FailureLineProps = {
  readonly error: unknown
  /** What was kept, said behind what went wrong. */
  readonly children?: ComponentChildren
}

/** What went wrong, beside what set it off; nothing while nothing did. */
export const FailureLine = ({ error, children }: FailureLineProps): JSX.Element => (
  <p class="failure-line" role="alert">
    {error === null ? null : (
      <>
        {explain(error)} {children}
      </>
    )}
  </p>
)

/** Keeps the place of rows that are still being loaded. */
export const SkeletonRows = ({ rows, what }: { readonly rows: number; readonly what: string }) => (
  <div class="skeleton" role="status">
    <span class="sr-only">Loading {what} …</span>
    {Array.from({ length: rows }, (_, row) => (
      <SkeletonRow key={row} />
    ))}
  </div>
)

const SkeletonRow = (): JSX.Element => (
  <span class="skeleton-row" aria-hidden="true">
    <span />
    <span />
  </span>
)
