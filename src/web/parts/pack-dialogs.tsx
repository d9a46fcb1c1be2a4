import type { JSX } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { REASON_LENGTH } from '../../contract/bounds.ts'
import { CopyButton } from './buttons.tsx'
import { ConfirmDialog } from './dialogs.tsx'
import { PersonText } from './labels.tsx'
import { FailureLine } from './notices.tsx'

const texts = {
  hide: {
    title: 'Hide this pack?',
    action: 'Hide pack',
    tone: 'danger',
    effect:
      'Only the owner and moderators will be able to see it. If it is pinned, it is unpinned.',
    kept: 'The pack was not hidden.',
  },
  unhide: {
    title: 'Unhide this pack?',
    action: 'Unhide pack',
    tone: 'primary',
    effect: 'Everyone who could see it before will be able to see it again.',
    kept: 'The pack was not unhidden.',
  },
} as const

type ReasonDialogProps = {
  /** null: nothing is asked. */
  readonly pack: { readonly name: string; readonly ownerName: string } | null
  readonly verdict: keyof typeof texts
  readonly isBusy: boolean
  /** Why it did not succeed the last time; null while it did not fail. */
  readonly error: unknown
  readonly onReason: (reason: string) => void
  readonly onCancel: () => void
}

/** Asks a moderator why a pack is hidden, or shown again. */
export function ReasonDialog({
  pack,
  verdict,
  isBusy,
  error,
  ...on
}: ReasonDialogProps): JSX.Element {
  const [reason, setReason] = useState('')
  // Before anybody can type: later it would take what was typed away.
  useLayoutEffect(() => setReason(''), [pack])
  const { effect, kept, ...rest } = texts[verdict]
  const isReady = reason.trim() !== '' && !isBusy
  const confirm = (): void => {
    if (isReady) on.onReason(reason)
  }
  return (
    <ConfirmDialog
      {...rest}
      isOpen={pack !== null}
      busy={isBusy}
      disabled={!isReady}
      onConfirm={confirm}
      onCancel={on.onCancel}
    >
      <p>
        <b>
          <PersonText text={pack?.name} />
        </b>{' '}
        by <PersonText text={pack?.ownerName} />. {effect}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          confirm()
        }}
      >
        <label class="dialog-field">
          <span>Reason (shown to the owner and other moderators)</span>
          <input
            class="field"
            dir="auto"
            value={reason}
            autofocus
            required
            maxLength={REASON_LENGTH}
            autocomplete="off"
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </label>
      </form>
      <FailureLine error={error}>{kept}</FailureLine>
    </ConfirmDialog>
  )
}

type DeletePackDialogProps = {
  /** null: nothing is asked. */
  readonly pack: { readonly name: string; readonly packKey: string } | null
  readonly isBusy: boolean
  /** Why it did not succeed the last time; null while it did not fail. */
  readonly error: unknown
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Asks before a pack is gone, and offers what would bring its pool back. */
export const DeletePackDialog = ({
  pack,
  isBusy,
  error,
  ...on
}: DeletePackDialogProps): JSX.Element => (
  <ConfirmDialog
    {...on}
    title="Delete this pack?"
    action="Delete pack"
    isOpen={pack !== null}
    busy={isBusy}
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
