import type { AskedAction } from '../action.ts'
import { CopyButton } from './copying.tsx'
import { AskedDialog } from './dialogs.tsx'
import { PersonText } from './labels.tsx'

type DeletePackDialogProps = {
  readonly deletion: Omit<AskedAction<{ readonly name: string; readonly packKey: string }>, 'ask'>
  readonly onConfirm: () => void
}

/** Confirms that a pack is deleted, and offers the key that would bring its pool back. */
export const DeletePackDialog = ({ deletion, onConfirm }: DeletePackDialogProps) => (
  <AskedDialog
    action={deletion}
    title="Delete this pack?"
    button="Delete pack"
    kept="The pack was not deleted."
    onConfirm={onConfirm}
  >
    <p>
      <PersonText within="b" text={deletion.asked?.name} /> and its magnet links will be permanently
      deleted, and links to the pack will stop working.
    </p>
    <p class="dialog-field">
      <span>Its pack key contains the whole pool. Keep a copy to restore the pool later.</span>
      <CopyButton text={deletion.asked?.packKey ?? ''} what="pack key" label="Copy pack key" />
    </p>
  </AskedDialog>
)
