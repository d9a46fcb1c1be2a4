import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { REASON_LENGTH } from '../../contract/bounds.ts'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Trouble } from '../parts/trouble.tsx'
import type { Desk } from './use-desk.ts'
import { hidingOf, notDoneOf } from './verdicts.ts'

const texts = {
  hide: {
    title: 'Hide this pack?',
    action: 'Hide the pack',
    tone: 'danger',
    effect: 'Nobody but its owner and moderators sees it from then on. A pin is lost.',
  },
  unhide: {
    title: 'Show this pack again?',
    action: 'Unhide the pack',
    tone: 'primary',
    effect: 'Whoever could see it before sees it again.',
  },
} as const

/** Asks why a pack is hidden, or shown again. */
export const ReasonDialog = ({ desk }: { readonly desk: Desk }): JSX.Element => {
  const { asked, ask, hiding, giveReason } = desk
  const [reason, setReason] = useState('')
  useEffect(() => setReason(''), [asked])
  const verdict = asked === null ? 'hide' : hidingOf(asked)
  const { effect, ...rest } = texts[verdict]
  const isReady = reason.trim() !== '' && !hiding.isBusy
  const confirm = (): void => {
    if (isReady) giveReason(reason)
  }
  return (
    <ConfirmDialog
      {...rest}
      isOpen={asked !== null}
      busy={hiding.isBusy}
      disabled={!isReady}
      onConfirm={confirm}
      onCancel={() => ask(null)}
    >
      <p>
        <b>{asked?.name}</b> by {asked?.ownerName}. {effect}
      </p>
      <form
        class="reason-form"
        onSubmit={(event) => {
          event.preventDefault()
          confirm()
        }}
      >
        <label>
          <span>Reason</span>
          <input
            class="field"
            value={reason}
            autofocus
            required
            maxLength={REASON_LENGTH}
            autocomplete="off"
            aria-describedby="reason-readers"
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </label>
        <span id="reason-readers" class="small-text quiet-text">
          The owner and other moderators can read it.
        </span>
      </form>
      <Trouble error={hiding.error}>The pack {notDoneOf[verdict]}.</Trouble>
    </ConfirmDialog>
  )
}
