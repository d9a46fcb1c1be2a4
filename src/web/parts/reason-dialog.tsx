import type { TargetedEvent } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { REASON_LENGTH } from '../../contract/bounds.ts'
import type { AskedAction } from '../action.ts'
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
  readonly verdict: keyof typeof texts
  readonly action: Omit<AskedAction<{ readonly name: string; readonly ownerName: string }>, 'ask'>
  readonly onReason: (reason: string) => void
}

/** Asks a moderator why a pack is hidden, or shown again. */
export function ReasonDialog({ verdict, action, onReason }: ReasonDialogProps) {
  const { asked: pack, isBusy, error, close } = action
  const [reason, setReason] = useState('')
  // Before anything can be typed: later it would be lost.
  useLayoutEffect(() => setReason(''), [pack])
  const { effect, kept, ...rest } = texts[verdict]
  const isReady = reason.trim() !== '' && !isBusy
  const confirm = (event?: TargetedEvent): void => {
    event?.preventDefault()
    if (isReady) onReason(reason)
  }
  return (
    <ConfirmDialog
      {...rest}
      isOpen={pack !== null}
      busy={isBusy}
      disabled={!isReady}
      onConfirm={confirm}
      onCancel={close}
    >
      <p>
        <PersonText within="b" text={pack?.name} /> by <PersonText text={pack?.ownerName} />.{' '}
        {effect}
      </p>
      <form onSubmit={confirm}>
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
