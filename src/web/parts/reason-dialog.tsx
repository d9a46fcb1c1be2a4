import * as texts from '#texts/moderation'
import type { TargetedEvent } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { REASON_LENGTH } from '../../contract/bounds.ts'
import type { ReasonedVerdict } from '../../contract/moderation.ts'
import type { AskedAction } from '../action.ts'
import { CallFailure } from '../site-failure.ts'
import { AskedDialog } from './dialogs.tsx'
import { TextInput } from './inputs.tsx'
import { PersonText } from './labels.tsx'
import { Sentences } from './sentences.tsx'

/** Of what moderators decide about, and each verdict: what is asked, its button, its effect, and what a failure leaves. */
const questions = {
  pack: {
    reason: texts.reasonOfPack,
    hide: [texts.hidePackAsk, texts.hidePack, texts.hidePackMeans, texts.packNotHidden],
    unhide: [texts.unhidePackAsk, texts.unhidePack, texts.unhidePackMeans, texts.packNotUnhidden],
  },
  tournament: {
    reason: texts.reasonOfTournament,
    hide: [
      texts.hideTournamentAsk,
      texts.hideTournament,
      texts.hideTournamentMeans,
      texts.tournamentNotHidden,
    ],
    unhide: [
      texts.unhideTournamentAsk,
      texts.unhideTournament,
      texts.unhideTournamentMeans,
      texts.tournamentNotUnhidden,
    ],
  },
  player: {
    reason: texts.reasonOfPlayer,
    hide: [texts.suspendAsk, texts.suspendPlayer, texts.suspendMeans, texts.playerNotSuspended],
    unhide: [
      texts.unsuspendAsk,
      texts.unsuspendPlayer,
      texts.unsuspendMeans,
      texts.playerNotUnsuspended,
    ],
  },
} as const

/** What a moderator decides about. */
type Subject = keyof typeof questions

export type Verdict = 'hide' | 'unhide'

type ReasonDialogProps = {
  readonly what?: Subject
  readonly verdict: Verdict
  readonly action: Omit<AskedAction<{ readonly name: string; readonly ownerName?: string }>, 'ask'>
  readonly onReason: (verdict: ReasonedVerdict) => void
}

/** Asks a moderator why something is hidden, or shown again. */
export function ReasonDialog({ what = 'pack', verdict, action, onReason }: ReasonDialogProps) {
  const { asked, isBusy } = action
  const [title, button, effect, kept] = questions[what][verdict]
  const name = <PersonText within="b" text={asked?.name} />
  const [reason, setReason] = useState('')
  // Before anything can be typed: later it would be lost.
  useLayoutEffect(() => setReason(''), [asked])
  // Somebody has decided the same meanwhile: their reason is shown, and stays unless it is to be replaced.
  const { error } = action
  const isDecided = error instanceof CallFailure && error.reason === 'decided_already'
  const isReady = reason.trim() !== ''
  const confirm = (event?: TargetedEvent): void => {
    event?.preventDefault()
    if (isReady && !isBusy) onReason({ reason, replaces: isDecided })
  }
  return (
    <AskedDialog
      action={action}
      title={title}
      button={isDecided ? texts.replaceReason : button}
      tone={verdict === 'hide' ? 'danger' : 'primary'}
      kept={!isDecided && kept}
      disabled={!isReady}
      onConfirm={confirm}
    >
      <p>
        <Sentences
          of={[
            asked?.ownerName === undefined
              ? texts.nameAlone({ name })
              : texts.nameByOwner({ name, owner: <PersonText text={asked.ownerName} /> }),
            effect,
          ]}
        />
      </p>
      <form onSubmit={confirm}>
        <label class="dialog-field">
          <span>{questions[what].reason}</span>
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
