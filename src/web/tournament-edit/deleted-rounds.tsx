import * as texts from '#texts/round'
import { unsavedChanges } from '#texts/workspace'
import type { DeletedRound } from '../../contract/deleted-rounds.ts'
import { MAX_ROUNDS } from '../../contract/bounds.ts'
import { useAction } from '../action.ts'
import { formatDay, formatMoment, formatSentences } from '../format.ts'
import { orLook } from '../lost-answers.ts'
import { Button } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { orLeave } from '../tournament-staff/roles.ts'
import type { WorkspaceProps } from './model.ts'

type DialogProps = WorkspaceProps & { readonly onClose: () => void }

/** The rounds that were deleted, and until when each can be restored (D-82). */
export function DeletedRoundsDialog({ workspace, onClose }: DialogProps) {
  const { isBusy, error, run } = useAction(orLeave(workspace.tournament))
  const rounds = workspace.deleted.value
  const isFull = workspace.tournament.rounds.length >= MAX_ROUNDS
  const { drafts } = workspace.rights.value
  const unsent = workspace.opened.unsent.value
  const restore = ({ id }: DeletedRound): void =>
    run(async () => {
      const isRestored = await orLook(
        async () => {
          await workspace.restoreRound(id)
          return true
        },
        async () => {
          await workspace.readDeleted()
          return workspace.deleted.value.some((each) => each.id === id) ? null : false
        },
      )
      if (isRestored) onClose()
    })
  return (
    <Dialog title={texts.deletedRounds} isOpen onClose={onClose}>
      <p>
        {formatSentences([
          texts.restoredMeans,
          drafts && isFull && texts.roundsFull({ most: MAX_ROUNDS }),
        ])}
      </p>
      {rounds.length === 0 && <p class="quiet-text">{texts.noDeletedRounds}</p>}
      <ul class="deleted-rounds" role="list">
        {rounds.map((round) => (
          <li key={round.id}>
            <span>
              <PersonText within="b" text={round.name} />
              <span class="quiet-text">
                {texts.slotCount({ n: round.slotCount })} · <Deletion round={round} />
              </span>
              <Unsaved n={unsent.filter((id) => id === round.id).length} />
              <span class="quiet-text">
                {texts.restorableUntil({ day: formatDay(round.restorableUntil) })}
              </span>
            </span>
            {drafts && (
              <Button
                icon="undo"
                label={texts.restore}
                aria-label={texts.restoreRound({ round: shownText(round.name) })}
                disabled={isFull}
                busy={isBusy}
                onClick={() => restore(round)}
              />
            )}
          </li>
        ))}
      </ul>
      <FailureLine error={error}>{texts.roundNotRestored}</FailureLine>
    </Dialog>
  )
}

/** What was changed in a round before its deletion was seen: once it is restored, it can be saved. */
const Unsaved = ({ n }: { readonly n: number }) =>
  n === 0 ? null : <span class="edit-danger">{unsavedChanges({ n })}</span>

function Deletion({ round: { deletedAt, deletedBy } }: { readonly round: DeletedRound }) {
  const moment = formatMoment(deletedAt)
  return deletedBy === undefined
    ? texts.deletedOn({ moment })
    : texts.deletedOnBy({ moment, person: <PersonText text={deletedBy} /> })
}
