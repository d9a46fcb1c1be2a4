import type { ComponentChildren, JSX } from 'preact'
import { explain } from '../site-failure.ts'

type Props = {
  readonly error: unknown
  /** What was kept, said behind what went wrong. */
  readonly children?: ComponentChildren
}

/** What went wrong, beside what set it off; nothing while nothing did. */
export const FailureLine = ({ error, children }: Props): JSX.Element => (
  <p class="failure-line" role="alert">
    {error === null ? null : (
      <>
        {explain(error)} {children}
      </>
    )}
  </p>
)
