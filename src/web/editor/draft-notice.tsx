import type { JSX } from 'preact'
import { formatMoment } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { EditNotice } from './edit-notice.tsx'
import type { OpenEdit } from './open-edit.ts'

type Props = {
  readonly opening: OpenEdit['opening']
  readonly onDiscard: () => void
  readonly onClose: () => void
}

/** Says that what was left unsaved is here again, or that it could not be read. */
export const DraftNotice = ({ opening, onDiscard, onClose }: Props): JSX.Element | null => {
  const { draftedAt, wasDamaged, isOutdated, isCopy } = opening
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
  if (isCopy) {
    return (
      <EditNotice
        title="This is a copy of a draft"
        actions={<Button onClick={onClose}>Close</Button>}
      >
        The draft itself is open in another window. What you change here is kept apart from it.
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
