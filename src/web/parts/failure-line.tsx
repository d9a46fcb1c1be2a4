import type { JSX } from 'preact'
import { explain } from '../site-failure.ts'

/** What went wrong, beside what set it off; nothing while nothing did. */
export const FailureLine = ({ error }: { readonly error: unknown }): JSX.Element => (
  <p class="failure-line" role="alert">
    {error === null ? null : explain(error)}
  </p>
)
