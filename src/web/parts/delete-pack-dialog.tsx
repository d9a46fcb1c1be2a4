import type { AskedAction } from '../action.ts'
import { CopyButton } from './copying.tsx'
import { ConfirmDialog } from './dialogs.tsx'
import { PersonText } from './labels.tsx'
import { FailureLine } from './notices.tsx'

type DeletePackDialogProps = {
  readonly deletion: Omit<AskedAction<{ readonly name: string; readonly packKey: string }>, 'ask'>
  readonly onConfirm: () => void
}

/** Confirms that a pack is deleted, and offers the key that would bring its pool back. */
export const DeletePackDialog = ({ deletion, onConfirm }: DeletePackDialogProps) => (
  <ConfirmDialog
    title="Delete this pack?"
    action="Delete pack"
    isOpen={deletion.asked !== null}
    busy={deletion.isBusy}
    onConfirm={onConfirm}
    onCancel={deletion.close}
  >
    <p>
      <PersonText within="b" text={deletion.asked?.name} /> and its magnet links will be permanently
      deleted, and links to the pack will stop working.
    </p>
    <p class="dialog-field">
      <span>Its pack key contains the whole pool. Keep a copy to restore the pool later.</span>
      <CopyButton text={deletion.asked?.packKey ?? ''} what="pack key" label="Copy pack key" />
    </p>
    <FailureLine error={deletion.error}>The pack was not deleted.</FailureLine>
  </ConfirmDialog>
)
