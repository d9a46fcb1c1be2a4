import * as words from '#texts/account'
import { useAction } from '../action.ts'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { signOut } from './sign-out.ts'

type SignOutDialogProps = {
  /** Of so many packs and rounds. */
  readonly unsaved: number
  readonly everywhere: boolean
  readonly onClose: () => void
}

/** Says what signing out removes. */
export function SignOutDialog({ unsaved, everywhere, onClose }: SignOutDialogProps) {
  const { isBusy, error, run } = useAction()
  return (
    <ConfirmDialog
      isOpen
      title={words.signOutUnsaved}
      action={everywhere ? words.signOutEverywhere : words.signOut}
      busy={isBusy}
      onCancel={onClose}
      onConfirm={() => run(() => signOut(everywhere))}
    >
      <p>{words.signOutRemoves({ n: unsaved })}</p>
      <FailureLine error={error} />
    </ConfirmDialog>
  )
}
