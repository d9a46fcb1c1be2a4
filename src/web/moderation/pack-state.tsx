import type { JSX } from 'preact'
import type { ModeratedPack } from '../../contract/moderation.ts'
import { formatDay } from '../format.ts'
import { PersonText, shownText } from '../parts/labels.tsx'

/** Whether a pack is hidden, by whom and why, or pinned. */
export const PackState = ({ pack }: { readonly pack: ModeratedPack }): JSX.Element => {
  const { hiddenAt, hiddenReason, hiddenBy, isPinned } = pack
  if (hiddenAt === undefined) {
    return isPinned ? <b>pinned</b> : <span class="quiet-text">shown</span>
  }
  return (
    <>
      <b class="hidden-mark">hidden</b>{' '}
      <span class="quiet-text">
        <time dateTime={hiddenAt}>{formatDay(hiddenAt)}</time>
        {hiddenBy !== undefined && (
          <>
            {' by '}
            <PersonText text={hiddenBy} />
          </>
        )}
      </span>
      {hiddenReason !== undefined && (
        <span class="hidden-reason" dir="auto">
          {shownText(hiddenReason)}
        </span>
      )}
    </>
  )
}
