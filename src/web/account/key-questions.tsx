import type { JSX } from 'preact'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { shownKey } from './key-facts.tsx'
import type { KeyDesk } from './use-key.ts'

/** What is asked before a key stops working. */
export const KeyQuestions = ({ desk }: { readonly desk: KeyDesk }): JSX.Element => {
  const { loaded, action, asked, ask, make, revoke } = desk
  const key = loaded.value?.key ?? null
  const name = key === null ? 'Your key' : <code>{shownKey(key.shown)}</code>
  const common = { busy: action.isBusy, onCancel: () => ask(null) }
  const failure = <FailureLine error={action.error}>{key && <>{name} still works.</>}</FailureLine>
  return (
    <>
      <ConfirmDialog
        {...common}
        title="Regenerate the key?"
        action="Regenerate"
        isOpen={asked === 'regenerate'}
        onConfirm={make}
      >
        <p>{name} stops working immediately. Update everything that uses it with the new key.</p>
        {failure}
      </ConfirmDialog>
      <ConfirmDialog
        {...common}
        title="Revoke the key?"
        action="Revoke"
        isOpen={asked === 'revoke'}
        onConfirm={revoke}
      >
        <p>{name} stops working immediately. You can create a new key at any time.</p>
        {failure}
      </ConfirmDialog>
    </>
  )
}
