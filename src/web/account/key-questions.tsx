import type { JSX } from 'preact'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { shownKey } from './key-facts.tsx'
import type { KeyDesk } from './use-key.ts'

/** What is asked before a key stops working. */
export const KeyQuestions = ({ desk }: { readonly desk: KeyDesk }): JSX.Element => {
  const { loaded, task, asked, ask, make, revoke } = desk
  const key = loaded.value?.key ?? null
  const name = key === null ? 'Your key' : <code>{shownKey(key.shown)}</code>
  const common = { busy: task.isBusy, onCancel: () => ask(null) }
  const trouble = <Trouble error={task.error}>{key && <>{name} still works.</>}</Trouble>
  return (
    <>
      <ConfirmDialog
        {...common}
        title="Regenerate the key?"
        action="Regenerate"
        isOpen={asked === 'regenerate'}
        onConfirm={make}
      >
        <p>{name} stops working at once. Whatever uses it needs the new one.</p>
        {trouble}
      </ConfirmDialog>
      <ConfirmDialog
        {...common}
        title="Revoke the key?"
        action="Revoke"
        isOpen={asked === 'revoke'}
        onConfirm={revoke}
      >
        <p>{name} stops working at once, and you have none until you make another.</p>
        {trouble}
      </ConfirmDialog>
    </>
  )
}
