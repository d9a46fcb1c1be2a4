import type { AskedAction } from '../action.ts'
import type { JSX } from 'preact'
import { CopyButton } from './copying.tsx'
import { ConfirmDialog } from './dialogs.tsx'
import { PersonText } from './labels.tsx'
import { FailureLine } from './notices.tsx'

type DeletePackDialogProps = {
  readonly deletion: Omit<AskedAction<{ readonly name: string; readonly packKey: string }>, 'ask'>
  readonly onConfirm: () => void
}

/** Asks before a pack is gone, and offers what would bring its pool back. */
export const DeletePackDialog = ({
  deletion: { asked: pack, isBusy, error, close },
  onConfirm,
}: DeletePackDialogProps): JSX.Element => (
  <ConfirmDialog
    title="Delete this pack?"
    action="Delete pack"
    isOpen={pack !== null}
    busy={isBusy}
    onConfirm={onConfirm}
    onCancel={close}
  >
    <p>
      <b>
        <PersonText text={pack?.name} />
      </b>{' '}
      and its magnet links will be permanently deleted, and links to the pack will stop working.
    </p>
    <p class="dialog-field">
      <span>Its pack key contains the whole pool. Keep a copy to restore the pool later.</span>
      <CopyButton text={pack?.packKey ?? ''} what="pack key" label="Copy pack key" />
    </p>
    <FailureLine error={error}>The pack was not deleted.</FailureLine>
  </ConfirmDialog>
)
