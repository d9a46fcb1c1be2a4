import type { ComponentChildren, JSX } from 'preact'
import { explain } from '../site-failure.ts'

type Props = {
  /** What was thrown; nothing is shown for null. */
  readonly error: unknown
  /** What was kept. */
  readonly children?: ComponentChildren
}

/** Why something that was asked for did not happen, beside where it was asked for. */
export const Trouble = ({ error, children }: Props): JSX.Element | null =>
  error === null ? null : (
    <p class="trouble" role="alert">
      {explain(error)} {children}
    </p>
  )
