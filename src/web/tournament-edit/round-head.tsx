import { DELETED_ROUND_DAYS, NAME_LENGTH } from '../../contract/bounds.ts'
import { useAskedAction } from '../action.ts'
import { CommitField } from '../editing/fields.tsx'
import { count } from '../format.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { OutsideLink } from '../parts/links.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { explain } from '../site-failure.ts'
import type { Workspace, WorkspaceProps } from './model.ts'
import { stateOfRound } from './rounds.ts'
import { RoundFields, roundLinks, type RoundProps } from './round-fields.tsx'
import { discussionId, WHOLE_ROUND } from './round-model.ts'
import { readRoundName } from './rounds-nav.tsx'

/** The name of a round, what is set of it, and the remarks on it as a whole. */
export function RoundHead({ round, workspace }: RoundProps & WorkspaceProps) {
  const { name } = round.store.edit
  const { drafts, hosts } = round.rights.value
  const removing = useAskedAction<string>()
  const remarks = round.remarks.value.get(WHOLE_ROUND) ?? []
  const open = remarks.filter(({ settled }) => !settled).length
  const isOpen = round.open.value === WHOLE_ROUND
  const state = stateOfRound(round.store.saved)
  const discussion = (
    <Button
      id={discussionId(WHOLE_ROUND, 'discussion-button')}
      tone="quiet"
      icon="discussion"
      aria-expanded={isOpen}
      onClick={() => round.toggle(null)}
    >
      {open === 0 ? 'Remarks' : count(open, 'open remark')}
    </Button>
  )
  const versions = <LinkButton tone="quiet" label="History" href={`?round=${round.id}&history`} />
  if (!drafts) {
    return (
      <header class="round-head">
        <h2>
          <PersonText text={name} />
        </h2>
        {discussion}
        {versions}
        <RoundLinks round={round} />
      </header>
    )
  }
  return (
    <header class="round-head">
      <h2 class="sr-only">{shownText(name)}</h2>
      <CommitField
        isShared
        class="round-name-field"
        aria-label="Name of the round"
        maxLength={NAME_LENGTH}
        text={name}
        read={(text) => readRoundName(text, workspace.tournament.rounds, round.id)}
        onCommit={(name, seen) => round.setField('name', seen, name)}
      />
      {discussion}
      {versions}
      {(hosts || state === 'draft') && (
        <Button
          tone="quiet"
          icon="trash"
          aria-label="Delete the round"
          title="Delete the round"
          onClick={() => removing.ask(name)}
        />
      )}
      {!hosts && <RoundLinks round={round} />}
      <RoundFields round={round} workspace={workspace} />
      <ConfirmDialog
        title="Delete this round?"
        isOpen={removing.asked !== null}
        action="Delete round"
        busy={removing.isBusy}
        onCancel={removing.close}
        onConfirm={() =>
          removing.run(async () => {
            await workspace.deleteRound(round.id)
            removing.close()
            announce(`${name} deleted`, 'plain', () => restore(workspace, round.id))
          })
        }
      >
        <p>
          <PersonText within="b" text={name} /> can be restored for {DELETED_ROUND_DAYS} days, with
          its history, candidates and remarks.{' '}
          {state === 'released' &&
            'Its pack is deleted. If you restore the round, it is a draft again; releasing it brings the pack back under the same link.'}
        </p>
        <FailureLine error={removing.error}>The round was not deleted.</FailureLine>
      </ConfirmDialog>
    </header>
  )
}

function restore(workspace: Workspace, id: string): void {
  workspace.restoreRound(id).catch((error: unknown) => announce(explain(error), 'danger'))
}

/** Map pack and showcase, for who cannot set them. */
function RoundLinks({ round }: RoundProps) {
  const set = roundLinks.flatMap(([field, name]) => {
    const { [field]: href } = round.store.edit
    return href === undefined ? [] : [{ field, name, href }]
  })
  if (set.length === 0) return null
  return (
    <p class="round-links">
      {set.map(({ field, name, href }) => (
        <span key={field}>
          {name}: <OutsideLink href={href} />
        </span>
      ))}
    </p>
  )
}
