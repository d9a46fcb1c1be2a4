import type { DeletedRound } from '../../contract/deleted-rounds.ts'
import { MAX_ROUNDS } from '../../contract/bounds.ts'
import { useAction } from '../action.ts'
import { count, formatDay, formatMoment } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import type { WorkspaceProps } from './model.ts'

type DialogProps = WorkspaceProps & { readonly onClose: () => void }

/** The rounds that were deleted, and until when each can be restored (D-82). */
export function DeletedRoundsDialog({ workspace, onClose }: DialogProps) {
  const { isBusy, error, run } = useAction()
  const rounds = workspace.deleted.value
  const isFull = workspace.tournament.rounds.length >= MAX_ROUNDS
  const { drafts } = workspace.rights.value
  const restore = ({ id }: DeletedRound): void =>
    run(async () => {
      await workspace.restoreRound(id)
      onClose()
    })
  return (
    <Dialog title="Deleted rounds" isOpen onClose={onClose}>
      <p>
        A restored round is added at the end as a draft, with its history, candidates and remarks.
        {drafts &&
          isFull &&
          ` A tournament can have at most ${MAX_ROUNDS} rounds: delete one first.`}
      </p>
      {rounds.length === 0 && <p class="quiet-text">There are no rounds to restore.</p>}
      <ul class="deleted-rounds" role="list">
        {rounds.map((round) => (
          <li key={round.id}>
            <span>
              <PersonText within="b" text={round.name} />
              <span class="quiet-text">
                {count(round.slotCount, 'slot')} · deleted {formatMoment(round.deletedAt)}
                {round.deletedBy !== undefined && [' by ', <PersonText text={round.deletedBy} />]}
              </span>
              <span class="quiet-text">
                Can be restored until {formatDay(round.restorableUntil)}
              </span>
            </span>
            {drafts && (
              <Button
                icon="undo"
                label="Restore"
                aria-label={`Restore ${shownText(round.name)}`}
                disabled={isFull}
                busy={isBusy}
                onClick={() => restore(round)}
              />
            )}
          </li>
        ))}
      </ul>
      <FailureLine error={error}>The round was not restored.</FailureLine>
    </Dialog>
  )
}
