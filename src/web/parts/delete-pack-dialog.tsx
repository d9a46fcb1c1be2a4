import * as texts from '#texts/common'
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
    title={texts.deletePackAsk}
    button={texts.deletePack}
    kept={texts.packNotDeleted}
    onConfirm={onConfirm}
  >
    <p>{texts.packDeletion({ name: <PersonText within="b" text={deletion.asked?.name} /> })}</p>
    <p class="dialog-field">
      <span>{texts.keepPackKey}</span>
      <CopyButton
        text={deletion.asked?.packKey ?? ''}
        copied={texts.packKeyCopied}
        label={texts.copyPackKey}
      />
    </p>
  </AskedDialog>
)
