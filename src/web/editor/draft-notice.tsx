import type { JSX } from 'preact'
import { formatMoment } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { EditNotice } from './edit-notice.tsx'
import type { Opening } from './opening.ts'

type Props = {
  readonly opening: Opening
  readonly onDiscard: () => void
  readonly onClose: () => void
}

/** Says that what was left unsaved is here again, or that it could not be read. */
export const DraftNotice = ({ opening, onDiscard, onClose }: Props): JSX.Element | null => {
  const { draftedAt, wasDamaged, isOutdated } = opening
  if (wasDamaged) {
    return (
      <EditNotice
        title="A draft could not be read"
        actions={<Button onClick={onClose}>Close</Button>}
      >
        There was an unsaved draft in this browser, but it is damaged. It was thrown away.
      </EditNotice>
    )
  }
  if (draftedAt === null || isOutdated) return null
  return (
    <EditNotice
      title="Your draft is back"
      actions={
        <>
          <Button onClick={onClose}>Go on</Button>
          <Button tone="quiet" onClick={onDiscard}>
            Discard it
          </Button>
        </>
      }
    >
      Changes of {formatMoment(new Date(draftedAt).toISOString())} that were not saved yet.
    </EditNotice>
  )
}
