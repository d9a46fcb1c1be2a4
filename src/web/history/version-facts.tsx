import type { PackVersion } from '../../contract/history.ts'
import { formatMoment } from '../format.ts'
import { PersonText, VisibilityChip } from '../parts/labels.tsx'
import { LinkButton } from '../parts/buttons.tsx'
import { Notice, FailureNotice } from '../parts/notices.tsx'
import { CallFailure } from '../site-failure.ts'
import { historyHref } from './history-address.ts'

/** When a version was saved, by whom, and who could open the pack then. */
export const Facts = ({ version: { savedAt, savedBy, visibility } }: { version: PackVersion }) => (
  <span class="version-facts">
    <span>
      <time dateTime={savedAt}>{formatMoment(savedAt)}</time> by <PersonText text={savedBy} />
    </span>{' '}
    <VisibilityChip visibility={visibility} />
  </span>
)

type NoVersionProps = {
  readonly slug: string
  readonly error: unknown
  readonly onRetry: () => void
}

/** In place of a version that could not be loaded. Whether there is one that the reader may not read, it does not say. */
export const NoVersion = ({ slug, error, onRetry }: NoVersionProps) =>
  error instanceof CallFailure && error.status === 404 ? (
    <Notice
      title="There is no such version"
      actions={<LinkButton tone="primary" label="All versions" href={historyHref(slug)} />}
    >
      It may be too old, or you may not have access to it.
    </Notice>
  ) : (
    <FailureNotice title="Could not load the versions" error={error} onRetry={onRetry} />
  )
