import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Viewer } from '../../contract/accounts.ts'
import { call } from '../api.ts'
import { useAction } from '../hooks.ts'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { partingHref } from './parting.ts'

type Props = {
  readonly viewer: Viewer
  readonly isOpen: boolean
  readonly onCancel: () => void
}

/** Asks for the reader's own name before everything of theirs is deleted. */
export const DeleteAccount = ({ viewer, isOpen, onCancel }: Props): JSX.Element => {
  const [typed, setTyped] = useState('')
  const action = useAction()
  const { username } = viewer
  const cancel = (): void => {
    setTyped('')
    action.clear()
    onCancel()
  }
  const confirm = (): void =>
    void action.run(async () => {
      await call('deleteAccount', { body: { username: typed } })
      location.assign(partingHref('deleted'))
    })
  return (
    <ConfirmDialog
      title="Delete your account?"
      action="Delete account"
      isOpen={isOpen}
      busy={action.isBusy}
      disabled={typed.trim() !== username}
      onConfirm={confirm}
      onCancel={cancel}
    >
      <p>
        This permanently deletes your packs and your API keys for both services, and signs you out
        everywhere. Links to your packs will stop working. This cannot be undone.
      </p>
      <label class="dialog-field account-name">
        <span>
          Type{' '}
          <strong>
            <PersonText text={username} />
          </strong>{' '}
          to confirm
        </span>
        <input
          class="field"
          value={typed}
          autofocus
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <FailureLine error={action.error}>Nothing was deleted.</FailureLine>
    </ConfirmDialog>
  )
}
