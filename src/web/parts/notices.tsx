import * as texts from '#texts/common'
import type { ComponentChildren } from 'preact'
import { explain, isSignedOut, isUnknown } from '../site-failure.ts'
import { Button, SignInButton, signInLink } from './buttons.tsx'
import { Sentences } from './sentences.tsx'

type FailureProps = { title: string; error: unknown; onRetry: () => void }

/** An error, and a button that tries again; that signs in, where the session has ended. */
export function FailureNotice({ title, error, onRetry }: FailureProps) {
  const retry = <Button tone="primary" label={texts.retry} onClick={onRetry} />
  return (
    <Notice tone="danger" title={title} actions={isSignedOut(error) ? <SignInButton /> : retry}>
      {explain(error)}
    </Notice>
  )
}

type NoticeProps = {
  readonly title: string
  /** `danger` interrupts screen readers. */
  readonly tone?: 'plain' | 'danger'
  /** What happened, what was kept, what to do. */
  readonly children: ComponentChildren
  readonly actions?: ComponentChildren
}

/** Shown where there is nothing else: an empty list, or an error. */
export const Notice = ({ title, tone = 'plain', children, actions }: NoticeProps) => (
  <div class={`notice ${tone}`} role={tone === 'danger' ? 'alert' : undefined}>
    <h2>{title}</h2>
    <p>{children}</p>
    {actions && <p class="actions">{actions}</p>}
  </div>
)

type FailureLineProps = { error: unknown; children?: ComponentChildren }

/**
 * What went wrong, next to what caused it, and then what was kept, where that is known; where to sign in, if the session
 * has ended. Empty while `error` is null.
 */
export const FailureLine = ({ error, children }: FailureLineProps) => (
  <p class="failure-line" role="alert">
    {error !== null && (
      <Sentences
        of={[
          explain(error),
          !isUnknown(error) && children,
          isSignedOut(error) && <a {...signInLink()}>{texts.signIn}</a>,
        ]}
      />
    )}
  </p>
)

/** Keeps the place of rows that are still being loaded; `label` says so to screen readers: `Loading packs …`. */
export const SkeletonRows = ({ rows, label }: { rows: number; label: string }) => (
  <div class="skeleton" role="status">
    <span class="sr-only">{label}</span>
    {Array.from({ length: rows }, (_, row) => (
      <span key={row} class="skeleton-row" aria-hidden="true">
        <span />
        <span />
      </span>
    ))}
  </div>
)
