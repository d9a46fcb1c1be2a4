import type { TargetedEvent } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { REASON_LENGTH } from '../../contract/bounds.ts'
import type { AskedAction } from '../action.ts'
import { AskedDialog } from './dialogs.tsx'
import { TextInput } from './inputs.tsx'
import { PersonText } from './labels.tsx'

const hiding = { hide: ['Hide', 'hidden'], unhide: ['Unhide', 'unhidden'] } as const

/** Of each verdict: what its button says, what it is called once it is done, and its effect. */
export const verdicts = {
  pack: {
    ...hiding,
    effects: {
      hide: 'Only the owner and moderators will be able to see it. If it is pinned, it will be unpinned.',
      unhide: 'Everyone who could see it before will be able to see it again.',
    },
    seenBy: 'shown to the owner and other moderators',
  },
  tournament: {
    ...hiding,
    effects: {
      hide: 'Only its staff and moderators will be able to see it, and none of its rounds will be released. The packs of released rounds stay public; hide them on their own pages.',
      unhide: 'Everyone will be able to see it again.',
    },
    seenBy: 'kept in the moderation log',
  },
  player: {
    hide: ['Suspend', 'suspended'],
    unhide: ['Unsuspend', 'unsuspended'],
    effects: {
      hide: 'They are signed out, cannot sign in, and their API keys stop working. Everything they made public is hidden from others. Nothing is deleted.',
      unhide:
        'They can sign in again, their API keys work again, and others can see what they made public.',
    },
    seenBy: 'shown to the player and other moderators',
  },
} as const

export type Verdict = 'hide' | 'unhide'

type ReasonDialogProps = {
  readonly what?: keyof typeof verdicts
  readonly verdict: Verdict
  readonly action: Omit<AskedAction<{ readonly name: string; readonly ownerName?: string }>, 'ask'>
  readonly onReason: (reason: string) => void
}

/** Asks a moderator why something is hidden, or shown again. */
export function ReasonDialog({ what = 'pack', verdict, action, onReason }: ReasonDialogProps) {
  const { asked, isBusy } = action
  const { effects, seenBy } = verdicts[what]
  const [verb, done] = verdicts[what][verdict]
  const [reason, setReason] = useState('')
  // Before anything can be typed: later it would be lost.
  useLayoutEffect(() => setReason(''), [asked])
  const isReady = reason.trim() !== '' && !isBusy
  const confirm = (event?: TargetedEvent): void => {
    event?.preventDefault()
    if (isReady) onReason(reason)
  }
  return (
    <AskedDialog
      action={action}
      title={`${verb} this ${what}?`}
      button={`${verb} ${what}`}
      tone={verdict === 'hide' ? 'danger' : 'primary'}
      kept={`The ${what} was not ${done}.`}
      disabled={!isReady}
      onConfirm={confirm}
    >
      <p>
        <PersonText within="b" text={asked?.name} />
        {asked?.ownerName !== undefined && [' by ', <PersonText text={asked.ownerName} />]}.{' '}
        {effects[verdict]}
      </p>
      <form onSubmit={confirm}>
        <label class="dialog-field">
          <span>Reason ({seenBy})</span>
          <TextInput
            value={reason}
            autofocus
            required
            maxLength={REASON_LENGTH}
            onText={setReason}
          />
        </label>
      </form>
    </AskedDialog>
  )
}
