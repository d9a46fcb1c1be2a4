import type { JSX } from 'preact'
import { formatMoment } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { EditNotice } from '../edit-notice.tsx'
import type { OpenEdit } from '../open-edit.ts'

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
        title="Could not restore your draft"
        actions={<Button onClick={onClose}>Close</Button>}
      >
        An unsaved draft in this browser was damaged and has been discarded.
      </EditNotice>
    )
  }
  if (isCopy) {
    return (
      <EditNotice
        title="This is a copy of your draft"
        actions={<Button onClick={onClose}>Close</Button>}
      >
        The original draft is open in another window. Changes here are saved as a separate draft.
      </EditNotice>
    )
  }
  if (draftedAt === null || isOutdated) return null
  return (
    <EditNotice
      title="Draft restored"
      actions={
        <>
          <Button onClick={onClose}>Continue</Button>
          <Button tone="quiet" onClick={onDiscard}>
            Discard draft
          </Button>
        </>
      }
    >
      Unsaved changes from {formatMoment(new Date(draftedAt).toISOString())}.
    </EditNotice>
  )
}
